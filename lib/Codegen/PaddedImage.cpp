//===- PaddedImage.cpp - What of a padded tensor is padding ---------------===//

#include "PaddedImage.h"
#include "MoveLines.h"
#include "PackedBytes.h"
#include "TapRows.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace sched;

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

SmallVector<PaddedRead> sched::findReads(tensor::PadOp pad, int64_t dim,
                                         bool seesRows) {
  SmallVector<PaddedRead> found;
  findReads(pad.getResult(), dim, found);
  if (const auto rows = seesRows ? TapRows::match(pad) : std::nullopt)
    rows->findReads(dim, found);
  return found;
}

namespace {
/// A read of a padded tensor, through a slice of it that is then expanded.
struct ExpandedRead {
  tensor::ExtractSliceOp slice;
  tensor::ExpandShapeOp expanded;
  vector::TransferReadOp read;
};
} // namespace

/// Whether `a` and `b` make the same groups of dimensions.
static bool haveSameGroups(tensor::ExpandShapeOp a, tensor::ExpandShapeOp b) {
  return a.getReassociation() == b.getReassociation() &&
         llvm::all_of(a.getReassociationIndices(),
                      [&](const ReassociationIndices &group) {
                        return group.size() == 1 ||
                               llvm::all_of(group, [&](int64_t dim) {
                                 return a.getType().getDimSize(dim) ==
                                        b.getType().getDimSize(dim);
                               });
                      });
}

/// Whether `expanded`, of `slice` of `pad`, takes dimensions apart alone that
/// are not padded, and whole in the slice.
static bool expandsWhole(tensor::PadOp pad, tensor::ExtractSliceOp slice,
                         tensor::ExpandShapeOp expanded) {
  for (auto [dim, group] : llvm::enumerate(expanded.getReassociationIndices()))
    if (group.size() != 1 &&
        (isPadded(pad, dim) || slice.getType().getDimSize(dim) !=
                                   pad.getResultType().getDimSize(dim)))
      return false;
  return true;
}

/// The reads of `pad`, if all are through slices that are expanded in the same
/// way; of signed integers only if the target multiplies `rowByRow`.
static SmallVector<ExpandedRead> findExpandedReads(tensor::PadOp pad,
                                                   bool rowByRow) {
  SmallVector<ExpandedRead> found;
  for (Operation *user : pad->getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice || slice.getType().getRank() != pad.getResultType().getRank() ||
        !slice.getType().hasStaticShape() || !slice.hasUnitStride())
      return {};
    for (Operation *view : slice->getUsers()) {
      auto expanded = dyn_cast<tensor::ExpandShapeOp>(view);
      if (!expanded || !expandsWhole(pad, slice, expanded) ||
          (!found.empty() && !haveSameGroups(expanded, found.front().expanded)))
        return {};
      for (Operation *reader : expanded->getUsers()) {
        auto read = dyn_cast<vector::TransferReadOp>(reader);
        if (!read || read.hasOutOfBoundsDim() || !mayBeLeftOut(read) ||
            (!rowByRow &&
             llvm::any_of(read->getUsers(), llvm::IsaPred<arith::ExtSIOp>)))
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
  Value padding = takeOutPadding(pad);
  auto image = tensor::PadOp::create(rewriter, pad.getLoc(),
                                     expanded.getType().clone(to), source, low,
                                     high, padding, pad.getNofold());
  image->setDiscardableAttrs(pad->getDiscardableAttrDictionary());
  return image;
}

tensor::PadOp sched::expandImage(RewriterBase &rewriter, tensor::PadOp pad,
                                 bool rowByRow) {
  const SmallVector<ExpandedRead> reads = findExpandedReads(pad, rowByRow);
  if (reads.empty() || !pad.getConstantPaddingValue() ||
      !pad.getSourceType().hasStaticShape() ||
      !pad.getResultType().hasStaticShape() ||
      isComputedInPlace(pad.getSource()))
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
