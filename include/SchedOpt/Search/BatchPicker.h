//===- BatchPicker.h - Which of the pool to measure -------------*- C++ -*-===//
//
// Fills a batch from a scored pool. Picking by score alone measures a dozen
// variants of one mistake; picking for variety alone wastes trials. The picker
// takes one after the other the candidate with the highest
//
//   score + optimism x sqrt(uncertainty)
//
// where the uncertainty of the score (Calibration.h: posterior variance; and
// what the model itself doubts) falls as soon as a similar candidate is in the
// batch. That is GP-BUCB (Desautels,
// Krause, Burdick: "Parallelizing Exploration-Exploitation Tradeoffs in
// Gaussian Process Bandit Optimization", JMLR 2014).
//
// Read next: EvolutionarySearch.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_BATCHPICKER_H
#define SCHEDOPT_SEARCH_BATCHPICKER_H

#include "SchedOpt/Search/CandidatePool.h"
#include "SchedOpt/Search/ProposalReport.h"
#include "llvm/ADT/DenseSet.h"

namespace sched {

class BatchPicker {
public:
  /// Appends to `batch`, which holds at most `n` in the end. `pool` is scored
  /// and does not change while the picker lives; what is in `history`, or
  /// becomes the same program as one in it or in the batch, is never taken.
  BatchPicker(const SearchSpace &space, const CandidatePool &pool,
              const History &history, unsigned n, double optimism,
              std::vector<Candidate> &batch, ProposalReport &report);

  /// Takes the best of `members` by score, at most `count`.
  void takeBest(std::vector<unsigned> members, unsigned count);

  /// Takes from the pool, as said above, until the batch holds `limit`.
  void takeOptimistic(unsigned limit);

  /// Takes random members of the pool's better half until the batch holds
  /// `limit`, or luck runs out.
  void takeRandom(unsigned limit, Rng &rng);

private:
  bool take(unsigned i, PickReason reason);

  const SearchSpace &space;
  const CandidatePool &pool;
  const History &history;
  unsigned n;
  double optimism;
  std::vector<Candidate> &batch;
  ProposalReport &report;
  llvm::DenseSet<uint64_t> taken;
  /// Programs of the batch and of the history.
  llvm::DenseSet<uint64_t> programs;
  /// Unmeasured legal members, best first.
  std::vector<unsigned> ranking;
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_BATCHPICKER_H
