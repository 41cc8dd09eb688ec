//===- JoinNaNChecks.h - One check of all that is compared ------*- C++ -*-===//

#ifndef SCHEDOPT_CODEGEN_JOINNANCHECKS_H
#define SCHEDOPT_CODEGEN_JOINNANCHECKS_H

namespace llvm {
class Module;
}

namespace sched {

/// Minima and maxima of vectors that keep NaNs and leave the sign of zeros
/// open, where each goes into the next, become comparisons that may lose a NaN,
/// and one choice at the end: NaN, where any operand was. Two operands share a
/// check. For processors without an instruction that keeps NaNs, as x86 before
/// AVX10.2. Which NaN comes out may change. Comes after LLVM's optimisations.
void joinNaNChecks(llvm::Module &module);

} // namespace sched

#endif // SCHEDOPT_CODEGEN_JOINNANCHECKS_H
