//===- PrefetchTiles.cpp - Tiles that are transposed ----------------------===//
//
// A step after ShareIterations.cpp. A tile that is transposed in registers is a
// line or two of each of many rows, which may be pages apart: processors
// foresee few of so many streams, so each tile would wait for memory. So each
// tile fetches one that is read a little later.
//
//===----------------------------------------------------------------------===//

#include "Prefetch.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace sched {
#define GEN_PASS_DEF_PREFETCHTILESPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// Fewer rows are streams that processors foresee.
static constexpr int64_t kLeastRows = 4;
/// Of shorter rows, a line of the cache would be fetched again and again.
static constexpr int64_t kLeastRowBytes = kLineBytes / 2;

/// Whether `read` is of a tile of rows that becomes one of columns.
static bool isTransposed(vector::TransferReadOp read) {
  const VectorType type = read.getVectorType();
  if (type.getRank() < 2 || type.isScalable() ||
      !type.getElementType().isIntOrFloat())
    return false;
  const int64_t rows = type.getNumElements() / type.getShape().back();
  if (rows < kLeastRows || countBytes(type) < rows * kLeastRowBytes)
    return false;
  // Dimensions of one element may be anywhere.
  auto getOrder = [&](ArrayRef<int64_t> permutation) {
    SmallVector<int64_t> order(permutation);
    llvm::erase_if(order,
                   [&](int64_t dim) { return type.getDimSize(dim) == 1; });
    return order;
  };
  return llvm::any_of(read->getUsers(), [&](Operation *user) {
    auto transpose = dyn_cast<vector::TransposeOp>(user);
    return transpose && !llvm::is_sorted(getOrder(transpose.getPermutation()));
  });
}

/// The loops around `read` in which the tile that is read some bytes later is
/// another one, innermost first. None if other loops read much more between it
/// and the next one.
static SmallVector<scf::ForOp> getLoops(vector::TransferReadOp read) {
  SmallVector<scf::ForOp> loops;
  if (llvm::any_of(*read->getBlock(),
                   [](Operation &op) { return op.getNumRegions() != 0; }))
    return loops;
  for (auto loop = dyn_cast<scf::ForOp>(read->getParentOp());
       loop && countTrips(loop);
       loop = dyn_cast<scf::ForOp>(loop->getParentOp()))
    loops.push_back(loop);
  return loops;
}

/// Fetches a tile that is read at least kBytesAhead later.
static void prefetchTile(vector::TransferReadOp read, uint64_t minBytes) {
  const SmallVector<scf::ForOp> around = getLoops(read);
  ArrayRef<scf::ForOp> loops = around;
  int64_t bytes = countBytes(read.getVectorType());
  // The tiles of a short loop are read between this one and the other.
  for (; !loops.empty() && *countTrips(loops.front()) * bytes < kBytesAhead;
       loops = loops.drop_front())
    bytes *= *countTrips(loops.front());
  if (loops.empty())
    return;
  scf::ForOp first = loops.front();
  loops = takeCountable(loops);
  const std::optional<TransferPlace> place =
      TransferPlace::get(read, loops.back());
  const auto ahead = int64_t(llvm::divideCeil(kBytesAhead, bytes));
  // In the only loop there would be no later tile.
  if (!place || !place->dependsOn(first.getInductionVar()) ||
      (loops.size() == 1 && *countTrips(first) <= ahead) ||
      !isInLargeBuffer(read, loops.back(), minBytes))
    return;
  // Before all reads: LLVM moves none across a prefetch.
  OpBuilder builder = OpBuilder::atBlockBegin(read->getBlock());
  const Location loc = read.getLoc();
  const auto [buffer, indices] =
      place->clone(builder, getLater(builder, loc, loops, ahead));
  LineGrid(read.getVectorType())
      .prefetch(builder, loc, buffer, indices, /*locality=*/3);
}

namespace {
struct PrefetchTiles : sched::impl::PrefetchTilesPassBase<PrefetchTiles> {
  using PrefetchTilesPassBase::PrefetchTilesPassBase;

  void runOnOperation() override {
    if (minBytes == 0)
      return;
    SmallVector<vector::TransferReadOp> reads;
    getOperation()->walk([&](vector::TransferReadOp read) {
      if (isTransposed(read))
        reads.push_back(read);
    });
    for (vector::TransferReadOp read : reads)
      prefetchTile(read, minBytes);
  }
};
} // namespace
