//===- Core.cpp - Where a thread runs -------------------------------------===//

#include "SchedOpt/Support/Core.h"

using namespace sched;

/// The cores that the calling thread may use.
static std::optional<cpu_set_t> findUsable() {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  if (sched_getaffinity(0, sizeof(usable), &usable) != 0)
    return std::nullopt;
  return usable;
}

std::optional<unsigned> sched::getCurrentCore() {
  const int core = sched_getcpu();
  return core < 0 ? std::nullopt : std::optional<unsigned>(core);
}

CoreBinding::CoreBinding(pid_t process, std::optional<unsigned> core) {
  if (!core)
    return;
  const std::optional<cpu_set_t> usable = findUsable();
  if (!usable || !CPU_ISSET(*core, &*usable))
    return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(*core, &one);
  if (sched_setaffinity(0, sizeof(one), &one) != 0)
    return;
  before = usable;
  sched_setaffinity(process, sizeof(one), &one);
}

CoreBinding::~CoreBinding() {
  if (before)
    sched_setaffinity(0, sizeof(*before), &*before);
}

void sched::freeFromCore(pid_t process) {
  if (const std::optional<cpu_set_t> usable = findUsable())
    sched_setaffinity(process, sizeof(*usable), &*usable);
}
