//===- TimerTest.cpp - How long does a call take? -------------------------===//

#include "SchedOpt/Measure/Timer.h"
#include "gtest/gtest.h"

using namespace sched;

namespace {

/// A clock that only calls move.
struct Machine {
  double time = 0, perCall;
  int calls = 0;
  explicit Machine(double perCall) : perCall(perCall) {}
  Timing run(const TimingOptions &options) {
    return timeCalls(
        [&] {
          ++calls;
          time += perCall;
        },
        options, [&] { return time; });
  }
};

TEST(Timer, RepeatsLastLongEnough) {
  Machine machine(1e-4);
  TimingOptions options;
  Timing timing = machine.run(options);
  ASSERT_EQ(timing.costsS.size(), 5u);
  EXPECT_FALSE(timing.dropped);
  for (double cost : timing.costsS)
    EXPECT_NEAR(cost, 1e-4, 1e-9);
  // 2 ms of warm-up and five times 10 ms, each up to a call more.
  EXPECT_NEAR(machine.time, 0.052, 7e-4);
}

TEST(Timer, WhatPreparesIsNotTimed) {
  Machine machine(1e-4);
  int prepared = 0;
  auto prepare = [&] {
    ++prepared;
    machine.time += 1;
    return llvm::Error::success();
  };
  TimingOptions options;
  options.prepare = prepare;
  options.maxTotalS = 100;
  for (double cost : machine.run(options).costsS)
    EXPECT_NEAR(cost, 1e-4, 1e-9);
  EXPECT_EQ(prepared, 5);
}

TEST(Timer, ASlowCallIsARepeat) {
  Machine machine(0.055);
  TimingOptions options;
  Timing timing = machine.run(options);
  EXPECT_EQ(timing.costsS.size(), 5u);
  EXPECT_EQ(machine.calls, 6);
  // Known to be long, it needs no warm-up.
  options.expectedS = 0.06;
  EXPECT_EQ(machine.run(options).costsS.size(), 5u);
  EXPECT_EQ(machine.calls, 11);
  options.expectedS = 0.04;
  EXPECT_EQ(machine.run(options).costsS.size(), 5u);
  EXPECT_EQ(machine.calls, 17);
  machine.perCall = 0.13;
  EXPECT_EQ(machine.run(options).costsS.size(), 5u);
  // Two that last five times as long as all have to are enough, where any are.
  options.prepare = nullptr;
  options.agreement = 0;
  int longer = 0;
  Timing rising = timeCalls([&] { machine.time += 0.13 + 0.01 * ++longer; },
                            options, [&] { return machine.time; });
  EXPECT_EQ(rising.costsS.size(), 2u);
}

TEST(Timer, TwoThatAgreeAreEnough) {
  // Every second call of many takes longer by a share of it.
  for (double share : {0.005, 0.02}) {
    int calls = 0;
    double time = 0;
    TimingOptions options;
    options.agreement = 0.01;
    Timing timing =
        timeCalls([&] { time += 0.02 * (calls++ % 2 ? 1 + share : 1); },
                  options, [&] { return time; });
    EXPECT_EQ(timing.costsS.size(), share < 0.01 ? 2u : 5u);
  }
}

TEST(Timer, DropsAfterTheFirstRepeat) {
  Machine machine(0.003);
  TimingOptions options;
  options.dropAboveS = 0.002;
  Timing timing = machine.run(options);
  EXPECT_TRUE(timing.dropped);
  EXPECT_EQ(timing.costsS.size(), 1u);
  options.dropAboveS = 0.004;
  timing = machine.run(options);
  EXPECT_FALSE(timing.dropped);
  EXPECT_EQ(timing.costsS.size(), 5u);
}

TEST(Timer, ABurstOfNoiseDropsNothing) {
  // Something else runs from 1 ms to 20 ms and makes calls three times longer.
  double time = 0;
  TimingOptions options;
  options.dropAboveS = 1.5e-4;
  Timing timing =
      timeCalls([&] { time += time > 0.001 && time < 0.02 ? 3e-4 : 1e-4; },
                options, [&] { return time; });
  EXPECT_FALSE(timing.dropped);
  ASSERT_EQ(timing.costsS.size(), 5u);
  EXPECT_GT(timing.costsS.front(), 1.5e-4);
  EXPECT_NEAR(timing.costsS.back(), 1e-4, 1e-9);
}

TEST(Timer, StopsAfterTheTotal) {
  Machine machine(1);
  TimingOptions options;
  options.minRepeatS = 1;
  options.maxTotalS = 2.5;
  Timing timing = machine.run(options);
  EXPECT_EQ(timing.costsS.size(), 2u);
  options.maxTotalS = 0;
  EXPECT_EQ(machine.run(options).costsS.size(), 1u);
}

TEST(Timer, CorrectsAnEstimateSpoiltByTheClock) {
  // The clock costs fifty times the call.
  double time = 0;
  int calls = 0;
  TimingOptions options;
  options.repeats = 2;
  Timing timing = timeCalls(
      [&] {
        ++calls;
        time += 1e-9;
      },
      options, [&] { return time += 5e-8; });
  ASSERT_EQ(timing.costsS.size(), 2u);
  EXPECT_NEAR(timing.costsS[0], 1e-9, 1e-10);
  EXPECT_GT(calls, 1.9e7);
}

TEST(Timer, TheRealClockRuns) {
  double before = monotonicSeconds();
  volatile double sink = 0;
  TimingOptions options;
  options.warmupS = options.minRepeatS = 1e-4;
  Timing timing = timeCalls([&] { sink = sink + 1; }, options,
                            [] { return monotonicSeconds(); });
  EXPECT_EQ(timing.costsS.size(), 5u);
  EXPECT_GT(timing.costsS[0], 0);
  double sum = 0;
  for (double cost : timing.costsS)
    sum += cost;
  EXPECT_GE(monotonicSeconds() - before, sum);
}

TEST(Timer, TakesWhatTheTimerSays) {
  // As by events of a GPU: the clock of this machine says nothing of a call.
  double time = 0;
  std::vector<int64_t> asked;
  TimingOptions options;
  options.warmupS = 0;
  options.minRepeatS = 0.3;
  options.repeats = 3;
  llvm::Expected<Timing> timing = timeRepeats(
      [&](int64_t calls) -> llvm::Expected<double> {
        asked.push_back(calls);
        time += 1e-6;
        return 2e-3 * calls;
      },
      options, [&] { return time; });
  ASSERT_TRUE(bool(timing));
  EXPECT_EQ(asked, (std::vector<int64_t>{1, 150, 150, 150}));
  for (double cost : timing->costsS)
    EXPECT_NEAR(cost, 2e-3, 1e-9);
}

TEST(Timer, TheFirstErrorEndsIt) {
  for (int failing : {0, 2}) {
    int asked = 0;
    llvm::Expected<Timing> timing = timeRepeats(
        [&](int64_t calls) -> llvm::Expected<double> {
          if (asked++ == failing)
            return llvm::createStringError("lost");
          return 1e-2 * calls;
        },
        TimingOptions(), [&] { return 1.0 * asked; });
    ASSERT_FALSE(bool(timing));
    EXPECT_EQ(llvm::toString(timing.takeError()), "lost");
    EXPECT_EQ(asked, failing + 1);
  }
}

} // namespace
