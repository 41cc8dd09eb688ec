//===- MeasuredSpace.h - A task's space with what was measured --*- C++ -*-===//
//
// Like Pipelines/TrainingSet.h, but with the candidates themselves, which the
// search's calibration compares decision by decision.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_RANKBENCH_MEASUREDSPACE_H
#define SCHEDOPT_BENCHMARKS_RANKBENCH_MEASUREDSPACE_H

#include "SchedOpt/Pipelines/TaskSpace.h"
#include "SchedOpt/Pipelines/TrainingSet.h"
#include <memory>

namespace sched::bench {

struct MeasuredSpace {
  std::string workload, text;
  Target machine;
  std::unique_ptr<TaskSpace> space;
  std::unique_ptr<SearchTask> task;
  /// Trials in their order, each with its median seconds or infinity.
  std::vector<Candidate> candidates;
  std::vector<double> seconds;

  size_t size() const { return candidates.size(); }
  /// Features of some of the candidates, with their blocks' rows.
  FeatureBatch describe(llvm::ArrayRef<size_t> some) const;
  std::vector<double> getSeconds(llvm::ArrayRef<size_t> some) const;
};

/// The tasks of the records of one work directory, tuned for this machine.
llvm::Expected<std::vector<MeasuredSpace>> loadSpaces(const Database &records,
                                                      Payloads &payloads);

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_RANKBENCH_MEASUREDSPACE_H
