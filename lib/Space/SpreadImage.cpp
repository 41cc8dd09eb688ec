//===- SpreadImage.cpp - Images with zeros between their pixels -----------===//

#include "SpreadImage.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// Whether `value` is the number zero, or a constant of nothing else.
static bool isZero(Value value) {
  return value && (matchPattern(value, m_AnyZeroFloat()) ||
                   matchPattern(value, m_Zero()));
}

/// Whether `tensor` holds zeros only.
static bool isZeros(Value tensor) {
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    return isZero(fill.value());
  if (auto generic = tensor.getDefiningOp<linalg::GenericOp>()) {
    std::optional<Value> value = linalg::isaFillOpInterface(generic);
    return value && isZero(*value);
  }
  return isZero(tensor);
}

static bool areStatic(ArrayRef<int64_t> sizes) {
  return llvm::none_of(sizes, ShapedType::isDynamic);
}

std::optional<SpreadImage> sched::matchSpreadImage(Value image) {
  auto type = dyn_cast<RankedTensorType>(image.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  SpreadImage spread;
  spread.low.assign(type.getRank(), 0);
  auto isCut = [](int64_t count) { return count < 0; };
  if (auto pad = image.getDefiningOp<tensor::PadOp>()) {
    if (!areStatic(pad.getStaticLow()) || !areStatic(pad.getStaticHigh()) ||
        !isZero(pad.getConstantPaddingValue()))
      return std::nullopt;
    // A negative pad is a slice.
    if (llvm::any_of(pad.getStaticLow(), isCut) ||
        llvm::any_of(pad.getStaticHigh(), isCut))
      return std::nullopt;
    spread.low.assign(pad.getStaticLow().begin(), pad.getStaticLow().end());
    image = pad.getSource();
  }
  auto insert = image.getDefiningOp<tensor::InsertSliceOp>();
  if (!insert || !areStatic(insert.getStaticOffsets()) ||
      !areStatic(insert.getStaticStrides()) ||
      !insert.getSourceType().hasStaticShape() ||
      insert.getSourceType().getRank() != type.getRank() ||
      !isZeros(insert.getDest()))
    return std::nullopt;
  spread.source = insert.getSource();
  spread.strides.assign(insert.getStaticStrides().begin(),
                        insert.getStaticStrides().end());
  for (auto [low, offset] :
       llvm::zip_equal(spread.low, insert.getStaticOffsets()))
    low += offset;
  if (llvm::any_of(spread.low, isCut) ||
      llvm::any_of(spread.strides, [](int64_t stride) { return stride < 1; }) ||
      llvm::all_of(spread.strides, [](int64_t stride) { return stride == 1; }))
    return std::nullopt;
  return spread;
}

static SmallVector<OpFoldResult> writeSizes(OpBuilder &builder,
                                            ArrayRef<int64_t> sizes) {
  return getAsIndexOpFoldResult(builder.getContext(), sizes);
}

Value sched::writeSpreadImage(OpBuilder &builder, Location loc,
                              const SpreadImage &image, RankedTensorType type) {
  const Type element = type.getElementType();
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), element);
  Value zeros = linalg::FillOp::create(builder, loc, zero, empty)->getResult(0);
  auto source = cast<RankedTensorType>(image.source.getType());
  return tensor::InsertSliceOp::create(builder, loc, image.source, zeros,
                                       writeSizes(builder, image.low),
                                       writeSizes(builder, source.getShape()),
                                       writeSizes(builder, image.strides));
}

Value sched::padZeros(OpBuilder &builder, Location loc, Value value,
                      ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
  auto isNone = [](int64_t count) { return count == 0; };
  if (llvm::all_of(low, isNone) && llvm::all_of(high, isNone))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (auto [extent, before, after] :
       llvm::zip_equal(type.getShape(), low, high))
    shape.push_back(before + extent + after);
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  return tensor::PadOp::create(builder, loc, type.clone(shape), value,
                               writeSizes(builder, low),
                               writeSizes(builder, high), zero);
}
