//===- TunerTest.cpp - Whole runs against a formula -----------------------===//

#include "TunerTest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace sched;
using namespace sched::test;

TEST_F(TunerTest, FindsAFastSchedule) {
  TuningResult result = run(measurer);
  EXPECT_TRUE(result.measured);
  EXPECT_EQ(result.trials, 64u);
  EXPECT_EQ(measurer.measured, 64u);
  EXPECT_EQ(result.reason, StopReason::TrialsDone);
  EXPECT_LT(result.seconds, 1.15 * kOptimum);
  EXPECT_LT(result.seconds, result.defaultSeconds);
  EXPECT_EQ(sketch.measure(result.best->choices), result.seconds);
  // The default is candidate 0.
  EXPECT_EQ(measurer.log.front(), traceOf(*task.getDefault()));
  // The fastest and the default were screened, then the finalists and the
  // default compared.
  EXPECT_GE(measurer.interleaved, 2 * options.finalists + 1);
  EXPECT_LE(measurer.interleaved, options.contenders + options.finalists + 2);
  EXPECT_DOUBLE_EQ(result.times.measureS,
                   0.5 * (measurer.measured + measurer.interleaved));
}

TEST_F(TunerTest, SameSeedSameRun) {
  TuningResult first = run(measurer);
  FakeMeasurer again(sketch);
  TuningResult second = run(again);
  EXPECT_EQ(measurer.log, again.log);
  EXPECT_EQ(first.best, second.best);
  options.seed = 1;
  FakeMeasurer other(sketch);
  run(other);
  EXPECT_NE(measurer.log, other.log);
}

TEST_F(TunerTest, SecondRunAnswersFromTheRecords) {
  TemporaryDirectory directory;
  RecordFile file = directory.open();
  TuningResult first = run(measurer, &file);
  FakeMeasurer again(sketch);
  TuningResult second = run(again, &file);
  EXPECT_EQ(again.prepared, 0u);
  EXPECT_EQ(again.measured + again.interleaved, 0u);
  EXPECT_EQ(second.best, first.best);
  EXPECT_EQ(second.seconds, first.seconds);
  EXPECT_EQ(second.trialsFromRecords, 64u);

  // More trials go on where the first run stopped.
  options.trials = 80;
  FakeMeasurer more(sketch);
  TuningResult third = run(more, &file);
  EXPECT_EQ(more.measured, 16u);
  EXPECT_EQ(third.trials, 80u);
  EXPECT_LE(third.seconds, first.seconds);
  EXPECT_EQ(more.preparedBestS, first.seconds);
}

TEST_F(TunerTest, ResumeEqualsAnUninterruptedRun) {
  TuningResult whole = run(measurer);
  // Stops in the first batch, at a batch's end, and in the middle of one.
  for (unsigned at : {1u, 16u, 21u, 47u}) {
    TemporaryDirectory directory;
    RecordFile file = directory.open();
    FakeMeasurer interrupted(sketch);
    interrupted.stop = &stop;
    interrupted.afterEach = [&] { stop = interrupted.measured == at; };
    TuningResult part = run(interrupted, &file);
    EXPECT_EQ(part.reason, StopReason::Stopped);
    EXPECT_EQ(part.trials, at);
    EXPECT_TRUE(part.best);
    EXPECT_EQ(interrupted.interleaved, 0u);

    stop = false;
    FakeMeasurer rest(sketch);
    TuningResult resumed = run(rest, &file);
    EXPECT_EQ(rest.measured, 64 - at);
    std::vector<std::string> all = interrupted.log;
    all.insert(all.end(), rest.log.begin(), rest.log.end());
    EXPECT_EQ(all, measurer.log) << "stopped after " << at;
    EXPECT_EQ(resumed.best, whole.best);
    EXPECT_EQ(resumed.seconds, whole.seconds);
  }
}

