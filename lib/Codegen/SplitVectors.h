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

/// Passes each vector whose length is no power of two from block to block as
/// registers of `vectorBytes` and a smaller power of two for the rest, and
/// arrays of vectors as vectors.
void splitVectorsBetweenBlocks(llvm::Module &module, unsigned vectorBytes);

} // namespace sched

#endif // SCHEDOPT_CODEGEN_SPLITVECTORS_H
