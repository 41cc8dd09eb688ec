//===- Validation.h - How well a model ranks what it has not seen -*- C++
//-*-===//
//
// A model is judged by candidates that it has not learned from: the batch that
// was just measured, before `update`, or whole tasks that are held out. Works
// for every cost model. Read next: CostModel.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_COSTMODEL_VALIDATION_H
#define SCHEDOPT_COSTMODEL_VALIDATION_H

#include "SchedOpt/CostModel/CostModel.h"

namespace sched {

/// What a model got right about candidates of one task.
struct Validation {
  /// Candidates that did not fail; the figures are of these.
  size_t candidates = 0;
  /// Spearman's rank correlation of scores and 1 / seconds, -1 to 1; 0 where
  /// all are equal or there are fewer than two.
  double rankCorrelation = 0;
  /// Root of the mean square of log(score x seconds) about its mean: 0.1 means
  /// that predicted ratios of times are 10 % off.
  double logDeviation = 0;
};

/// Judges `model` by candidates of one task: median seconds of each, +infinity
/// for one that failed.
Validation validate(const CostModel &model, const FeatureBatch &batch,
                    llvm::ArrayRef<double> seconds);

/// The same for scores that a model gave.
Validation validate(llvm::ArrayRef<double> scores,
                    llvm::ArrayRef<double> seconds);

/// Spearman's rank correlation; equal values share their mean rank. 0 where one
/// of the lists is constant.
double getRankCorrelation(llvm::ArrayRef<double> a, llvm::ArrayRef<double> b);

} // namespace sched

#endif // SCHEDOPT_COSTMODEL_VALIDATION_H
