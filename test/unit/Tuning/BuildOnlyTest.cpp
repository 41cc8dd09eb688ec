//===- BuildOnlyTest.cpp - Where nothing can be run -----------------------===//

#include "TunerTest.h"
#include "llvm/ADT/STLExtras.h"

using namespace sched;
using namespace sched::test;

namespace {

class BuildOnlyTest : public TunerTest {
protected:
  BuildOnlyTest() { options.buildOnly = true; }

  /// What the model says of a candidate that was built.
  double predict(llvm::StringRef trace) {
    Evaluation evaluation;
    task.space.getSketch(0).evaluate(candidateOf(trace)->choices, evaluation);
    FeatureBatch batch;
    batch.add(evaluation.features);
    double score = 0;
    model.predict(batch, score);
    return score;
  }
};

TEST_F(BuildOnlyTest, TakesTheModelsBestOfWhatBuilds) {
  // What the model likes best spills.
  const std::string favourite = traceOf(*run(measurer).best);
  FakeMeasurer picky(sketch);
  picky.behaviour = [&](const Candidate &candidate, unsigned) {
    if (traceOf(candidate) == favourite)
      return FakeMeasurer::fail(failure::kSpill, stage::kCodegen,
                                "f spills 8 bytes");
    return picky.succeed(candidate);
  };
  output.clear();
  TuningResult result = run(picky);
  EXPECT_EQ(result.reason, StopReason::BuiltOnly);
  EXPECT_FALSE(result.measured);
  EXPECT_EQ(result.trials, 0u);
  EXPECT_EQ(picky.builtOnly, options.batch);
  EXPECT_EQ(picky.prepared + picky.measured + picky.interleaved, 0u);
  ASSERT_TRUE(result.best);
  const std::string best = traceOf(*result.best);
  EXPECT_NE(best, favourite);
  EXPECT_TRUE(llvm::is_contained(picky.log, best));
  for (const std::string &other : picky.log)
    if (other != favourite)
      EXPECT_LE(predict(other), predict(best));
  EXPECT_EQ(result.failures,
            (std::map<std::string, unsigned>{{failure::kSpill, 1}}));
  EXPECT_NE(output.find("; the model's best of 16 that were built, nothing "
                        "measured; failed: 1 spill"),
            std::string::npos)
      << output;
}

TEST_F(BuildOnlyTest, WhatWasBuiltIsNoTrial) {
  TemporaryDirectory directory;
  RecordFile file = directory.open();
  TuningResult guessed = run(measurer, &file);
  ASSERT_TRUE(guessed.best);
  std::vector<Record> records =
      llvm::cantFail(file.load([](auto &) {})).records;
  ASSERT_EQ(records.size(), options.batch);
  for (const Record &record : records) {
    EXPECT_TRUE(record.isBuiltOnly());
    EXPECT_FALSE(record.succeeded());
  }
  // With a device, all of them are measured.
  options.buildOnly = false;
  FakeMeasurer onDevice(sketch);
  TuningResult measured = run(onDevice, &file);
  EXPECT_EQ(measured.trials, 64u);
  EXPECT_EQ(measured.trialsFromRecords, 0u);
  // And without one again, what was measured counts, and nothing is built.
  options.buildOnly = true;
  FakeMeasurer idle(sketch);
  TuningResult again = run(idle, &file);
  EXPECT_EQ(idle.builtOnly, 0u);
  EXPECT_EQ(again.best, measured.best);
  EXPECT_TRUE(again.measured);
}

TEST_F(BuildOnlyTest, BuildsNothingTwice) {
  TemporaryDirectory directory;
  RecordFile file = directory.open();
  const std::string favourite = traceOf(*run(measurer).best);
  auto fail = [&](FakeMeasurer &picky) {
    picky.behaviour = [&](const Candidate &candidate, unsigned) {
      if (traceOf(candidate) == favourite)
        return FakeMeasurer::fail(failure::kSpill, stage::kCodegen, "spills");
      return picky.succeed(candidate);
    };
  };
  FakeMeasurer first(sketch), second(sketch);
  fail(first);
  fail(second);
  TuningResult built = run(first, &file);
  EXPECT_EQ(first.builtOnly, options.batch);
  TuningResult again = run(second, &file);
  EXPECT_EQ(second.builtOnly, 0u);
  EXPECT_EQ(again.best, built.best);
  EXPECT_EQ(again.failures, built.failures);
  std::vector<Record> records =
      llvm::cantFail(file.load([](auto &) {})).records;
  ASSERT_EQ(records.size(), options.batch);
  // What could not be built does not say that it was.
  for (const Record &record : records) {
    EXPECT_TRUE(record.isBuiltOnly());
    EXPECT_EQ(*record.extra.getBoolean(Record::kBuiltKey),
              record.error.empty());
  }
  // With a compiler that says more, those of which nothing is known are.
  options.expectsUsage = true;
  FakeMeasurer third(sketch);
  run(third, &file);
  EXPECT_EQ(third.builtOnly, options.batch - 1);
}

TEST_F(BuildOnlyTest, SaysWhyNothingIsLeft) {
  measurer.behaviour = [](const Candidate &, unsigned) {
    return FakeMeasurer::fail(failure::kOverLimit, stage::kCodegen,
                              "f takes 66560 registers a block");
  };
  const std::string message = runToError(measurer);
  EXPECT_NE(message.find("all 16 candidates failed"), std::string::npos)
      << message;
  EXPECT_NE(message.find("16 x over-limit (codegen): f takes 66560 registers"),
            std::string::npos)
      << message;
}

} // namespace
