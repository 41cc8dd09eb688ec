//===- ProgramCosts.cpp - What the records say of one program -------------===//

#include "SchedOpt/Database/ProgramCosts.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace sched {

bool Standing::isBefore(const Standing &other) const {
  if (!isUsable() || !other.isUsable())
    return isUsable();
  if (comparison != other.comparison)
    return comparison > other.comparison;
  return seconds < other.seconds;
}

bool ProgramCosts::isCopy(const Record &record) const {
  return any_of(runs, [&](const Run &run) {
    return run.costsS == record.costsS &&
           (run.sketch != record.sketch || run.trace != record.trace);
  });
}

void ProgramCosts::add(const Record &record) {
  // The kinds that Measure/MeasureResult.h calls kWrongResult, kOutOfBounds.
  if (record.error == "wrong-result" || record.error == "out-of-bounds")
    disqualified = true;
  if (!record.verified || !record.succeeded())
    return;
  if (const int64_t number = record.getComparison()) {
    if (number < comparison)
      return;
    if (number > comparison)
      comparedS.clear();
    comparison = number;
    append_range(comparedS, record.costsS);
    return;
  }
  if (!isCopy(record))
    runs.push_back({record.sketch, record.trace, record.costsS});
}

Standing ProgramCosts::getStanding() const {
  if (disqualified)
    return {};
  if (comparison != 0)
    return {comparison, median(comparedS)};
  std::vector<double> costs;
  for (const Run &run : runs)
    append_range(costs, run.costsS);
  return {0, median(std::move(costs))};
}

} // namespace sched
