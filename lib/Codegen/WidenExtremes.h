//===- WidenExtremes.h - Minima and maxima of f16 ---------------*- C++ -*-===//

#ifndef SCHEDOPT_CODEGEN_WIDENEXTREMES_H
#define SCHEDOPT_CODEGEN_WIDENEXTREMES_H

namespace llvm {
class Module;
}

namespace sched {

/// Computes minima and maxima of f16 in f32, for targets without arithmetic on
/// f16. LowerBFloat.cpp has done so already, but LLVM's optimiser takes them
/// for cheaper in f16, and the code generator then calls a function for each.
void widenExtremes(llvm::Module &module);

} // namespace sched

#endif // SCHEDOPT_CODEGEN_WIDENEXTREMES_H
