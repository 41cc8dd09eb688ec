//===- Interrupt.h - Ctrl-C ends a search, not the program ------*- C++ -*-===//

#ifndef SCHEDOPT_LIB_PIPELINES_INTERRUPT_H
#define SCHEDOPT_LIB_PIPELINES_INTERRUPT_H

#include <atomic>
#include <csignal>

namespace sched {

/// While one exists, SIGINT and SIGTERM set a flag; a second signal ends the
/// program. One at a time.
class InterruptScope {
public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope &) = delete;
  InterruptScope &operator=(const InterruptScope &) = delete;

  const std::atomic<bool> *getFlag() const;

private:
  struct sigaction previousInt, previousTerm;
};

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_INTERRUPT_H
