//===- ContractionLoops.cpp - What a contraction multiplies and adds ------===//

#include "ContractionLoops.h"
#include "SimtOptions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

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
  auto entries = op->getAttrOfType<DictionaryAttr>(SimtOptions::name);
  if (entries && entries.contains("vector"))
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
    // Rows that are all the same are of the left-hand side.
    (inLhs && inRhs ? shape.batch : inRhs ? shape.n : shape.m).push_back(loop);
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

/// Whether a slice is all of a tensor, taken or put back: scripts that fuse
/// leave such slices of what a loop carries.
template <typename SliceOp> static bool isWhole(SliceOp slice, Value tensor) {
  const auto type = cast<RankedTensorType>(tensor.getType());
  for (auto [dim, size] : llvm::enumerate(slice.getMixedSizes())) {
    const std::optional<int64_t> constant = getConstantIntValue(size);
    const int64_t whole = type.getDimSize(dim);
    if (!isConstantIntValue(slice.getMixedOffsets()[dim], 0) ||
        !isConstantIntValue(slice.getMixedStrides()[dim], 1) ||
        (constant ? *constant != whole : !ShapedType::isDynamic(whole)))
      return false;
  }
  return true;
}

std::optional<ContractionNest> ContractionNest::find(Operation *op) {
  ContractionNest nest;
  if (op->getNumResults() != 1)
    return std::nullopt;
  nest.result = op->getResult(0);
  Value carried;
  /// What is carried, or a slice that is all of it.
  auto isCarried = [&](Value value) {
    if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
        slice && isWhole(slice, slice.getSource()))
      value = slice.getSource();
    return value == carried;
  };
  while (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (loop.getInitArgs().size() != 1 ||
        (carried && !isCarried(loop.getInitArgs()[0])))
      return std::nullopt;
    if (!carried)
      nest.init = loop.getInitArgs()[0];
    carried = loop.getRegionIterArg(0);
    nest.loops.push_back(loop);
    Value yielded = loop.getBody()->getTerminator()->getOperand(0);
    if (auto insert = yielded.getDefiningOp<tensor::InsertSliceOp>();
        insert && insert.getDest() == carried && isWhole(insert, carried))
      yielded = insert.getSource();
    op = yielded.getDefiningOp();
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
  if (carried && !isCarried(start))
    return std::nullopt;
  if (!carried)
    nest.init = start;
  return nest;
}
