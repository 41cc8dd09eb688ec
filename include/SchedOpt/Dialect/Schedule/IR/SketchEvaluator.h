//===- SketchEvaluator.h - Runs a sketch's decisions ------------*- C++ -*-===//
//
// Walks a sketch in program order, asks for each decision, computes the algebra
// and checks the requirements; actions are passed over. Sampling, replay and
// conversion are this walk with different answers. (The search uses the much
// faster Model/Program.h.)
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_IR_SKETCHEVALUATOR_H
#define SCHEDOPT_DIALECT_SCHEDULE_IR_SKETCHEVALUATOR_H

#include "SchedOpt/Dialect/Schedule/IR/Trace.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::schedule {

/// What a sketch's parameters are for one set of decisions.
struct SketchEvaluation {
  /// Values of the parameters that do not depend on the payload.
  llvm::DenseMap<Value, int64_t> params;
  /// The decisions met, with the ops they belong to.
  std::vector<Trace::Decision> decisions;
  llvm::SmallVector<DecisionOpInterface> decisionOps;
  /// The requirement that does not hold and ended the walk, if any.
  RequireOp failedRequire;
};

/// Answers a decision with one entry of its domain. Failure, after an error,
/// ends the walk.
using DecideFn = llvm::function_ref<FailureOr<llvm::SmallVector<int64_t>>(
    DecisionOpInterface decision, const DecisionDomain &domain)>;

/// Runs `sketch`. Fails, with an error at the op, where a domain, a requirement
/// or a parameter of the algebra cannot be computed.
FailureOr<SketchEvaluation> evaluateSketch(SketchOp sketch, DecideFn decide);

/// The answer of a decided sketch: the decided values, checked against the
/// domain. An error, which says what to do, where there are none.
FailureOr<llvm::SmallVector<int64_t>>
getDecidedValues(DecisionOpInterface decision, const DecisionDomain &domain);

/// Reports `evaluation.failedRequire` at its place, with the decisions.
InFlightDiagnostic emitFailedRequire(const SketchEvaluation &evaluation);

} // namespace mlir::schedule

#endif // SCHEDOPT_DIALECT_SCHEDULE_IR_SKETCHEVALUATOR_H
