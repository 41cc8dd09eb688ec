//===- TimeBatchTest.cpp - Times what a batch has built -------------------===//

#include "MeasurerFixture.h"
#include "SchedOpt/Measure/Timer.h"
#include <atomic>
#include <chrono>
#include <thread>

using namespace llvm;
using namespace sched;
using namespace sched::test;

namespace {

using TimeBatchTest = MeasurerTest;

TEST_F(TimeBatchTest, TheSameObjectIsMeasuredOnce) {
  ASSERT_NO_FATAL_FAILURE(start());
  // A script that differs only in a comment makes the same code.
  std::string same = "// again\n" + tiled(4);
  std::vector<MeasureResult> results =
      measure({{tiled(4), ""}, {tiled(4), ""}, {same, ""}});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_FALSE(results[0].duplicate);
  for (unsigned i : {1u, 2u}) {
    expectGood(results[i]);
    EXPECT_TRUE(results[i].duplicate);
    EXPECT_EQ(results[i].costsS, results[0].costsS);
    EXPECT_EQ(results[i].objectHash, results[0].objectHash);
  }
  EXPECT_TRUE(only({tiled(4), ""}).duplicate);
  EXPECT_EQ(measurer->getStats().duplicates, 3);
}

TEST_F(TimeBatchTest, WhatIsRecalledIsNotRunAgain) {
  ASSERT_NO_FATAL_FAILURE(start());
  MeasureResult first = only({tiled(4), ""});
  ASSERT_TRUE(first.succeeded());

  // Another process, which has the record alone.
  ASSERT_NO_FATAL_FAILURE(start());
  MeasureResult known = first;
  known.costsS = {4.0, 5.0, 6.0}; // as it cannot be measured
  measurer->recall(id, known);
  MeasureResult again = only({tiled(4), ""});
  EXPECT_TRUE(again.duplicate);
  EXPECT_EQ(again.costsS, known.costsS);
  EXPECT_EQ(again.objectHash, first.objectHash);
  EXPECT_EQ(again.runS, 0);
  // Other code is measured.
  EXPECT_FALSE(only({tiled(8), ""}).duplicate);
}

TEST_F(TimeBatchTest, DropsWhatIsClearlySlower) {
  options.dropFactor = 1.5;
  bestS = 1e-12;
  ASSERT_NO_FATAL_FAILURE(start());
  MeasureResult result = only({tiled(4), ""});
  expectGood(result);
  EXPECT_TRUE(result.dropped);
  EXPECT_EQ(result.costsS.size(), 1u);
  EXPECT_EQ(measurer->getBestS(id), 1e-12);
  EXPECT_EQ(measurer->getStats().dropped, 1);
}

TEST_F(TimeBatchTest, InterleavedRoundsMeasureAnew) {
  ASSERT_NO_FATAL_FAILURE(start());
  ASSERT_EQ(measure({{tiled(4), ""}, {tiled(8), ""}}).size(), 2u);
  std::vector<MeasureResult> results;
  MeasureInput inputs[] = {{tiled(4), ""},
                           {tiled(2), "run:crash"},
                           {tiled(8), ""},
                           {"no script", ""}};
  Error error = measurer->measureInterleaved(
      id, inputs, {4, 4, 0}, [&](unsigned index, const MeasureResult &result) {
        EXPECT_EQ(index, results.size());
        results.push_back(result);
      });
  ASSERT_FALSE(bool(error)) << toString(std::move(error));
  ASSERT_EQ(results.size(), 4u);
  for (unsigned i : {0u, 2u}) {
    expectGood(results[i]);
    EXPECT_EQ(results[i].costsS.size(), 4u);
    EXPECT_FALSE(results[i].duplicate);
  }
  EXPECT_EQ(results[1].error, failure::kCrash);
  EXPECT_TRUE(results[1].costsS.empty());
  EXPECT_EQ(results[3].error, failure::kBuildError);
}

TEST_F(TimeBatchTest, InterleavedRoundsEndWithTheirTime) {
  ASSERT_NO_FATAL_FAILURE(start());
  MeasureInput inputs[] = {{tiled(4), ""}, {tiled(8), ""}};
  unsigned numResults = 0;
  Error error = measurer->measureInterleaved(
      id, inputs, {2, 1000, 0}, [&](unsigned, const MeasureResult &result) {
        ++numResults;
        EXPECT_EQ(result.costsS.size(), 2u);
      });
  ASSERT_FALSE(bool(error)) << toString(std::move(error));
  EXPECT_EQ(numResults, 2u);
}

TEST_F(TimeBatchTest, TwoRepeatsThatAgreeAreEnough) {
  options.agreement = 100;
  ASSERT_NO_FATAL_FAILURE(start());
  std::vector<MeasureResult> results = measure({{tiled(4), ""}});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].costsS.size(), 2u);
}

TEST_F(TimeBatchTest, InterleavedRoundsEndWhereAllIsKnown) {
  ASSERT_NO_FATAL_FAILURE(start());
  // What fails has nothing to say; of the others seven rounds say enough.
  MeasureInput inputs[] = {{tiled(4), ""}, {"no script", ""}, {tiled(8), ""}};
  std::vector<size_t> rounds;
  Error error = measurer->measureInterleaved(
      id, inputs, {2, 1000, /*seconds=*/60, /*precision=*/100},
      [&](unsigned, const MeasureResult &result) {
        rounds.push_back(result.costsS.size());
      });
  ASSERT_FALSE(bool(error)) << toString(std::move(error));
  EXPECT_EQ(rounds, (std::vector<size_t>{7, 0, 7}));
}

