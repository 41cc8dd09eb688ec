//===- CostModel.h - Ranks candidates by their features ---------*- C++ -*-===//
//
// CostModel: what stands between the features of a candidate and the search.
// May use Model's features and nothing else of the project: a model knows
// neither decisions nor IR nor records. The search asks for scores in large
// batches; the tuner feeds back what was measured.
//
// Implementations: AnalyticModel.h (machine parameters, no training),
// XGBoostModel.h (learns what that gets wrong), RandomModel.h (the baseline
// every other one has to beat). CostModelFactory.h makes them by name,
// Validation.h says how well one ranks.
// Read next: ../Model/FeatureBatch.h, ../Search/EvolutionarySearch.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_COSTMODEL_COSTMODEL_H
#define SCHEDOPT_COSTMODEL_COSTMODEL_H

#include "SchedOpt/Model/FeatureBatch.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace sched {

class CostModel {
public:
  virtual ~CostModel();

  /// Short name for reports, e.g. "analytic".
  virtual llvm::StringRef name() const = 0;

  /// Whether batches must have rows of blocks, which cost more than the
  /// features of whole programs.
  virtual bool readsBlocks() const { return false; }

  /// Writes one score a candidate: positive, finite, higher is better. A score
  /// is meant to be proportional to 1 / seconds; its scale carries no meaning,
  /// ratios do. `scores` has the size of `batch`. Deterministic, and safe to
  /// call from several threads while nobody calls `update`.
  virtual void predict(const FeatureBatch &batch,
                       llvm::MutableArrayRef<double> scores) const = 0;

  /// The same, with the standard deviation of each score's logarithm: how much
  /// the model doubts it. The base class writes 0, for not known.
  virtual void predictWithDoubt(const FeatureBatch &batch,
                                llvm::MutableArrayRef<double> scores,
                                llvm::MutableArrayRef<double> doubts) const;

  /// Whether candidates like these, of one task on `machine`, are of a kind
  /// that the model knows (TaskKind.h). Of others it is not to be asked.
  virtual bool covers(const FeatureBatch &batch, const Target &machine) const;

  /// For tasks on `machine` that it does not know: a model of the same sort
  /// that has learned nothing yet. Null where there is none, as of the base
  /// class.
  virtual std::unique_ptr<CostModel> makeUntrained(const Target &machine) const;

  /// Whether `update` changes what is predicted.
  virtual bool learns() const { return false; }

  /// Of a candidate's score, on the log scale, the part that a search takes
  /// from the model that drafts (EvolutionarySearch.h) instead: the best of
  /// thousands of candidates is where a model errs most, and two that err in
  /// different places seldom agree on it. `numMeasured`: candidates of the task
  /// of which the time is known. The base class wants all for itself.
  virtual double getDraftShare(size_t numMeasured) const { return 0; }

  /// The scores that candidates would have had without their own measurements,
  /// as far as that can be told, for who wants to know how wrong the model is
  /// where it does not know the answer. The base class predicts.
  virtual void predictUnseen(const FeatureBatch &batch,
                             llvm::MutableArrayRef<double> scores) const;

  /// Writes the probability of each candidate to fail, and returns true; false,
  /// where the model knows nothing of that, as the base class.
  virtual bool
  predictFailures(const FeatureBatch &batch,
                  llvm::MutableArrayRef<double> probabilities) const;

  /// Adds measurements of one task: median seconds of each candidate, +infinity
  /// for one that failed. `task` tells tasks apart, of which only candidates
  /// of the same one may be compared (Record's workload hash). The state
  /// afterwards depends only on the sequence of calls. An error says that there
  /// is something that was not learned; predictions are still to be had. The
  /// base class learns nothing and succeeds.
  virtual llvm::Error update(const FeatureBatch &batch,
                             llvm::ArrayRef<double> seconds,
                             llvm::StringRef task);
};

} // namespace sched

#endif // SCHEDOPT_COSTMODEL_COSTMODEL_H
