//===- DeviceSearch.h - What a search for a GPU needs besides ---*- C++ -*-===//
//
// A GPU is measured like a CPU, but may not be there.
//
// Read next: Measure/FindDevice.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_DEVICESEARCH_H
#define SCHEDOPT_LIB_PIPELINES_DEVICESEARCH_H

#include "SchedOpt/Support/Target.h"
#include "SchedOpt/Tuning/ProgressReporter.h"
#include <atomic>

namespace sched {

/// Whether this machine runs code for `target`: false where that is a GPU which
/// is not here, which `reporter` warns of. A CPU is not asked: workers do that.
bool canRunHere(const Target &target, const std::atomic<bool> *stop,
                ProgressReporter &reporter);

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_DEVICESEARCH_H
