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
#include <sched.h>
#include <sys/types.h>

namespace sched {

/// The number of the core that the calling thread is on; nullopt: not known.
/// Where a thread is free, the system has found it one with little to do.
std::optional<unsigned> getCurrentCore();

/// Binds the calling thread and the main thread of a process to a core. At the
/// end the thread may use the cores again that it could use before; the process
/// stays where it is. Without a core, and where a thread cannot be bound (it
/// may not use that core, or the system has too many), nothing is done.
class CoreBinding {
public:
  CoreBinding(pid_t process, std::optional<unsigned> core);
  ~CoreBinding();
  CoreBinding(const CoreBinding &) = delete;
  CoreBinding &operator=(const CoreBinding &) = delete;

private:
  std::optional<cpu_set_t> before;
};

/// Lets the main thread of a process use the cores that the calling thread may.
void freeFromCore(pid_t process);

} // namespace sched

#endif // SCHEDOPT_SUPPORT_CORE_H
