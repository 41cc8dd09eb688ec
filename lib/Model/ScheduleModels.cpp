//===- ScheduleModels.cpp - Decisions and algebra in the model ------------===//
//
// Decisions become decisions of the program, arithmetic becomes instructions,
// and requirements become constraints.
//
//===----------------------------------------------------------------------===//

#include "DecisionRoles.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "SchedOpt/Dialect/Schedule/IR/SketchEvaluator.h"
#include "SchedOpt/Model/LoopModelInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;
using Opcode = Instruction::Op;

namespace {

sched::DecisionKind convertKind(schedule::DecisionKind kind) {
  switch (kind) {
  case schedule::DecisionKind::Ordered:
    return sched::DecisionKind::Ordered;
  case schedule::DecisionKind::Categorical:
    return sched::DecisionKind::Categorical;
  case schedule::DecisionKind::PerfectTile:
    return sched::DecisionKind::PerfectTile;
  case schedule::DecisionKind::Permutation:
    return sched::DecisionKind::Permutation;
  }
  llvm_unreachable("unknown kind");
}

/// Any op with the decision interface, but for `choose`, whose regions would
/// each need a nest of their own.
template <typename OpTy>
struct DecisionModel
    : LoopModelOpInterface::ExternalModel<DecisionModel<OpTy>, OpTy> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto decision = cast<schedule::DecisionOpInterface>(op);
    SmallVector<int64_t> params;
    for (Value operand : op->getOperands()) {
      FailureOr<Expr> value = state.getParam(op, operand);
      if (failed(value))
        return failure();
      if (!value->constant)
        return op->emitOpError("needs an extent that does not depend on other "
                               "decisions; multiply a decided factor instead");
      params.push_back(*value->constant);
    }
    FailureOr<schedule::DecisionDomain> domain = decision.computeDomain(params);
    if (failed(domain))
      return failure();
    sched::Decision result;
    result.name = decision.getDecisionName().str();
    result.kind = convertKind(decision.getDecisionKind());
    result.role = findRole(decision);
    result.domain = *domain;
    if (auto decided = decision.getDecided()) {
      // Whoever decided it does not want it searched.
      if (!schedule::findEntry(result.domain, *decided))
        return schedule::getDecidedValues(decision, *domain);
      result.domain = {{decided->begin(), decided->end()}};
    } else {
      if (auto weights = decision.getWeights())
        result.weights.assign(weights->begin(), weights->end());
      if (auto values = decision.getDefaultValues())
        if (auto entry = schedule::findEntry(result.domain, *values))
          result.defaultIndex = *entry;
    }
    for (auto [value, expr] : llvm::zip_equal(
             op->getResults(), state.builder.decision(std::move(result))))
      state.setParam(value, expr);
    return success();
  }
};

/// A binary operation folded over any number of operands.
template <typename OpTy, Opcode kOp>
struct FoldModel
    : LoopModelOpInterface::ExternalModel<FoldModel<OpTy, kOp>, OpTy> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto params = state.getParams(op, op->getOperands());
    if (failed(params))
      return failure();
    Expr result = params->front();
    for (const Expr &param : llvm::drop_begin(*params))
      result = state.builder.apply(kOp, result, param);
    state.setParam(op->getResult(0), result);
    return success();
  }
};

struct CmpModel
    : LoopModelOpInterface::ExternalModel<CmpModel, schedule::CmpOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto cmp = cast<schedule::CmpOp>(op);
    auto params = state.getParams(op, op->getOperands());
    if (failed(params))
      return failure();
    const Expr lhs = (*params)[0], rhs = (*params)[1];
    ProgramBuilder &b = state.builder;
    Expr result;
    switch (cmp.getPredicate()) {
    case schedule::CmpPredicate::eq:
      result = b.apply(Opcode::CmpEQ, lhs, rhs);
      break;
    case schedule::CmpPredicate::ne:
      result = b.apply(Opcode::CmpNE, lhs, rhs);
      break;
    case schedule::CmpPredicate::lt:
      result = b.apply(Opcode::CmpLT, lhs, rhs);
      break;
    case schedule::CmpPredicate::le:
      result = b.apply(Opcode::CmpLE, lhs, rhs);
      break;
    case schedule::CmpPredicate::gt:
      result = b.apply(Opcode::CmpLT, rhs, lhs);
      break;
    case schedule::CmpPredicate::ge:
      result = b.apply(Opcode::CmpLE, rhs, lhs);
      break;
    }
    state.setParam(op->getResult(0), result);
    return success();
  }
};

struct SelectModel
    : LoopModelOpInterface::ExternalModel<SelectModel, schedule::SelectOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto params = state.getParams(op, op->getOperands());
    if (failed(params))
      return failure();
    state.setParam(
        op->getResult(0),
        state.builder.select((*params)[0], (*params)[1], (*params)[2]));
    return success();
  }
};

struct RequireModel
    : LoopModelOpInterface::ExternalModel<RequireModel, schedule::RequireOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto require = cast<schedule::RequireOp>(op);
    FailureOr<Expr> condition = state.getParam(op, require.getCondition());
    if (failed(condition))
      return failure();
    state.builder.require(*condition, require.getReason());
    return success();
  }
};

} // namespace

namespace sched {
/// Part of registerLoopModels (SketchCompiler.cpp).
void attachScheduleModels(MLIRContext *context) {
  using namespace schedule;
  SampleCategoricalOp::attachInterface<DecisionModel<SampleCategoricalOp>>(
      *context);
  SampleTileOp::attachInterface<DecisionModel<SampleTileOp>>(*context);
  SamplePerfectTileOp::attachInterface<DecisionModel<SamplePerfectTileOp>>(
      *context);
  SamplePermutationOp::attachInterface<DecisionModel<SamplePermutationOp>>(
      *context);
  SampleComputeLocationOp::attachInterface<
      DecisionModel<SampleComputeLocationOp>>(*context);
  ProductOp::attachInterface<FoldModel<ProductOp, Opcode::Mul>>(*context);
  SumOp::attachInterface<FoldModel<SumOp, Opcode::Add>>(*context);
  MinOp::attachInterface<FoldModel<MinOp, Opcode::Min>>(*context);
  MaxOp::attachInterface<FoldModel<MaxOp, Opcode::Max>>(*context);
  AndOp::attachInterface<FoldModel<AndOp, Opcode::And>>(*context);
  OrOp::attachInterface<FoldModel<OrOp, Opcode::Or>>(*context);
  SubOp::attachInterface<FoldModel<SubOp, Opcode::Sub>>(*context);
  FloorDivOp::attachInterface<FoldModel<FloorDivOp, Opcode::FloorDiv>>(
      *context);
  CeilDivOp::attachInterface<FoldModel<CeilDivOp, Opcode::CeilDiv>>(*context);
  ModOp::attachInterface<FoldModel<ModOp, Opcode::Mod>>(*context);
  CmpOp::attachInterface<CmpModel>(*context);
  schedule::SelectOp::attachInterface<SelectModel>(*context);
  RequireOp::attachInterface<RequireModel>(*context);
}
} // namespace sched
