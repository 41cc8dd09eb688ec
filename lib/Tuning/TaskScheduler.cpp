//===- TaskScheduler.cpp - Shares trials among tasks ----------------------===//

#include "SchedOpt/Tuning/TaskScheduler.h"
#include <algorithm>
#include <cmath>

using namespace sched;

std::optional<unsigned> sched::chooseTask(llvm::ArrayRef<TaskState> tasks,
                                          unsigned batch) {
  for (unsigned i = 0, e = tasks.size(); i != e; ++i)
    if (tasks[i].active && tasks[i].trials < batch)
      return i;

  double largest = 0;
  for (const TaskState &task : tasks)
    if (std::isfinite(task.bestSeconds))
      largest = std::max(largest, task.weight * task.bestSeconds);
  if (largest == 0)
    largest = 1;

  std::optional<unsigned> best;
  double bestQuotient = 0;
  for (unsigned i = 0, e = tasks.size(); i != e; ++i) {
    const TaskState &task = tasks[i];
    if (!task.active)
      continue;
    double share = std::isfinite(task.bestSeconds)
                       ? task.weight * task.bestSeconds
                       : largest;
    double quotient = share / (task.trials + batch);
    if (!best || quotient > bestQuotient) {
      best = i;
      bestQuotient = quotient;
    }
  }
  return best;
}
