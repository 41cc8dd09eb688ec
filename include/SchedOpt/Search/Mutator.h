//===- Mutator.h - New candidates from good ones ----------------*- C++ -*-===//
//
// The three moves of the evolution. What a move within one decision means is
// DecisionTable's business. Results are legal. Read next: DecisionTable.h,
// EvolutionarySearch.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_MUTATOR_H
#define SCHEDOPT_SEARCH_MUTATOR_H

#include "SchedOpt/Search/Sampler.h"

namespace sched {

class Mutator {
public:
  explicit Mutator(const SearchSpace &space) : space(space), sampler(space) {}

  /// Changes one decision of `parent`, sometimes two or three. False if no
  /// legal change was found in a bounded number of tries.
  bool mutate(const Candidate &parent, Rng &rng, Candidate &child) const;

  /// `parent` in another sketch: decisions of the same name keep their values,
  /// the others are drawn. False in a space of one sketch.
  bool changeSketch(const Candidate &parent, Rng &rng, Candidate &child) const;

  /// A child in `a`'s sketch that takes each decision from either parent with
  /// equal chance, as far as `b` has a decision of that name.
  bool cross(const Candidate &a, const Candidate &b, Rng &rng,
             Candidate &child) const;

  /// Appends all legal candidates that differ from `centre` by one step of one
  /// decision, in a fixed order.
  void getNeighbours(const Candidate &centre,
                     std::vector<Candidate> &result) const;

private:
  const SearchSpace &space;
  Sampler sampler;
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_MUTATOR_H
