//===- DefaultSearch.h - No search ------------------------------*- C++ -*-===//
//
// The default schedule and nothing else: what others are compared with, and a
// quick way to code that was checked. Read next: SearchStrategy.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_DEFAULTSEARCH_H
#define SCHEDOPT_SEARCH_DEFAULTSEARCH_H

#include "SchedOpt/Search/SearchStrategy.h"

namespace sched {

class DefaultSearch final : public SearchStrategy {
public:
  explicit DefaultSearch(const SearchSpace &space) : space(space) {}

private:
  std::vector<Candidate> choose(unsigned n, const History &history,
                                ProposalReport &report) const override;

  const SearchSpace &space;
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_DEFAULTSEARCH_H
