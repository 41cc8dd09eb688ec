//===- PartsTest.cpp - The tuner's parts, one by one ----------------------===//

#include "FakeMeasurer.h"
#include "SchedOpt/Tuning/TaskScheduler.h"

using namespace sched;
using namespace sched::test;

static Candidate makeCandidate(uint16_t choice) {
  Candidate candidate;
  candidate.choices = {choice};
  return candidate;
}

static Record makeRecord(std::vector<double> costs, bool verified = true,
                         std::string error = "") {
  Record record;
  record.costsS = std::move(costs);
  record.verified = verified;
  record.error = std::move(error);
  return record;
}

/// A record of machine code `object`, by the candidate `name`; of a comparison
/// where its number is not 0.
static Record makeRun(std::vector<double> costs, llvm::StringRef object,
                      llvm::StringRef name, int64_t comparison = 0,
                      int64_t trial = -2) {
  Record record = makeRecord(std::move(costs));
  record.extra[Record::kObjectKey] = object;
  record.trace = name.str();
  if (comparison) {
    record.trial = trial;
    record.extra[Record::kComparisonKey] = comparison;
  }
  return record;
}

TEST(TrialLog, PoolsTheTrialsOfACandidate) {
  TrialLog log;
  log.add(makeCandidate(0), makeRecord({5, 5, 5}));
  log.add(makeCandidate(1), makeRecord({1, 1, 1}));
  EXPECT_EQ(log.getRanking(), (std::vector<unsigned>{1, 0}));
  log.add(makeCandidate(1), makeRecord({9, 9, 9, 9}));
  EXPECT_EQ(log.size(), 2u);
  EXPECT_EQ(log.getTrials()[1].getSeconds(), 9);
  EXPECT_EQ(log.getRanking(), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(log.getRankingByTrials(), (std::vector<unsigned>{1, 0}));
  EXPECT_EQ(log.getBestSeconds(), 5);
}

TEST(TrialLog, PoolsTheCostsOfEqualMachineCode) {
  TrialLog log;
  log.add(makeCandidate(0), makeRun({1, 1, 1}, "a", "first"));
  // Another name for the same code: what was measured is copied.
  log.add(makeCandidate(1), makeRun({1, 1, 1}, "a", "second"));
  log.add(makeCandidate(2), makeRun({2, 2, 2}, "b", "third"));
  EXPECT_EQ(log.getRanking(), (std::vector<unsigned>{0, 1, 2}));
  // Measured again, it is slower, under either name.
  log.add(makeCandidate(0), makeRun({3, 3, 3, 3}, "a", "first"));
  EXPECT_EQ(log.getTrials()[0].getSeconds(), 3);
  EXPECT_EQ(log.getTrials()[1].getSeconds(), 3);
  EXPECT_EQ(log.getRanking(), (std::vector<unsigned>{2, 0, 1}));
  // Code that was wrong once is wrong under each of its names, but the search
  // sees no more of the past than there was.
  Record wrong = makeRun({1}, "b", "fourth");
  wrong.error = "wrong-result";
  log.add(makeCandidate(3), wrong);
  EXPECT_EQ(log.makeHistory(3).getMeasurements()[2].seconds, 2);
  EXPECT_TRUE(log.makeHistory(4).getMeasurements()[2].failed());
  EXPECT_EQ(log.getRanking(), (std::vector<unsigned>{0, 1}));
}

TEST(TrialLog, TheLastComparisonDecides) {
  TrialLog log;
  const char *names[] = {"a", "b", "c", "d"};
  for (uint16_t i = 0; i != 4; ++i)
    log.add(makeCandidate(i), makeRun({1.0 + i, 1.0 + i}, names[i], names[i]));
  // The machine has become slower: their costs do not compare with others'.
  log.add(makeCandidate(0), makeRun({9, 9}, "a", "a", 500, -1));
  log.add(makeCandidate(1), makeRun({8, 8}, "b", "b", 500, -1));
  log.add(makeCandidate(2), makeRun({7, 7}, "c", "c", 500, -1));
  EXPECT_EQ(log.getRanking(), (std::vector<unsigned>{2, 1, 0, 3}));
  // Finalists come before those that were only screened.
  log.add(makeCandidate(0), makeRun({11, 11, 12}, "a", "a", 500));
  log.add(makeCandidate(2), makeRun({12, 12, 11}, "c", "c", 500));
  EXPECT_EQ(log.getRanking(), (std::vector<unsigned>{0, 2, 1, 3}));
  EXPECT_EQ(log.getRankingByTrials(), (std::vector<unsigned>{0, 1, 2, 3}));
  EXPECT_EQ(log.getBestSeconds(), 11);
  EXPECT_EQ(log.getLastComparison(), 500);
  EXPECT_EQ(log.getLastStage(), ComparisonStage::Final);
  // What the search learns from are the trials.
  EXPECT_EQ(log.makeHistory(4).getMeasurements()[2].seconds, 3);
  // A trial made since is ahead where it is clearly faster than the winner's.
  log.add(makeCandidate(4), makeRun({0.95}, "e", "e"));
  EXPECT_EQ(log.getRanking(), (std::vector<unsigned>{0, 2, 1, 4, 3}));
  log.add(makeCandidate(5), makeRun({0.5}, "f", "f"));
  EXPECT_EQ(log.getRanking(), (std::vector<unsigned>{5, 0, 2, 1, 4, 3}));
  EXPECT_EQ(log.getBestSeconds(), 0.5);
  // But not where it took part, and failed.
  Record crash = makeRun({}, "f", "f", 500);
  crash.error = "crash";
  log.add(makeCandidate(5), crash);
  EXPECT_EQ(log.getRanking(), (std::vector<unsigned>{0, 2, 1, 5, 4, 3}));
  // Wrong in a comparison: out.
  Record wrong = makeRun({10}, "a", "a", 500);
  wrong.error = "wrong-result";
  log.add(makeCandidate(0), wrong);
  // The next is first, but for who is clearly faster than that one's trials.
  EXPECT_EQ(log.getRanking(), (std::vector<unsigned>{4, 2, 1, 5, 3}));
}

TEST(TrialLog, ComparisonsOfSeveralRunsAreOrderedByTheirTime) {
  // Two runs, merged; the later one knows a slower program only.
  TrialLog log;
  log.add(makeCandidate(0), makeRun({20}, "a", "a"));
  log.add(makeCandidate(1), makeRun({2}, "b", "b"));
  log.add(makeCandidate(1), makeRun({2}, "b", "b", 100));
  log.add(makeCandidate(0), makeRun({20}, "a", "a", 200));
  EXPECT_EQ(log.getRanking(), (std::vector<unsigned>{1, 0}));
  // A file of an earlier version names no comparison: it is the oldest.
  Record old = makeRun({1, 1}, "a", "a", 1, -1);
  old.extra.erase(Record::kComparisonKey);
  log.add(makeCandidate(0), old);
  EXPECT_EQ(log.getTrials()[0].standing.comparison, 200);
}

TEST(TrialLog, TheEarlierOfEqualsIsFirst) {
  TrialLog log;
  for (uint16_t i : {3, 1, 2})
    log.add(makeCandidate(i), makeRecord({2}));
  EXPECT_EQ(log.getRanking(), (std::vector<unsigned>{0, 1, 2}));
}

TEST(TrialLog, OnlyVerifiedCostsCount) {
  TrialLog log;
  log.add(makeCandidate(0), makeRecord({1}, /*verified=*/false));
  log.add(makeCandidate(1), makeRecord({1}, true, "wrong-result"));
  log.add(makeCandidate(1), makeRecord({1}));
  log.add(makeCandidate(2), makeRecord({}, false, "timeout"));
  EXPECT_TRUE(log.getRanking().empty());
  // A timeout may be the machine's fault; a later success counts.
  log.add(makeCandidate(2), makeRecord({4}));
  EXPECT_EQ(log.getRanking(), (std::vector<unsigned>{2}));
  EXPECT_EQ(log.countFailures(), (std::map<std::string, unsigned>{
                                     {"unverified", 1}, {"wrong-result", 1}}));
}

TEST(TrialLog, CountsTrialsSinceImprovement) {
  TrialLog log;
  log.add(makeCandidate(0), makeRecord({10}));
  log.add(makeCandidate(1), makeRecord({9.95}));
  EXPECT_EQ(log.getTrialsSinceImprovement(), 1u);
  log.add(makeCandidate(2), makeRecord({9}));
  EXPECT_EQ(log.getTrialsSinceImprovement(), 0u);
}

TEST(TaskScheduler, OneBatchEachThenByTimeSpent) {
  std::vector<TaskState> tasks(3);
  EXPECT_EQ(chooseTask(tasks, 16), 0u);
  tasks[0].trials = 16;
  EXPECT_EQ(chooseTask(tasks, 16), 1u);
  tasks[1].trials = tasks[2].trials = 16;
  tasks[0].bestSeconds = 1;
  tasks[1].bestSeconds = 1;
  tasks[1].weight = 3;
  tasks[2].bestSeconds = 2;
  unsigned got[3] = {};
  for (unsigned i = 0; i != 60; ++i) {
    std::optional<unsigned> next = chooseTask(tasks, 16);
    ASSERT_TRUE(next);
    tasks[*next].trials += 16;
    ++got[*next];
  }
  EXPECT_NEAR(got[0], 10, 2);
  EXPECT_NEAR(got[1], 30, 2);
  EXPECT_NEAR(got[2], 20, 2);
  tasks[1].active = false;
  EXPECT_NE(chooseTask(tasks, 16), 1u);
  for (TaskState &task : tasks)
    task.active = false;
  EXPECT_EQ(chooseTask(tasks, 16), std::nullopt);
}

TEST(TaskScheduler, SharesTheFirstTrials) {
  using Shares = std::vector<unsigned>;
  EXPECT_EQ(shareFirstTrials({1.0}, 64, 16), Shares({16}));
  EXPECT_EQ(shareFirstTrials({1.0}, 8, 16), Shares({8}));
  // Eight tasks, trials for four batches: no task is left without.
  const std::vector<double> equal(8, 2.0);
  EXPECT_EQ(shareFirstTrials(equal, 64, 16), Shares(8, 8));
  // By work; the least task gets a few all the same.
  EXPECT_EQ(shareFirstTrials({6.0, 2.0, 0.01}, 32, 16), Shares({16, 8, 4}));
  // An unknown amount of work: nothing to weigh by.
  EXPECT_EQ(shareFirstTrials({6.0, 0.0}, 20, 16), Shares({10, 10}));
  // Too few for all: those with most work.
  EXPECT_EQ(shareFirstTrials({1.0, 5.0, 3.0}, 2, 16), Shares({0, 1, 1}));
  EXPECT_EQ(shareFirstTrials({}, 64, 16), Shares());
}

TEST(TaskScheduler, ATaskWithoutResultIsNotForgotten) {
  std::vector<TaskState> tasks(2);
  tasks[0].trials = tasks[1].trials = 16;
  tasks[0].bestSeconds = 1;
  tasks[1].bestSeconds = Measurement::kFailed;
  unsigned got = 0;
  for (unsigned i = 0; i != 10; ++i) {
    unsigned next = *chooseTask(tasks, 16);
    tasks[next].trials += 16;
    got += next;
  }
  EXPECT_EQ(got, 5u);
}

TEST(ProgressReporter, FormatsSeconds) {
  EXPECT_EQ(ProgressReporter::formatSeconds(4.56e-9), "4.56 ns");
  EXPECT_EQ(ProgressReporter::formatSeconds(42.31e-6), "42.3 us");
  EXPECT_EQ(ProgressReporter::formatSeconds(0.1234), "123 ms");
  EXPECT_EQ(ProgressReporter::formatSeconds(2), "2.00 s");
  EXPECT_EQ(ProgressReporter::formatSeconds(Measurement::kFailed), "none");
}

static TuningStatus makeStatus() {
  TuningStatus status;
  status.task = "mm";
  status.trials = 32;
  status.trialsFromRecords = 16;
  status.trialsWanted = 64;
  status.bestSeconds = 1e-3;
  status.defaultSeconds = 2e-3;
  status.flops = 5e7;
  status.failures = {{"crash", 1}, {"timeout", 2}};
  status.times = {0.5, 1.5, 0.2, 0.7, 3};
  return status;
}

TEST(ProgressReporter, PlainLines) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ProgressReporter reporter(os, ProgressReporter::Mode::Plain);
  reporter.update(makeStatus());
  EXPECT_EQ(text, "");
  reporter.finishBatch(makeStatus());
  EXPECT_EQ(text, "mm: 32/64 trials; best 50.0 GFLOP/s, 1.00 ms; failed: 1 "
                  "crash, 2 timeout; 3.0 s: search 0.5, build 1.5, check 0.2, "
                  "measure 0.7\n");
  text.clear();
  PhaseTimes times;
  times.searchS = 0.5;
  times.buildS = 1;
  times.checkS = 0.25;
  times.measureS = 1.25;
  times.totalS = 3.1;
  reporter.summarize(makeStatus(), times);
  EXPECT_EQ(text,
            "mm: 32 trials (16 from records); best 50.0 GFLOP/s, 1.00 ms, 2.00 "
            "x the default schedule; failed: 1 crash, 2 timeout\n"
            "mm: 3.1 s in all: search 0.50, build 1.00, check 0.25, measure "
            "1.25\n");
}

