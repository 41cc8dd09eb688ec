//===- TaskScheduler.cpp - Shares trials among tasks ----------------------===//

#include "SchedOpt/Tuning/TaskScheduler.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace sched;

/// Trials that a task gets first however little work it is, where there are
/// enough: the default schedule and a few others.
static constexpr unsigned kLeastTrials = 4;

std::vector<unsigned> sched::shareFirstTrials(llvm::ArrayRef<double> work,
                                              unsigned trials, unsigned batch) {
  const size_t count = work.size();
  std::vector<double> parts(work.begin(), work.end());
  if (llvm::any_of(parts, [](double part) { return !(part > 0); }))
    parts.assign(count, 1);
  std::vector<unsigned> shares(count, 0);
  if (shares.empty())
    return shares;
  if (trials < count) {
    std::vector<unsigned> order(count);
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return parts[a] != parts[b] ? parts[a] > parts[b] : a < b;
    });
    for (unsigned i = 0; i != trials; ++i)
      shares[order[i]] = 1;
    return shares;
  }
  const unsigned least = std::min<size_t>(kLeastTrials, trials / count);
  const double total = std::accumulate(parts.begin(), parts.end(), 0.0);
  const unsigned rest = trials - least * count;
  for (size_t i = 0; i != count; ++i)
    shares[i] =
        std::min(batch, least + static_cast<unsigned>(rest * parts[i] / total));
  return shares;
}

std::optional<unsigned> sched::chooseTask(llvm::ArrayRef<TaskState> tasks,
                                          unsigned batch) {
  for (unsigned i = 0, e = tasks.size(); i != e; ++i)
    if (tasks[i].active && tasks[i].isCutOff)
      return i;
  for (unsigned i = 0, e = tasks.size(); i != e; ++i)
    if (tasks[i].active &&
        tasks[i].trials < std::min(batch, tasks[i].firstTrials))
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
