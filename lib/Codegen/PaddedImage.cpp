//===- PaddedImage.cpp - What of a padded tensor is padding ---------------===//

#include "PaddedImage.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

std::optional<sched::Interval> sched::getImageBetweenZeros(tensor::PadOp pad,
                                                           int64_t dim) {
  Value padding = pad.getConstantPaddingValue();
  if (!padding || (!matchPattern(padding, m_AnyZeroFloat()) &&
                   !matchPattern(padding, m_Zero())))
    return std::nullopt;
  const int64_t low = pad.getStaticLow()[dim],
                size = pad.getSourceType().getDimSize(dim),
                padded = pad.getResultType().getDimSize(dim);
  if (ShapedType::isDynamic(low) || ShapedType::isDynamic(size) || low < 0 ||
      size == padded || low + size > padded)
    return std::nullopt;
  return Interval{low, low + size - 1};
}

std::optional<sched::PaddedRead>
sched::describeRead(vector::TransferReadOp read, int64_t dim) {
  PaddedRead found{read, dim, std::nullopt, 1, {}};
  if (read.getMask() || read.hasOutOfBoundsDim() ||
      !found.first.add(read.getIndices()[dim], 1))
    return std::nullopt;
  if (auto at = read.getPermutationMap().getResultPosition(
          getAffineDimExpr(dim, read.getContext()))) {
    found.vectorDim = *at;
    found.rows = read.getVectorType().getDimSize(*at);
  }
  return found;
}

void sched::findReads(Value value, int64_t dim,
                      SmallVectorImpl<PaddedRead> &found) {
  for (Operation *user : value.getUsers()) {
    if (auto view = dyn_cast<tensor::ExpandShapeOp>(user)) {
      const ReassociationIndices group = view.getReassociationIndices()[dim];
      if (group.size() == 1)
        findReads(view.getResult(), group.front(), found);
    } else if (auto read = dyn_cast<vector::TransferReadOp>(user)) {
      if (std::optional<PaddedRead> described = describeRead(read, dim))
        found.push_back(std::move(*described));
    }
  }
}

namespace {
/// A read of a padded tensor, through a slice of it that is then expanded.
struct ExpandedRead {
  tensor::ExtractSliceOp slice;
  tensor::ExpandShapeOp expanded;
  vector::TransferReadOp read;
};
} // namespace

/// The reads of `pad`, if all are through slices that are expanded in the same
/// way, in dimensions alone that are not padded and whole in the slice.
static SmallVector<ExpandedRead> findExpandedReads(tensor::PadOp pad) {
  SmallVector<ExpandedRead> found;
  const RankedTensorType type = pad.getResultType();
  auto isWhole = [&](tensor::ExtractSliceOp slice, int64_t dim) {
    return slice.getType().getDimSize(dim) == type.getDimSize(dim) &&
           pad.getSourceType().getDimSize(dim) == type.getDimSize(dim);
  };
  auto isSame = [&](tensor::ExpandShapeOp a, tensor::ExpandShapeOp b) {
    if (a.getReassociation() != b.getReassociation())
      return false;
    for (const ReassociationIndices &group : a.getReassociationIndices())
      for (int64_t dim : group)
        if (group.size() != 1 &&
            a.getType().getDimSize(dim) != b.getType().getDimSize(dim))
          return false;
    return true;
  };
  for (Operation *user : pad->getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice || slice.getType().getRank() != type.getRank() ||
        !slice.getType().hasStaticShape() || !slice.hasUnitStride())
      return {};
    for (Operation *view : slice->getUsers()) {
      auto expanded = dyn_cast<tensor::ExpandShapeOp>(view);
      if (!expanded ||
          (!found.empty() && !isSame(expanded, found.front().expanded)))
        return {};
      for (auto [dim, group] :
           llvm::enumerate(expanded.getReassociationIndices()))
        if (group.size() != 1 && !isWhole(slice, dim))
          return {};
      for (Operation *reader : expanded->getUsers()) {
        auto read = dyn_cast<vector::TransferReadOp>(reader);
        if (!read || read.hasOutOfBoundsDim() ||
            llvm::any_of(read->getUsers(), llvm::IsaPred<arith::ExtSIOp>))
          return {};
        found.push_back({slice, expanded, read});
      }
    }
  }
  return found;
}

/// Pads the source of `pad` expanded as `expanded` says.
static tensor::PadOp padExpanded(RewriterBase &rewriter, tensor::PadOp pad,
                                 tensor::ExpandShapeOp expanded) {
  rewriter.setInsertionPoint(pad);
  SmallVector<int64_t> from(expanded.getType().getShape()), to(from);
  const int64_t rank = from.size();
  SmallVector<OpFoldResult> low(rank, rewriter.getIndexAttr(0)), high(low);
  for (auto [dim, group] :
       llvm::enumerate(expanded.getReassociationIndices())) {
    if (group.size() != 1)
      continue;
    const int64_t at = group.front();
    from[at] = pad.getSourceType().getDimSize(dim);
    to[at] = pad.getResultType().getDimSize(dim);
    low[at] = pad.getMixedLowPad()[dim];
    high[at] = pad.getMixedHighPad()[dim];
  }
  Value source = tensor::ExpandShapeOp::create(
      rewriter, pad.getLoc(), expanded.getType().clone(from), pad.getSource(),
      expanded.getReassociationIndices());
  Value padding = pad.getConstantPaddingValue();
  if (padding.getParentRegion() == &pad.getRegion())
    rewriter.moveOpBefore(padding.getDefiningOp(), pad);
  return tensor::PadOp::create(rewriter, pad.getLoc(),
                               expanded.getType().clone(to), source, low, high,
                               padding, pad.getNofold());
}

tensor::PadOp sched::expandImage(RewriterBase &rewriter, tensor::PadOp pad) {
  const SmallVector<ExpandedRead> reads = findExpandedReads(pad);
  if (reads.empty() || !pad.getConstantPaddingValue() ||
      !pad.getSourceType().hasStaticShape() ||
      !pad.getResultType().hasStaticShape())
    return pad;
  tensor::PadOp image = padExpanded(rewriter, pad, reads.front().expanded);
  for (auto [slice, expanded, read] : reads) {
    rewriter.setInsertionPoint(read);
    SmallVector<Value> indices(read.getIndices());
    for (auto [dim, group] :
         llvm::enumerate(expanded.getReassociationIndices())) {
      const OpFoldResult offset = slice.getMixedOffsets()[dim];
      if (isZeroInteger(offset))
        continue;
      Value &index = indices[group.front()];
      index = getValueOrCreateConstantIndexOp(
          rewriter, read.getLoc(),
          affine::makeComposedFoldedAffineApply(
              rewriter, read.getLoc(),
              rewriter.getAffineDimExpr(0) + rewriter.getAffineDimExpr(1),
              {OpFoldResult(index), offset}));
    }
    vector::TransferReadOp own = read;
    rewriter.modifyOpInPlace(own, [&] {
      own.getBaseMutable().assign(image.getResult());
      own.getIndicesMutable().assign(indices);
    });
  }
  for (Operation *slice : llvm::make_early_inc_range(pad->getUsers())) {
    for (Operation *view : llvm::make_early_inc_range(slice->getUsers()))
      rewriter.eraseOp(view);
    rewriter.eraseOp(slice);
  }
  rewriter.eraseOp(pad);
  return image;
}

scf::ForOp sched::getLoopOver(Value index) {
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : nullptr;
  return loop && loop.getInductionVar() == index ? loop : nullptr;
}
