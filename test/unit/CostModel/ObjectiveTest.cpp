//===- ObjectiveTest.cpp - Derivatives against differences ----------------===//

#include "SchedOpt/CostModel/Objective.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace sched;

/// Three tasks, one of them of a single candidate, with failures.
static Labels makeLabels(bool withFailures) {
  std::mt19937_64 bits(5);
  Labels labels;
  for (unsigned i = 0; i != 24; ++i) {
    labels.tasks.push_back(i == 23 ? 2 : i % 2);
    labels.seconds.push_back(withFailures && i % 7 == 3
                                 ? INFINITY
                                 : 1e-5 * double(1 + bits() % 100));
  }
  return labels;
}

static std::vector<double> makeScores(size_t n) {
  std::mt19937_64 bits(9);
  std::vector<double> scores;
  for (size_t i = 0; i != n; ++i)
    scores.push_back(double(bits() % 1000) / 300 - 1);
  return scores;
}

class EachObjective : public ::testing::TestWithParam<ObjectiveKind> {};

TEST_P(EachObjective, DerivativesAreThoseOfTheLoss) {
  const Labels labels = makeLabels(/*withFailures=*/true);
  const size_t n = labels.size();
  auto objective = Objective::create(GetParam(), labels);
  std::vector<double> scores = makeScores(n), gradients(n), curvatures(n);
  objective->differentiate(scores, gradients, curvatures);
  size_t used = 0;
  for (size_t i = 0; i != n; ++i)
    used += objective->uses(i);
  bool isMoved = false;
  for (size_t i = 0; i != n; ++i) {
    const double step = 1e-4;
    auto getLoss = [&](double change) {
      std::vector<double> moved = scores;
      moved[i] += change;
      return objective->getLoss(moved) * double(used);
    };
    EXPECT_NEAR((getLoss(step) - getLoss(-step)) / (2 * step), gradients[i],
                1e-6)
        << "candidate " << i;
    const double second =
        (getLoss(step) - 2 * getLoss(0) + getLoss(-step)) / (step * step);
    EXPECT_GE(curvatures[i], second - 1e-4) << "candidate " << i;
    if (!objective->uses(i)) {
      EXPECT_EQ(gradients[i], 0);
    }
    isMoved |= std::abs(gradients[i]) > 1e-3;
  }
  EXPECT_TRUE(isMoved);
}

TEST_P(EachObjective, NamesAreReadBack) {
  EXPECT_EQ(parseObjective(getObjectiveName(GetParam())), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, EachObjective,
    ::testing::Values(ObjectiveKind::PackSum, ObjectiveKind::Rank,
                      ObjectiveKind::Failure),
    [](const auto &info) {
      std::string name = getObjectiveName(info.param).str();
      name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
      return name;
    });

TEST(Objective, OnlyRatiosWithinATaskCount) {
  const Labels labels = makeLabels(/*withFailures=*/false);
  std::vector<double> scores = makeScores(labels.size()), moved = scores;
  for (size_t i = 0; i != moved.size(); ++i)
    moved[i] += labels.tasks[i] == 1 ? 3 : -2;
  Labels slower = labels;
  for (size_t i = 0; i != moved.size(); ++i)
    slower.seconds[i] *= labels.tasks[i] == 1 ? 10 : 1;
  for (ObjectiveKind kind : {ObjectiveKind::PackSum, ObjectiveKind::Rank}) {
    auto objective = Objective::create(kind, labels);
    EXPECT_NEAR(objective->getLoss(scores), objective->getLoss(moved), 1e-9);
    EXPECT_NEAR(objective->getLoss(scores),
                Objective::create(kind, slower)->getLoss(scores), 1e-9);
  }
}

TEST(Objective, PairsCountByTheRatioOfTheirTimes) {
  auto getLoss = [](std::vector<double> seconds, std::vector<double> scores) {
    Labels labels;
    labels.tasks.assign(seconds.size(), 0);
    labels.seconds = std::move(seconds);
    return Objective::create(ObjectiveKind::Rank, labels)->getLoss(scores);
  };
  // Two fast ones in the wrong order are as bad as two slow ones.
  EXPECT_DOUBLE_EQ(getLoss({1, 2, 8, 16}, {2, 3, 1, 0}),
                   getLoss({1, 2, 8, 16}, {3, 2, 0, 1}));
  // What is further apart is worse, up to a factor of e.
  EXPECT_GT(getLoss({1, 2, 2.2}, {2, 0, 1}), getLoss({1, 2, 2.1}, {2, 0, 1}));
  EXPECT_DOUBLE_EQ(getLoss({1, 2, 10}, {2, 0, 1}),
                   getLoss({1, 2, 1000}, {2, 0, 1}));
}

TEST(Objective, PerfectScoresHaveNoPackSumLoss) {
  const Labels labels = makeLabels(/*withFailures=*/false);
  std::vector<double> scores;
  for (size_t i = 0; i != labels.size(); ++i)
    scores.push_back(7 - std::log(labels.seconds[i]));
  EXPECT_NEAR(
      Objective::create(ObjectiveKind::PackSum, labels)->getLoss(scores), 0,
      1e-20);
}

TEST(Objective, ThroughputsAreOfTheTask) {
  Labels labels;
  labels.seconds = {2, 1, INFINITY, 10, INFINITY};
  labels.tasks = {0, 0, 0, 1, 2};
  EXPECT_EQ(labels.getThroughputs(), (std::vector<double>{0.5, 1, 0, 1, 0}));
}
