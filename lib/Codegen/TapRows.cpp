//===- TapRows.cpp - Pixels side by side for each tap ---------------------===//
//
// A gather is matched from the padded image: a strided slice for each tap, a
// dimension for it, and an insertion where the tap's rows are. Reads of that
// are followed through slices and expanded dimensions. Read next:
// SkipBorder.cpp.
//
//===----------------------------------------------------------------------===//

#include "TapRows.h"
#include "MoveLines.h"
#include "PackedBytes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace sched;

static bool areStatic(ArrayRef<int64_t> sizes) {
  return llvm::none_of(sizes, ShapedType::isDynamic);
}

namespace {
/// The rows of one tap, which are put into those of all.
struct Tap {
  static std::optional<Tap> match(tensor::ExtractSliceOp slice);

  tensor::InsertSliceOp insert;
  /// The dimension of the image that is not whole, the first row there, and how
  /// far rows are apart.
  int64_t dim, first, step;
};
} // namespace

/// The only dimension that `slice` does not take as it is; none if that is
/// another number of them.
static std::optional<int64_t> getSlicedDim(tensor::ExtractSliceOp slice) {
  const RankedTensorType from = slice.getSourceType(), type = slice.getType();
  if (type.getRank() != from.getRank() || !type.hasStaticShape() ||
      !areStatic(slice.getStaticOffsets()) ||
      !areStatic(slice.getStaticStrides()))
    return std::nullopt;
  std::optional<int64_t> sliced;
  for (int64_t dim = 0; dim != type.getRank(); ++dim) {
    if (slice.getStaticStride(dim) == 1 &&
        type.getDimSize(dim) == from.getDimSize(dim))
      continue;
    if (sliced)
      return std::nullopt;
    sliced = dim;
  }
  return sliced;
}

std::optional<Tap> Tap::match(tensor::ExtractSliceOp slice) {
  const std::optional<int64_t> dim = getSlicedDim(slice);
  if (!dim || !slice->hasOneUse() || slice.getStaticStride(*dim) <= 0)
    return std::nullopt;
  auto expanded = dyn_cast<tensor::ExpandShapeOp>(*slice->user_begin());
  if (!expanded || !expanded->hasOneUse() ||
      expanded.getType().getRank() != slice.getType().getRank() + 1 ||
      expanded.getReassociationIndices()[*dim].size() != 2 ||
      expanded.getType().getDimSize(*dim) != 1)
    return std::nullopt;
  auto insert = dyn_cast<tensor::InsertSliceOp>(*expanded->user_begin());
  if (!insert || insert.getSource() != expanded.getResult() ||
      insert.getType().getRank() != expanded.getType().getRank() ||
      !insert.hasUnitStride() || !areStatic(insert.getStaticOffsets()))
    return std::nullopt;
  for (auto [i, size] : llvm::enumerate(insert.getType().getShape()))
    if (int64_t(i) != *dim && size != expanded.getType().getDimSize(i))
      return std::nullopt;
  return Tap{insert, *dim, slice.getStaticOffset(*dim),
             slice.getStaticStride(*dim)};
}

std::optional<TapRows> TapRows::match(tensor::PadOp pad) {
  SmallVector<Tap> taps;
  for (Operation *user : pad->getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    std::optional<Tap> tap = slice ? Tap::match(slice) : std::nullopt;
    if (!tap || (!taps.empty() &&
                 (tap->dim != taps[0].dim || tap->step != taps[0].step)))
      return std::nullopt;
    taps.push_back(*tap);
  }
  if (taps.size() < 2)
    return std::nullopt;
  llvm::sort(taps,
             [](const Tap &a, const Tap &b) { return a.first < b.first; });
  const int64_t dim = taps[0].dim;
  TapRows rows{taps.back().insert.getResult(), dim, taps[0].step,
               taps[1].first - taps[0].first};
  if (rows.tapStep <= 0 ||
      cast<RankedTensorType>(rows.gathered.getType()).getDimSize(dim) !=
          int64_t(taps.size()))
    return std::nullopt;
  for (auto [i, tap] : llvm::enumerate(taps)) {
    const bool isLast = i + 1 == taps.size();
    if (tap.first != int64_t(i) * rows.tapStep ||
        tap.insert.getStaticOffset(dim) != int64_t(i) ||
        (!isLast && (!tap.insert->hasOneUse() ||
                     taps[i + 1].insert.getDest() != tap.insert.getResult())))
      return std::nullopt;
  }
  return rows;
}

namespace {
/// Where a dimension of what was gathered is in a view of it, and how much of
/// it comes before what the view has.
struct ViewedDim {
  int64_t dim;
  IndexSum before;
};
} // namespace

