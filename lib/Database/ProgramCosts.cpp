//===- ProgramCosts.cpp - What the records say of one program -------------===//

#include "SchedOpt/Database/ProgramCosts.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

using namespace llvm;

namespace sched {

/// Trials of less than this share of the best of those that were compared are
/// no matter of luck: beyond what the states of one shared machine differ by
/// (Rationale.md).
constexpr double kClearly = 0.8;

std::vector<unsigned> rank(ArrayRef<Standing> standings) {
  int64_t last = 0;
  for (const Standing &standing : standings)
    last = std::max(last, standing.comparison);
  auto isCompared = [&](const Standing &standing) {
    return last != 0 && standing.comparison == last &&
           standing.comparedS < Standing::kNone;
  };
  // Lower is better, part by part.
  auto placeAmongCompared = [](const Standing &standing) {
    return std::tuple(-static_cast<int>(standing.stage), standing.comparedS);
  };
  const Standing *winner = nullptr;
  for (const Standing &standing : standings)
    if (isCompared(standing) &&
        (!winner || placeAmongCompared(standing) < placeAmongCompared(*winner)))
      winner = &standing;

  // The winner's own trials may have met the machine in its worst state; those
  // of all that it was chosen from say what a trial takes. The unscheduled code
  // has none.
  double toBeatS = 0;
  if (winner) {
    toBeatS =
        winner->trialsS < Standing::kNone ? Standing::kNone : winner->comparedS;
    for (const Standing &standing : standings)
      if (isCompared(standing))
        toBeatS = std::min(toBeatS, standing.trialsS);
    toBeatS *= kClearly;
  }

  using Place = std::tuple<int, int, double>;
  auto placeOf = [&](const Standing &standing) -> Place {
    if (isCompared(standing))
      return std::tuple_cat(std::tuple(1), placeAmongCompared(standing));
    // Who failed in the last comparison had its chance.
    const bool isAhead =
        standing.comparison != last && standing.trialsS < toBeatS;
    return {isAhead ? 0 : 2, 0, standing.trialsS};
  };
  std::vector<unsigned> order;
  for (unsigned i = 0, e = standings.size(); i != e; ++i)
    if (standings[i].isUsable())
      order.push_back(i);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    const Place first = placeOf(standings[a]), second = placeOf(standings[b]);
    return first != second ? first < second : a < b;
  });
  return order;
}

bool ProgramCosts::isCopy(const Record &record) const {
  return any_of(runs, [&](const Run &run) {
    return run.costsS == record.costsS &&
           (run.sketch != record.sketch || run.trace != record.trace);
  });
}

void ProgramCosts::add(const Record &record) {
  disqualified |= record.isWrong();
  const bool isGood = record.verified && record.succeeded();
  const ComparisonStage itsStage = record.getComparisonStage();
  if (itsStage == ComparisonStage::None) {
    if (isGood && !isCopy(record))
      runs.push_back({record.sketch, record.trace, record.costsS});
    return;
  }
  const std::pair now(comparison, stage);
  const std::pair its(record.getComparison(), itsStage);
  if (its < now)
    return;
  if (its > now)
    comparedS.clear();
  std::tie(comparison, stage) = its;
  if (isGood)
    append_range(comparedS, record.costsS);
}

Standing ProgramCosts::getStanding() const {
  Standing standing;
  standing.comparison = comparison;
  standing.stage = stage;
  if (disqualified)
    return standing;
  standing.comparedS = median(comparedS);
  std::vector<double> costs;
  for (const Run &run : runs)
    append_range(costs, run.costsS);
  standing.trialsS = median(std::move(costs));
  return standing;
}

} // namespace sched
