//===- RegisterTile.cpp - Cycles of an innermost tile ---------------------===//

#include "SchedOpt/Model/RegisterTile.h"
#include "SchedOpt/Support/DotProduct.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace sched;

/// Of AMX, from Intel's optimisation guide: a product each 16 cycles, 52 until
/// its sums are there; a load or a store of a tile moves a row each half cycle
/// or each cycle.
static constexpr double kProductCycles = 16, kProductLatency = 52,
                        kTileLoadCycles = 8, kTileStoreCycles = 16;

/// A row that is copied into a tile's buffer, which the tile is loaded from
/// right away: bf16 3x3 of 28x28x128 took 198 us with 16 rows and 12 that are
/// copied, and 136 with two tiles.
static constexpr double kCopyCycles = 4;

/// Of two ports; random candidates rank better with it than with 2 (AVX-512).
static constexpr double kLoadsPerCycle = 1.8;
/// The same with broadcasts by instructions of their own, where a vector takes
/// the only port twice: bf16 tiles of 14 x 1 and 7 x 1 on Zen 4 take 1.4 times
/// as long for a product as those of two vectors.
static constexpr double kBroadcastsPerCycle = 0.75;

/// Of an iteration; one port leaves slots of the front end for most of it.
static constexpr double kControlCycles = 1.5, kHiddenControlCycles = 0.3;

/// Of a step with less registers than LLVM likes to load ahead into: by
/// llvm-mca 14 x 2 vectors of f32 take 1.08 times as long on Skylake, where
/// they spill, 9 x 3 1.01 times; on Zen 5 neither spills.
static constexpr double kSpareRegisterCost = 1.04;

int64_t RegisterTile::tileRows() const {
  return llvm::divideCeil(m, kTileEdge);
}

int64_t RegisterTile::tileColumns() const {
  return llvm::divideCeil(n, kTileEdge);
}

int64_t RegisterTile::vectors(const Target &target) const {
  const int64_t lanes = std::max<int64_t>(1, target.vectorBytes / elementBytes);
  return std::max<int64_t>(llvm::divideCeil(n, lanes), 1);
}

int64_t RegisterTile::registers(const Target &target) const {
  if (inTiles)
    return llvm::divideCeil((tileRows() * lines * tileColumns() +
                             std::min(tileRows() * lines, tileColumns()) + 1) *
                                target.vectorRegisters,
                            kTileRegisters);
  // A single row uses each vector of the right-hand side once, from memory.
  if (m == 1)
    return vectors(target) + 1;
  // LLVM's scheduler has all rows of a single step broadcast before the first
  // product.
  const int64_t lhs =
      hasBroadcasts && unroll == 1 ? m : target.countLhsRegisters(m);
  return m * vectors(target) + vectors(target) + lhs;
}

double RegisterTile::cycles(const Target &target, int64_t steps) const {
  if (inTiles) {
    const double sums = lines * tileRows() * tileColumns(),
                 loads = lines * tileRows() + tileColumns();
    // A row takes a cycle; what is copied is a whole tile.
    const double product =
        copiesRows ? kProductCycles
                   : kProductCycles * std::min(1.0, double(m) / kTileEdge);
    // What is less than a tile is copied row by row first.
    const double copied =
        kCopyCycles * ((copiesRows ? m : 0) + (copiesSteps ? m + n : 0));
    return double(steps) / unroll * llvm::divideCeil(unroll, kTileEdge) *
           (std::max(
                {sums * product, loads * kTileLoadCycles, kProductLatency}) /
                lines +
            copied);
  }
  const double nv = vectors(target);
  const double fmas = equalMultiplyAdds * m * nv;
  const double ports = std::max(1, target.fmaPorts);
  const double issue =
      (target.hasFMA ? fmas + casts : 2 * fmas + casts) / ports;
  // A vector of a row serves as many steps as it has elements.
  const int64_t lanes = std::max<int64_t>(1, target.vectorBytes / elementBytes);
  const bool isVector = target.byElement && unroll % lanes == 0;
  const bool isBroadcast = hasBroadcasts && target.fmaPorts == 1;
  const double rowLoads = isVector ? double(m) / lanes : m;
  // Whole vectors may take both ports.
  const double vectorLoads =
      isBroadcast ? nv : nv * 2.0 / std::max(1, target.vectorLoads);
  const double loaded = (loads ? loads : rowLoads + vectorLoads) /
                        (isBroadcast ? kBroadcastsPerCycle : kLoadsPerCycle);
  const double latency = target.fmaLatency;
  double step = std::max({issue, loaded, latency});
  // Every register too many is stored and loaded again in each step; a spilled
  // accumulator also lengthens the dependence through memory.
  const int64_t excess = registers(target) - target.vectorRegisters;
  if (excess > target.countSpareRegisters())
    step += 3.0 * excess;
  else if (excess > 0)
    step *= kSpareRegisterCost;
  // Loop control and address updates share the front end with the FMAs; wide
  // tiles hide it partly.
  const double control =
      (target.fmaPorts == 1 ? kHiddenControlCycles : kControlCycles) *
      std::max(0.25, 1.0 - fmas / 24.0);
  // One step an iteration gives the scheduler too little to overlap.
  const double iterations = static_cast<double>(steps) / unroll;
  return steps * step + iterations * control;
}

double RegisterTile::entryExitCycles(const Target &target) const {
  if (inTiles)
    return tileRows() * tileColumns() * kTileStoreCycles + kProductLatency;
  // Clear, store, and the drain of the FMA pipeline, half of which the next
  // tile's first steps hide: 120x128x128 with B packed beforehand loses 12 to
  // 25 cycles a tile of 4, 5 or 6 x 2 vectors, loop control included.
  return m * vectors(target) * 0.75 + target.fmaLatency + 2.0;
}

int64_t sched::getSumsBytes(const Target &target, bool inTiles) {
  return inTiles ? kTileRegisters * kTileEdge * kTileRowBytes
                 : int64_t(target.vectorRegisters) * target.vectorBytes;
}