TEST_F(TunerTest, ResumesAfterATornRecord) {
  TuningResult whole = run(measurer);
  TemporaryDirectory directory;
  {
    RecordFile file = directory.open();
    options.trials = 20;
    options.contenders = 0;
    FakeMeasurer part(sketch);
    run(part, &file);
  }
  std::string path = RecordFile::pathIn(directory.str());
  uint64_t size;
  ASSERT_FALSE(llvm::sys::fs::file_size(path, size));
  int fd;
  ASSERT_FALSE(llvm::sys::fs::openFileForWrite(
      path, fd, llvm::sys::fs::CD_OpenExisting, llvm::sys::fs::OF_Append));
  ASSERT_FALSE(llvm::sys::fs::resize_file(fd, size - 40));
  llvm::sys::fs::file_t handle = fd;
  llvm::sys::fs::closeFile(handle);

  options.trials = 64;
  options.contenders = TuningOptions().contenders;
  RecordFile file = directory.open();
  FakeMeasurer rest(sketch);
  output.clear();
  TuningResult resumed = run(rest, &file);
  EXPECT_NE(output.find("warning"), std::string::npos);
  EXPECT_EQ(resumed.trialsFromRecords, 19u);
  EXPECT_EQ(rest.measured, 45u);
  EXPECT_EQ(resumed.best, whole.best);

  // The torn line did not swallow what was appended after it.
  FakeMeasurer again(sketch);
  EXPECT_EQ(run(again, &file).best, whole.best);
  EXPECT_EQ(again.measured, 0u);
}

TEST_F(TunerTest, RecordsOfAnotherSearchAreUsed) {
  TemporaryDirectory directory;
  RecordFile file = directory.open();
  options.trials = 21;
  options.seed = 5;
  run(measurer, &file);
  options.trials = 64;
  options.seed = 6;
  FakeMeasurer rest(sketch);
  TuningResult result = run(rest, &file);
  EXPECT_EQ(rest.measured, 43u);
  EXPECT_EQ(result.trials, 64u);
  for (const std::string &trace : rest.log)
    EXPECT_FALSE(llvm::is_contained(measurer.log, trace)) << trace;
}

TEST_F(TunerTest, RecordsOfAnotherTargetOrSketchAreLeft) {
  TemporaryDirectory directory;
  RecordFile file = directory.open();
  run(measurer, &file);
  task.targetKey = "cpu:other";
  FakeMeasurer other(sketch);
  output.clear();
  run(other, &file);
  EXPECT_EQ(other.measured, 64u);
  EXPECT_NE(output.find("records are of another target"), std::string::npos);

  task.targetKey = "cpu:test";
  task.parseTrace = [](llvm::StringRef, llvm::StringRef) {
    return std::nullopt;
  };
  output.clear();
  FakeMeasurer misfit(sketch);
  run(misfit, &file);
  EXPECT_EQ(misfit.measured, 64u);
  EXPECT_NE(output.find("records are of sketches or decisions"),
            std::string::npos);
}

TEST_F(TunerTest, AllFailuresGiveADiagnosis) {
  measurer.behaviour = [&](const Candidate &, unsigned) {
    return measurer.measured % 4 == 0
               ? FakeMeasurer::fail("crash", "run", "SIGSEGV")
               : FakeMeasurer::fail("build-error", "lower",
                                    "op cannot be lowered, no. " +
                                        std::to_string(measurer.measured));
  };
  std::string error = runToError(measurer);
  EXPECT_NE(error.find("matmul: all 64 candidates failed"), std::string::npos)
      << error;
  EXPECT_NE(error.find("\n  48 x build-error (lower): op cannot be lowered, "
                       "no. 1\n  16 x crash (run): SIGSEGV"),
            std::string::npos)
      << error;
}

