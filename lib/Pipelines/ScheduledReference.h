//===- ScheduledReference.h - What large results are compared with -*- C++ -*-//
//
// Read next: Measure/Measurer.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_SCHEDULEDREFERENCE_H
#define SCHEDOPT_LIB_PIPELINES_SCHEDULEDREFERENCE_H

#include "SchedOpt/Measure/Measurer.h"
#include "SchedOpt/Space/Task.h"

namespace sched {

/// The expected results of `task` are those of its payload as it is, compiled
/// for the CPU without a schedule. For a large product that takes minutes. What
/// has more than 2 GFLOP (1 GFLOP where `target` is a GPU) gets its default
/// schedule, if it has one; parts of the results are then computed both ways.
/// Of a GPU's task that is done by all cores of this machine, of a CPU's as for
/// `target`.
void scheduleReference(const Task &task, const Target &target,
                       MeasureTask &measure);

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_SCHEDULEDREFERENCE_H
