//===- WithinTasks.h - Ranks within a task that is known ---------*- C++
//-*-===//
//
// How well a model that has learned from most trials of a task ranks the rest
// of them, after many trials: five-fold, every fifth trial is held out by
// turns. Asked of what the search chose, whose candidates are close to each
// other, and of random candidates of the same space. What a perfect model would
// reach is bounded by the noise of the measurements, which a second measurement
// of the same candidates shows.
//
// Read next: Scores.h, MeasuredSpace.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_RANKBENCH_WITHINTASKS_H
#define SCHEDOPT_BENCHMARKS_RANKBENCH_WITHINTASKS_H

#include "MeasuredSpace.h"
#include "SchedOpt/CostModel/XGBoostModel.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace sched::bench {

/// A task's measurements; each candidate is in one of the first two.
struct WithinTask {
  /// Of the search and of random candidates, one after the other.
  MeasuredSpace space;
  /// Number of the former.
  size_t numChosen = 0;
  /// Second measurements, seconds by the candidate's hash.
  llvm::DenseMap<uint64_t, double> again;
};

/// Tasks by turns: `tuned` with what `random` and `again` have of the same
/// workload. Leaves out what failed, and what is the same program as a
/// candidate before it.
std::vector<WithinTask> joinTasks(std::vector<MeasuredSpace> tuned,
                                  std::vector<MeasuredSpace> random,
                                  std::vector<MeasuredSpace> again);

/// Mean rank correlations, by what was asked and by model.
class WithinTasks {
public:
  /// `start`: trees that a model begins with that is not fresh.
  WithinTasks(std::shared_ptr<const XGBoostLibrary> library,
              const LearningOptions &options, const ModelFile *start)
      : library(std::move(library)), options(options), start(start) {}

  llvm::Error add(const WithinTask &task);
  void print(llvm::raw_ostream &os) const;
  llvm::json::Object toJSON() const;

private:
  /// Correlations by the question, then by model; and of two measurements.
  struct Row {
    std::string name;
    size_t numChosen = 0, numRandom = 0;
    std::map<std::string, std::map<std::string, double>> correlations;
  };

  /// Adds a correlation of each model that knows `known`, times `weight`.
  llvm::Error judge(const MeasuredSpace &space, llvm::ArrayRef<size_t> known,
                    llvm::ArrayRef<size_t> unknown, double weight,
                    std::map<std::string, double> &correlations) const;

  std::shared_ptr<const XGBoostLibrary> library;
  LearningOptions options;
  const ModelFile *start;
  std::vector<Row> rows;
};

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_RANKBENCH_WITHINTASKS_H
