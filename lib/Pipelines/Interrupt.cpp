//===- Interrupt.cpp - Ctrl-C ends a search, not the program --------------===//

#include "Interrupt.h"
#include "SchedOpt/Pipelines/AutoSchedule.h"
#include <cstring>

using namespace sched;

/// A handler can reach nothing but a global.
static std::atomic<bool> interrupted{false};
/// Unlike the flag, never reset.
static std::atomic<int> lastSignal{0};

static void handle(int signal) {
  lastSignal = signal;
  if (!interrupted.exchange(true))
    return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

InterruptScope::InterruptScope() {
  interrupted = false;
  struct sigaction action;
  std::memset(&action, 0, sizeof(action));
  action.sa_handler = handle;
  sigaction(SIGINT, &action, &previousInt);
  sigaction(SIGTERM, &action, &previousTerm);
}

InterruptScope::~InterruptScope() {
  sigaction(SIGINT, &previousInt, nullptr);
  sigaction(SIGTERM, &previousTerm, nullptr);
}

const std::atomic<bool> *InterruptScope::getFlag() const {
  return &interrupted;
}

int sched::getInterruptSignal() { return lastSignal; }
