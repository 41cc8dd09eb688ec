//===- TapRows.cpp - Pixels side by side for each tap ---------------------===//

#include "TapRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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
  if (!dim || !slice->hasOneUse())
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
  if (cast<RankedTensorType>(rows.gathered.getType()).getDimSize(dim) !=
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

static void add(IndexSum &sum, const IndexSum &other, int64_t factor) {
  sum.constant += factor * other.constant;
  for (auto [value, times] : other.terms)
    sum.add(value, factor * times);
}

/// The same dimensions of a view of that, which is made by `user`; none if it
/// does not have them as they are.
static std::optional<SmallVector<ViewedDim, 2>>
getViewed(Operation *user, ArrayRef<ViewedDim> dims) {
  SmallVector<ViewedDim, 2> viewed(dims);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user)) {
    if (!slice.hasUnitStride() ||
        slice.getType().getRank() != slice.getSourceType().getRank())
      return std::nullopt;
    for (auto &[dim, before] : viewed) {
      const OpFoldResult offset = slice.getMixedOffsets()[dim];
      if (auto value = dyn_cast<Value>(offset))
        before.add(value, 1);
      else
        before.constant += *getConstantIntValue(offset);
    }
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
  add(found->first, dims.front().before, 1);
  if (!isOfRows)
    return found;
  const std::optional<PaddedRead> tap = describeRead(read, dims.back().dim);
  if (!tap || tap->rows != 1)
    return std::nullopt;
  IndexSum first;
  add(first, found->first, rows.step);
  add(first, tap->first, rows.tapStep);
  add(first, dims.back().before, rows.tapStep);
  found->first = first;
  found->step = rows.step;
  return found;
}

static void follow(Value view, ArrayRef<ViewedDim> dims, const TapRows &rows,
                   SmallVectorImpl<PaddedRead> &found) {
  for (Operation *user : view.getUsers()) {
    auto read = dyn_cast<vector::TransferReadOp>(user);
    if (!read) {
      if (const auto viewed = getViewed(user, dims))
        follow(user->getResult(0), *viewed, rows, found);
      continue;
    }
    if (llvm::any_of(read->getUsers(), llvm::IsaPred<arith::ExtSIOp>))
      continue;
    if (std::optional<PaddedRead> described = describe(read, dims, rows))
      found.push_back(std::move(*described));
  }
}

void TapRows::findReads(int64_t imageDim,
                        SmallVectorImpl<PaddedRead> &found) const {
  SmallVector<ViewedDim, 2> dims;
  dims.push_back({imageDim >= dim ? imageDim + 1 : imageDim, {}});
  if (imageDim == dim)
    dims.push_back({dim, {}});
  follow(gathered, dims, *this, found);
}
