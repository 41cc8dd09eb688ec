//===- Mutator.h - New candidates from good ones ----------------*- C++ -*-===//
//
// The moves of the evolution. What a move within one decision means is
// DecisionTable's business: tile sizes, unroll factors and thread counts step
// and jump, layouts, locations and places of copies are drawn anew, loops swap
// places. Results are legal. Read next: DecisionTable.h, EvolutionarySearch.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_MUTATOR_H
#define SCHEDOPT_SEARCH_MUTATOR_H

#include "SchedOpt/Search/ProposalReport.h"
#include "SchedOpt/Search/Sampler.h"

namespace sched {

/// Which move a mutation turned out to be.
struct MoveTaken {
  static constexpr int kSeveral = -1;
  /// The one decision that changed, or kSeveral.
  int decision = kSeveral;
};

class Mutator {
public:
  /// Refused attempts, and what repair gives up, are counted in `report`, if
  /// there is one.
  explicit Mutator(const SearchSpace &space, ProposalReport *report = nullptr)
      : space(space), sampler(space, report), report(report) {}

  /// Changes one decision of `parent`, sometimes two or three. False if no
  /// legal change was found in a bounded number of tries.
  bool mutate(const Candidate &parent, Rng &rng, Candidate &child,
              MoveTaken *taken = nullptr) const;

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

  /// The name under which a move in `sketch` is reported: "location",
  /// "layout" or "parallel" by what the decision is about, else "size",
  /// "choice", "tile" or "order" by its kind, or "several".
  const char *nameOf(unsigned sketch, const MoveTaken &taken) const;

private:
  bool isLegal(const Candidate &candidate, const MoveTaken &taken) const;

  const SearchSpace &space;
  Sampler sampler;
  ProposalReport *report;
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_MUTATOR_H
