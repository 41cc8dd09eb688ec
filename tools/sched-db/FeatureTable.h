//===- FeatureTable.h - Prints the features of records ----------*- C++ -*-===//
//
// The output of `sched-db features`.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_DB_FEATURETABLE_H
#define SCHEDOPT_TOOLS_SCHED_DB_FEATURETABLE_H

#include "SchedOpt/Pipelines/TrainingSet.h"
#include "llvm/Support/raw_ostream.h"

namespace sched::db {

/// One line a block of each candidate: what the candidate is and took, the
/// program's features, the block's. The first line names the columns.
void printCSV(llvm::raw_ostream &os, llvm::ArrayRef<TrainingTask> tasks);

/// One JSON object a candidate, with the list of its blocks.
void printJSON(llvm::raw_ostream &os, llvm::ArrayRef<TrainingTask> tasks);

} // namespace sched::db

#endif // SCHEDOPT_TOOLS_SCHED_DB_FEATURETABLE_H
