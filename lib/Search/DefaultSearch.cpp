//===- DefaultSearch.cpp - No search --------------------------------------===//

#include "SchedOpt/Search/DefaultSearch.h"

using namespace sched;

std::vector<Candidate> DefaultSearch::choose(unsigned n, const History &history,
                                             ProposalReport &report) const {
  Batch batch(space, n, history, report);
  batch.addDefaults(1);
  return batch.take();
}
