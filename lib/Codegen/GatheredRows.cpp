//===- GatheredRows.cpp - Rows that were taken of a padded image ----------===//

#include "GatheredRows.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// Whether `slice` has the outer `dims` dimensions of a tensor of `shape`
/// whole.
template <typename SliceOp>
static bool hasAllOf(SliceOp slice, ArrayRef<int64_t> shape, int64_t dims) {
  for (int64_t dim = 0; dim != dims; ++dim)
    if (slice.getStaticOffsets()[dim] != 0 ||
        slice.getStaticSizes()[dim] != shape[dim] ||
        slice.getStaticStrides()[dim] != 1)
      return false;
  return slice.getType().hasStaticShape() &&
         !ShapedType::isDynamicShape(slice.getStaticOffsets()) &&
         !ShapedType::isDynamicShape(slice.getStaticStrides());
}

/// Whether the outer `dims` dimensions stay what they are.
template <typename ReshapeOp>
static bool keepsDims(ReshapeOp reshape, int64_t dims) {
  auto groups = reshape.getReassociationIndices();
  return reshape.getType().hasStaticShape() &&
         llvm::all_of(
             ArrayRef(groups).take_front(dims),
             [](ArrayRef<int64_t> group) { return group.size() == 1; });
}

GatheredRows GatheredRows::get(Value image, int64_t dims) {
  auto getUser = [](Operation *op) {
    return op->hasOneUse() ? *op->user_begin() : nullptr;
  };
  // The last insertion of those that one slice leads to.
  if (image.use_empty())
    return {};
  Operation *next = getUser(*image.user_begin());
  if (isa_and_nonnull<tensor::ExpandShapeOp>(next))
    next = getUser(next);
  auto last = dyn_cast_or_null<tensor::InsertSliceOp>(next);
  while (last) {
    auto after = dyn_cast_or_null<tensor::InsertSliceOp>(getUser(last));
    if (!after || after.getDest() != last.getResult())
      break;
    last = after;
  }
  // From there to the empty tensor that the first one begins with: what is
  // begun with is overwritten, as far as it is read.
  GatheredRows rows;
  rows.image = image;
  rows.dims = dims;
  rows.result = last ? last.getResult() : Value();
  if (auto joined =
          last ? dyn_cast_or_null<tensor::CollapseShapeOp>(getUser(last))
               : tensor::CollapseShapeOp();
      joined && keepsDims(joined, dims)) {
    rows.steps.push_back(joined);
    rows.result = joined.getResult();
  }
  for (Operation *op = last; !isa_and_nonnull<tensor::EmptyOp>(op);) {
    auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(op);
    if (!insert || (insert != last && !insert->hasOneUse()) ||
        insert.getSourceType().getRank() != insert.getType().getRank() ||
        !hasAllOf(insert, insert.getType().getShape(), dims))
      return {};
    rows.steps.push_back(insert);
    Value source = insert.getSource();
    if (auto reshape = source.getDefiningOp<tensor::ExpandShapeOp>()) {
      if (!reshape->hasOneUse() || !keepsDims(reshape, dims))
        return {};
      rows.steps.push_back(reshape);
      source = reshape.getSrc();
    }
    auto slice = source.getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || slice.getSource() != image || !slice->hasOneUse() ||
        !hasAllOf(slice, slice.getSourceType().getShape(), dims) ||
        slice.getType().getRank() != slice.getSourceType().getRank())
      return {};
    rows.steps.push_back(slice);
    op = insert.getDest().getDefiningOp();
    if (isa_and_nonnull<tensor::EmptyOp>(op))
      rows.steps.push_back(op);
  }
  std::reverse(rows.steps.begin(), rows.steps.end());
  // All that reads the image is among them, and they are in its block.
  if (!llvm::all_of(image.getUsers(),
                    [&](Operation *user) {
                      return llvm::is_contained(rows.steps, user);
                    }) ||
      !llvm::all_of(rows.steps, [&](Operation *step) {
        return step->getBlock() == image.getParentBlock();
      }))
    return {};
  return rows;
}

Value GatheredRows::clone(OpBuilder &builder, Value other) const {
  const ArrayRef<int64_t> outer =
      cast<RankedTensorType>(other.getType()).getShape().take_front(dims);
  auto resize = [&](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> resized(shape);
    llvm::copy(outer, resized.begin());
    return resized;
  };
  auto getType = [&](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return type.clone(resize(type.getShape()));
  };
  IRMapping mapping;
  mapping.map(image, other);
  for (Operation *step : steps) {
    Operation *copy = builder.clone(*step, mapping);
    copy->getResult(0).setType(getType(step->getResult(0)));
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(copy))
      slice.setStaticSizes(resize(slice.getStaticSizes()));
    else if (auto insert = dyn_cast<tensor::InsertSliceOp>(copy))
      insert.setStaticSizes(resize(insert.getStaticSizes()));
    else if (auto reshape = dyn_cast<tensor::ExpandShapeOp>(copy))
      reshape.setStaticOutputShape(resize(reshape.getStaticOutputShape()));
  }
  return mapping.lookup(getResult());
}

void GatheredRows::erase() const {
  for (Operation *step : llvm::reverse(steps))
    if (step->use_empty())
      step->erase();
}
