//===- Microarchitecture.h - Parameters that no file says -------*- C++ -*-===//

#ifndef SCHEDOPT_LIB_SUPPORT_MICROARCHITECTURE_H
#define SCHEDOPT_LIB_SUPPORT_MICROARCHITECTURE_H

#include "SchedOpt/Support/Target.h"

namespace sched {

/// Sets ports, latency, caches, clock and bandwidth of `target` from its mcpu;
/// conservative values for one that is not listed.
void applyMicroarchitecture(Target &target);

} // namespace sched

#endif // SCHEDOPT_LIB_SUPPORT_MICROARCHITECTURE_H
