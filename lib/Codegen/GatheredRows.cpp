//===- GatheredRows.cpp - Rows that were taken of a padded image ----------===//

#include "GatheredRows.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

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
static bool keepsDims(tensor::ExpandShapeOp reshape, int64_t dims) {
  auto groups = reshape.getReassociationIndices();
  return reshape.getType().hasStaticShape() &&
         llvm::all_of(
             ArrayRef(groups).take_front(dims),
             [](ArrayRef<int64_t> group) { return group.size() == 1; });
}

GatheredRows GatheredRows::get(Value image, int64_t dims) {
  GatheredRows rows;
  rows.image = image;
  rows.dims = dims;
  SetVector<Operation *> steps;
  tensor::InsertSliceOp last;
  for (Operation *user : image.getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice || !slice->hasOneUse() ||
        !hasAllOf(slice, slice.getSourceType().getShape(), dims) ||
        slice.getType().getRank() != slice.getSourceType().getRank())
      return {};
    steps.insert(slice);
    Operation *next = *slice->user_begin();
    if (auto reshape = dyn_cast<tensor::ExpandShapeOp>(next)) {
      if (!reshape->hasOneUse() || !keepsDims(reshape, dims))
        return {};
      steps.insert(reshape);
      next = *reshape->user_begin();
    }
    auto insert = dyn_cast<tensor::InsertSliceOp>(next);
    if (!insert || insert.getSource().getDefiningOp() != steps.back() ||
        insert.getSourceType().getRank() != insert.getType().getRank() ||
        !hasAllOf(insert, insert.getType().getShape(), dims))
      return {};
    steps.insert(insert);
    // What is begun with is overwritten, as far as it is read.
    Operation *before = insert.getDest().getDefiningOp();
    if (!isa_and_nonnull<tensor::EmptyOp, tensor::InsertSliceOp>(before))
      return {};
    if (isa<tensor::EmptyOp>(before))
      steps.insert(before);
    if (llvm::none_of(insert->getUsers(), [&](Operation *user) {
          auto after = dyn_cast<tensor::InsertSliceOp>(user);
          return after && after.getDest() == insert.getResult();
        })) {
      if (last)
        return {};
      last = insert;
    }
  }
  if (!last)
    return {};
  // One after the other, of which the last alone is read by others, in one
  // block.
  for (Operation *step : steps) {
    if (step->getBlock() != image.getParentBlock())
      return {};
    auto insert = dyn_cast<tensor::InsertSliceOp>(step);
    if (!insert)
      continue;
    if (!steps.contains(insert.getDest().getDefiningOp()))
      return {};
    if (insert == last)
      continue;
    auto next = insert->hasOneUse()
                    ? dyn_cast<tensor::InsertSliceOp>(*insert->user_begin())
                    : tensor::InsertSliceOp();
    if (!next || !steps.contains(next) || next.getDest() != insert.getResult())
      return {};
  }
  rows.result = last.getResult();
  rows.steps = topologicalSort(steps).takeVector();
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

void GatheredRows::erase() {
  for (Operation *step : llvm::reverse(steps))
    if (step->use_empty())
      step->erase();
}
