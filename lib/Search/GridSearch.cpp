//===- GridSearch.cpp - Every legal candidate in order --------------------===//

#include "SchedOpt/Search/GridSearch.h"

using namespace sched;

std::vector<Candidate> GridSearch::choose(unsigned n, const History &history,
                                          ProposalReport &report) const {
  Batch batch(space, n, history, report);
  batch.addDefaults(space.getNumSketches());
  report.enumerated = true;
  Candidate candidate;
  space.reset(candidate, 0);
  do {
    if (batch.isFull())
      break;
    if (!history.contains(candidate) && space.isLegal(candidate))
      batch.add(candidate, PickReason::Ordered);
  } while (space.advance(candidate));
  return batch.take();
}
