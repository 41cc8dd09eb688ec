//===- Training.h - Trains a cost model by records --------------*- C++ -*-===//
//
// `sched-db train`. Read next: CostModel/XGBoostModel.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_DB_TRAINING_H
#define SCHEDOPT_TOOLS_SCHED_DB_TRAINING_H

#include "SchedOpt/CostModel/XGBoostModel.h"
#include "SchedOpt/Pipelines/TrainingSet.h"
#include "llvm/Support/raw_ostream.h"

namespace sched::db {

struct TrainingOptions {
  LearningOptions learning;
  /// A model to begin with; "" for none.
  std::string from;
  /// Part of the tasks on which a model of the others is tried before, or of
  /// the candidates where there is one task; 0: none.
  double validate = 0;
};

/// Trains on all `tasks` and writes the model to `path`. `os` gets a report:
/// how much there was to learn from and, with a validation, how well what
/// was held out is ranked, beside the analytic model. An error where there is
/// no XGBoost, nothing to learn from, or a file that is not as it should be.
llvm::Error trainModel(llvm::ArrayRef<TrainingTask> tasks,
                       const TrainingOptions &options, llvm::StringRef path,
                       llvm::raw_ostream &os);

} // namespace sched::db

#endif // SCHEDOPT_TOOLS_SCHED_DB_TRAINING_H
