//===- TaskScheduler.h - Shares trials among tasks --------------*- C++ -*-===//
//
// Decides whose batch is next. Every task gets one batch first. Then trials go
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

namespace sched {

/// What the scheduler sees of a task.
struct TaskState {
  double weight = 1;
  /// Best latency in seconds; infinity: none yet.
  double bestSeconds = 0;
  unsigned trials = 0;
  /// Whether the task still has something to try.
  bool active = true;
};

/// The task to work on next; the first among equals; nullopt when no task is
/// active. A task with no latency yet counts as the most important one.
std::optional<unsigned> chooseTask(llvm::ArrayRef<TaskState> tasks,
                                   unsigned batch);

} // namespace sched

#endif // SCHEDOPT_TUNING_TASKSCHEDULER_H
