//===- StrategiesTest.cpp - Strategies, stops and what is not run again ---===//

#include "SchedOpt/Tuning/RecordedTraces.h"
#include "TunerTest.h"

using namespace sched;
using namespace sched::test;

namespace {
using StrategiesTest = TunerTest;

/// Tunes a task of that name and text into `file`.
std::vector<std::string> tuneOther(const SyntheticSketch &sketch,
                                   llvm::StringRef text, RecordFile &file,
                                   unsigned trials) {
  SearchTask other = makeTask(sketch, text.str());
  FakeMeasurer measurer(sketch);
  SyntheticModel model;
  TuningOptions options;
  options.trials = trials;
  ProgressReporter reporter(llvm::nulls(), ProgressReporter::Mode::Silent);
  llvm::Expected<TuningResult> result =
      Tuner(options, reporter).tune(other, model, measurer, &file);
  EXPECT_TRUE(bool(result));
  return measurer.log;
}
} // namespace

TEST_F(StrategiesTest, NoneMeasuresTheDefault) {
  options.strategy = StrategyKind::None;
  TuningResult result = run(measurer);
  EXPECT_EQ(measurer.measured, 1u);
  EXPECT_EQ(result.best, task.getDefault());
  EXPECT_TRUE(result.measured);
  EXPECT_EQ(result.reason, StopReason::Exhausted);
  options.trials = 0;
  EXPECT_EQ(run(measurer).best, task.getDefault());
}

TEST_F(StrategiesTest, RandomAndGridAreSearches) {
  std::vector<std::vector<std::string>> logs;
  for (StrategyKind kind :
       {StrategyKind::Evolutionary, StrategyKind::Random, StrategyKind::Grid}) {
    options.strategy = kind;
    FakeMeasurer one(sketch);
    EXPECT_EQ(run(one).trials, 64u);
    EXPECT_EQ(one.log.front(), traceOf(*task.getDefault()));
    logs.push_back(one.log);
  }
  EXPECT_NE(logs[0], logs[1]);
  EXPECT_NE(logs[1], logs[2]);
}

TEST_F(StrategiesTest, TheModelLearnsAndRanksWhatTheDraftFinds) {
  RowModel rows;
  ProgressReporter reporter(os, ProgressReporter::Mode::Silent);
  options.trials = 16;
  ASSERT_TRUE(
      bool(Tuner(options, reporter)
               .tuneAll(Tuner::Job{&task, &rows, &measurer, &model}, nullptr)));
  double best = Measurement::kFailed;
  for (const std::string &trace : measurer.log)
    best = std::min(best, sketch.measure(candidateOf(trace)->choices));
  FakeMeasurer drafted(sketch);
  const double without = run(drafted).seconds;
  EXPECT_LT(best, 0.95 * without);
}

