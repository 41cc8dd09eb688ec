//===- Core.cpp - Where a thread runs -------------------------------------===//

#include "SchedOpt/Support/Core.h"
#include <sched.h>

/// What the process could use at first; empty where there are more cores than
/// fit.
static cpu_set_t findUsable() {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  if (sched_getaffinity(0, sizeof(usable), &usable) != 0)
    CPU_ZERO(&usable);
  return usable;
}

std::optional<unsigned> sched::getCurrentCore() {
  const int core = sched_getcpu();
  return core < 0 ? std::nullopt : std::optional<unsigned>(core);
}

void sched::bindToCore(pid_t pid, std::optional<unsigned> core) {
  static const cpu_set_t usable = findUsable();
  cpu_set_t set = usable;
  if (core) {
    if (!CPU_ISSET(*core, &usable))
      return;
    CPU_ZERO(&set);
    CPU_SET(*core, &set);
  }
  if (CPU_COUNT(&set) != 0)
    sched_setaffinity(pid, sizeof(set), &set);
}
