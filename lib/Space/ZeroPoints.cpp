//===- ZeroPoints.cpp - Products of quantised numbers ---------------------===//
//
// The sum of (a - z) (b - y) is the sum of a b, less z times the sum of b, less
// y times the sum of a, plus z y for each term. Products of narrow numbers stay
// products of narrow numbers, for which processors have instructions.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Space/ZeroPoints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace sched;

namespace {
/// Sums of an operand's elements, one for each place of the result that they
/// go into.
struct Sums {
  Value value;
  /// From the loops of the product.
  AffineMap map;
};
} // namespace

/// Adds up the elements of operand `operand` of `op` along reduction loops.
static Sums addUp(OpBuilder &builder, linalg::LinalgOp op, unsigned operand,
                  Type element) {
  const Location loc = op.getLoc();
  const AffineMap map = op.getIndexingMapsArray()[operand];
  MLIRContext *context = builder.getContext();
  const SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  auto source = cast<RankedTensorType>(op->getOperand(operand).getType());
  SmallVector<AffineExpr> from, kept, own;
  SmallVector<int64_t> sizes;
  SmallVector<utils::IteratorType> types;
  for (auto [i, index] : llvm::enumerate(map.getResults())) {
    const auto kind = kinds[cast<AffineDimExpr>(index).getPosition()];
    from.push_back(getAffineDimExpr(i, context));
    types.push_back(kind);
    if (kind != utils::IteratorType::parallel)
      continue;
    kept.push_back(index);
    own.push_back(from.back());
    sizes.push_back(source.getDimSize(i));
  }
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getIntegerAttr(element, 0));
  Value start = tensor::EmptyOp::create(builder, loc, sizes, element);
  start = linalg::FillOp::create(builder, loc, zero, start).getResult(0);
  auto sums = linalg::GenericOp::create(
      builder, loc, start.getType(), op->getOperand(operand), start,
      ArrayRef{AffineMap::get(from.size(), 0, from, context),
               AffineMap::get(from.size(), 0, own, context)},
      types, [&](OpBuilder &inner, Location loc, ValueRange args) {
        Value wide = arith::ExtSIOp::create(inner, loc, element, args[0]);
        Value sum = arith::AddIOp::create(inner, loc, wide, args[1]);
        linalg::YieldOp::create(inner, loc, sum);
      });
  return {sums.getResult(0),
          AffineMap::get(map.getNumDims(), 0, kept, context)};
}

