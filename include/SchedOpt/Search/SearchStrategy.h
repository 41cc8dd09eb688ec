//===- SearchStrategy.h - Chooses what to measure next ----------*- C++ -*-===//
//
// The seam between search and tuner. A strategy keeps no state between calls:
// a proposal is a function of its constructor's arguments (space, seed, models)
// and of the history, so a resumed run proposes what an uninterrupted one
// would have.
//
// Implementations: EvolutionarySearch.h (the one to use), RandomSearch.h (the
// baseline), GridSearch.h (small spaces, in order), ReplaySearch.h (what was
// good elsewhere), DefaultSearch.h (no search). StrategyKind.h makes one.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_SEARCHSTRATEGY_H
#define SCHEDOPT_SEARCH_SEARCHSTRATEGY_H

#include "SchedOpt/Search/History.h"
#include "SchedOpt/Search/ProposalReport.h"
#include "SchedOpt/Search/SearchSpace.h"
#include "llvm/ADT/DenseSet.h"

namespace sched {

class SearchStrategy {
public:
  virtual ~SearchStrategy();

  /// At most `n` legal candidates, distinct and not in `history`, and none that
  /// becomes the same program as another or as one in `history`; fewer only
  /// when no more could be found, none when the space is exhausted. Each
  /// strategy proposes the legal default schedule of the first sketch that has
  /// one before all. `report`, if not null, gets how that came about.
  std::vector<Candidate> propose(unsigned n, const History &history,
                                 ProposalReport *report = nullptr) const;

  /// The candidate to use where nothing is measured; the first proposed one,
  /// unless a strategy knows better. nullopt when no legal one was found.
  virtual std::optional<Candidate> guess() const;

protected:
  virtual std::vector<Candidate> choose(unsigned n, const History &history,
                                        ProposalReport &report) const = 0;

  /// A batch that takes no candidate or program twice, nor one of the history.
  class Batch {
  public:
    Batch(const SearchSpace &space, unsigned n, const History &history,
          ProposalReport &report);
    /// Takes a legal candidate, unless it is known or the batch is full.
    bool add(const Candidate &candidate, PickReason reason);
    bool isFull() const { return candidates.size() == n; }
    std::vector<Candidate> take() { return std::move(candidates); }

    /// Adds the legal defaults of at most so many sketches.
    void addDefaults(unsigned sketches);

    /// Adds the first legal default that shares work between threads, on one
    /// thread, if it is legal so: on a busy machine it may be several times as
    /// fast, which no model knows.
    void addUnshared();

  private:
    const SearchSpace &space;
    unsigned n;
    const History &history;
    ProposalReport &report;
    std::vector<Candidate> candidates;
    llvm::DenseSet<uint64_t> taken, programs;
  };
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_SEARCHSTRATEGY_H
