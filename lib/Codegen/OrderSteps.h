//===- OrderSteps.h - Unrolled reductions step by step ----------*- C++ -*-===//

#ifndef SCHEDOPT_CODEGEN_ORDERSTEPS_H
#define SCHEDOPT_CODEGEN_ORDERSTEPS_H

namespace llvm {
class Module;
}

namespace sched {

/// Puts the multiplications of an unrolled register tile in the order of the
/// reduction: all accumulators take one step before any takes the next, and
/// what a step reads is loaded right before it. Vectors of one step alone are
/// then alive besides the accumulators. Values stay what they are. Comes after
/// LLVM's optimisations, whose scheduler keeps roughly to the order it finds.
void orderSteps(llvm::Module &module);

} // namespace sched

#endif // SCHEDOPT_CODEGEN_ORDERSTEPS_H