TEST(ProgressReporter, TellsWhatIsGained) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ProgressReporter reporter(os, ProgressReporter::Mode::Plain);
  TuningStatus status = makeStatus();
  status.referenceSeconds = 12.5e-3;
  reporter.summarize(status, PhaseTimes());
  EXPECT_NE(text.find("1.00 ms, 2.00 x the default schedule, 12.50 x the "
                      "unscheduled code, which takes 12.5 ms; failed"),
            std::string::npos)
      << text;
  text.clear();
  reporter.summarizeWhole("f", 2e-6, 3e-6);
  reporter.summarizeWhole("g", 2e-6, /*unscheduledSeconds=*/0);
  EXPECT_EQ(text, "@f as a whole: 2.00 us a call, 1.50 x the unscheduled code, "
                  "which takes 3.00 us\n"
                  "@g as a whole: 2.00 us a call\n");
}

TEST(ProgressReporter, LiveLineIsErasedBeforeOtherText) {
  std::string text;
  llvm::raw_string_ostream os(text);
  {
    ProgressReporter reporter(os, ProgressReporter::Mode::Live);
    reporter.update(makeStatus());
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_NE(text.find("32/64"), std::string::npos);
    text.clear();
    reporter.update(makeStatus()); // too soon
    EXPECT_EQ(text, "");
    reporter.warn("look");
    EXPECT_EQ(text, "\r\033[Kwarning: look\n");
    reporter.finishBatch(makeStatus());
    text.clear();
  }
  EXPECT_EQ(text, "\r\033[K");
}