/// `Plain` is what `op` is without zero points. Whether they were taken out.
template <typename Plain, typename Quantised> static bool split(Quantised op) {
  auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
  APInt zeroPoints[2];
  if (!op.hasPureTensorSemantics() || linalgOp.hasDynamicShape() ||
      !matchPattern(op->getOperand(2), m_ConstantInt(&zeroPoints[0])) ||
      !matchPattern(op->getOperand(3), m_ConstantInt(&zeroPoints[1])))
    return false;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto element = dyn_cast<IntegerType>(type.getElementType());
  if (!element)
    return false;
  const SmallVector<AffineMap> maps = linalgOp.getIndexingMapsArray();
  for (unsigned side = 0; side != 2; ++side) {
    const Type narrow = getElementTypeOrSelf(op->getOperand(side).getType());
    if (!narrow.isInteger() ||
        narrow.getIntOrFloatBitWidth() >= element.getWidth() ||
        zeroPoints[side].getBitWidth() > element.getWidth() ||
        (!zeroPoints[side].isZero() &&
         !maps[1 - side].isProjectedPermutation()))
      return false;
  }
  OpBuilder builder(op);
  const Location loc = op.getLoc();
  // Strides and dilations; what is said of operands is not the same.
  SmallVector<NamedAttribute> attributes(op->getAttrs());
  llvm::erase_if(attributes, [&](NamedAttribute attribute) {
    return attribute.getName() == op.getOperandSegmentSizesAttrName() ||
           attribute.getName() ==
               linalg::LinalgDialect::kMemoizedIndexingMapsAttrName;
  });
  auto plain = Plain::create(builder, loc, TypeRange(type),
                             ValueRange{op->getOperand(0), op->getOperand(1)},
                             ValueRange(op.getDpsInits()), attributes);
  Value result = plain->getResult(0);

  SmallVector<Value> inputs = {result};
  const AffineMap place = maps.back();
  SmallVector<AffineMap> reads = {
      builder.getMultiDimIdentityMap(type.getRank())};
  SmallVector<APInt> factors;
  for (unsigned side = 0; side != 2; ++side) {
    if (zeroPoints[side].isZero())
      continue;
    const Sums sums = addUp(builder, linalgOp, 1 - side, element);
    inputs.push_back(sums.value);
    reads.push_back(
        sums.map.compose(inverseAndBroadcastProjectedPermutation(place)));
    factors.push_back(zeroPoints[side].sext(element.getWidth()));
  }
  if (!factors.empty()) {
    APInt rest(element.getWidth(), 0);
    if (factors.size() == 2) {
      rest = factors[0] * factors[1];
      for (auto [extent, kind] :
           llvm::zip_equal(linalgOp.getStaticLoopRanges(),
                           linalgOp.getIteratorTypesArray()))
        if (kind == utils::IteratorType::reduction)
          rest *= APInt(64, extent).zextOrTrunc(element.getWidth());
    }
    reads.push_back(reads.front());
    Value empty =
        tensor::EmptyOp::create(builder, loc, type.getShape(), element);
    auto constant = [&](OpBuilder &inner, const APInt &value) -> Value {
      return arith::ConstantOp::create(inner, loc,
                                       builder.getIntegerAttr(element, value));
    };
    result = linalg::GenericOp::create(
                 builder, loc, type, inputs, empty, reads,
                 SmallVector<utils::IteratorType>(
                     type.getRank(), utils::IteratorType::parallel),
                 [&](OpBuilder &inner, Location loc, ValueRange args) {
                   Value sum = args[0];
                   for (auto [i, factor] : llvm::enumerate(factors)) {
                     Value part = arith::MulIOp::create(
                         inner, loc, args[i + 1], constant(inner, factor));
                     sum = arith::SubIOp::create(inner, loc, sum, part);
                   }
                   if (!rest.isZero())
                     sum = arith::AddIOp::create(inner, loc, sum,
                                                 constant(inner, rest));
                   linalg::YieldOp::create(inner, loc, sum);
                 })
                 .getResult(0);
  }
  op->getResult(0).replaceAllUsesWith(result);
  op.erase();
  return true;
}

bool sched::splitOffZeroPoints(func::FuncOp function) {
  bool isChanged = false;
  function.walk([&](Operation *op) {
    isChanged |= llvm::TypeSwitch<Operation *, bool>(op)
                     .Case<linalg::QuantizedMatmulOp>(
                         [](auto op) { return split<linalg::MatmulOp>(op); })
                     .Case<linalg::QuantizedBatchMatmulOp>([](auto op) {
                       return split<linalg::BatchMatmulOp>(op);
                     })
                     .Case<linalg::Conv2DNhwcHwcfQOp>([](auto op) {
                       return split<linalg::Conv2DNhwcHwcfOp>(op);
                     })
                     .Case<linalg::Conv2DNhwcFhwcQOp>([](auto op) {
                       return split<linalg::Conv2DNhwcFhwcOp>(op);
                     })
                     .Case<linalg::Conv2DNchwFchwQOp>([](auto op) {
                       return split<linalg::Conv2DNchwFchwOp>(op);
                     })
                     .Case<linalg::Conv2DNhwgcGfhwcQOp>([](auto op) {
                       return split<linalg::Conv2DNhwgcGfhwcOp>(op);
                     })
                     .Case<linalg::Conv2DNgchwGfchwQOp>([](auto op) {
                       return split<linalg::Conv2DNgchwGfchwOp>(op);
                     })
                     .Case<linalg::Conv3DNdhwcDhwcfQOp>([](auto op) {
                       return split<linalg::Conv3DNdhwcDhwcfOp>(op);
                     })
                     .Case<linalg::DepthwiseConv2DNhwcHwcQOp>([](auto op) {
                       return split<linalg::DepthwiseConv2DNhwcHwcOp>(op);
                     })
                     .Case<linalg::DepthwiseConv2DNhwcHwcmQOp>([](auto op) {
                       return split<linalg::DepthwiseConv2DNhwcHwcmOp>(op);
                     })
                     .Default(false);
  });
  return isChanged;
}
