//===- Sampler.h - Random legal candidates ----------------------*- C++ -*-===//
//
// Draws every decision by its weights, then repairs what the requirements
// refuse. Requirements are checked in order, so the index of the first failed
// one measures progress: repair re-draws one decision at a time and keeps what
// does not fall back. Read next: Mutator.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_SAMPLER_H
#define SCHEDOPT_SEARCH_SAMPLER_H

#include "SchedOpt/Search/ProposalReport.h"
#include "SchedOpt/Search/SearchSpace.h"

namespace sched {

class Sampler {
public:
  /// What repair gives up on is counted in `report`, if there is one.
  explicit Sampler(const SearchSpace &space, ProposalReport *report = nullptr)
      : space(space), report(report) {}

  /// A legal candidate of a sketch drawn uniformly. False if none was found in
  /// a bounded number of tries.
  bool sample(Rng &rng, Candidate &result) const;

  /// The same within one sketch.
  bool sampleSketch(unsigned sketch, Rng &rng, Candidate &result) const;

  /// Makes `candidate` legal by re-drawing decisions; does nothing to a legal
  /// one. False, with `candidate` unspecified but in range, if it gave up.
  bool repair(Candidate &candidate, Rng &rng) const;

private:
  /// Notes that `candidate` could not be made to pass requirement `failed`.
  /// Always false.
  bool giveUp(const Candidate &candidate, int failed) const;

  const SearchSpace &space;
  ProposalReport *report;
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_SAMPLER_H
