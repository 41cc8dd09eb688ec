//===- DefaultTile.cpp - The register tile to begin with ------------------===//

#include "DefaultTile.h"
#include "SchedOpt/Model/RegisterTile.h"
#include "SchedOpt/Space/Task.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

using namespace sched;

namespace {
/// Reduction steps that a tile is judged by.
constexpr int64_t kSteps = 128;
/// Rows of an operand whose stride is a power of two share the sets of L1,
/// which have eight ways.
constexpr int64_t kMostRows = 8;
/// Vectors of a row among several: more leave no registers for rows.
constexpr int64_t kMostVectors = 8;
/// Widths that leave few columns of any number over.
constexpr int64_t kMostCommonVectors = 4;
} // namespace

bool sched::isTileWidth(const ContractionShape &shape, const Target &target,
                        int64_t vectors) {
  if (vectors == 1)
    return true;
  if (vectors * shape.countLanes(target) > shape.n ||
      vectors > (shape.m == 1 ? target.vectorRegisters : kMostVectors))
    return false;
  if (llvm::isPowerOf2_64(vectors))
    return true;
  if (shape.isWindowed)
    return false;
  const int64_t lanes = shape.countLanes(target);
  if (vectors > kMostCommonVectors)
    return shape.m > 1 && target.vectorRegisters > 16 &&
           shape.n % (vectors * lanes) == 0;
  // A single vector in the last tile of each row would have too few sums.
  const int64_t all = llvm::divideCeil(shape.n, lanes);
  return shape.m <= kMaxTileRows || target.vectorRegisters > 16 ||
         (all % vectors == 0 && all % 2 != 0);
}

bool TileNeeds::allows(int64_t vectors, const ContractionShape &shape,
                       const Target &target) const {
  return !allVectors || shape.n / shape.countLanes(target) % vectors == 0;
}

DefaultTile sched::chooseDefaultTile(const ContractionShape &shape,
                                     const Target &target, TileNeeds needs) {
  const int64_t lanes = shape.countLanes(target);
  const auto bytes = static_cast<unsigned>(target.vectorBytes / lanes);
  DefaultTile best;
  double least = std::numeric_limits<double>::infinity();
  for (int64_t vectors : kTileVectors)
    for (int64_t rows = std::min(needs.rowStep, shape.m);
         rows <= std::min(shape.m, kMostRows); rows += needs.rowStep) {
      const int64_t accumulators = rows * vectors;
      if (!isTileWidth(shape, target, vectors) ||
          !needs.allows(vectors, shape, target) ||
          accumulators + vectors * needs.columnRegisters +
                  target.countLhsRegisters(rows) >
              target.vectorRegisters ||
          (shape.isWindowed && accumulators > kWindowAccumulators))
        continue;
      const int64_t columns = vectors * std::min(lanes, shape.n);
      auto cycles = [&](int64_t rows) {
        // Enough steps for vectors of rows, where elements of them are
        // multiplied.
        RegisterTile tile{rows, columns, target.byElement ? lanes : 1, bytes};
        if (shape.isWindowed)
          tile.loads = (rows + 1) * tile.vectors(target);
        return rows == 0
                   ? 0.0
                   : tile.cycles(target, kSteps) + tile.entryExitCycles(target);
      };
      // The last tile of a line may be partly used.
      const double all =
          static_cast<double>(llvm::divideCeil(shape.n, columns)) *
          (static_cast<double>(shape.m / rows) * cycles(rows) +
           cycles(shape.m % rows));
      if (all < least) {
        least = all;
        best = {rows, vectors};
      }
    }
  return best;
}
