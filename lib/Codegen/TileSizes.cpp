//===- TileSizes.cpp - What is known of a tile's sizes --------------------===//

#include "TileSizes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include <numeric>

using namespace mlir;
using namespace sched;

int64_t sched::getDivisor(OpFoldResult index) {
  if (auto constant = getConstantIntValue(index))
    return *constant == 0 ? int64_t(1) << 30 : std::abs(*constant);
  Value value = cast<Value>(index);
  AffineMap map;
  SmallVector<Value> operands;
  if (auto apply = value.getDefiningOp<affine::AffineApplyOp>()) {
    map = apply.getAffineMap();
    operands = llvm::to_vector(apply.getMapOperands());
  } else if (auto min = value.getDefiningOp<affine::AffineMinOp>()) {
    map = min.getAffineMap();
    operands = llvm::to_vector(min.getOperands());
  } else if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop =
        dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
    if (!loop)
      return 1;
    auto variables = loop.getLoopInductionVars();
    auto lower = loop.getLoopLowerBounds(), steps = loop.getLoopSteps();
    if (!variables || !lower || !steps)
      return 1;
    for (auto [variable, low, step] :
         llvm::zip_equal(*variables, *lower, *steps))
      if (variable == value)
        return std::gcd(getDivisor(low), getDivisor(step));
    return 1;
  } else {
    return 1;
  }
  // Each operand is a multiple of its divisor.
  MLIRContext *context = value.getContext();
  SmallVector<AffineExpr> dims, symbols;
  for (auto [number, operand] : llvm::enumerate(operands)) {
    const int64_t divisor = getDivisor(operand);
    if (number < map.getNumDims())
      dims.push_back(getAffineDimExpr(number, context) * divisor);
    else
      symbols.push_back(
          getAffineSymbolExpr(number - map.getNumDims(), context) * divisor);
  }
  int64_t result = 0;
  for (AffineExpr expr : map.getResults())
    result = std::gcd(
        result,
        expr.replaceDimsAndSymbols(dims, symbols).getLargestKnownDivisor());
  return std::max<int64_t>(result, 1);
}

int64_t sched::getBound(Value tensor, int64_t dim) {
  const auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return type.getDimSize(dim);
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB,
      ValueBoundsConstraintSet::Variable(tensor, dim),
      /*stopCondition=*/nullptr, /*closedUB=*/true);
  return succeeded(bound) ? *bound : -1;
}

/// A size of `tensor`, as what the op says that makes it.
static OpFoldResult getSize(Value tensor, int64_t dim) {
  const auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return IntegerAttr::get(IndexType::get(type.getContext()),
                            type.getDimSize(dim));
  Operation *op = tensor.getDefiningOp();
  if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(op)) {
    const llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [number, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped[number] && dim-- == 0)
        return size;
  }
  if (auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op))
    return getSize(
        linalgOp.getDpsInits()[cast<OpResult>(tensor).getResultNumber()], dim);
  return {};
}

int64_t sched::getSizeDivisor(Value tensor, int64_t dim) {
  const OpFoldResult size = getSize(tensor, dim);
  return size ? getDivisor(size) : 1;
}

int64_t sched::getAlignedWidth(Value tensor) {
  const auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getRank() == 0)
    return 1;
  const int64_t last = type.getRank() - 1;
  int64_t divisor = getSizeDivisor(tensor, last);
  if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>()) {
    if (slice.getDroppedDims()[slice.getSourceType().getRank() - 1])
      return 1;
    divisor = std::gcd(divisor, getDivisor(slice.getMixedOffsets().back()));
    // A vector of a line is one of memory, if lines begin at such places.
    if (slice.getSourceType().getRank() > 1)
      divisor = std::gcd(divisor, getAlignedWidth(slice.getSource()));
  }
  return divisor & -divisor;
}

int64_t sched::getAlignedWidth(RankedTensorType whole, OpFoldResult offset,
                               OpFoldResult size) {
  int64_t divisor = std::gcd(getDivisor(offset), getDivisor(size));
  if (whole.getRank() > 1)
    divisor = std::gcd(divisor, whole.getShape().back());
  return divisor & -divisor;
}
