//===- SearchStrategy.cpp - What all strategies share ---------------------===//

#include "SchedOpt/Search/SearchStrategy.h"

using namespace sched;

SearchStrategy::~SearchStrategy() = default;

void SearchStrategy::proposeDefaults(const SearchSpace &space, unsigned n,
                                     const History &history,
                                     std::vector<Candidate> &result) {
  for (unsigned i = 0, e = space.getNumSketches(); i != e; ++i) {
    if (result.size() == n)
      return;
    Candidate candidate = space.getDefault(i);
    if (!history.contains(candidate) && space.isLegal(candidate))
      result.push_back(std::move(candidate));
  }
}
