//===- Scores.h - What a model says of what it has not seen -----*- C++ -*-===//
//
// The scores of some candidates of a task by a model that knows others, as the
// search would have them: alone, and with what the calibration adds
// (Search/Calibration.h). Read next: MeasuredSpace.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_RANKBENCH_SCORES_H
#define SCHEDOPT_BENCHMARKS_RANKBENCH_SCORES_H

#include "MeasuredSpace.h"
#include "SchedOpt/CostModel/XGBoostModel.h"

namespace sched::bench {

/// A model of the task's machine, on top of `start` if that is not null, that
/// has learned from `known` candidates, if there are any.
llvm::Expected<std::unique_ptr<XGBoostModel>>
createModel(std::shared_ptr<const XGBoostLibrary> library,
            const LearningOptions &options, const ModelFile *start,
            const MeasuredSpace &space, llvm::ArrayRef<size_t> known);

/// The scores of `unknown`, higher is better.
std::vector<double> scoreUnknown(const MeasuredSpace &space,
                                 const CostModel &model,
                                 llvm::ArrayRef<size_t> unknown);

/// Makes them what a search ranks by: corrected by what `model` is wrong about
/// `known`, which it may have learned from, and averaged with the analytic
/// model's, as far as `model` leaves that a part.
void calibrate(const MeasuredSpace &space, const CostModel &model,
               llvm::ArrayRef<size_t> known, llvm::ArrayRef<size_t> unknown,
               llvm::MutableArrayRef<double> scores);

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_RANKBENCH_SCORES_H