TEST_F(StrategiesTest, ReplayTakesTheBestOfTheNearestShape) {
  TemporaryDirectory directory;
  RecordFile file = directory.open();
  task = makeTask(sketch, "matmul_128x128x128_f32");
  std::vector<std::string> far =
      tuneOther(sketch, "matmul_512x128x128_f32", file, 24);
  std::vector<std::string> near =
      tuneOther(sketch, "matmul_128x64x128_f32", file, 40);
  tuneOther(sketch, "rows_128x128_f32", file, 1);
  options.strategy = StrategyKind::Replay;
  options.trials = 8;
  TuningResult result = run(measurer, &file);
  ASSERT_EQ(measurer.log.size(), 8u);
  EXPECT_EQ(measurer.log[0], traceOf(*task.getDefault()));
  // Four of the nearest, the fastest first; then the next shape's.
  auto secondsOf = [&](const std::string &trace) {
    return sketch.measure(candidateOf(trace)->choices);
  };
  double last = 0, fastest = Measurement::kFailed;
  for (const std::string &trace : near)
    fastest = std::min(fastest, secondsOf(trace));
  for (unsigned i = 1; i != 5; ++i) {
    EXPECT_TRUE(llvm::is_contained(near, measurer.log[i])) << i;
    EXPECT_GE(secondsOf(measurer.log[i]), 0.99 * last);
    last = secondsOf(measurer.log[i]);
  }
  EXPECT_NEAR(secondsOf(measurer.log[1]), fastest, 0.02 * fastest);
  EXPECT_TRUE(llvm::is_contained(far, measurer.log[5]));
  EXPECT_NEAR(result.seconds, fastest, 0.02 * fastest);

  // Its own records are no other shape's: a resumed run is the same run.
  options.trials = 12;
  FakeMeasurer rest(sketch);
  run(rest, &file);
  std::vector<std::string> all = measurer.log;
  all.insert(all.end(), rest.log.begin(), rest.log.end());
  TemporaryDirectory elsewhere;
  RecordFile other = elsewhere.open();
  options.replayPath = file.getPath().str();
  options.trials = 0;
  FakeMeasurer none(sketch);
  TuningResult guess = run(none, &other);
  EXPECT_FALSE(guess.measured);
  ASSERT_TRUE(guess.best);
  EXPECT_LT(sketch.measure(guess.best->choices), 1.02 * fastest);
  EXPECT_EQ(all.size(), 12u);
}

TEST_F(StrategiesTest, ReplayWithoutRecordsSaysSo) {
  TemporaryDirectory directory;
  RecordFile file = directory.open();
  options.strategy = StrategyKind::Replay;
  EXPECT_EQ(run(measurer, &file).best, task.getDefault());
  EXPECT_EQ(measurer.measured, 1u);
  EXPECT_NE(output.find("matmul: no record of another shape or target has a "
                        "trace for it"),
            std::string::npos)
      << output;
}

TEST_F(StrategiesTest, TracesThatDoNotApplyAreNamed) {
  Record record;
  record.workload = "hash of another";
  record.workloadText = "matmul";
  record.trace = traceOf(*task.getDefault());
  record.costsS = {1e-3};
  record.verified = true;
  record.trial = 0;
  std::vector<RejectedTrace> rejected;
  EXPECT_EQ(findRecordedTraces(task, {record}, /*own=*/{}, &rejected).size(),
            1u);
  EXPECT_TRUE(rejected.empty());
  record.trace += ",0";
  EXPECT_TRUE(
      findRecordedTraces(task, {record}, /*own=*/{}, &rejected).empty());
  ASSERT_EQ(rejected.size(), 1u);
  EXPECT_EQ(rejected[0].trace, record.trace);
  EXPECT_EQ(rejected[0].reason, "this space has no sketch with its decisions");
}

TEST_F(StrategiesTest, DistanceOfWorkloads) {
  EXPECT_EQ(measureDistance("matmul_8x8x8_f32", "matmul_8x8x8_f32"), 0);
  const double twice = measureDistance("matmul_8x8x8_f32", "matmul_8x16x8_f32");
  EXPECT_EQ(twice, 1);
  EXPECT_EQ(measureDistance("matmul_8x16x8_f32", "matmul_8x8x8_f32"), twice);
  EXPECT_GT(measureDistance("matmul_8x8x8_f32", "matmul_64x8x8_f32"), twice);
  EXPECT_GT(measureDistance("matmul_8x8x8_f32", "matmul_8x8x8_f32+add"), twice);
  const double rank =
      measureDistance("contraction_1x8x8_f32", "contraction_1x8x8x8_f32");
  EXPECT_GT(rank, measureDistance("contraction_1x8x8_f32",
                                  "contraction_2x80x80_f32"));
  EXPECT_GT(measureDistance("batch_matmul_1x8x8_f32", "rows_1x8x8_f32"), rank);
}

