//===- TurnsTest.cpp - Which timings of a candidate count -----------------===//

#include "SchedOpt/Measure/Turns.h"
#include "gtest/gtest.h"

using namespace sched;

namespace {

/// Turns on a machine that nothing else uses.
std::vector<Turn> quiet(llvm::ArrayRef<double> costs) {
  std::vector<Turn> turns;
  for (double cost : costs)
    turns.push_back({cost, 1, true});
  return turns;
}

TEST(Turns, TwoThatAgreeConfirmEachOther) {
  EXPECT_FALSE(areConfirmed({}, 0.03));
  EXPECT_FALSE(areConfirmed(quiet({1}), 0.03));
  EXPECT_TRUE(areConfirmed(quiet({1, 1.02}), 0.03));
  EXPECT_FALSE(areConfirmed(quiet({1, 1.04}), 0.03));
  // The two that agree have to be the least.
  EXPECT_FALSE(areConfirmed(quiet({1.04, 1, 1.04}), 0.03));
  EXPECT_TRUE(areConfirmed(quiet({1, 2, 1.01}), 0.03));
}

TEST(Turns, WhatWasDisturbedConfirmsNothing) {
  std::vector<Turn> turns = quiet({1, 1});
  turns[1].isQuiet = false;
  EXPECT_FALSE(areConfirmed(turns, 0.03));
  turns.push_back({1.01, 1, true});
  EXPECT_TRUE(areConfirmed(turns, 0.03));
}

TEST(Turns, LongTurnsDoNotCount) {
  EXPECT_TRUE(selectCosts({}, 0.03).empty());
  EXPECT_EQ(selectCosts(quiet({5}), 0.03), std::vector<double>{5});
  EXPECT_EQ(selectCosts(quiet({1.5, 1, 1.02}), 0.03),
            (std::vector<double>{1, 1.02}));
  // Of two that do not agree, the longer one was disturbed.
  EXPECT_EQ(selectCosts(quiet({1, 1.5}), 0.03), std::vector<double>{1});
}

TEST(Turns, QuietOnesWinWhateverTheySay) {
  std::vector<Turn> turns = quiet({2, 1.9});
  turns.push_back({1.9, 1.3, false});
  EXPECT_EQ(selectCosts(turns, 0.03), std::vector<double>{1.9});
}

TEST(Turns, OthersAreCorrectedByTheMachinesSlowdown) {
  EXPECT_EQ(selectCosts({{3, 1.5, false}}, 0.03), std::vector<double>{2});
  // Noise is none.
  EXPECT_EQ(selectCosts({{3, 1.04, true}}, 0.03), std::vector<double>{3});
  // What became usual is quiet, and still slower than it was.
  EXPECT_EQ(selectCosts({{3, 1.5, true}}, 0.03), std::vector<double>{2});
}

TEST(Turns, TheMachineIsAsFastAsItsAnchor) {
  MachineState machine;
  // Nothing is known: nothing is disturbed.
  EXPECT_TRUE(machine.isQuiet(0));
  EXPECT_EQ(machine.getSlowdown(0), 1);
  machine.add(2);
  machine.add(1);
  EXPECT_TRUE(machine.isQuiet(1.04));
  EXPECT_FALSE(machine.isQuiet(1.06));
  EXPECT_EQ(machine.getSlowdown(1.5), 1.5);
  EXPECT_EQ(machine.getSlowdown(0.5), 1);
}

TEST(Turns, CostsOfAFasterMachineCompareWithEarlierOnes) {
  MachineState machine;
  // There is no pace to keep yet.
  machine.keepPace();
  machine.add(2);
  machine.add(1);
  EXPECT_EQ(machine.getSlowdown(0.5), 1);
  machine.keepPace();
  EXPECT_EQ(machine.getSlowdown(0.5), 0.5);
  machine.add(0.5);
  EXPECT_EQ(machine.getSlowdown(0.5), 0.5);
  EXPECT_EQ(machine.getSlowdown(2), 2);
  EXPECT_EQ(machine.getSlowdown(0), 1);
  // As long as it is that fast, a turn at the pace of before was disturbed.
  EXPECT_FALSE(machine.isQuiet(1));
  EXPECT_TRUE(machine.isQuiet(0.5));

  EXPECT_EQ(selectCosts({{3, 0.5, true}}, 0.03), std::vector<double>{6});
  EXPECT_EQ(selectCosts({{3, 0.96, true}}, 0.03), std::vector<double>{3});
}

TEST(Turns, WhatStaysSlowIsUsual) {
  MachineState machine;
  machine.add(1);
  machine.settle(1.5);
  EXPECT_TRUE(machine.isQuiet(1.5));
  EXPECT_FALSE(machine.isQuiet(1.6));
  EXPECT_EQ(machine.getSlowdown(1.5), 1.5);
  // Until it is faster again.
  machine.add(1.1);
  EXPECT_FALSE(machine.isQuiet(1.5));
  EXPECT_TRUE(machine.isQuiet(1.1));
}

} // namespace
