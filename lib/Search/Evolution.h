//===- Evolution.h - Fills a pool by evolving it ----------------*- C++ -*-===//
//
// The first half of a proposal: a population that starts from defaults,
// descents, the fastest measured and random candidates, and is bred on the
// pool's score for a few generations. Read next: SeedDescent.h, Mutator.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SEARCH_EVOLUTION_H
#define SCHEDOPT_LIB_SEARCH_EVOLUTION_H

#include "SchedOpt/Search/CandidatePool.h"
#include "SchedOpt/Search/EvolutionarySearch.h"
#include "SchedOpt/Search/Mutator.h"

namespace sched {

class Evolution {
public:
  /// All must outlive the evolution, and so must what `options` refers to.
  Evolution(const SearchSpace &space, const EvolutionOptions &options,
            const History &history, CandidatePool &pool, Rng &rng,
            ProposalReport &report)
      : space(space), options(options), history(history), pool(pool), rng(rng),
        report(report), sampler(space, &report), mutator(space, &report) {}

  /// From nothing to a scored pool; a small space is enumerated.
  void run();

  /// Takes the pool as it is, scored, for a population, and breeds `count` more
  /// from it.
  void refine(unsigned count);

private:
  /// A child that has no score yet.
  struct Child {
    unsigned index, parent;
    llvm::StringRef move;
    /// The one decision that was changed, or MoveTaken::kSeveral.
    MoveTaken taken;
  };

  void enumerate();
  void add(const Candidate &candidate);
  void populate();
  unsigned select();
  bool makeChild(Candidate &child, Child &origin);
  bool apply(const Mutation &mutation, const Candidate &parent,
             const Candidate &other, Candidate &child);
  /// Replaces the population by its best `elites` and by children of it, until
  /// there are `size`.
  void breed(unsigned elites, unsigned size,
             GenerationKind kind = GenerationKind::Bred);
  void describe(llvm::ArrayRef<unsigned> members, GenerationKind kind);
  /// Orders the best `count` of `members` first, and drops the rest.
  void keepBest(std::vector<unsigned> &members, size_t count) const;

  const SearchSpace &space;
  const EvolutionOptions &options;
  const History &history;
  CandidatePool &pool;
  Rng &rng;
  ProposalReport &report;
  Sampler sampler;
  Mutator mutator;
  std::vector<unsigned> population;
};

} // namespace sched

#endif // SCHEDOPT_LIB_SEARCH_EVOLUTION_H