/// The same dimensions of a view of that, which is made by `user`; none if it
/// does not have them as they are.
static std::optional<SmallVector<ViewedDim, 2>>
getViewedDims(Operation *user, ArrayRef<ViewedDim> dims) {
  SmallVector<ViewedDim, 2> viewed(dims);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user)) {
    if (!slice.hasUnitStride() ||
        slice.getType().getRank() != slice.getSourceType().getRank())
      return std::nullopt;
    for (auto &[dim, before] : viewed)
      before.add(slice.getMixedOffsets()[dim], 1);
    return viewed;
  }
  auto expanded = dyn_cast<tensor::ExpandShapeOp>(user);
  if (!expanded)
    return std::nullopt;
  for (auto &[dim, before] : viewed) {
    const ReassociationIndices group = expanded.getReassociationIndices()[dim];
    if (group.size() != 1)
      return std::nullopt;
    dim = group.front();
  }
  return viewed;
}

/// Where `read` is along `dims`: of one dimension as it is, or of rows and
/// taps.
static std::optional<PaddedRead> describe(vector::TransferReadOp read,
                                          ArrayRef<ViewedDim> dims,
                                          const TapRows &rows) {
  const bool isOfRows = dims.size() > 1;
  std::optional<PaddedRead> found = describeRead(read, dims.front().dim);
  if (!found)
    return std::nullopt;
  found->first.add(dims.front().before, 1);
  if (!isOfRows)
    return found;
  const std::optional<PaddedRead> tap = describeRead(read, dims.back().dim);
  if (!tap || tap->rows != 1)
    return std::nullopt;
  IndexSum first;
  first.add(found->first, rows.step);
  first.add(tap->first, rows.tapStep);
  first.add(dims.back().before, rows.tapStep);
  found->first = first;
  found->step = rows.step;
  return found;
}

static void follow(Value view, ArrayRef<ViewedDim> dims, const TapRows &rows,
                   SmallVectorImpl<PaddedRead> &found) {
  for (Operation *user : view.getUsers()) {
    auto read = dyn_cast<vector::TransferReadOp>(user);
    if (!read) {
      if (const auto viewed = getViewedDims(user, dims))
        follow(user->getResult(0), *viewed, rows, found);
      continue;
    }
    if (!mayBeLeftOut(read))
      continue;
    if (std::optional<PaddedRead> described = describe(read, dims, rows))
      found.push_back(std::move(*described));
  }
}

void TapRows::findReads(int64_t imageDim,
                        SmallVectorImpl<PaddedRead> &found) const {
  SmallVector<ViewedDim, 2> dims;
  dims.push_back({getDim(imageDim), {}});
  if (imageDim == dim)
    dims.push_back({dim, {}});
  follow(gathered, dims, *this, found);
}

namespace {
/// The views between what was gathered and a read of it.
struct Views {
  explicit Views(vector::TransferReadOp read);

  /// The dimensions of what is read that are dimension `dim` of what was
  /// gathered.
  ReassociationIndices getGroup(int64_t dim) {
    return expanded ? expanded.getReassociationIndices()[dim]
                    : ReassociationIndices{dim};
  }

  Value base;
  /// Null if no dimension is taken apart.
  tensor::ExpandShapeOp expanded;
  SmallVector<tensor::ExtractSliceOp, 2> slices;
};
} // namespace

Views::Views(vector::TransferReadOp read) : base(read.getBase()) {
  expanded = base.getDefiningOp<tensor::ExpandShapeOp>();
  if (expanded)
    base = expanded.getSrc();
  while (auto slice = base.getDefiningOp<tensor::ExtractSliceOp>()) {
    if (!slice.hasUnitStride() ||
        slice.getType().getRank() != slice.getSourceType().getRank())
      break;
    slices.push_back(slice);
    base = slice.getSource();
  }
}

/// Adds the reads of `value`, through views; false if something else uses it.
static bool collectReads(Value value,
                         SmallVectorImpl<vector::TransferReadOp> &reads) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (auto read = dyn_cast<vector::TransferReadOp>(user)) {
      reads.push_back(read);
      return !read.getMask() && !read.hasOutOfBoundsDim();
    }
    return isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp>(user) &&
           collectReads(user->getResult(0), reads);
  });
}

