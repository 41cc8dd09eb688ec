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
/// for the CPU without a schedule. For a large product that takes minutes:
/// where it would take more than some seconds, it gets its default schedule for
/// the CPU, if it has one; a part of the results is then computed both ways. Of
/// a GPU's task that is done by all cores, of a CPU's by the threads of
/// `target`.
void scheduleReference(const Task &task, const Target &target,
                       MeasureTask &measure);

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_SCHEDULEDREFERENCE_H
