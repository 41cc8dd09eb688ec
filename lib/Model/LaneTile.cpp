//===- LaneTile.cpp - Cycles of a reduction in lanes ----------------------===//

#include "SchedOpt/Model/LaneTile.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace sched;

/// Cycles to load a vector, for the control of a step, and for each register
/// that there is none for.
static constexpr double kLoadCycles = 0.5, kControlCycles = 1, kSpillCycles = 3;
/// To add up the lanes of a vector: as one of a square of lanes, which is
/// transposed and then added by rows; and by halving it, each time.
static constexpr double kSquareCycles = 4, kHalfCycles = 2;

int64_t LaneTile::lanes(const Target &target) const {
  return std::max<int64_t>(1, target.vectorBytes / int64_t(elementBytes));
}

int64_t LaneTile::vectors(const Target &target) const {
  return llvm::divideCeil(width, lanes(target));
}

int64_t LaneTile::accumulators(const Target &target) const {
  return lhsRows * rhsRows * vectors(target);
}

int64_t LaneTile::registers(const Target &target) const {
  return accumulators(target) + std::min(lhsRows, rhsRows) * vectors(target) +
         1;
}

double LaneTile::stepCycles(const Target &target) const {
  const double fmas = double(accumulators(target)) * (target.hasFMA ? 1 : 2) /
                      std::max(1, target.fmaPorts);
  const double loads = double((lhsRows + rhsRows) * vectors(target));
  const int64_t excess = registers(target) - target.vectorRegisters;
  return std::max({fmas, kLoadCycles * loads, double(target.fmaLatency)}) +
         kSpillCycles * std::max<int64_t>(0, excess) + kControlCycles;
}

double LaneTile::endCycles(const Target &target) const {
  const int64_t pairs = lhsRows * rhsRows;
  const double lanes =
      pairs % this->lanes(target) == 0 && vectors(target) == 1
          ? kSquareCycles
          : kHalfCycles * llvm::Log2_64_Ceil(this->lanes(target));
  return accumulators(target) + pairs * lanes + 2.0 * target.fmaLatency;
}