TEST_F(TunerTest, SomeFailuresAreSurvived) {
  measurer.behaviour = [&](const Candidate &candidate, unsigned) {
    // All that do not pack operand B the best way crash, the default included.
    return candidate.choices[4] == 2 ? measurer.succeed(candidate)
                                     : FakeMeasurer::fail("crash", "run", "x");
  };
  TuningResult result = run(measurer);
  EXPECT_TRUE(result.measured);
  EXPECT_EQ(result.best->choices[4], 2);
  EXPECT_LT(result.seconds, 1.15 * kOptimum);
  EXPECT_FALSE(std::isfinite(result.defaultSeconds));
  EXPECT_GT(result.failures["crash"], 0u);
  // The search learns to avoid what fails.
  EXPECT_LT(result.failures["crash"], 40u);
  EXPECT_EQ(output.find("candidates failed"), std::string::npos) << output;
}

TEST_F(TunerTest, SaysWhyMostCandidatesFail) {
  measurer.behaviour = [&](const Candidate &candidate, unsigned) {
    switch (measurer.measured % 8) {
    case 0:
    case 1:
    case 2:
      return measurer.succeed(candidate);
    case 3:
      return FakeMeasurer::fail("timeout", "run", "no end after 10 s");
    case 4:
      return FakeMeasurer::fail("crash", "build", "no room");
    default:
      return FakeMeasurer::fail(
          "crash", "run", "SIGSEGV at " + std::to_string(measurer.measured));
    }
  };
  EXPECT_TRUE(run(measurer).measured);
  EXPECT_NE(
      output.find("warning: matmul: 40 of 64 candidates failed: 32 "
                  "crash, 8 timeout; most often crash (run): SIGSEGV at 5"),
      std::string::npos)
      << output;
}

TEST_F(TunerTest, NeverSlowerThanTheDefault) {
  // Every other candidate looks fast by luck when first measured, and is twice
  // as slow as the default in truth.
  std::string byDefault = traceOf(*task.getDefault());
  measurer.behaviour = [&](const Candidate &candidate, unsigned nth) {
    MeasureResult result;
    result.verified = true;
    double seconds = traceOf(candidate) == byDefault ? 1e-3
                     : nth == 0                      ? 0.9e-3
                                                     : 2e-3;
    result.costsS.assign(5, seconds);
    return result;
  };
  for (unsigned trials : {4u, 64u}) {
    options.trials = trials;
    FakeMeasurer lucky(sketch);
    lucky.behaviour = measurer.behaviour;
    TuningResult result = run(lucky);
    EXPECT_EQ(traceOf(*result.best), byDefault) << trials;
    EXPECT_EQ(result.seconds, 1e-3);
    EXPECT_LE(lucky.interleaved, options.contenders + options.finalists + 1);
  }
}

TEST_F(TunerTest, TheDefaultIsScreenedBesideTheFastest) {
  unsigned times = 0;
  measurer.behaviour = [&](const Candidate &candidate, unsigned nth) {
    if (candidate == *task.getDefault())
      times = nth + 1;
    return measurer.succeed(candidate);
  };
  EXPECT_LT(run(measurer).seconds, sketch.measure(task.getDefault()->choices));
  // A trial, the screening, the final.
  EXPECT_EQ(times, 3u);
}

TEST_F(TunerTest, LongCallsAreNotScreened) {
  TemporaryDirectory directory;
  RecordFile file = directory.open();
  auto takeSeconds = [](FakeMeasurer &measurer) {
    measurer.behaviour = [&](const Candidate &candidate, unsigned nth) {
      EXPECT_LT(nth, 2u) << "a trial, the final";
      MeasureResult result = measurer.succeed(candidate);
      for (double &cost : result.costsS)
        cost *= 1e6;
      return result;
    };
  };
  takeSeconds(measurer);
  const TuningResult whole = run(measurer, &file);
  EXPECT_GE(measurer.interleaved, options.finalists);
  // With whoever is ahead, and the default.
  EXPECT_LE(measurer.interleaved, options.finalists + 2);
  FakeMeasurer again(sketch);
  takeSeconds(again);
  EXPECT_EQ(run(again, &file).best, whole.best);
  EXPECT_EQ(again.interleaved, 0u);
}

