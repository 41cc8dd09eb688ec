//===- SeveralTasksTest.cpp - Runs of more than one task ------------------===//

#include "TunerTest.h"
#include <array>
#include <cmath>
#include <deque>

using namespace sched;
using namespace sched::test;

namespace {
/// Prefers other candidates after each measurement of any task.
class SharedModel final : public CostModel {
public:
  llvm::StringRef name() const override { return "shared"; }
  bool learns() const override { return true; }
  void predict(const FeatureBatch &batch,
               llvm::MutableArrayRef<double> scores) const override {
    before.predict(batch, scores);
    for (double &score : scores)
      score *= 1 + 0.9 * std::sin(10 * double(known) * std::log(score));
  }
  llvm::Error update(const FeatureBatch &, llvm::ArrayRef<double> seconds,
                     llvm::StringRef) override {
    known += seconds.size();
    return llvm::Error::success();
  }

private:
  SyntheticModel before;
  size_t known = 0;
};
} // namespace

TEST_F(TunerTest, TasksShareTheTrials) {
  SyntheticSketch slow = makeMatmulSketch();
  SearchTask heavy = makeTask(slow, "heavy");
  heavy.weight = 6;
  FakeMeasurer heavyMeasurer(slow);
  options.trials = 160;
  TemporaryDirectory directory;
  RecordFile file = directory.open();
  ProgressReporter reporter(os, ProgressReporter::Mode::Plain);
  llvm::Expected<std::vector<TuningResult>> results =
      Tuner(options, reporter)
          .tuneAll(
              {{&task, &model, &measurer}, {&heavy, &model, &heavyMeasurer}},
              &file);
  ASSERT_TRUE(bool(results));
  ASSERT_EQ(results->size(), 2u);
  EXPECT_EQ((*results)[0].trials + (*results)[1].trials, 160u);
  EXPECT_GT((*results)[1].trials, 3 * (*results)[0].trials);
  EXPECT_GE((*results)[0].trials, 16u);
  EXPECT_TRUE((*results)[0].best && (*results)[1].best);
}

TEST_F(TunerTest, AFailedTaskDoesNotStopTheOthers) {
  SearchTask broken = makeTask(sketch, "broken");
  FakeMeasurer failing(sketch);
  failing.behaviour = [](const Candidate &, unsigned) {
    return FakeMeasurer::fail("timeout", "run", "no end after 10 s");
  };
  options.trials = 64;
  ProgressReporter reporter(os, ProgressReporter::Mode::Silent);
  llvm::Expected<std::vector<TuningResult>> results =
      Tuner(options, reporter)
          .tuneAll({{&broken, &model, &failing}, {&task, &model, &measurer}},
                   nullptr);
  ASSERT_TRUE(bool(results));
  EXPECT_FALSE((*results)[0].best);
  EXPECT_NE((*results)[0].diagnosis.find("timeout (run): no end after 10 s"),
            std::string::npos);
  EXPECT_TRUE((*results)[1].measured);
}

TEST_F(TunerTest, ATaskThatCannotRunDoesNotStopTheOthers) {
  SearchTask broken = makeTask(sketch, "broken");
  FakeMeasurer none(sketch);
  none.prepareFails = std::errc::not_enough_memory;
  ProgressReporter reporter(os, ProgressReporter::Mode::Plain);
  llvm::Expected<std::vector<TuningResult>> results =
      Tuner(options, reporter)
          .tuneAll({{&broken, &model, &none}, {&task, &model, &measurer}},
                   nullptr);
  ASSERT_TRUE(bool(results));
  EXPECT_FALSE((*results)[0].best);
  EXPECT_EQ((*results)[0].reason, StopReason::Unmeasurable);
  EXPECT_EQ((*results)[0].diagnosis, "no reference");
  EXPECT_EQ(none.prepared, 1u);
  // The other has all the trials, and nothing is said to be chosen for the one.
  EXPECT_TRUE((*results)[1].measured);
  EXPECT_EQ((*results)[1].trials, options.trials);
  EXPECT_EQ(output.find("broken"), std::string::npos) << output;
}

TEST_F(TunerTest, RecordsAnswerWhereNothingCanBeMeasuredAnyMore) {
  TemporaryDirectory directory;
  options.contenders = 0;
  {
    RecordFile file = directory.open();
    ASSERT_TRUE(run(measurer, &file).measured);
  }
  // Another task keeps the run going.
  options.contenders = 4;
  options.trials *= 2;
  SearchTask second = makeTask(sketch, "second");
  FakeMeasurer broken(sketch), good(sketch);
  broken.prepareFails = std::errc::not_enough_memory;
  RecordFile file = directory.open();
  ProgressReporter reporter(os, ProgressReporter::Mode::Silent);
  llvm::Expected<std::vector<TuningResult>> results =
      Tuner(options, reporter)
          .tuneAll({{&task, &model, &broken}, {&second, &model, &good}}, &file);
  ASSERT_TRUE(bool(results));
  EXPECT_TRUE((*results)[0].measured);
  EXPECT_TRUE((*results)[1].measured);
  EXPECT_NE(
      output.find("matmul: no reference; the best of the records is used"),
      std::string::npos)
      << output;
}

