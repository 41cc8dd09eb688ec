//===- SketchEvaluator.cpp - Runs a sketch's decisions --------------------===//

#include "SchedOpt/Dialect/Schedule/IR/SketchEvaluator.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::schedule;

namespace {
class Evaluator {
public:
  Evaluator(DecideFn decide, SketchEvaluation &result)
      : decide(decide), result(result) {}

  /// Runs the ops of `block`; stops early at a requirement that does not hold.
  LogicalResult run(Block &block);

private:
  LogicalResult visit(Operation &op);
  LogicalResult visitDecision(DecisionOpInterface op);
  LogicalResult visitAlgebra(AlgebraOpInterface op);
  LogicalResult visitRequire(RequireOp op);

  std::optional<int64_t> lookup(Value param) const {
    auto it = result.params.find(param);
    if (it != result.params.end())
      return it->second;
    FailureOr<int64_t> constant = getConstantParam(param);
    if (succeeded(constant))
      return *constant;
    return std::nullopt;
  }

  /// The values of all operands; an error where one comes from the payload.
  FailureOr<SmallVector<int64_t>> lookupOperands(Operation *op) const {
    SmallVector<int64_t> values;
    for (Value operand : op->getOperands()) {
      std::optional<int64_t> value = lookup(operand);
      if (!value)
        return op->emitOpError(
            "needs a parameter that is known only when the script runs on the "
            "payload; compute it from decisions and constants");
      values.push_back(*value);
    }
    return values;
  }

  DecideFn decide;
  SketchEvaluation &result;
};
} // namespace

LogicalResult Evaluator::run(Block &block) {
  for (Operation &op : block) {
    if (failed(visit(op)))
      return failure();
    if (result.failedRequire)
      return success();
  }
  return success();
}

LogicalResult Evaluator::visit(Operation &op) {
  if (auto decision = dyn_cast<DecisionOpInterface>(op))
    return visitDecision(decision);
  if (auto algebra = dyn_cast<AlgebraOpInterface>(op))
    return visitAlgebra(algebra);
  if (auto require = dyn_cast<RequireOp>(op))
    return visitRequire(require);
  for (Region &region : op.getRegions())
    for (Block &block : region) {
      if (failed(run(block)))
        return failure();
      if (result.failedRequire)
        return success();
    }
  return success();
}

LogicalResult Evaluator::visitDecision(DecisionOpInterface op) {
  FailureOr<SmallVector<int64_t>> params = lookupOperands(op);
  if (failed(params))
    return failure();
  FailureOr<DecisionDomain> domain = op.computeDomain(*params);
  if (failed(domain))
    return failure();
  FailureOr<SmallVector<int64_t>> values = decide(op, *domain);
  if (failed(values))
    return failure();
  Trace::Decision decision;
  decision.name = op.getDecisionName().str();
  decision.values.assign(values->begin(), values->end());
  result.decisions.push_back(std::move(decision));
  result.decisionOps.push_back(op);

  auto choose = dyn_cast<ChooseOp>(op.getOperation());
  if (!choose) {
    for (auto [param, value] : llvm::zip_equal(op->getResults(), *values))
      result.params[param] = value;
    return success();
  }
  Block &alternative = choose.getAlternatives()[values->front()].front();
  if (failed(run(alternative)) || result.failedRequire)
    return success(result.failedRequire != nullptr);
  for (auto [yielded, param] : llvm::zip_equal(
           alternative.getTerminator()->getOperands(), choose.getResults()))
    if (std::optional<int64_t> value = lookup(yielded))
      result.params[param] = *value;
  return success();
}

LogicalResult Evaluator::visitAlgebra(AlgebraOpInterface op) {
  FailureOr<SmallVector<int64_t>> operands = lookupOperands(op);
  if (failed(operands))
    return failure();
  std::optional<int64_t> value = op.evaluate(*operands);
  if (!value)
    return op.emitOpError("overflows for the operands ")
           << printValues(*operands);
  result.params[op->getResult(0)] = *value;
  return success();
}

LogicalResult Evaluator::visitRequire(RequireOp op) {
  FailureOr<SmallVector<int64_t>> operands = lookupOperands(op);
  if (failed(operands))
    return failure();
  if (operands->front() == 0)
    result.failedRequire = op;
  return success();
}

FailureOr<SketchEvaluation> mlir::schedule::evaluateSketch(SketchOp sketch,
                                                           DecideFn decide) {
  SketchEvaluation result;
  if (failed(Evaluator(decide, result).run(sketch.getBody().front())))
    return failure();
  return result;
}

FailureOr<SmallVector<int64_t>>
mlir::schedule::getDecidedValues(DecisionOpInterface decision,
                                 const DecisionDomain &domain) {
  std::optional<ArrayRef<int64_t>> values = decision.getDecided();
  if (!values)
    return decision->emitOpError("decision '")
           << decision.getDecisionName()
           << "' is not made; run schedule-sample or schedule-apply-trace "
              "first";
  if (!findEntry(domain, *values))
    return decision->emitOpError("decision '")
           << decision.getDecisionName() << "' cannot be "
           << printValues(*values) << "; its domain is " << printDomain(domain)
           << "; choose one of its entries";
  return llvm::to_vector(*values);
}

InFlightDiagnostic
mlir::schedule::emitFailedRequire(const SketchEvaluation &evaluation) {
  RequireOp require = evaluation.failedRequire;
  InFlightDiagnostic diagnostic = require->emitError("requirement not met: ")
                                  << require.getReason();
  diagnostic.attachNote() << "with the decisions "
                          << printDecisions(evaluation.decisions);
  return diagnostic;
}
