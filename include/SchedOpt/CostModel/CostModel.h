//===- CostModel.h - Ranks candidates by their features ---------*- C++ -*-===//
//
// CostModel: what stands between the features of a candidate and the search.
// May use Model's Features.h and nothing else of the project: a model knows
// neither decisions nor IR nor records. The search asks for scores in large
// batches; the tuner feeds back what was measured.
//
// Implementations: AnalyticModel.h (machine parameters, no training),
// RandomModel.h (the baseline every other one has to beat).
// Read next: ../Model/Features.h, ../Search/EvolutionarySearch.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_COSTMODEL_COSTMODEL_H
#define SCHEDOPT_COSTMODEL_COSTMODEL_H

#include "SchedOpt/Model/Features.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace sched {

class CostModel {
public:
  virtual ~CostModel();

  /// Short name for reports, e.g. "analytic".
  virtual llvm::StringRef name() const = 0;

  /// Writes one score a candidate: positive, finite, higher is better. A score
  /// is meant to be proportional to 1 / seconds; its scale carries no meaning,
  /// ratios do. `scores` has the size of `features`. Deterministic, and safe to
  /// call from several threads while nobody calls `update`.
  virtual void predict(llvm::ArrayRef<FeatureVector> features,
                       llvm::MutableArrayRef<double> scores) const = 0;

  /// Adds measurements: median seconds of each candidate, +infinity for one
  /// that failed. The state afterwards depends only on the sequence of calls.
  /// The base class learns nothing and succeeds.
  virtual llvm::Error update(llvm::ArrayRef<FeatureVector> features,
                             llvm::ArrayRef<double> seconds);
};

} // namespace sched

#endif // SCHEDOPT_COSTMODEL_COSTMODEL_H
