//===- LaneTile.cpp - Cycles of a reduction in lanes ----------------------===//

#include "SchedOpt/Model/LaneTile.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace sched;

/// Cycles to load a vector, for the control of a step, and for each register
/// that there is none for.
static constexpr double kLoadCycles = 0.5, kControlCycles = 1, kSpillCycles = 3;
/// To add up lanes: for each pair of vectors that becomes one by two shuffles,
/// and each time that the last one is folded (Codegen/SumLanes.cpp).
static constexpr double kJoinCycles = 2, kFoldLatency = 2;

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
  int64_t left = lanes(target), joins = 0;
  for (int64_t rows = pairs; rows > 1 && left > 1; left /= 2) {
    // An odd row is joined with none.
    rows = llvm::divideCeil(rows, 2);
    joins += rows;
  }
  return accumulators(target) + kJoinCycles * double(joins) +
         kFoldLatency * double(llvm::Log2_64_Ceil(left)) +
         2.0 * target.fmaLatency;
}
