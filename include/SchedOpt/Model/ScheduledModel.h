//===- ScheduledModel.h - The nest of scheduled code ------------*- C++ -*-===//
//
// Where a sketch has ops without a loop model, what a candidate becomes is read
// off the IR after the concrete interpreter ran. Slower than SketchCompiler.h
// by a factor of thousands, with the same definition of the features.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_SCHEDULEDMODEL_H
#define SCHEDOPT_MODEL_SCHEDULEDMODEL_H

#include "SchedOpt/Model/Program.h"
#include "llvm/Support/LogicalResult.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace sched {

/// A program without decisions that stands for the loops of `function` as they
/// are: structured ops on tensors, inside of `scf.for` and `scf.forall`. Which
/// loops tile which dimension of an op is seen by the slices that it takes.
/// `flops` are those of the payload. Failure, without a message, where a bound
/// or a shape is not known, no structured op is left, or there are too many.
llvm::FailureOr<Program> readScheduledCode(mlir::func::FuncOp function,
                                           const Target &target, double flops);

} // namespace sched

#endif // SCHEDOPT_MODEL_SCHEDULEDMODEL_H
