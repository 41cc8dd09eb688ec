//===- GridSearch.h - Every legal candidate in order ------------*- C++ -*-===//
//
// For small spaces and for tests: after the defaults, all legal candidates in
// counting order. Walks the space from its start in each call.
// Read next: SearchStrategy.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_GRIDSEARCH_H
#define SCHEDOPT_SEARCH_GRIDSEARCH_H

#include "SchedOpt/Search/SearchStrategy.h"

namespace sched {

class GridSearch final : public SearchStrategy {
public:
  explicit GridSearch(const SearchSpace &space) : space(space) {}

private:
  std::vector<Candidate> choose(unsigned n, const History &history,
                                ProposalReport &report) const override;

  const SearchSpace &space;
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_GRIDSEARCH_H
