//===- ReplaySearch.h - What was good elsewhere -----------------*- C++ -*-===//
//
// The default schedule, then given candidates in the given order: those that
// records of other shapes or machines call the best (../Tuning/RecordedTraces.h
// finds them). Ends where they end. Read next: SearchStrategy.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_REPLAYSEARCH_H
#define SCHEDOPT_SEARCH_REPLAYSEARCH_H

#include "SchedOpt/Search/SearchStrategy.h"

namespace sched {

class ReplaySearch final : public SearchStrategy {
public:
  /// `given`: legal candidates of `space`, the most promising first.
  ReplaySearch(const SearchSpace &space, std::vector<Candidate> given)
      : space(space), given(std::move(given)) {}

  /// The first that was given.
  std::optional<Candidate> guess() const override;

private:
  std::vector<Candidate> choose(unsigned n, const History &history,
                                ProposalReport &report) const override;

  const SearchSpace &space;
  std::vector<Candidate> given;
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_REPLAYSEARCH_H
