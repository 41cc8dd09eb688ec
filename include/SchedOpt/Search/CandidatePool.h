//===- CandidatePool.h - Distinct candidates with scores --------*- C++ -*-===//
//
// All candidates that one proposal of EvolutionarySearch looks at, each once,
// with its calibrated log score. Members are named by index, in the order of
// insertion. Read next: EvolutionarySearch.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_CANDIDATEPOOL_H
#define SCHEDOPT_SEARCH_CANDIDATEPOOL_H

#include "SchedOpt/CostModel/CostModel.h"
#include "SchedOpt/Search/Calibration.h"
#include "llvm/ADT/DenseMap.h"

namespace sched {

class CandidatePool {
public:
  CandidatePool(const SearchSpace &space, const CostModel &model)
      : space(space), model(model) {}

  void reserve(size_t n);

  /// Corrects the scores of what is scored from now on by `history`.
  void calibrate(const History &history);

  /// Of the log scores of what is scored from now on, `share` is that in
  /// `draft`, a pool of the same space.
  void averageWith(std::unique_ptr<CandidatePool> draft, double share);

  /// Null before `calibrate`.
  const Calibration *getCalibration() const {
    return calibration ? &*calibration : nullptr;
  }

  /// The index of the candidate and whether it is new.
  std::pair<unsigned, bool> insert(const Candidate &candidate);

  /// Scores the members that have none yet.
  void score();

  size_t size() const { return candidates.size(); }
  const Candidate &getCandidate(unsigned i) const { return candidates[i]; }
  /// Natural logarithm of the score; -infinity for an illegal candidate. Only
  /// after `score`.
  double getScore(unsigned i) const { return scores[i]; }
  /// Standard deviation of the model's part of that, by the model itself; 0:
  /// not known.
  double getDoubt(unsigned i) const { return doubts[i]; }

  /// Orders members by score, best first; earlier ones first among equals.
  bool isBetter(unsigned a, unsigned b) const {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  }

private:
  /// What a candidate is predicted by: the model's log score, uncorrected, its
  /// doubt, and the copies of the code (Evaluation::copies).
  struct Prediction {
    llvm::MutableArrayRef<double> logScores, doubts, copies;
  };
  /// Of legal candidates. `unseen`: without what the model has learned from the
  /// candidates themselves, and no doubts.
  void predict(llvm::ArrayRef<Candidate> some, Prediction result,
               bool unseen = false);

  /// Adds the draft's part to scores of members from `first` on.
  void average(size_t first);

  const SearchSpace &space;
  const CostModel &model;
  std::optional<Calibration> calibration;
  std::unique_ptr<CandidatePool> draft;
  double draftShare = 0;
  std::vector<Candidate> candidates;
  std::vector<double> scores, doubts;
  llvm::DenseMap<uint64_t, unsigned> indexOf;
  /// Filled anew for each call of the model.
  FeatureBatch batch;
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_CANDIDATEPOOL_H