SmallVector<vector::TransferReadOp> TapRows::getReads(tensor::PadOp pad) const {
  const auto type = cast<RankedTensorType>(gathered.getType());
  SmallVector<vector::TransferReadOp> reads;
  if (!collectReads(gathered, reads))
    return {};
  for (vector::TransferReadOp read : reads) {
    Views views(read);
    if (views.base != gathered)
      return {};
    for (int64_t at = 0; at != type.getRank(); ++at) {
      const ReassociationIndices group = views.getGroup(at);
      const bool isTap = at == dim;
      if (isTap && (group.size() != 1 ||
                    read.getPermutationMap().getResultPosition(
                        getAffineDimExpr(group.front(), read.getContext()))))
        return {};
      // A dimension that is taken apart is whole, and the image's.
      if (group.size() > 1 &&
          (at == getDim(dim) || isPadded(pad, at > dim ? at - 1 : at) ||
           views.expanded.getSrcType().getDimSize(at) != type.getDimSize(at)))
        return {};
    }
  }
  return reads;
}

/// `map` without dimension `dropped`, which it does not use.
static AffineMap dropDim(AffineMap map, int64_t dropped) {
  SmallVector<AffineExpr> dims;
  for (int64_t i = 0, kept = 0; i != int64_t(map.getNumDims()); ++i)
    dims.push_back(
        getAffineDimExpr(i == dropped ? 0 : kept++, map.getContext()));
  return map.replaceDimsAndSymbols(dims, {}, map.getNumDims() - 1, 0);
}

void TapRows::readSource(RewriterBase &rewriter, tensor::PadOp pad,
                         ArrayRef<vector::TransferReadOp> reads) const {
  const int64_t rank = pad.getSourceType().getRank();
  for (vector::TransferReadOp read : reads) {
    Views views(read);
    const Location loc = read.getLoc();
    rewriter.setInsertionPoint(read);
    auto toIndex = [&](const IndexSum &sum) {
      SmallVector<Value> values;
      const AffineExpr expr = sum.getExpr(rewriter, values);
      return affine::makeComposedFoldedAffineApply(
          rewriter, loc, AffineMap::get(values.size(), 0, expr),
          getAsOpFoldResult(values));
    };
    /// Where it begins along a dimension of `gathered`, times `factor`.
    auto addIndex = [&](IndexSum &sum, int64_t at, int64_t factor) {
      sum.add(read.getIndices()[views.getGroup(at).front()], factor);
      for (tensor::ExtractSliceOp slice : views.slices)
        sum.add(slice.getMixedOffsets()[at], factor);
    };
    SmallVector<int64_t> shape;
    SmallVector<ReassociationIndices> groups;
    SmallVector<OpFoldResult> offsets, strides;
    SmallVector<Value> indices;
    int64_t rowsAt = 0;
    for (int64_t imageDim = 0; imageDim != rank; ++imageDim) {
      const int64_t at = getDim(imageDim);
      const ReassociationIndices group = views.getGroup(at);
      const bool isRows = imageDim == dim;
      groups.emplace_back();
      for (int64_t part : group) {
        groups.back().push_back(shape.size());
        shape.push_back(group.size() > 1
                            ? views.expanded.getType().getDimSize(part)
                            : pad.getSourceType().getDimSize(imageDim));
        offsets.push_back(rewriter.getIndexAttr(0));
        strides.push_back(rewriter.getIndexAttr(isRows ? step : 1));
        indices.push_back(read.getIndices()[part]);
      }
      if (group.size() > 1)
        continue;
      IndexSum sum;
      sum.constant = -pad.getStaticLow()[imageDim];
      addIndex(sum, at, isRows ? step : 1);
      if (isRows)
        addIndex(sum, dim, tapStep);
      const OpFoldResult first = toIndex(sum);
      if (isRows) {
        rowsAt = shape.size() - 1;
        offsets.back() = first;
        indices.back() = arith::ConstantIndexOp::create(rewriter, loc, 0);
      } else {
        indices.back() = getValueOrCreateConstantIndexOp(rewriter, loc, first);
      }
    }
    Value source = pad.getSource();
    if (views.expanded)
      source = tensor::ExpandShapeOp::create(
          rewriter, loc, pad.getSourceType().clone(shape), source, groups);
    shape[rowsAt] =
        describeRead(read, views.getGroup(getDim(dim)).front())->rows;
    source = tensor::ExtractSliceOp::create(
        rewriter, loc, source, offsets,
        getAsIndexOpFoldResult(rewriter.getContext(), shape), strides);
    const AffineMap map =
        dropDim(read.getPermutationMap(), views.getGroup(dim).front());
    rewriter.modifyOpInPlace(read, [&] {
      read.getBaseMutable().set(source);
      read.getIndicesMutable().assign(indices);
      read.setPermutationMap(map);
    });
  }
}