TEST_F(TunerTest, AFinalThatWasCutOffIsMadeUpFor) {
  TuningResult whole = run(measurer);
  TemporaryDirectory directory;
  RecordFile file = directory.open();
  EXPECT_TRUE(runUntilFinal(file).measured);
  FakeMeasurer rest(sketch);
  TuningResult resumed = run(rest, &file);
  EXPECT_EQ(rest.measured, 0u);
  EXPECT_EQ(rest.interleaved, options.finalists + 1);
  EXPECT_EQ(resumed.best, whole.best);
  expectNothingLeft(file, whole);
}

TEST_F(TunerTest, MoreTrialsAfterACutOffFinalAreScreened) {
  TemporaryDirectory directory;
  RecordFile file = directory.open();
  options.trials = 40;
  TuningResult first = runUntilFinal(file);
  options.trials = 64;
  FakeMeasurer rest(sketch);
  TuningResult second = run(rest, &file);
  EXPECT_EQ(rest.measured, 24u);
  EXPECT_LT(second.seconds, first.seconds);
  EXPECT_GT(rest.interleaved, options.finalists + 1);
  expectNothingLeft(file, second);
}

TEST_F(TunerTest, AFailureInTheComparisonIsNotAskedForAgain) {
  TemporaryDirectory directory;
  RecordFile file = directory.open();
  std::string culprit;
  measurer.behaviour = [&](const Candidate &candidate, unsigned nth) {
    if (nth == 1 && culprit.empty())
      culprit = traceOf(candidate);
    return nth >= 1 && traceOf(candidate) == culprit
               ? FakeMeasurer::fail("crash", "run", "SIGSEGV")
               : measurer.succeed(candidate);
  };
  TuningResult result = run(measurer, &file);
  EXPECT_FALSE(culprit.empty());
  EXPECT_NE(traceOf(*result.best), culprit);
  expectNothingLeft(file, result);
}

TEST_F(TunerTest, WrongResultsNeverWin) {
  std::vector<std::string> wrong;
  measurer.behaviour = [&](const Candidate &candidate, unsigned) {
    MeasureResult result = measurer.succeed(candidate);
    if (candidate.choices[6] == 1) { // the faster place of the init
      wrong.push_back(traceOf(candidate));
      result.error = "wrong-result";
      result.verified = false;
    }
    return result;
  };
  TuningResult result = run(measurer);
  EXPECT_FALSE(wrong.empty());
  EXPECT_EQ(result.best->choices[6], 0);

  // One that fails its check in the final comparison is out as well.
  std::string culprit;
  FakeMeasurer late(sketch);
  late.behaviour = [&](const Candidate &candidate, unsigned nth) {
    MeasureResult result = late.succeed(candidate);
    if (nth == 1 && culprit.empty())
      culprit = traceOf(candidate);
    if (nth >= 1 && traceOf(candidate) == culprit) {
      result = FakeMeasurer::fail("wrong-result", "check", "element 3");
    }
    return result;
  };
  TuningResult second = run(late);
  EXPECT_FALSE(culprit.empty());
  EXPECT_NE(traceOf(*second.best), culprit);
  EXPECT_TRUE(second.measured);
}

TEST_F(TunerTest, StopsAtTheTimeBudget) {
  double now = 0;
  measurer.afterEach = [&] { now += 1; };
  options.timeBudgetS = 30;
  ProgressReporter reporter(os, ProgressReporter::Mode::Silent);
  Tuner tuner(options, reporter, Clock([&] { return now; }));
  llvm::Expected<TuningResult> result =
      tuner.tune(task, model, measurer, nullptr);
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(result->reason, StopReason::TimeBudget);
  EXPECT_LE(now, 30);
  EXPECT_GE(now, 24);
  EXPECT_TRUE(result->measured);
}

TEST_F(TunerTest, StopBeforeAnythingGivesAGuess) {
  stop = true;
  TuningResult result = run(measurer);
  EXPECT_TRUE(result.best);
  EXPECT_FALSE(result.measured);
  EXPECT_EQ(result.reason, StopReason::Stopped);
}

