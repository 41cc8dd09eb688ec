//===- LineWriter.cpp - Loops around moves of contiguous elements ---------===//

#include "LineWriter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// A thread moves at least so many bytes. Below, forking costs more than it
/// saves.
static constexpr int64_t kBytesPerThread = 1 << 17;

namespace {
/// A slice of a tensor: one element of outer dimensions, some of the next, all
/// of the others.
struct Slice {
  Slice(OpBuilder &builder, Value tensor, LineWriter::Places place,
        int64_t count)
      : type(cast<RankedTensorType>(tensor.getType())) {
    for (int64_t dim = 0; dim != type.getRank(); ++dim) {
      const int64_t outer = place.size(), size = dim + 1 < outer ? 1
                                                 : dim + 1 == outer
                                                     ? count
                                                     : type.getDimSize(dim);
      offsets.push_back(dim < outer ? place[dim] : builder.getIndexAttr(0));
      sizes.push_back(builder.getIndexAttr(size));
      if (dim + 1 >= outer)
        shape.push_back(size);
      ones.push_back(builder.getIndexAttr(1));
    }
  }

  /// Without the outer dimensions.
  RankedTensorType getReducedType() const {
    return RankedTensorType::get(shape, type.getElementType());
  }

  RankedTensorType type;
  SmallVector<OpFoldResult> offsets, sizes, ones;
  SmallVector<int64_t> shape;
};
} // namespace

LineWriter::LineWriter(OpBuilder &builder, Operation *op, int64_t threads)
    : builder(builder), loc(op->getLoc()),
      threads(op->getParentOfType<scf::ForallOp>() ? 1 : threads) {}

Value LineWriter::value(OpFoldResult number) {
  return getValueOrCreateConstantIndexOp(builder, loc, number);
}

OpFoldResult LineWriter::subtract(OpFoldResult a, OpFoldResult b) {
  return affine::makeComposedFoldedAffineApply(
      builder, loc, builder.getAffineDimExpr(0) - builder.getAffineDimExpr(1),
      {a, b});
}

OpFoldResult LineWriter::at(int64_t first, OpFoldResult number, int64_t step) {
  return affine::makeComposedFoldedAffineApply(
      builder, loc, builder.getAffineDimExpr(0) * step + first, {number});
}

Value LineWriter::fill(Value dest, Places place, int64_t count, Value element) {
  if (count == 0)
    return dest;
  const Slice slice(builder, dest, place, count);
  Value part =
      tensor::ExtractSliceOp::create(builder, loc, slice.getReducedType(), dest,
                                     slice.offsets, slice.sizes, slice.ones);
  part = linalg::FillOp::create(builder, loc, element, part).getResult(0);
  return tensor::InsertSliceOp::create(builder, loc, part, dest, slice.offsets,
                                       slice.sizes, slice.ones);
}

Value LineWriter::copy(Value dest, Places place, Value source, Places from,
                       int64_t count) {
  if (count == 0)
    return dest;
  const Slice slice(builder, source, from, count),
      target(builder, dest, place, count);
  Value part = source;
  if (slice.getReducedType() != slice.type)
    part = tensor::ExtractSliceOp::create(builder, loc, slice.getReducedType(),
                                          source, slice.offsets, slice.sizes,
                                          slice.ones);
  return tensor::InsertSliceOp::create(builder, loc, part, dest, target.offsets,
                                       target.sizes, target.ones);
}

Value LineWriter::copyShared(Value dest, int64_t place, Value source,
                             int64_t count) {
  const int64_t part = count / threads;
  if (threads > 1 && part > 0)
    dest =
        loop(dest, {}, place, threads, part,
             [&](Value own, Places own_place, OpFoldResult number) {
               return copy(own, own_place, source, at(0, number, part), part);
             });
  const int64_t done = threads > 1 ? part * threads : 0;
  return copy(dest, index(place + done), source, index(done), count - done);
}

Value LineWriter::loop(Value dest, Places outer, int64_t first, int64_t count,
                       int64_t step, Body body) {
  if (count == 0)
    return dest;
  auto type = cast<RankedTensorType>(dest.getType());
  const int64_t elements =
      count * step *
      llvm::product_of(type.getShape().drop_front(outer.size() + 1));
  if (threads > 1 && count >= threads &&
      elements * type.getElementTypeBitWidth() / 8 >= kBytesPerThread * threads)
    return share(dest, outer, first, count, step, body);
  SmallVector<OpFoldResult> place(outer);
  if (count == 1) {
    place.push_back(index(first));
    return body(dest, place, index(0));
  }
  return repeat(dest, index(count), [&](Value own, OpFoldResult number) {
    place.push_back(at(first, number, step));
    return body(own, place, number);
  });
}

Value LineWriter::loop(Value dest, Places outer, OpFoldResult first,
                       OpFoldResult count, Body body) {
  SmallVector<OpFoldResult> place(outer);
  return repeat(dest, count, [&](Value own, OpFoldResult number) {
    place.push_back(affine::makeComposedFoldedAffineApply(
        builder, loc, builder.getAffineDimExpr(0) + builder.getAffineDimExpr(1),
        {first, number}));
    return body(own, place, number);
  });
}

Value LineWriter::repeat(
    Value dest, OpFoldResult count,
    llvm::function_ref<Value(Value dest, OpFoldResult number)> body) {
  auto loop = scf::ForOp::create(builder, loc, value(index(0)), value(count),
                                 value(index(1)), dest);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value result = body(loop.getRegionIterArg(0), loop.getInductionVar());
  scf::YieldOp::create(builder, loc, result);
  return loop.getResult(0);
}

Value LineWriter::share(Value dest, Places outer, int64_t first, int64_t count,
                        int64_t step, Body body) {
  auto forall = scf::ForallOp::create(
      builder, loc, ArrayRef<OpFoldResult>{index(count)}, dest, std::nullopt);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(forall.getBody());
  const OpFoldResult number = forall.getInductionVar(0);
  SmallVector<OpFoldResult> place(outer);
  place.push_back(at(first, number, step));
  Value shared = forall.getRegionIterArgs()[0];
  const Slice slice(builder, shared, place, step);
  Value own = tensor::ExtractSliceOp::create(
      builder, loc, shared, slice.offsets, slice.sizes, slice.ones);
  const int64_t all = std::exchange(threads, 1);
  own = body(own, SmallVector<OpFoldResult>(place.size(), index(0)), number);
  threads = all;
  builder.setInsertionPointToEnd(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(builder, loc, own, shared,
                                        slice.offsets, slice.sizes, slice.ones);
  return forall.getResult(0);
}
