//===- EvolutionarySearch.h - Draft, verify, pick ---------------*- C++ -*-===//
//
// A proposal in four steps:
//  1. Draft: evolve a population on the draft model, which is cheap, starting
//     from the defaults, seeds that fit the machine (coordinate descents), the
//     fastest measured candidates and random ones. A space that is small enough
//     is enumerated instead.
//  2. Verify: the ranking model, which may be learned and dear, scores the best
//     few hundred, the fastest measured and their neighbours, and candidates
//     bred from the best of these. The draft's scores have a part in that
//     which the ranking model says (CostModel::getDraftShare). Where both
//     models are one, all of the draft is ranked already and nothing is
//     computed twice.
//  3. Local: the one-step neighbours of the fastest measured candidates
//     (coordinate descent, ranked by score) get a share of the batch.
//  4. Pick: the rest goes to the best by score and uncertainty (BatchPicker.h),
//     but for a small share drawn at random from the pool's better half, so
//     that a wrong model is found out.
// Both models' scores are corrected by what was measured (Calibration.h).
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

class CandidatePool;
class Mutation;

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
  /// Moves of one's own (Mutation.h), which take their share of mutations.
  std::vector<const Mutation *> mutations;
  /// Coordinate descents from random candidates, a sketch (SeedDescent.h); 0:
  /// no descents at all.
  unsigned descents = 2;
  /// Of the best of all generations, so many descend as well; 0: none. What
  /// mutations leave as it was by chance, since it matters little, is then as
  /// good as it can be.
  unsigned finishes = 0;
  /// Drafted candidates that a ranking model of its own scores, and how many
  /// more are bred from the best of these.
  unsigned verified = 512, refined = 256;
  /// Share of a batch for neighbours of the fastest measured candidates.
  double localShare = 0.35;
  /// Share of a batch for random members of the pool's better half, one at
  /// least; 0: none.
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
  /// Drafts and ranks with one model. `space` and `model` must outlive the
  /// search.
  EvolutionarySearch(const SearchSpace &space, const CostModel &model,
                     uint64_t seed, EvolutionOptions options = {})
      : EvolutionarySearch(space, model, model, seed, std::move(options)) {}

  /// Drafts with one model and ranks with another.
  EvolutionarySearch(const SearchSpace &space, const CostModel &draft,
                     const CostModel &model, uint64_t seed,
                     EvolutionOptions options = {})
      : space(space), draft(draft), model(model), seed(seed),
        options(std::move(options)) {}

  /// The candidate with the best score that one evolution finds, defaults and
  /// measured ones included; nullopt when no legal candidate was found.
  std::optional<Candidate> guessBest(const History &history) const;
  std::optional<Candidate> guess() const override {
    return guessBest(History());
  }

private:
  std::vector<Candidate> choose(unsigned n, const History &history,
                                ProposalReport &report) const override;
  /// Steps 1 and 2: a pool that the ranking model has scored.
  std::unique_ptr<CandidatePool> rank(const History &history, Rng &rng,
                                      ProposalReport &report) const;

  const SearchSpace &space;
  const CostModel &draft, &model;
  uint64_t seed;
  EvolutionOptions options;
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_EVOLUTIONARYSEARCH_H
