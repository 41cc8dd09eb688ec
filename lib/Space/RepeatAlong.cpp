//===- RepeatAlong.cpp - Each element several times -----------------------===//

#include "RepeatAlong.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

SmallVector<ReassociationIndices> sched::joinAt(int64_t rank, int64_t dim) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i != rank; ++i)
    if (i == dim + 1)
      groups.back().push_back(i);
    else
      groups.push_back({i});
  return groups;
}

Value sched::broadcastAt(OpBuilder &builder, Location loc, Value value,
                         int64_t place, int64_t count) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + place, count);
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::BroadcastOp::create(builder, loc, value, empty,
                                     ArrayRef<int64_t>{place})
      ->getResult(0);
}

/// broadcastAt with the new dimension and `dim` as one: `place` is that, or the
/// next.
static Value repeat(OpBuilder &builder, Location loc, Value value, int64_t dim,
                    int64_t count, int64_t place) {
  Value repeated = sched::broadcastAt(builder, loc, value, place, count);
  const int64_t rank = cast<RankedTensorType>(repeated.getType()).getRank();
  return tensor::CollapseShapeOp::create(builder, loc, repeated,
                                         sched::joinAt(rank, dim));
}

Value sched::repeatAlong(OpBuilder &builder, Location loc, Value image,
                         int64_t dim, int64_t count) {
  auto type = cast<RankedTensorType>(image.getType());
  SmallVector<int64_t> shape(type.getShape());
  auto pad = image.getDefiningOp<tensor::PadOp>();
  Value padding = pad ? pad.getConstantPaddingValue() : Value();
  if (padding && !pad.getNofold() && pad.getSourceType().hasStaticShape() &&
      pad.getSourceType().getDimSize(dim) == type.getDimSize(dim)) {
    Value source = repeatAlong(builder, loc, pad.getSource(), dim, count);
    shape[dim] *= count;
    return tensor::PadOp::create(builder, loc, type.clone(shape), source,
                                 pad.getMixedLowPad(), pad.getMixedHighPad(),
                                 padding);
  }
  return repeat(builder, loc, image, dim, count, dim + 1);
}

Value sched::repeatWhole(OpBuilder &builder, Location loc, Value value,
                         int64_t dim, int64_t count) {
  return repeat(builder, loc, value, dim, count, dim);
}