TEST_F(StrategiesTest, EndsOnAPlateau) {
  TemporaryDirectory directory;
  RecordFile file = directory.open();
  options.trials = 1000;
  options.plateau = 0.01;
  TuningResult result = run(measurer, &file);
  EXPECT_EQ(result.reason, StopReason::Plateau);
  EXPECT_GE(result.trials, 48u);
  EXPECT_LT(result.trials, 500u);
  EXPECT_LT(result.seconds, 1.05 * kOptimum);
  // The records say the same to a second run, which measures nothing.
  FakeMeasurer none(sketch);
  TuningResult again = run(none, &file);
  EXPECT_EQ(again.reason, StopReason::Plateau);
  EXPECT_EQ(none.measured, 0u);
  EXPECT_EQ(again.best, result.best);
  // Whoever expects less goes on.
  options.plateau = 1e-9;
  options.trials = result.trials + 16;
  FakeMeasurer more(sketch);
  EXPECT_EQ(run(more, &file).reason, StopReason::TrialsDone);
}

TEST_F(StrategiesTest, EarlierRunsAreRecalled) {
  TemporaryDirectory directory;
  RecordFile file = directory.open();
  measurer.behaviour = [&](const Candidate &candidate, unsigned) {
    // A crash is the code's fault; that a machine was busy is not.
    MeasureResult result =
        candidate.choices[4] == 0
            ? FakeMeasurer::fail("crash", "run", "SIGSEGV")
        : candidate.choices[4] == 1 ? FakeMeasurer::fail("timeout", "run", "")
        : candidate.choices[5] == 0
            ? FakeMeasurer::fail("crash", "run", "SIGKILL (Killed)")
            : measurer.succeed(candidate);
    result.objectHash = "object of " + traceOf(candidate);
    // Every candidate of one order is the same code.
    result.duplicate = candidate.choices[5] == 3;
    return result;
  };
  options.trials = 32;
  run(measurer, &file);
  EXPECT_TRUE(measurer.recalled.empty());
  llvm::Expected<LoadedRecords> loaded = file.load([](const llvm::Twine &) {});
  ASSERT_TRUE(bool(loaded));
  unsigned good = 0, crashed = 0, late = 0, killed = 0;
  std::optional<Record> wrong, crash;
  for (const Record &record : loaded->records) {
    good += record.succeeded() && record.trial >= 0;
    crashed += record.message == "SIGSEGV";
    killed += llvm::StringRef(record.message).starts_with("SIGKILL");
    if (record.succeeded() && record.trial >= 0)
      (wrong ? crash : wrong) = record;
    late += record.error == "timeout";
    const std::optional<Candidate> candidate = candidateOf(record.trace);
    EXPECT_EQ(record.extra.getBoolean(Record::kDuplicateKey).value_or(false),
              candidate->choices[5] == 3);
  }

  // One was wrong in a comparison, and another crashed in it: the times of the
  // latter are known nevertheless.
  ASSERT_TRUE(wrong && crash);
  wrong->error = "wrong-result";
  crash->error = "crash";
  for (Record *record : {&*wrong, &*crash}) {
    record->costsS.clear();
    record->verified = false;
    ASSERT_FALSE(bool(file.append(*record)));
  }

  options.trials = 48;
  FakeMeasurer rest(sketch);
  run(rest, &file);
  ASSERT_EQ(rest.recalled.size(), good - 1 + crashed);
  ASSERT_GT(good, 0u);
  ASSERT_GT(crashed, 0u);
  ASSERT_GT(late, 0u);
  ASSERT_GT(killed, 0u);
  for (const MeasureResult &result : rest.recalled) {
    const bool isGood = result.error.empty();
    EXPECT_EQ(result.costsS.size(), isGood ? 3u : 0u);
    EXPECT_EQ(result.verified, isGood);
    EXPECT_EQ(result.error, isGood ? "" : "crash");
    EXPECT_EQ(result.message, isGood ? "" : "SIGSEGV");
    EXPECT_TRUE(llvm::StringRef(result.objectHash).starts_with("object of "));
  }
}