/// Turns, of which each lasts a millisecond.
class TurnTakerTest : public MeasurerTest {
protected:
  void SetUp() override {
    MeasurerTest::SetUp();
    options.takesTurns = true;
    options.minRepeatMs = 1;
  }
  /// What runs first in a process is warmed up for long.
  void startWarm() {
    ASSERT_NO_FATAL_FAILURE(start());
    expectGood(only({tiled(3), ""}));
    turnsBefore = measurer->getStats().turns;
  }
  /// Turns taken since. Their number tells, on however busy a machine, what
  /// their time does not.
  int64_t getTurns() const { return measurer->getStats().turns - turnsBefore; }

private:
  int64_t turnsBefore = 0;
};

TEST_F(TurnTakerTest, ResultsAreInOrderAndDuplicatesHaveThem) {
  options.agreement = 100;
  ASSERT_NO_FATAL_FAILURE(startWarm());
  std::vector<MeasureResult> results = measure({{tiled(4), ""},
                                                {"no script", ""},
                                                {tiled(2), "run:crash"},
                                                {tiled(4), ""},
                                                {tiled(8), ""}});
  ASSERT_EQ(results.size(), 5u);
  for (unsigned i : {0u, 4u}) {
    expectGood(results[i]);
    EXPECT_FALSE(results[i].duplicate);
  }
  // What runs has two turns at least, as one confirms nothing; the crash one.
  EXPECT_GE(getTurns(), 5);
  EXPECT_EQ(results[1].error, failure::kBuildError);
  EXPECT_EQ(results[2].error, failure::kCrash);
  EXPECT_TRUE(results[3].duplicate);
  EXPECT_EQ(results[3].costsS, results[0].costsS);
  EXPECT_EQ(measurer->getStats().measured, 6);
  results = measure({{tiled(6), ""}, {tiled(8), ""}});
  ASSERT_EQ(results.size(), 2u);
  expectGood(results[0]);
  EXPECT_TRUE(results[1].duplicate);
}

TEST_F(TurnTakerTest, WhatNothingConfirmsHasAllTurnsAndNoMore) {
  options.agreement = -1;
  ASSERT_NO_FATAL_FAILURE(startWarm());
  MeasureResult result = only({tiled(4), ""});
  expectGood(result);
  // Disturbed ones are taken again, as many times as there are repeats
  // (kTurnsPerRepeat, TurnTaker.cpp).
  EXPECT_GE(getTurns(), options.repeats);
  EXPECT_LE(getTurns(), 2 * options.repeats);
  // Without any agreement only the least is left.
  EXPECT_EQ(result.costsS.size(), 1u);
}

TEST_F(TurnTakerTest, WhatIsFarBehindHasOneTurn) {
  options.agreement = -1;
  options.dropFactor = 1.5;
  options.patienceS = 60;
  bestS = 1e-12;
  ASSERT_NO_FATAL_FAILURE(startWarm());
  MeasureResult result = only({tiled(4), ""});
  expectGood(result);
  EXPECT_TRUE(result.dropped);
  // Or two, if the machine was disturbed.
  EXPECT_GE(getTurns(), 1);
  EXPECT_LE(getTurns(), 2);
  EXPECT_EQ(measurer->getBestS(id), 1e-12);
}

TEST_F(TurnTakerTest, AStopWhileABatchIsBuiltKeepsWhatIsThere) {
  std::atomic<bool> stop(false);
  options.stop = &stop;
  options.jobs = 1;
  ASSERT_NO_FATAL_FAILURE(startWarm());
  std::thread interrupt([&] {
    std::this_thread::sleep_for(std::chrono::seconds(3));
    stop = true;
  });
  // The second one would be built until its time is up.
  std::vector<MeasureResult> results =
      measure({{tiled(2), ""}, {tiled(4), "build:hang"}, {tiled(8), ""}});
  interrupt.join();
  ASSERT_EQ(results.size(), 1u);
  expectGood(results[0]);
  // What is timed after a stop may come to its end, but not hang.
  stop = false;
  const double begin = monotonicSeconds();
  std::thread again([&] {
    std::this_thread::sleep_for(std::chrono::seconds(3));
    stop = true;
  });
  results = measure({{tiled(16), "run:hang"}, {tiled(4), "build:hang"}});
  again.join();
  EXPECT_TRUE(results.empty());
  EXPECT_LT(monotonicSeconds() - begin, 15);
  measurer.reset();
  options.stop = nullptr;
}

TEST_F(TurnTakerTest, AStopKeepsTheTurnsThatWereTaken) {
  std::atomic<bool> stop(false);
  options.stop = &stop;
  options.agreement = -1;
  ASSERT_NO_FATAL_FAILURE(startWarm());
  std::thread interrupt([&] {
    std::this_thread::sleep_for(std::chrono::seconds(3));
    stop = true;
  });
  // The first one has one turn of five when it is stopped.
  std::vector<MeasureResult> results =
      measure({{tiled(2), ""}, {tiled(4), "run:hang"}});
  interrupt.join();
  ASSERT_EQ(results.size(), 1u);
  expectGood(results[0]);
  measurer.reset();
  options.stop = nullptr;
}

} // namespace
