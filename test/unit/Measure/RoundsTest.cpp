//===- RoundsTest.cpp - What contenders' turns tell -----------------------===//

#include "SchedOpt/Measure/Rounds.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace sched;

namespace {

/// Seconds of so many rounds on a machine that becomes up to `drift` slower and
/// faster again, where every second turn takes `jitter` longer.
std::vector<double> run(double seconds, double drift, double jitter = 0,
                        unsigned rounds = kLeastTellingRounds) {
  std::vector<double> costs;
  for (unsigned i = 0; i != rounds; ++i)
    costs.push_back(seconds * (1 + drift * std::sin(i)) *
                    (1 + (i % 2 ? jitter : 0)));
  return costs;
}

TEST(Rounds, MedianIsTheUpperOne) {
  EXPECT_EQ(getMedian({3}), 3);
  EXPECT_EQ(getMedian({4, 1, 3, 2}), 3);
}

TEST(Rounds, WhatSlowsAllDownTellsNothing) {
  // Each cost by itself scatters by a tenth; their ratio does not.
  const std::vector<double> fast = run(1, 0.1), slow = run(1.001, 0.1);
  EXPECT_TRUE(areToldApart({fast, slow}, 0.001));
  EXPECT_TRUE(areToldApart({slow, fast}, 0.001));
}

TEST(Rounds, CloseContendersThatScatterTakeMore) {
  const std::vector<double> fast = run(1, 0), slow = run(1.001, 0, 0.05);
  EXPECT_FALSE(areToldApart({fast, slow}, 0.005));
  EXPECT_TRUE(areToldApart({fast, slow}, 0.05));
  const std::vector<double> longFast = run(1, 0, 0, 400),
                            longSlow = run(1.001, 0, 0.05, 400);
  EXPECT_TRUE(areToldApart({longFast, longSlow}, 0.005));
}

TEST(Rounds, WhatIsFarBehindNeedsNoPrecision) {
  const std::vector<double> fast = run(1, 0), slow = run(1.2, 0, 0.05);
  EXPECT_TRUE(areToldApart({fast, slow}, 0.005));
  // One that is not keeps the others waiting.
  EXPECT_FALSE(areToldApart({fast, slow, run(1.001, 0, 0.05)}, 0.005));
}

TEST(Rounds, MediansThatContradictTakeMore) {
  // The first is ahead by its median, the second in most rounds.
  const std::vector<double> a = {1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0},
                            b = {1.05, 0.98, 0.98, 1.05, 1.96, 1.96, 1.96};
  ASSERT_LT(getMedian(a), getMedian(b));
  EXPECT_FALSE(areToldApart({a, b}, 0.015));
  EXPECT_TRUE(areToldApart({a, b}, 0.05));
}

TEST(Rounds, FewRoundsOrNoPrecisionTellNothing) {
  const std::vector<double> few = run(1, 0, 0, kLeastTellingRounds - 1),
                            enough = run(1, 0), same = run(1, 0);
  const std::vector<double> fewMore = few;
  EXPECT_FALSE(areToldApart({few, fewMore}, 1));
  EXPECT_FALSE(areToldApart({enough, same}, 0));
  EXPECT_TRUE(areToldApart({enough, same}, 1e-9));
  EXPECT_TRUE(areToldApart({enough}, 1e-9));
  EXPECT_TRUE(areToldApart({}, 1e-9));
}

} // namespace
