//===- Turns.cpp - Which timings of a candidate count ---------------------===//

#include "SchedOpt/Measure/Turns.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace llvm;

namespace sched {

/// A quiet machine's times differ by less than this share of them: on a shared
/// Xeon nine of ten repeats of 5 ms were within 3 % of the least.
static constexpr double kNoise = 0.05;

void MachineState::add(double anchorS) {
  if (!isKept)
    bestS = bestS > 0 ? std::min(bestS, anchorS) : anchorS;
  usualS = usualS > 0 ? std::min(usualS, anchorS) : anchorS;
}

void MachineState::keepPace() { isKept |= bestS > 0; }

bool MachineState::isQuiet(double anchorS) const {
  return anchorS <= (1 + kNoise) * usualS;
}

double MachineState::getSlowdown(double anchorS) const {
  if (bestS <= 0 || anchorS <= 0)
    return 1;
  return isKept ? anchorS / bestS : std::max(1.0, anchorS / bestS);
}

/// What a turn would have cost at the machine's pace.
static double correct(const Turn &turn) {
  return std::abs(turn.slowdown - 1) > kNoise ? turn.costS / turn.slowdown
                                              : turn.costS;
}

/// Of turns on a quiet machine, or of all.
static std::vector<double> correctAll(ArrayRef<Turn> turns, bool quietOnly) {
  std::vector<double> costs;
  for (const Turn &turn : turns)
    if (turn.isQuiet || !quietOnly)
      costs.push_back(correct(turn));
  return costs;
}

/// Costs of turns on a quiet machine; of all, where there is no such turn.
static std::vector<double> correctBest(ArrayRef<Turn> turns) {
  std::vector<double> costs = correctAll(turns, /*quietOnly=*/true);
  return costs.empty() ? correctAll(turns, /*quietOnly=*/false) : costs;
}

double getLeastCost(ArrayRef<Turn> turns) {
  const std::vector<double> costs = correctBest(turns);
  return costs.empty() ? std::numeric_limits<double>::infinity()
                       : *llvm::min_element(costs);
}

bool areConfirmed(ArrayRef<Turn> turns, double agreement) {
  std::vector<double> costs = correctAll(turns, /*quietOnly=*/true);
  if (costs.size() < 2)
    return false;
  std::nth_element(costs.begin(), costs.begin() + 1, costs.end());
  return costs[1] <= (1 + agreement) * costs[0];
}

std::vector<double> selectCosts(ArrayRef<Turn> turns, double agreement) {
  std::vector<double> costs = correctBest(turns);
  const double most = (1 + std::max(0.0, agreement)) * getLeastCost(turns);
  llvm::erase_if(costs, [&](double cost) { return cost > most; });
  return costs;
}

} // namespace sched
