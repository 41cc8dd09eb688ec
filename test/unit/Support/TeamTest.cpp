//===- TeamTest.cpp - Threads that wait for the next call -----------------===//

#include "Team.h"
#include <ctime>
#include <gtest/gtest.h>

using namespace sched::bench;

/// Seconds that the threads of this process have run.
static double getProcessorSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

TEST(Team, EachThreadWorksOnceACall) {
  constexpr int threads = 3;
  std::atomic<int> counts[threads] = {};
  {
    Team team(threads, [&](int thread) { ++counts[thread]; });
    for (int call = 1; call <= 100; ++call) {
      team.call();
      for (std::atomic<int> &count : counts)
        ASSERT_EQ(count, call);
    }
  }
  Team one(1, [&](int thread) { ++counts[thread]; });
  one.call();
  EXPECT_EQ(counts[0], 101);
}

TEST(Team, WhoWaitsYieldsWhereProcessorsAreFew) {
  cpu_set_t all, one;
  CPU_ZERO(&one);
  ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
  for (int i = 0; i != CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i)
    if (CPU_ISSET(i, &all))
      CPU_SET(i, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  const double start = getProcessorSeconds();
  {
    Team team(4, [](int) {});
    for (int call = 0; call != 500; ++call)
      team.call();
  }
  const double seconds = getProcessorSeconds() - start;
  ASSERT_EQ(sched_setaffinity(0, sizeof(all), &all), 0);
  // A thread that only spins keeps the one processor for its slice of
  // milliseconds: 500 calls then take seconds.
  EXPECT_LT(seconds, 0.75);
}
