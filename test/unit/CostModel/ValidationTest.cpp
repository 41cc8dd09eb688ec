//===- ValidationTest.cpp - Rank correlation and deviation ----------------===//

#include "SchedOpt/CostModel/Validation.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace sched;

TEST(RankCorrelation, OfOrders) {
  EXPECT_DOUBLE_EQ(getRankCorrelation({1, 2, 3, 4}, {10, 20, 30, 1000}), 1);
  EXPECT_DOUBLE_EQ(getRankCorrelation({1, 2, 3, 4}, {4, 3, 2, 1}), -1);
  // 1 - 6 sum d^2 / (n (n^2 - 1)), d = 0, 1, -1, 0.
  EXPECT_DOUBLE_EQ(getRankCorrelation({1, 2, 3, 4}, {1, 3, 2, 4}), 0.8);
}

TEST(RankCorrelation, EqualValuesShareARank) {
  // Ranks 0.5, 0.5, 2 and 0, 1, 2.
  EXPECT_NEAR(getRankCorrelation({1, 1, 2}, {1, 2, 3}), std::sqrt(0.75), 1e-12);
}

TEST(RankCorrelation, OfConstantsIsZero) {
  EXPECT_EQ(getRankCorrelation({1, 1, 1}, {1, 2, 3}), 0);
  EXPECT_EQ(getRankCorrelation({}, {}), 0);
  EXPECT_EQ(getRankCorrelation({1}, {1}), 0);
}

TEST(Validation, IgnoresFailuresAndScale) {
  const Validation result =
      validate({8, 4, 100, 2}, {1e-3, 2e-3, INFINITY, 4e-3});
  EXPECT_EQ(result.candidates, 3u);
  EXPECT_DOUBLE_EQ(result.rankCorrelation, 1);
  EXPECT_NEAR(result.logDeviation, 0, 1e-7);
}

TEST(Validation, DeviationIsOfRatios) {
  // Off by factors of e and 1 / e.
  const Validation result = validate({std::exp(1), std::exp(-1)}, {1, 1});
  EXPECT_NEAR(result.logDeviation, 1, 1e-12);
  EXPECT_EQ(validate({1.0}, {INFINITY}).candidates, 0u);
}
