//===- RecordedTraces.h - What was good for tasks like this -----*- C++ -*-===//
//
// Finds candidates for a task in records of other shapes and machines: their
// fastest traces, translated decision by decision (SearchTask::adaptTrace), of
// the nearest shape first. For ReplaySearch.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TUNING_RECORDEDTRACES_H
#define SCHEDOPT_TUNING_RECORDEDTRACES_H

#include "SchedOpt/Database/Record.h"
#include "SchedOpt/Tuning/SearchTask.h"
#include "llvm/ADT/StringSet.h"

namespace sched {

/// How far two workloads' texts ("matmul_128x128x128_f32+add") are apart: the
/// sizes' ratios in octaves, and more for what else differs. 0 for equal texts.
double measureDistance(llvm::StringRef one, llvm::StringRef other);

/// Legal candidates of `task`, each once, the most promising first. Records of
/// the workloads `own`, which the run itself makes, count only where they are
/// of another target or toolchain than the task's: so that a resumed run finds
/// what it found when it began. Depends on the records, not on their order in
/// the file. `rejected`, if not null, gets the traces of sketches of the task
/// that could not be made legal.
std::vector<Candidate>
findRecordedTraces(const SearchTask &task, llvm::ArrayRef<Record> records,
                   const llvm::StringSet<> &own,
                   std::vector<RejectedTrace> *rejected = nullptr);

} // namespace sched

#endif // SCHEDOPT_TUNING_RECORDEDTRACES_H
