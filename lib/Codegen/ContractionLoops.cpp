//===- ContractionLoops.cpp - What a contraction multiplies and adds ------===//

#include "ContractionLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sched;

/// Follows conversions back to an argument of the body. They are collected in
/// the order in which they apply.
static BlockArgument skipCasts(Value value, SmallVector<Operation *> &casts) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp>(op))
      return {};
    casts.push_back(op);
    value = op->getOperand(0);
  }
  std::reverse(casts.begin(), casts.end());
  return cast<BlockArgument>(value);
}

/// Matches `sum + lhs * rhs`, and fills the shape's ops.
static bool matchBody(ContractionLoops &shape) {
  Block *body = shape.op.getBlock();
  const BlockArgument sum = body->getArgument(2);
  Operation *add = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!add || !isa<arith::AddFOp, arith::AddIOp>(add))
    return false;
  const unsigned place = add->getOperand(0) == sum ? 1 : 0;
  if (add->getOperand(1 - place) != sum || !sum.hasOneUse())
    return false;
  Operation *multiply = add->getOperand(place).getDefiningOp();
  if (!multiply || !isa<arith::MulFOp, arith::MulIOp>(multiply))
    return false;
  for (Value factor : multiply->getOperands()) {
    SmallVector<Operation *> casts;
    const BlockArgument argument = skipCasts(factor, casts);
    if (!argument || argument.getOwner() != body ||
        argument.getArgNumber() > 1 || !argument.hasOneUse())
      return false;
    shape.casts[argument.getArgNumber()] = casts;
  }
  shape.add = add;
  shape.multiply = multiply;
  return multiply->getOperand(0) != multiply->getOperand(1);
}

std::optional<ContractionLoops> ContractionLoops::get(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 || op->getNumResults() != 1)
    return std::nullopt;
  for (OpOperand &operand : op->getOpOperands())
    if (!isa<RankedTensorType>(operand.get().getType()))
      return std::nullopt;
  ContractionLoops shape;
  shape.op = op;
  const AffineMap result = shape.getResultMap();
  if (!result.isProjectedPermutation() || !matchBody(shape))
    return std::nullopt;
  const SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  auto classify = [&](unsigned loop, bool inResult) {
    const bool inLhs = shape.getMap(0).isFunctionOfDim(loop),
               inRhs = shape.getMap(1).isFunctionOfDim(loop);
    if (!inResult) {
      if (!inLhs || !inRhs)
        return false;
      shape.k.push_back(loop);
      return true;
    }
    if (!inLhs && !inRhs)
      return false;
    (inLhs && inRhs ? shape.batch : inLhs ? shape.m : shape.n).push_back(loop);
    return true;
  };
  for (AffineExpr expr : result.getResults())
    if (!classify(cast<AffineDimExpr>(expr).getPosition(), true))
      return std::nullopt;
  for (unsigned loop = 0; loop != op.getNumLoops(); ++loop)
    if (!result.isFunctionOfDim(loop) && !classify(loop, false))
      return std::nullopt;
  if (shape.m.empty() || shape.n.empty())
    return std::nullopt;
  return shape;
}

std::optional<ContractionNest> ContractionNest::find(Operation *op) {
  ContractionNest nest;
  if (op->getNumResults() != 1)
    return std::nullopt;
  nest.result = op->getResult(0);
  Value carried;
  while (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (loop.getInitArgs().size() != 1 ||
        (carried && loop.getInitArgs()[0] != carried))
      return std::nullopt;
    if (!carried)
      nest.init = loop.getInitArgs()[0];
    carried = loop.getRegionIterArg(0);
    nest.loops.push_back(loop);
    op = loop.getBody()->getTerminator()->getOperand(0).getDefiningOp();
    if (!op || op->getBlock() != loop.getBody())
      return std::nullopt;
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return std::nullopt;
  std::optional<ContractionLoops> shape = ContractionLoops::get(linalgOp);
  if (!shape)
    return std::nullopt;
  nest.shape = *shape;
  const Value start = linalgOp.getDpsInits()[0];
  if (carried && start != carried)
    return std::nullopt;
  if (!carried)
    nest.init = start;
  return nest;
}