TEST_F(TunerTest, EveryTaskIsTriedBeforeOneIsTriedLong) {
  // Eight tasks and trials for four batches.
  std::deque<SearchTask> tasks;
  std::deque<FakeMeasurer> measurers;
  std::vector<Tuner::Job> jobs;
  for (unsigned i = 0; i != 8; ++i) {
    tasks.push_back(makeTask(sketch, "task" + std::to_string(i)));
    measurers.emplace_back(sketch);
    jobs.push_back({&tasks.back(), &model, &measurers.back()});
  }
  options.trials = 64;
  ProgressReporter reporter(os, ProgressReporter::Mode::Silent);
  llvm::Expected<std::vector<TuningResult>> results =
      Tuner(options, reporter).tuneAll(jobs, nullptr);
  ASSERT_TRUE(bool(results));
  for (const TuningResult &result : *results) {
    EXPECT_EQ(result.trials, 8u);
    EXPECT_TRUE(result.measured);
  }
}

TEST_F(TunerTest, TasksResumeWhereTheyStopped) {
  SearchTask other = makeTask(sketch, "other");
  options.trials = 24;
  auto runBoth = [&](FakeMeasurer &first, FakeMeasurer &second,
                     RecordFile &file) {
    ProgressReporter reporter(os, ProgressReporter::Mode::Silent);
    return llvm::cantFail(
        Tuner(options, reporter)
            .tuneAll({{&task, &model, &first}, {&other, &model, &second}},
                     &file));
  };
  TemporaryDirectory whole, parts;
  RecordFile wholeFile = whole.open(), partsFile = parts.open();
  FakeMeasurer a(sketch), b(sketch), c(sketch), d(sketch), e(sketch), f(sketch);
  std::vector<TuningResult> expected = runBoth(a, b, wholeFile);
  EXPECT_EQ(a.measured, 12u);
  EXPECT_EQ(b.measured, 12u);
  // In the middle of the first trials of the second task.
  c.stop = d.stop = &stop;
  d.afterEach = [&] { stop = d.measured == 5; };
  runBoth(c, d, partsFile);
  stop = false;
  std::vector<TuningResult> got = runBoth(e, f, partsFile);
  for (unsigned i : {0, 1})
    EXPECT_EQ(got[i].best, expected[i].best);
  d.log.insert(d.log.end(), f.log.begin(), f.log.end());
  EXPECT_EQ(d.log, b.log);
  EXPECT_EQ(e.measured, 0u);
}

TEST_F(TunerTest, WhereTasksShareAModelResumingIsTheSameToo) {
  SearchTask other = makeTask(sketch, "other");
  other.weight = 1.5;
  options.trials = 64;
  options.batch = 8;
  options.contenders = 0;
  auto runBoth = [&](RecordFile &file, unsigned stopAt,
                     std::array<std::vector<std::string>, 2> &log) {
    SharedModel shared;
    FakeMeasurer first(sketch), second(sketch);
    first.stop = second.stop = &stop;
    first.afterEach = second.afterEach = [&] {
      stop = first.measured + second.measured == stopAt;
    };
    ProgressReporter reporter(os, ProgressReporter::Mode::Silent);
    llvm::cantFail(
        Tuner(options, reporter)
            .tuneAll({{&task, &shared, &first}, {&other, &shared, &second}},
                     &file));
    stop = false;
    // What each task has measured, in order.
    log[0].insert(log[0].end(), first.log.begin(), first.log.end());
    log[1].insert(log[1].end(), second.log.begin(), second.log.end());
  };
  TemporaryDirectory whole;
  RecordFile wholeFile = whole.open();
  std::array<std::vector<std::string>, 2> expected;
  runBoth(wholeFile, ~0u, expected);
  for (unsigned stopAt = 1; stopAt != 64; stopAt += 3) {
    TemporaryDirectory parts;
    RecordFile file = parts.open();
    std::array<std::vector<std::string>, 2> got;
    runBoth(file, stopAt, got);
    runBoth(file, ~0u, got);
    EXPECT_EQ(got, expected) << "stopped after " << stopAt;
  }
}
