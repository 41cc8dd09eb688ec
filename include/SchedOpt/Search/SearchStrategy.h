//===- SearchStrategy.h - Chooses what to measure next ----------*- C++ -*-===//
//
// The seam between search and tuner. A strategy keeps no state between calls:
// a proposal is a function of its constructor's arguments (space, seed, model)
// and of the history, so a resumed run proposes what an uninterrupted one
// would have.
//
// Implementations: EvolutionarySearch.h (the one to use), RandomSearch.h (the
// baseline), GridSearch.h (small spaces, in order).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_SEARCHSTRATEGY_H
#define SCHEDOPT_SEARCH_SEARCHSTRATEGY_H

#include "SchedOpt/Search/History.h"
#include "SchedOpt/Search/SearchSpace.h"

namespace sched {

class SearchStrategy {
public:
  virtual ~SearchStrategy();

  /// At most `n` legal candidates, distinct and not in `history`; fewer only
  /// when no more could be found, none when the space is exhausted. Each
  /// strategy proposes the legal default schedules first, sketch 0's before
  /// all.
  virtual std::vector<Candidate> propose(unsigned n,
                                         const History &history) const = 0;

protected:
  /// Appends the legal defaults that `history` lacks, at most `n`.
  static void proposeDefaults(const SearchSpace &space, unsigned n,
                              const History &history,
                              std::vector<Candidate> &result);
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_SEARCHSTRATEGY_H
