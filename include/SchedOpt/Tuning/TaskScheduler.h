//===- TaskScheduler.h - Shares trials among tasks --------------*- C++ -*-===//
//
// Decides whose batch is next. Every task gets some trials first: a batch, or
// its share where there are not enough for that. Then trials go
// to tasks in proportion to the time the program spends in them, weight x best
// latency, by D'Hondt's method: the next batch to the highest quotient of share
// by trials had. Latencies fall and shares with them, so effort moves to where
// the time still is. Read next: Tuner.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TUNING_TASKSCHEDULER_H
#define SCHEDOPT_TUNING_TASKSCHEDULER_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace sched {

/// What the scheduler sees of a task.
struct TaskState {
  double weight = 1;
  /// Best latency in seconds; infinity: none yet.
  double bestSeconds = 0;
  unsigned trials = 0;
  /// Trials that it gets before any other gets more than that; a batch at most.
  unsigned firstTrials = ~0u;
  /// Whether an earlier run was stopped in the middle of its turn, which is
  /// finished first, as it would have been.
  bool isCutOff = false;
  /// Whether the task still has something to try.
  bool active = true;
};

/// Shares `trials` among tasks of these amounts of work (any unit; all equal
/// where one is 0): what each gets first, `batch` at most. Every task gets some
/// where there are as many trials as tasks, else those with most work do.
std::vector<unsigned> shareFirstTrials(llvm::ArrayRef<double> work,
                                       unsigned trials, unsigned batch);

/// The task to work on next; the first among equals; nullopt when no task is
/// active. A task with no latency yet counts as the most important one.
std::optional<unsigned> chooseTask(llvm::ArrayRef<TaskState> tasks,
                                   unsigned batch);

} // namespace sched

#endif // SCHEDOPT_TUNING_TASKSCHEDULER_H
