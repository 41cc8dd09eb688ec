//===- DeviceSearch.h - What a search for a GPU needs besides ---*- C++ -*-===//
//
// A GPU is measured like a CPU, but for two things: it may not be there, and
// what it computes is compared with what the CPU does.
//
// Read next: Measure/FindDevice.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_DEVICESEARCH_H
#define SCHEDOPT_LIB_PIPELINES_DEVICESEARCH_H

#include "SchedOpt/Measure/Measurer.h"
#include "SchedOpt/Space/Task.h"
#include "SchedOpt/Tuning/ProgressReporter.h"

namespace sched {

/// Whether this machine runs code for `target`: false where that is a GPU which
/// is not here, which `reporter` warns of. A CPU is not asked: workers do that.
bool canRunHere(const Target &target, const std::atomic<bool> *stop,
                ProgressReporter &reporter);

/// The expected results of `task` are those of its payload as it is, compiled
/// for the CPU without a schedule. For a large product that takes minutes:
/// where it would take more than some seconds, it gets its default schedule for
/// the CPU and all cores, if it has one; a part of the results is then computed
/// both ways.
void scheduleReference(const Task &task, MeasureTask &measure);

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_DEVICESEARCH_H
