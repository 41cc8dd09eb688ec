//===- EvolutionarySearch.h - Evolution on the cost model -------*- C++ -*-===//
//
// A proposal in three steps:
//  1. Pool: evolve a population on the model's calibrated score, starting from
//     the defaults, the fastest measured candidates and random ones. A space
//     that is small enough is enumerated instead.
//  2. Local: the one-step neighbours of the fastest measured candidates
//     (coordinate descent, ranked by score) get a share of the batch.
//  3. Pick: the rest goes to the best of the pool by score and uncertainty
//     (BatchPicker.h), but for a small share drawn at random from the pool's
//     better half, so that a wrong model is found out.
//
// Read next: Mutator.h, Calibration.h, BatchPicker.h; ../Tuning/TaskTuner.h
// drives it.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_EVOLUTIONARYSEARCH_H
#define SCHEDOPT_SEARCH_EVOLUTIONARYSEARCH_H

#include "SchedOpt/CostModel/CostModel.h"
#include "SchedOpt/Search/SearchStrategy.h"

namespace sched {

struct EvolutionOptions {
  /// Candidates of one generation.
  unsigned population = 2048;
  /// Generations after the initial population.
  unsigned generations = 4;
  /// Best of a generation that go over to the next unchanged.
  unsigned elites = 128;
  /// Contestants of a tournament; more means greedier.
  unsigned tournament = 3;
  /// Chances of the moves; the rest of 1 is mutation.
  double crossover = 0.2, sketchChange = 0.05, immigration = 0.05;
  /// Share of a batch for neighbours of the fastest measured candidates.
  double localShare = 0.35;
  /// Share of a batch for random members of the pool's better half.
  double randomShare = 0.07;
  /// Weight of a candidate's uncertainty in its score (see BatchPicker.h).
  double optimism = 1;
  /// Spaces of at most this many decision vectors are enumerated.
  unsigned enumerateUpTo = 8192;
  /// Whether measurements correct the model's score (Calibration.h).
  bool calibrate = true;
};

class EvolutionarySearch final : public SearchStrategy {
public:
  /// `space` and `model` must outlive the search.
  EvolutionarySearch(const SearchSpace &space, const CostModel &model,
                     uint64_t seed, EvolutionOptions options = {})
      : space(space), model(model), seed(seed), options(options) {}

  std::vector<Candidate> propose(unsigned n,
                                 const History &history) const override;

  /// The candidate with the best score that one evolution finds, defaults and
  /// measured ones included; nullopt when no legal candidate was found.
  std::optional<Candidate> guessBest(const History &history) const;

private:
  const SearchSpace &space;
  const CostModel &model;
  uint64_t seed;
  EvolutionOptions options;
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_EVOLUTIONARYSEARCH_H
