//===- CoreTest.cpp - Where a thread runs ---------------------------------===//

#include "SchedOpt/Support/Core.h"
#include "gtest/gtest.h"
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace sched;

namespace {

cpu_set_t getUsable(pid_t process) {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  EXPECT_EQ(sched_getaffinity(process, sizeof(usable), &usable), 0);
  return usable;
}

/// Another process, which does nothing.
class Idle {
public:
  Idle() : pid(fork()) {
    if (pid == 0)
      while (true)
        pause();
  }
  ~Idle() {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  const pid_t pid;
};

TEST(Core, TheThreadIsBoundForAsLongAsTheBinding) {
  const cpu_set_t before = getUsable(0);
  const std::optional<unsigned> core = getCurrentCore();
  ASSERT_TRUE(core.has_value());
  Idle other;
  {
    const CoreBinding binding(other.pid, core);
    for (pid_t process : {pid_t(0), other.pid}) {
      const cpu_set_t bound = getUsable(process);
      EXPECT_EQ(CPU_COUNT(&bound), 1);
      EXPECT_TRUE(CPU_ISSET(*core, &bound));
    }
    EXPECT_EQ(getCurrentCore(), core);
  }
  cpu_set_t after = getUsable(0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
  // The process stays, until it is freed.
  after = getUsable(other.pid);
  EXPECT_EQ(CPU_COUNT(&after), 1);
  freeFromCore(other.pid);
  after = getUsable(other.pid);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

TEST(Core, WithoutACoreNothingIsDone) {
  const cpu_set_t before = getUsable(0);
  Idle other;
  for (std::optional<unsigned> none :
       {std::optional<unsigned>(), std::optional<unsigned>(CPU_SETSIZE - 1)}) {
    const CoreBinding binding(other.pid, none);
    for (pid_t process : {pid_t(0), other.pid}) {
      const cpu_set_t now = getUsable(process);
      EXPECT_TRUE(CPU_EQUAL(&before, &now));
    }
  }
}

} // namespace