TEST_F(TunerTest, NoTimeForTheReferenceGivesAGuess) {
  for (std::errc code : {std::errc::timed_out, std::errc::operation_canceled}) {
    FakeMeasurer slow(sketch);
    slow.prepareFails = code;
    TuningResult result = run(slow);
    EXPECT_TRUE(result.best);
    EXPECT_FALSE(result.measured);
    EXPECT_EQ(result.reason, StopReason::NoReference);
    EXPECT_EQ(slow.prepared, 1u);
    EXPECT_EQ(slow.measured, 0u);
  }
  // What cannot run at all is the user's to know.
  FakeMeasurer broken(sketch);
  broken.prepareFails = std::errc::no_such_file_or_directory;
  ProgressReporter reporter(os, ProgressReporter::Mode::Silent);
  Tuner tuner(options, reporter);
  llvm::Expected<TuningResult> result =
      tuner.tune(task, model, broken, nullptr);
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()), "no reference");
}

TEST_F(TunerTest, RecordsAnswerWhereTheFinalComparisonCannotStart) {
  TemporaryDirectory directory;
  options.contenders = 0;
  {
    RecordFile file = directory.open();
    run(measurer, &file);
  }
  // With the trials done, only the comparison is left to measure.
  options.contenders = 4;
  RecordFile file = directory.open();
  for (std::errc code : {std::errc::timed_out, std::errc::operation_canceled,
                         std::errc::not_enough_memory}) {
    FakeMeasurer none(sketch);
    none.prepareFails = code;
    TuningResult result = run(none, &file);
    EXPECT_TRUE(result.measured);
    EXPECT_EQ(result.trialsFromRecords, 64u);
    EXPECT_EQ(result.reason, code == std::errc::not_enough_memory
                                 ? StopReason::Unmeasurable
                                 : StopReason::NoReference);
    EXPECT_EQ(none.prepared, 1u);
  }
  // Before that the records answer, too, and prepare is not tried again.
  options.trials *= 2;
  FakeMeasurer slow(sketch);
  slow.prepareFails = std::errc::timed_out;
  EXPECT_TRUE(run(slow, &file).measured);
  EXPECT_EQ(slow.prepared, 1u);
}

TEST_F(TunerTest, NoTrialsGivesTheModelsGuess) {
  options.trials = 0;
  TuningResult result = run(measurer);
  EXPECT_EQ(measurer.prepared, 0u);
  EXPECT_FALSE(result.measured);
  ASSERT_TRUE(result.best);
  Evaluation evaluation;
  sketch.evaluate(result.best->choices, evaluation);
  EXPECT_NEAR(evaluation.features.values[0], 1, 1e-6);
  EXPECT_NE(output.find("nothing measured"), std::string::npos);

  // Records are better than a guess.
  TemporaryDirectory directory;
  RecordFile file = directory.open();
  options.trials = 32;
  TuningResult measured = run(measurer, &file);
  options.trials = 0;
  TuningResult known = run(measurer, &file);
  EXPECT_TRUE(known.measured);
  EXPECT_EQ(known.best, measured.best);
}

TEST_F(TunerTest, AModelThatCannotLearnIsNotedOnce) {
  class Forgetful final : public CostModel {
  public:
    llvm::StringRef name() const override { return "forgetful"; }
    void predict(const FeatureBatch &batch,
                 llvm::MutableArrayRef<double> scores) const override {
      llvm::fill(scores, 1.0);
    }
    llvm::Error update(const FeatureBatch &, llvm::ArrayRef<double>,
                       llvm::StringRef) override {
      return llvm::createStringError("out of paper");
    }
  } forgetful;
  ProgressReporter reporter(os, ProgressReporter::Mode::Silent);
  llvm::Expected<TuningResult> result =
      Tuner(options, reporter).tune(task, forgetful, measurer, nullptr);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->trials, 64u);
  EXPECT_EQ(llvm::StringRef(output).count(
                "matmul: the cost model forgetful has not learned from a "
                "batch: out of paper; the search goes on with what it knows"),
            1u)
      << output;
}

