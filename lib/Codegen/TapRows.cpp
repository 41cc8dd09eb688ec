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
/// The views between what was gathered and a read of it.
struct Views {
  explicit Views(vector::TransferReadOp read);

  /// Where the read is along dimension `dim` of what was gathered; none if a
  /// view takes that apart.
  std::optional<PaddedRead> describe(int64_t dim) const;

  /// The dimensions of what is read that are dimension `dim` of what was
  /// gathered, if slices alone are before `expanded`.
  ReassociationIndices getGroup(int64_t dim) const {
    auto view = expanded;
    return view ? view.getReassociationIndices()[dim]
                : ReassociationIndices{dim};
  }

  vector::TransferReadOp read;
  Value base;
  /// From `base` to the read.
  SmallVector<Operation *, 3> ops;
  /// The last of them, if that takes dimensions apart.
  tensor::ExpandShapeOp expanded;
};
} // namespace

Views::Views(vector::TransferReadOp read) : read(read), base(read.getBase()) {
  expanded = base.getDefiningOp<tensor::ExpandShapeOp>();
  while (Operation *op = base.getDefiningOp()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
    const bool isSlice =
        slice && slice.hasUnitStride() &&
        slice.getType().getRank() == slice.getSourceType().getRank();
    if (!isSlice && !isa<tensor::ExpandShapeOp>(op))
      break;
    ops.push_back(op);
    base = op->getOperand(0);
  }
  std::reverse(ops.begin(), ops.end());
}

std::optional<PaddedRead> Views::describe(int64_t dim) const {
  IndexSum before;
  for (Operation *op : ops) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      before.add(slice.getMixedOffsets()[dim], 1);
      continue;
    }
    const ReassociationIndices group =
        cast<tensor::ExpandShapeOp>(op).getReassociationIndices()[dim];
    if (group.size() != 1)
      return std::nullopt;
    dim = group.front();
  }
  std::optional<PaddedRead> found = describeRead(read, dim);
  if (found)
    found->first.add(before, 1);
  return found;
}

/// Adds the reads of `value`, through views; whether nothing else uses it.
static bool collectReads(Value value,
                         SmallVectorImpl<vector::TransferReadOp> &reads) {
  bool isAll = true;
  for (Operation *user : value.getUsers()) {
    if (auto read = dyn_cast<vector::TransferReadOp>(user))
      reads.push_back(read);
    else
      isAll &= isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp>(user) &&
               collectReads(user->getResult(0), reads);
  }
  return isAll;
}

void TapRows::findReads(int64_t imageDim,
                        SmallVectorImpl<PaddedRead> &found) const {
  SmallVector<vector::TransferReadOp> reads;
  collectReads(gathered, reads);
  for (vector::TransferReadOp read : reads) {
    const Views views(read);
    if (views.base != gathered || !mayBeLeftOut(read))
      continue;
    std::optional<PaddedRead> described = views.describe(getDim(imageDim));
    if (!described)
      continue;
    if (imageDim == dim) {
      const std::optional<PaddedRead> tap = views.describe(dim);
      if (!tap || tap->rows != 1)
        continue;
      described->first = getPixel(described->first, tap->first);
      described->step = step;
    }
    found.push_back(std::move(*described));
  }
}

IndexSum TapRows::getPixel(const IndexSum &row, const IndexSum &tap) const {
  IndexSum pixel;
  pixel.add(row, step);
  pixel.add(tap, tapStep);
  return pixel;
}

SmallVector<vector::TransferReadOp> TapRows::getReads(tensor::PadOp pad) const {
  const auto type = cast<RankedTensorType>(gathered.getType());
  SmallVector<vector::TransferReadOp> reads;
  if (!collectReads(gathered, reads))
    return {};
  for (vector::TransferReadOp read : reads) {
    const Views views(read);
    const auto before = ArrayRef(views.ops).drop_back(views.expanded ? 1 : 0);
    if (views.base != gathered ||
        !llvm::all_of(before, llvm::IsaPred<tensor::ExtractSliceOp>))
      return {};
    for (int64_t at = 0; at != type.getRank(); ++at) {
      const ReassociationIndices group = views.getGroup(at);
      if (group.size() == 1) {
        // Each is of one tap.
        const std::optional<PaddedRead> described = views.describe(at);
        if (!described || (at == dim && described->vectorDim))
          return {};
        continue;
      }
      // A dimension that is taken apart is whole, and the image's.
      auto expanded = views.expanded;
      if (at == dim || at == getDim(dim) ||
          isPadded(pad, at > dim ? at - 1 : at) ||
          expanded.getSrcType().getDimSize(at) != type.getDimSize(at))
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
    const Views views(read);
    const Location loc = read.getLoc();
    rewriter.setInsertionPoint(read);
    auto toIndex = [&](const IndexSum &sum) {
      SmallVector<Value> values;
      const AffineExpr expr = sum.getExpr(rewriter, values);
      return affine::makeComposedFoldedAffineApply(
          rewriter, loc, AffineMap::get(values.size(), 0, expr),
          getAsOpFoldResult(values));
    };
    SmallVector<int64_t> shape;
    SmallVector<ReassociationIndices> groups;
    SmallVector<OpFoldResult> offsets, strides;
    SmallVector<Value> indices;
    int64_t rowsAt = 0, numRows = 1;
    for (int64_t imageDim = 0; imageDim != rank; ++imageDim) {
      const int64_t at = getDim(imageDim);
      const ReassociationIndices group = views.getGroup(at);
      const bool isRows = imageDim == dim;
      groups.emplace_back();
      for (int64_t part : group) {
        groups.back().push_back(shape.size());
        shape.push_back(
            cast<ShapedType>(read.getShapedType()).getDimSize(part));
        offsets.push_back(rewriter.getIndexAttr(0));
        strides.push_back(rewriter.getIndexAttr(isRows ? step : 1));
        indices.push_back(read.getIndices()[part]);
      }
      if (group.size() > 1)
        continue;
      shape.back() = pad.getSourceType().getDimSize(imageDim);
      const PaddedRead described = *views.describe(at);
      IndexSum first =
          isRows ? getPixel(described.first, views.describe(dim)->first)
                 : described.first;
      first.constant -= pad.getStaticLow()[imageDim];
      if (!isRows) {
        indices.back() =
            getValueOrCreateConstantIndexOp(rewriter, loc, toIndex(first));
        continue;
      }
      rowsAt = shape.size() - 1;
      numRows = described.rows;
      offsets.back() = toIndex(first);
      indices.back() = arith::ConstantIndexOp::create(rewriter, loc, 0);
    }
    Value source = pad.getSource();
    if (views.expanded)
      source = tensor::ExpandShapeOp::create(
          rewriter, loc, pad.getSourceType().clone(shape), source, groups);
    shape[rowsAt] = numRows;
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
