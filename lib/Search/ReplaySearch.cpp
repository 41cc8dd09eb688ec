//===- ReplaySearch.cpp - What was good elsewhere -------------------------===//

#include "SchedOpt/Search/ReplaySearch.h"

using namespace sched;

std::vector<Candidate> ReplaySearch::choose(unsigned n, const History &history,
                                            ProposalReport &report) const {
  Batch batch(space, n, history, report);
  batch.addDefaults(1);
  for (const Candidate &candidate : given)
    batch.add(candidate, PickReason::Replayed);
  return batch.take();
}

std::optional<Candidate> ReplaySearch::guess() const {
  if (given.empty())
    return SearchStrategy::guess();
  return given.front();
}
