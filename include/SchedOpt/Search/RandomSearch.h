//===- RandomSearch.h - Legal candidates at random --------------*- C++ -*-===//
//
// The baseline of every search: after the defaults, random legal candidates.
// Read next: SearchStrategy.h, Sampler.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_RANDOMSEARCH_H
#define SCHEDOPT_SEARCH_RANDOMSEARCH_H

#include "SchedOpt/Search/SearchStrategy.h"

namespace sched {

class RandomSearch final : public SearchStrategy {
public:
  RandomSearch(const SearchSpace &space, uint64_t seed)
      : space(space), seed(seed) {}

private:
  std::vector<Candidate> choose(unsigned n, const History &history,
                                ProposalReport &report) const override;

  const SearchSpace &space;
  uint64_t seed;
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_RANDOMSEARCH_H