TEST(ProgressReporter, NarrowLinesShowWhereTheTimeGoes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ProgressReporter reporter(os, ProgressReporter::Mode::Live, /*columns=*/80);
  TuningStatus status = makeStatus();
  status.task = "matmul_1024x1024x1024_f32+add";
  reporter.update(status);
  EXPECT_EQ(text.find("32/64; 50.0 GFLOP/s, 1.00 ms; 3 s: search 0, build 2, "
                      "check 0, measure 1"),
            0u)
      << text;
  EXPECT_LT(text.size(), 80u);
}

TEST(ProgressReporter, WarnsOfAScheduleThatDoesNotPay) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ProgressReporter reporter(os, ProgressReporter::Mode::Silent);
  TuningStatus status = makeStatus();
  status.referenceSeconds = 1.5e-3;
  reporter.summarize(status, PhaseTimes());
  EXPECT_EQ(text, "");
  status.referenceSeconds = 0.8e-3;
  reporter.summarize(status, PhaseTimes());
  EXPECT_EQ(text,
            "warning: mm: the best schedule takes 1.00 ms a call, the "
            "unscheduled code 800 us; more trials may help, or the attribute "
            "schedule.left_to_default on its function\n");
}

TEST(ProgressReporter, WarnsOfABusyMachine) {
  std::string output;
  llvm::raw_string_ostream os(output);
  ProgressReporter reporter(os, ProgressReporter::Mode::Silent);
  reporter.warnIfBusy(/*load=*/2, /*cores=*/2);
  EXPECT_EQ(output, "");
  reporter.warnIfBusy(/*load=*/3.25, /*cores=*/2);
  EXPECT_EQ(output, "warning: the machine is busy, with a load of 3.2 on 2 "
                    "cores: measured times may be off\n");
}

TEST(ProgressReporter, SilentOnlyWarns) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ProgressReporter reporter(os, ProgressReporter::Mode::Silent);
  reporter.update(makeStatus());
  reporter.finishBatch(makeStatus());
  reporter.announce(makeStatus(), "works");
  reporter.summarize(makeStatus(), PhaseTimes());
  EXPECT_EQ(text, "");
  reporter.warn("look");
  EXPECT_EQ(text, "warning: look\n");
}
