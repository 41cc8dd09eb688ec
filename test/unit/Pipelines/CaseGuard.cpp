//===- CaseGuard.cpp - Names the case that crashed or hung ----------------===//

#include "CaseGuard.h"
#include <atomic>
#include <csignal>
#include <unistd.h>

using namespace sched::test;

static constexpr int kSignals[] = {SIGALRM, SIGSEGV, SIGBUS,
                                   SIGILL,  SIGFPE,  SIGABRT};
static std::atomic<const std::string *> current{nullptr};

/// Calls only what a signal handler may call.
static void report(int signal) {
  const std::string *description = current.exchange(nullptr);
  if (description) {
    auto write = [](const char *text, size_t size) {
      if (::write(STDERR_FILENO, text, size) < 0)
        ::_exit(1);
    };
    constexpr char late[] = "\nthis case did not end in time:\n";
    constexpr char crashed[] = "\nthis case crashed:\n";
    if (signal == SIGALRM)
      write(late, sizeof late - 1);
    else
      write(crashed, sizeof crashed - 1);
    write(description->data(), description->size());
    write("\n", 1);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

CaseGuard::CaseGuard(std::string text, unsigned seconds)
    : description(std::move(text)) {
  current = &description;
  for (int signal : kSignals)
    std::signal(signal, report);
  ::alarm(seconds);
}

CaseGuard::~CaseGuard() {
  ::alarm(0);
  for (int signal : kSignals)
    std::signal(signal, SIG_DFL);
  current = nullptr;
}
