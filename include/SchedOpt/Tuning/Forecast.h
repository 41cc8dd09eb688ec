//===- Forecast.h - What a model says before it is told ---------*- C++ -*-===//
//
// How good a model is, it shows on what it has not seen: the batch that comes
// next. A forecast is made before the batch is measured, from the model alone,
// without what the search adds to its scores (../Search/Calibration.h), and is
// judged when the results are there. For logs; the search does not read it.
// Read next: SearchLog.h, ../CostModel/Validation.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TUNING_FORECAST_H
#define SCHEDOPT_TUNING_FORECAST_H

#include "SchedOpt/CostModel/CostModel.h"
#include "SchedOpt/CostModel/Validation.h"
#include "SchedOpt/Search/SearchSpace.h"
#include "SchedOpt/Tuning/TrialLog.h"

namespace sched {

/// The features of legal candidates, as far as `model` reads them.
FeatureBatch describeCandidates(const SearchSpace &space,
                                const CostModel &model,
                                llvm::ArrayRef<Candidate> candidates);

struct Forecast {
  std::vector<Candidate> candidates;
  /// Of each; higher is better.
  std::vector<double> scores;
  /// Probability of each to fail; empty where the model knows of none.
  std::vector<double> failures;

  /// A candidate is foreseen to fail from this probability on.
  static constexpr double kForeseen = 0.5;

  static Forecast make(const SearchSpace &space, const CostModel &model,
                       llvm::ArrayRef<Candidate> candidates);
};

/// What became of a forecast.
struct ForecastResult {
  /// Of what did not fail.
  Validation validation;
  /// What failed, of how many that were tried; how many of the failures were
  /// foreseen, and of how many others that was said.
  unsigned tried = 0, failed = 0, foreseen = 0, falseAlarms = 0;
  /// Whether there was a forecast of failures at all.
  bool knowsFailures = false;
};

/// By the first measurement of each candidate; those that `log` does not have
/// are left out.
ForecastResult judge(const Forecast &forecast, const TrialLog &log);

} // namespace sched

#endif // SCHEDOPT_TUNING_FORECAST_H
