//===- SplitVectors.h - Odd vectors between basic blocks --------*- C++ -*-===//
//
// A step of Compile.cpp. Read next: SplitVectors.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CODEGEN_SPLITVECTORS_H
#define SCHEDOPT_CODEGEN_SPLITVECTORS_H

namespace llvm {
class Module;
} // namespace llvm

namespace sched {

/// Passes each vector of an even length that is no power of two from block to
/// block as vectors of the largest power of two that divides it, and arrays of
/// vectors as vectors. Odd lengths stay: only the ends of rows have them.
void splitVectorsBetweenBlocks(llvm::Module &module);

} // namespace sched

#endif // SCHEDOPT_CODEGEN_SPLITVECTORS_H
