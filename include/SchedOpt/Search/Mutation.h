//===- Mutation.h - A kind of move of one's own -----------------*- C++ -*-===//
//
// The moves that the search knows (Mutator.h) follow from the kinds of
// decisions. Who knows more of a space adds a Mutation: one class, given to
// the search in EvolutionOptions::mutations. Read next: Mutator.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_MUTATION_H
#define SCHEDOPT_SEARCH_MUTATION_H

#include "SchedOpt/Search/SearchSpace.h"

namespace sched {

class Mutation {
public:
  virtual ~Mutation();

  /// For logs, e.g. "swap-blocks"; not the name of a move that there is.
  virtual llvm::StringRef getName() const = 0;

  /// How many of 100 candidates that are bred it shall make.
  virtual double getPercent() const { return 5; }

  /// Makes `child`, a candidate of `space`, of `parent` and perhaps of
  /// `other`, both legal and chosen by score. It need not be legal: what
  /// requirements refuse is repaired or dropped. False: there is nothing to
  /// change. All randomness comes from `rng`; safe to call from any thread.
  virtual bool apply(const SearchSpace &space, const Candidate &parent,
                     const Candidate &other, Rng &rng,
                     Candidate &child) const = 0;
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_MUTATION_H
