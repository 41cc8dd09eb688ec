//===- ProgramCostsTest.cpp - The rule by which records are ranked --------===//

#include "SchedOpt/Database/ProgramCosts.h"
#include "gtest/gtest.h"

using namespace sched;

namespace {

/// A good record of candidate `trace`; of a comparison where that is not 0.
Record make(const char *trace, std::vector<double> costs,
            ComparisonStage stage = ComparisonStage::None,
            int64_t comparison = 0) {
  Record record;
  record.trace = trace;
  record.costsS = std::move(costs);
  record.verified = true;
  record.trial = Record::numberStage(stage);
  if (comparison)
    record.extra[Record::kComparisonKey] = comparison;
  return record;
}

Standing stand(const std::vector<Record> &records) {
  ProgramCosts costs;
  for (const Record &record : records)
    costs.add(record);
  return costs.getStanding();
}

constexpr ComparisonStage kScreening = ComparisonStage::Screening;
constexpr ComparisonStage kFinal = ComparisonStage::Final;

TEST(ProgramCosts, TrialsArePooledAndCopiesLeftOut) {
  EXPECT_EQ(stand({make("a", {1, 2, 3}), make("a", {9, 9, 9, 9})}).trialsS, 9);
  // The same machine code under another name repeats what was measured.
  EXPECT_EQ(
      stand({make("a", {1, 2}), make("b", {1, 2}), make("b", {4})}).trialsS, 2);
  EXPECT_FALSE(stand({}).isUsable());
}

TEST(ProgramCosts, TheLastStageOfTheLastComparisonCounts) {
  Standing standing =
      stand({make("a", {1}), make("a", {5}, kScreening, 10),
             make("a", {6, 7, 8}, kFinal, 10), make("a", {2}, kFinal, 9)});
  EXPECT_EQ(standing.comparison, 10);
  EXPECT_EQ(standing.stage, kFinal);
  EXPECT_EQ(standing.comparedS, 7);
  EXPECT_EQ(standing.trialsS, 1);
  EXPECT_EQ(standing.getSeconds(), 7);
}

TEST(ProgramCosts, AWrongResultIsTheEnd) {
  Record wrong = make("a", {1}, kFinal, 10);
  wrong.error = "out-of-bounds";
  EXPECT_FALSE(stand({make("a", {1}), wrong}).isUsable());
}

TEST(ProgramCosts, Ranks) {
  const std::vector<Standing> standings = {
      /*0: screened*/ stand({make("a", {1}), make("a", {4}, kScreening, 10)}),
      /*1: final, second*/ stand({make("b", {1}), make("b", {6}, kFinal, 10)}),
      /*2: final, first*/ stand({make("c", {2}), make("c", {5}, kFinal, 10)}),
      /*3: an earlier one*/
      stand({make("d", {1.9}), make("d", {1}, kFinal, 9)}),
      /*4: never compared*/ stand({make("e", {0.85})}),
      /*5: clearly faster*/ stand({make("f", {0.75})}),
      /*6: of no use*/ stand({})};
  EXPECT_EQ(rank(standings), (std::vector<unsigned>{5, 2, 1, 0, 4, 3}));
  // Without a comparison, trials decide; the earlier of equals is first.
  EXPECT_EQ(rank({stand({make("a", {2})}), stand({make("b", {1})}),
                  stand({make("c", {2})})}),
            (std::vector<unsigned>{1, 0, 2}));
}

TEST(ProgramCosts, TheWinnersTrialsMayHaveBeenSlow) {
  // The machine was, when the first was tried: what was not compared is no
  // faster than the second, which lost.
  const std::vector<Standing> standings = {
      stand({make("a", {20}), make("a", {12}, kFinal, 10)}),
      stand({make("b", {14}), make("b", {13}, kFinal, 10)}),
      stand({make("c", {15})})};
  EXPECT_EQ(rank(standings), (std::vector<unsigned>{0, 1, 2}));
  // The unscheduled code has no trials.
  const std::vector<Standing> unscheduled = {
      stand({make("u", {10}, kFinal, 10)}),
      stand({make("b", {100}), make("b", {90}, kFinal, 10)}),
      stand({make("c", {70})}), stand({make("d", {7})})};
  EXPECT_EQ(rank(unscheduled), (std::vector<unsigned>{3, 0, 1, 2}));
}

} // namespace
