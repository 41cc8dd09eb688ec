//===- ScaleLater.cpp - Scales of rows after the product ------------------===//
//
// Attention divides the exponentials of a row by their sum, then multiplies the
// row by a matrix. A row's scale can as well wait for the product, which has
// fewer elements, and where it is an epilogue on registers:
//
//   sum over k of (e[m, k] / s[m]) * v[k, n]  =  (sum ...  e[m, k] * v[k, n]) /
//   s[m]
//
// Only exponentials are left unscaled: softmax makes them at most one, so that
// their products are no larger than the scaled ones times the row's length.
//
//===----------------------------------------------------------------------===//

#include "ScaleLater.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

namespace {
/// `values`, scaled row by row by `factors`.
struct Scale {
  linalg::GenericOp op;
  OpOperand *values, *factors;
};
} // namespace

/// Whether `value` is the largest value of rows.
static bool isRowMaximum(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumReductionLoops() == 0 || op->getNumResults() != 1)
    return false;
  return isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp>(
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp());
}

/// Whether `value` is an elementwise op that ends in an exponential of
/// something less the largest value of its row.
static bool isExponential(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !sched::isElementwise(op))
    return false;
  Operation *last =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  auto difference = isa_and_nonnull<math::ExpOp, math::Exp2Op>(last)
                        ? last->getOperand(0).getDefiningOp<arith::SubFOp>()
                        : nullptr;
  auto largest = difference ? dyn_cast<BlockArgument>(difference.getRhs())
                            : BlockArgument();
  return largest && largest.getOwner() == op.getBlock() &&
         isRowMaximum(op.getMatchingOpOperand(largest)->get());
}

/// `value` as exponentials that are divided or multiplied by factors of which
/// there are fewer.
static std::optional<Scale> matchScale(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || !value.hasOneUse() || op.getNumDpsInputs() != 2 ||
      !sched::isElementwise(op) || op.getBlock()->getOperations().size() != 2)
    return std::nullopt;
  Operation &body = op.getBlock()->front();
  Scale scale{op, op.getDpsInputOperand(0), op.getDpsInputOperand(1)};
  if (isa<arith::MulFOp>(body) && !isExponential(scale.values->get()))
    std::swap(scale.values, scale.factors);
  auto argument = [&](OpOperand *operand) {
    return op.getMatchingBlockArgument(operand);
  };
  const bool isScaled =
      isa<arith::DivFOp>(body)
          ? body.getOperand(0) == argument(scale.values) &&
                body.getOperand(1) == argument(scale.factors)
          : isa<arith::MulFOp>(body) &&
                llvm::is_contained(body.getOperands(),
                                   argument(scale.values)) &&
                llvm::is_contained(body.getOperands(), argument(scale.factors));
  const AffineMap factors = op.getMatchingIndexingMap(scale.factors);
  if (!isScaled || !isExponential(scale.values->get()) ||
      !op.getMatchingIndexingMap(scale.values).isIdentity() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      !factors.isProjectedPermutation())
    return std::nullopt;
  return scale;
}

/// The factors' indices in terms of `product`'s result; none if the scale is
/// not one of whole rows of it.
static std::optional<AffineMap> getFactorMap(Scale scale,
                                             linalg::LinalgOp product,
                                             AffineMap operand,
                                             AffineMap result) {
  SmallVector<AffineExpr> indices;
  for (AffineExpr index :
       scale.op.getMatchingIndexingMap(scale.factors).getResults()) {
    auto position = result.getResultPosition(
        operand.getResult(cast<AffineDimExpr>(index).getPosition()));
    if (!position)
      return std::nullopt;
    indices.push_back(getAffineDimExpr(*position, product.getContext()));
  }
  return AffineMap::get(result.getNumResults(), 0, indices,
                        product.getContext());
}

static bool scaleAfter(linalg::LinalgOp product) {
  const std::optional<ContractionShape> shape = matchContraction(product);
  if (!shape || shape->isWindowed || shape->accType.isF16() ||
      shape->lhsType != shape->accType || shape->rhsType != shape->accType)
    return false;
  OpOperand &lhs = product->getOpOperand(shape->lhsOperand);
  std::optional<Scale> scale = matchScale(lhs.get());
  OpOperand *init = product.getDpsInitOperand(0);
  auto fill = init->get().getDefiningOp<linalg::FillOp>();
  const AffineMap operand = product.getMatchingIndexingMap(&lhs),
                  result = product.getMatchingIndexingMap(init);
  if (!scale || !fill || !matchPattern(fill.value(), m_AnyZeroFloat()) ||
      !operand.isProjectedPermutation() || !result.isProjectedPermutation())
    return false;
  auto type = cast<RankedTensorType>(product->getResult(0).getType());
  auto scaled = cast<RankedTensorType>(lhs.get().getType());
  const auto factorMap = getFactorMap(*scale, product, operand, result);
  if (!factorMap || type.getNumElements() > scaled.getNumElements())
    return false;

  lhs.set(scale->values->get());
  OpBuilder builder(product->getContext());
  builder.setInsertionPointAfter(product);
  const Location loc = scale->op.getLoc();
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  const AffineMap all = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<Value> inputs(2);
  SmallVector<AffineMap> maps(3, all);
  inputs[scale->values->getOperandNumber()] = product->getResult(0);
  inputs[scale->factors->getOperandNumber()] = scale->factors->get();
  maps[scale->factors->getOperandNumber()] = *factorMap;
  auto later = linalg::GenericOp::create(
      builder, loc, type, inputs, empty, maps,
      SmallVector<utils::IteratorType>(type.getRank(),
                                       utils::IteratorType::parallel));
  IRMapping mapping;
  scale->op.getRegion().cloneInto(&later.getRegion(), mapping);
  product->getResult(0).replaceAllUsesExcept(later->getResult(0), later);
  scale->op->erase();
  return true;
}

bool sched::scaleAfterProducts(func::FuncOp function) {
  bool isChanged = false;
  for (linalg::LinalgOp op : collectLinalgOps(function)) {
    // Scales come before their products: none of those to come is erased.
    isChanged |= scaleAfter(op);
  }
  return isChanged;
}
