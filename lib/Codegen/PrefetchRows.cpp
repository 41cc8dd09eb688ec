//===- PrefetchRows.cpp - Rows that are read several times ----------------===//
//
// A step after ShareIterations.cpp. A norm reads each row from memory once, and
// then again from a cache: meanwhile memory has nothing to do, as processors do
// not foresee the next row. So the last loop over a row fetches the row after
// it; or, where that goes to the second level of caches, each loop a share.
//
//===----------------------------------------------------------------------===//

#include "Prefetch.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace sched {
#define GEN_PASS_DEF_PREFETCHROWSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// Rows of more bytes would not stay in a core's caches until they are read.
static constexpr int64_t kMostBytes = 128 << 10;
/// What a loop that stores rows fetches where one that sums them fetches 1: it
/// takes longer, as it waits for memory itself.
static constexpr int64_t kStoringWeight = 3;

namespace {
/// A loop over a row, and its reads of one buffer there.
struct Columns {
  scf::ForOp loop;
  SmallVector<vector::TransferReadOp> reads;
  /// Lines of the cache that an iteration fetches of the next row, and which of
  /// that row is the first iteration's first one.
  int64_t share = 0, first = 0;

  /// Elements of a row if its vectors are read one after the other, from the
  /// first element on.
  std::optional<int64_t> getExtent();
  /// The first element of an iteration's share, of lines of `elements`.
  Value getBegin(OpBuilder &builder, Location loc, int64_t elements);
};
} // namespace

std::optional<int64_t> Columns::getExtent() {
  vector::TransferReadOp read = reads.front();
  if (reads.size() != 1 || getConstantIntValue(loop.getLowerBound()) != 0 ||
      getConstantIntValue(loop.getStep()) !=
          read.getVectorType().getShape().back() ||
      read.getIndices().back() != loop.getInductionVar())
    return std::nullopt;
  return getConstantIntValue(loop.getUpperBound());
}

Value Columns::getBegin(OpBuilder &builder, Location loc, int64_t elements) {
  const int64_t step = *getConstantIntValue(loop.getStep()),
                lines = llvm::divideCeil(*getExtent(), elements),
                common = std::gcd(share * elements, step);
  const AffineExpr column = builder.getAffineDimExpr(0);
  SmallVector<AffineExpr, 2> begins = {
      (column * (share * elements / common)).floorDiv(step / common) +
      first * elements};
  // The last iterations may have less to fetch than there is.
  const bool isCut = first + share * *countTrips(loop) > lines;
  if (isCut)
    begins.push_back(builder.getAffineConstantExpr((lines - share) * elements));
  const auto map = AffineMap::get(1, 0, begins, builder.getContext());
  const OpFoldResult index = loop.getInductionVar();
  return getValueOrCreateConstantIndexOp(
      builder, loc,
      isCut ? affine::makeComposedFoldedAffineMin(builder, loc, map, index)
            : affine::makeComposedFoldedAffineApply(builder, loc, map, index));
}

/// Whether two loops over rows read the same row, vector by vector from its
/// first element on.
static bool readSame(Columns &a, Columns &b) {
  if (!a.getExtent() || a.getExtent() != b.getExtent())
    return false;
  vector::TransferReadOp x = a.reads.front(), y = b.reads.front();
  return x.getBase() == y.getBase() &&
         x.getPermutationMap() == y.getPermutationMap() &&
         llvm::equal(x.getIndices().drop_back(), y.getIndices().drop_back()) &&
         x.getVectorType().getShape().drop_back() ==
             y.getVectorType().getShape().drop_back();
}

/// Shares the lines of a row among `loops`, as memory would be idle in any of
/// them. False if they read it in different ways.
static bool shareRow(MutableArrayRef<Columns> loops) {
  for (Columns &columns : loops)
    if (!readSame(columns, loops.front()) || !countTrips(columns.loop))
      return false;
  auto getWeight = [](Columns &columns) {
    return columns.loop.getNumResults() == 0 ? kStoringWeight : 1;
  };
  int64_t weights = 0;
  for (Columns &columns : loops)
    weights += getWeight(columns);
  const LineGrid grid(loops.front().reads.front().getVectorType());
  const int64_t lines =
      llvm::divideCeil(*loops.front().getExtent(), grid.steps.back());
  // The last loop has as many in each iteration, and the others the rest.
  const int64_t weightOfLast = getWeight(loops.back()),
                trips = *countTrips(loops.back().loop),
                ofLast = trips * llvm::divideNearest(lines * weightOfLast,
                                                     weights * trips);
  int64_t first = 0;
  for (Columns &columns : loops.drop_back()) {
    columns.first = first;
    columns.share = std::max<int64_t>(0, lines - ofLast) * getWeight(columns) /
                    ((weights - weightOfLast) * *countTrips(columns.loop));
    first += columns.share * *countTrips(columns.loop);
  }
  loops.back().first = first;
  loops.back().share = llvm::divideCeil(lines - first, trips);
  return true;
}

