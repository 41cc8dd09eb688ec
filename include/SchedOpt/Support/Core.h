//===- Core.h - Where a thread runs -----------------------------*- C++ -*-===//
//
// What is timed on one thread stays on one core, and so does whoever waits for
// it: of two that take turns on two cores, one is always just waking up, which
// a virtual machine's host takes for a chance to put it elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SUPPORT_CORE_H
#define SCHEDOPT_SUPPORT_CORE_H

#include <optional>
#include <sys/types.h>

namespace sched {

/// The number of the core that the calling thread is on; nullopt: not known.
/// Where a thread is free, the system has found it one with little to do.
std::optional<unsigned> getCurrentCore();

/// Lets the main thread of process `pid`, or the calling thread where that is
/// 0, run on one core only; nullopt: on all that this process could use at
/// first. Where that cannot be done, nothing changes.
void bindToCore(pid_t pid, std::optional<unsigned> core);

/// Binds the calling thread and a process; at the end the thread is free again,
/// while the process stays where it is.
class CoreBinding {
public:
  CoreBinding(pid_t pid, std::optional<unsigned> core) {
    bindToCore(pid, core);
    bindToCore(0, core);
  }
  ~CoreBinding() { bindToCore(0, std::nullopt); }
  CoreBinding(const CoreBinding &) = delete;
  CoreBinding &operator=(const CoreBinding &) = delete;
};

} // namespace sched

#endif // SCHEDOPT_SUPPORT_CORE_H
