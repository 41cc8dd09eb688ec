//===- WinogradEpilogue.cpp - What is done with results at once -----------===//

#include "WinogradEpilogue.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// Whether vectors along the last loop can be read of it.
static bool isReadable(linalg::LinalgOp op, OpOperand &operand) {
  if (!op.payloadUsesValueFromOperand(&operand))
    return true;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  const unsigned last = op.getNumLoops() - 1;
  if (!isa<RankedTensorType>(operand.get().getType()))
    return true;
  for (auto [position, index] : llvm::enumerate(map.getResults()))
    if (cast<AffineDimExpr>(index).getPosition() == last &&
        position + 1 != map.getNumResults())
      return false;
  return map.getNumResults() > 0 &&
         map.getDimPosition(map.getNumResults() - 1) == last;
}

static bool hasVectorBody(linalg::LinalgOp op) {
  return llvm::all_of(op.getBlock()->without_terminator(),
                      [](Operation &inner) {
                        return inner.getNumResults() == 1 &&
                               (inner.hasTrait<OpTrait::ConstantLike>() ||
                                OpTrait::hasElementwiseMappableTraits(&inner));
                      });
}

static bool canFollow(linalg::LinalgOp op, Value produced) {
  if (!op || !produced.hasOneUse() || !isElementwise(op) ||
      op->getBlock() != produced.getParentBlock() ||
      op->getResult(0).getType() != produced.getType() || !hasVectorBody(op))
    return false;
  OpOperand &use = *produced.use_begin();
  return op.isDpsInput(&use) && op.getMatchingIndexingMap(&use).isIdentity() &&
         llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
           return isReadable(op, operand);
         });
}

SmallVector<linalg::LinalgOp>
winograd::collectEpilogue(linalg::LinalgOp convolution) {
  SmallVector<linalg::LinalgOp> ops;
  Value produced = convolution->getResult(0);
  while (produced.hasOneUse()) {
    auto op = dyn_cast<linalg::LinalgOp>(*produced.user_begin());
    if (!op || !canFollow(op, produced))
      break;
    ops.push_back(op);
    produced = op->getResult(0);
  }
  return ops;
}

Value winograd::applyEpilogue(OpBuilder &builder, linalg::LinalgOp op,
                              Value produced, Value vector,
                              ArrayRef<Value> place) {
  const Location loc = op.getLoc();
  auto shape = cast<VectorType>(vector.getType());
  auto toVector = [&](Type type) { return shape.clone(type); };
  IRMapping mapping;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (argument.use_empty())
      continue;
    Value value = operand.get();
    if (value == produced) {
      mapping.map(argument, vector);
    } else if (auto type = dyn_cast<RankedTensorType>(value.getType())) {
      SmallVector<Value> indices;
      for (AffineExpr index : op.getMatchingIndexingMap(&operand).getResults())
        indices.push_back(place[cast<AffineDimExpr>(index).getPosition()]);
      mapping.map(argument,
                  vector::TransferReadOp::create(
                      builder, loc, toVector(type.getElementType()), value,
                      indices, /*padding=*/std::nullopt, ArrayRef<bool>{true}));
    } else {
      mapping.map(argument, vector::BroadcastOp::create(
                                builder, loc, toVector(value.getType()), value)
                                .getResult());
    }
  }
  auto lookUp = [&](Value value) {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    Value scalar = vector::BroadcastOp::create(
        builder, loc, toVector(value.getType()), value);
    mapping.map(value, scalar);
    return scalar;
  };
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (inner.hasTrait<OpTrait::ConstantLike>()) {
      Operation *constant = builder.clone(inner);
      mapping.map(inner.getResult(0),
                  vector::BroadcastOp::create(
                      builder, loc, toVector(inner.getResult(0).getType()),
                      constant->getResult(0))
                      .getResult());
      continue;
    }
    SmallVector<Value> operands =
        llvm::map_to_vector(inner.getOperands(), lookUp);
    OperationState state(inner.getLoc(), inner.getName(), operands,
                         {toVector(inner.getResult(0).getType())},
                         inner.getAttrs());
    mapping.map(inner.getResult(0), builder.create(state)->getResult(0));
  }
  return lookUp(op.getBlock()->getTerminator()->getOperand(0));
}
