//===- SketchMatrixTile.cpp - Register tiles of matrix instructions -------===//
//
// The decisions on a register tile where one instruction multiplies matrices
// (see SketchWriter.cpp and Support/DotProduct.h). Where the rows are no whole
// tiles, the code generator computes some twice. Less than one tile is a lower
// tile, where no product of the function has whole ones; else it is copied into
// one. Steps are shared evenly between tiles, if they can be; else those that
// there are not are zeros.
//
//===----------------------------------------------------------------------===//

#include "SketchWriter.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace sched;

/// Tiles of sums: with two of each operand they fill the tile registers but
/// one. Fewer than four do not hide the latency of a product.
static constexpr int64_t kMostSums = 4;

/// Loads of a tile from the first cache that take as long as one from behind
/// the second: a core of a Xeon read 30 bytes a nanosecond from there, and 120
/// and more from the first (docs/Rationale.md).
static constexpr double kFarLoad = 4;

/// Sums and steps of the tail of n, which is computed without tiles.
static constexpr int64_t kTailAccumulators = 24, kTailSteps = 4;

/// All rows where there are fewer than in a tile; else one tile or several, of
/// which the last may begin within the one before, if that leaves no rows over.
/// More than two take one column of tiles, which is loaded once for all of
/// them: fewer loads of an operand that comes from far away.
static llvm::SmallVector<int64_t> chooseTileRows(int64_t m) {
  if (m < kTileEdge)
    return {m};
  llvm::SmallVector<int64_t> rows;
  for (int64_t tiles = 1; tiles <= kMostSums; ++tiles)
    if (m >= tiles * kTileEdge)
      rows.push_back(tiles * kTileEdge);
  for (int64_t tiles = 2; tiles <= kMostSums; ++tiles)
    for (int64_t mr = tiles * kTileEdge - 1; mr != (tiles - 1) * kTileEdge;
         --mr)
      if (m % mr == 0) {
        rows.push_back(mr);
        break;
      }
  return rows;
}

int64_t SketchWriter::stepUnit() const {
  // Lower tiles need whole rows of steps.
  return m < kTileEdge ? kTileEdge : countTileGroups(k);
}

void SketchWriter::matrixTile(bool blocked) {
  // Of tiles with equally many sums, the one that leaves the fewest rows idle,
  // then the one that loads least.
  const llvm::SmallVector<int64_t> rows = chooseTileRows(m);
  llvm::SmallVector<int64_t> vectors;
  int64_t bestRows = rows.front(), bestVectors = 1;
  // Taps find rows in L1, and each tile of weights that L2 does not hold comes
  // from further away. A block of the reduction is in L1 for most rows.
  const bool isFar =
      !blocked && hasTaps() && countWeightBytes() > target.l2Bytes;
  const double farLoad = isFar ? kFarLoad : 1;
  auto cost = [&](int64_t mr, int64_t columns) {
    // What is less than a tile is copied, which takes as long as another.
    const int64_t rest = m % mr,
                  computed = m / mr * llvm::alignTo(mr, kTileEdge) +
                             llvm::alignTo(rest, kTileEdge) +
                             (rest > 0 && rest < kTileEdge ? kTileEdge : 0);
    const double tileRows = llvm::divideCeil(mr, kTileEdge),
                 sums = tileRows * columns,
                 loads = tileRows + columns * farLoad;
    return double(computed) / m *
           (std::max(1.0, kMostSums / sums) + loads / sums / 16);
  };
  for (int64_t columns : {1, 2, 3, 4})
    // The tail of n is computed without tiles: none where there can be none.
    if (columns * lanes <= n && (n % lanes != 0 || n % (columns * lanes) == 0))
      vectors.push_back(columns);
  for (int64_t mr : rows)
    for (int64_t columns : vectors)
      if (int64_t(llvm::divideCeil(mr, kTileEdge)) * columns <= kMostSums &&
          cost(mr, columns) < cost(bestRows, bestVectors)) {
        bestRows = mr;
        bestVectors = columns;
      }
  defaultTile = {bestRows, bestVectors * lanes};
  decide("mr", rows, bestRows);
  decide("vectors", vectors, bestVectors);
  constant("ku", stepUnit());
  constant("tail_ku", kTailSteps);
  constant("lanes", lanes);
  constant("edge", kTileEdge);
  constant("most_sums", kMostSums);
  constant("accumulators", kTailAccumulators);
  line("%one = transform.param.constant 1 : i64 -> !transform.param<i64>");
  line("%nr = schedule.product %vectors, %lanes");
  line("%tile_rows = schedule.ceildiv %mr, %edge");
  line("%sums = schedule.product %tile_rows, %vectors");
  line("%fits = schedule.cmp le %sums, %most_sums");
  line("schedule.require \"the sums fit in the tile registers\" %fits");
  // Every share of m that is not whole tiles would have idle rows.
  constant("whole_tiles", 1);
  line("%unit = schedule.product %mr, %one");
}