/// Fetches what `columns` read in iteration `row` of `rows`: their share of it,
/// or without one what they read.
static void prefetchColumns(scf::ForOp rows, Columns &columns, Value row,
                            unsigned locality) {
  for (vector::TransferReadOp read : columns.reads) {
    std::optional<TransferPlace> place = TransferPlace::get(read, rows);
    // What does not depend on the row stays in the cache as it is.
    if (!place || !place->dependsOn(rows.getInductionVar()))
      continue;
    // Before all reads: LLVM moves none across a prefetch.
    OpBuilder builder = OpBuilder::atBlockBegin(columns.loop.getBody());
    const Location loc = read.getLoc();
    IRMapping mapping;
    mapping.map(rows.getInductionVar(), row);
    LineGrid lines(read.getVectorType());
    if (columns.share != 0) {
      lines.counts.back() = columns.share;
      mapping.map(columns.loop.getInductionVar(),
                  columns.getBegin(builder, loc, lines.steps.back()));
    }
    auto [buffer, indices] = place->clone(builder, mapping);
    // Vectors of several rows fetch the lines of each.
    lines.prefetch(builder, loc, buffer, indices, locality);
  }
}

/// Of the numbers that are read.
template <typename Reads> static int64_t countReadBytes(Reads reads) {
  int64_t bytes = 0;
  for (vector::TransferReadOp read : reads)
    if (read.getVectorType().getElementType().isIntOrFloat())
      bytes += countBytes(read.getVectorType());
  return bytes;
}

/// Fetches, in loops over a row, what they read of a row some iterations later.
static void prefetchRow(scf::ForOp rows, MutableArrayRef<Columns> loops,
                        int64_t l1Bytes) {
  const auto step = getConstantIntValue(rows.getStep());
  Columns &last = loops.back();
  const auto trips = countTrips(last.loop);
  const int64_t bytes =
      trips.value_or(0) * countReadBytes(ArrayRef(last.reads));
  if (!step || bytes == 0 || bytes > kMostBytes)
    return;
  OpBuilder builder(loops.front().loop);
  const Location loc = loops.front().loop.getLoc();
  // The same row again at the end.
  Value ahead = arith::ConstantIndexOp::create(
      builder, loc, *step * int64_t(llvm::divideCeil(kBytesAhead, bytes)));
  Value here = rows.getInductionVar();
  Value later = arith::AddIOp::create(builder, loc, here, ahead);
  Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       later, rows.getUpperBound());
  Value row = arith::SelectOp::create(builder, loc, exists, later, here);
  // Into the first level of caches, if it has room beside this row, which is
  // read again, and what all rows are scaled with.
  const int64_t all =
      *trips *
      countReadBytes(last.loop.getBody()->getOps<vector::TransferReadOp>());
  const bool isNear = l1Bytes == 0 || bytes + all <= l1Bytes;
  if (isNear || !shareRow(loops))
    return prefetchColumns(rows, last, row, /*locality=*/isNear ? 3 : 2);
  for (Columns &columns : loops) {
    columns.loop->setDiscardableAttr(kSharesRowAttrName, builder.getUnitAttr());
    if (columns.share != 0)
      prefetchColumns(rows, columns, row, /*locality=*/2);
  }
}

namespace {
struct PrefetchRows : sched::impl::PrefetchRowsPassBase<PrefetchRows> {
  using PrefetchRowsPassBase::PrefetchRowsPassBase;

  void runOnOperation() override {
    if (minBytes == 0)
      return;
    getOperation()->walk([&](scf::ForOp rows) {
      if (!rows.getInductionVar().getType().isIndex())
        return;
      llvm::MapVector<Value, SmallVector<Columns>> buffers;
      for (auto loop : rows.getBody()->getOps<scf::ForOp>())
        for (auto read : loop.getBody()->getOps<vector::TransferReadOp>())
          if (isInLargeBuffer(read, rows, minBytes)) {
            SmallVector<Columns> &loops = buffers[getRoot(read.getBase())];
            if (loops.empty() || loops.back().loop != loop)
              loops.push_back({loop, {}});
            loops.back().reads.push_back(read);
          }
      for (auto &[buffer, loops] : buffers)
        if (loops.size() > 1)
          prefetchRow(rows, loops, l1Bytes);
    });
  }
};
} // namespace
