//===- HostCaches.h - Cache sizes of this machine ---------------*- C++ -*-===//

#ifndef SCHEDOPT_LIB_SUPPORT_HOSTCACHES_H
#define SCHEDOPT_LIB_SUPPORT_HOSTCACHES_H

#include "SchedOpt/Support/Target.h"

namespace sched {

/// Sets the cache sizes and the line of `target` from what the kernel says of
/// processor 0; leaves alone what it does not say.
void readHostCaches(Target &target);

/// Highest clock of processor 0 in GHz, or 0 when it is not known.
double readHostClock();

} // namespace sched

#endif // SCHEDOPT_LIB_SUPPORT_HOSTCACHES_H