TEST_F(TunerTest, EndsEarlyWithoutImprovement) {
  options.trials = 1000;
  options.earlyStopTrials = 48;
  TuningResult result = run(measurer);
  EXPECT_EQ(result.reason, StopReason::EarlyStop);
  EXPECT_LT(result.trials, 400u);
}

TEST_F(TunerTest, ExhaustsASmallSpace) {
  auto latency = [](const SyntheticSketch::Values &v) { return 1.0 + v(0, 0); };
  SyntheticSketch small(
      {makeCategorical("a", 5), makeCategorical("b", 2)},
      [](const SyntheticSketch::Values &) { return -1; }, latency, latency);
  SearchTask smallTask = makeTask(small);
  FakeMeasurer smallMeasurer(small);
  ProgressReporter reporter(os, ProgressReporter::Mode::Silent);
  llvm::Expected<TuningResult> result =
      Tuner(options, reporter).tune(smallTask, model, smallMeasurer, nullptr);
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(result->reason, StopReason::Exhausted);
  EXPECT_EQ(result->trials, 10u);
  EXPECT_EQ(result->seconds, 1.0);
}

TEST_F(TunerTest, NoLegalScheduleIsAnError) {
  auto one = [](const SyntheticSketch::Values &) { return 1.0; };
  SyntheticSketch never(
      {makeCategorical("a", 3)},
      [](const SyntheticSketch::Values &) { return 0; }, one, one);
  SearchTask impossible = makeTask(never);
  FakeMeasurer idle(never);
  ProgressReporter reporter(os, ProgressReporter::Mode::Silent);
  llvm::Expected<TuningResult> result =
      Tuner(options, reporter).tune(impossible, model, idle, nullptr);
  ASSERT_FALSE(bool(result));
  EXPECT_NE(llvm::toString(result.takeError()).find("found no legal schedule"),
            std::string::npos);
  EXPECT_EQ(idle.prepared, 0u);
}

TEST_F(TunerTest, AScriptThatCannotBeMadeIsAFailedTrial) {
  // One candidate in three has none; the record says why, and trials keep the
  // order of the candidates.
  unsigned asked = 0;
  SearchTask partial = makeTask(sketch);
  partial.makeScript =
      [&](const Candidate &candidate) -> llvm::Expected<std::string> {
    if (asked++ % 3 == 1)
      return llvm::createStringError("'schedule.product' op overflows");
    return traceOf(candidate);
  };
  TemporaryDirectory directory;
  RecordFile file = directory.open();
  options.trials = 16;
  options.contenders = 0;
  ProgressReporter reporter(os, ProgressReporter::Mode::Silent);
  llvm::Expected<TuningResult> result =
      Tuner(options, reporter).tune(partial, model, measurer, &file);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->failures,
            (std::map<std::string, unsigned>{{"build-error", 5}}));
  EXPECT_EQ(measurer.measured, 11u);
  llvm::Expected<LoadedRecords> loaded = file.load([](const llvm::Twine &) {});
  ASSERT_TRUE(bool(loaded));
  ASSERT_EQ(loaded->records.size(), 16u);
  for (unsigned i = 0; i != 16; ++i) {
    const Record &record = loaded->records[i];
    EXPECT_EQ(record.trial, i);
    EXPECT_EQ(record.message,
              i % 3 == 1 ? "'schedule.product' op overflows" : "");
    EXPECT_EQ(record.stage, i % 3 == 1 ? "instantiate" : "");
  }

  // None at all: nothing is measured, and the diagnosis has the reason.
  partial.makeScript = [](const Candidate &) -> llvm::Expected<std::string> {
    return llvm::createStringError("no way");
  };
  FakeMeasurer idle(sketch);
  result = Tuner(options, reporter).tune(partial, model, idle, nullptr);
  ASSERT_FALSE(bool(result));
  EXPECT_NE(llvm::toString(result.takeError())
                .find("build-error (instantiate): no way"),
            std::string::npos);
  EXPECT_EQ(idle.measured, 0u);
}
