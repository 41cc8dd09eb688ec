//===- DuplicatesTest.cpp - Candidates that become the same code ----------===//

#include "TunerTest.h"
#include "llvm/ADT/StringSet.h"

using namespace sched;
using namespace sched::test;

namespace {

/// Candidates that differ by their order of loops alone are the same program.
class SameCode : public TunerTest {
protected:
  static std::string codeOf(const Candidate &candidate) {
    Candidate same = candidate;
    same.choices[5] = 0;
    return "object of " + traceOf(same);
  }
  void makeSame(FakeMeasurer &by) {
    by.stop = &stop;
    by.behaviour = [&by](const Candidate &candidate, unsigned) {
      Candidate same = candidate;
      same.choices[5] = 0;
      MeasureResult result = by.succeed(same);
      result.objectHash = codeOf(candidate);
      return result;
    };
  }
  static size_t countCode(const FakeMeasurer &by) {
    llvm::StringSet<> code;
    for (const std::string &trace : by.log)
      code.insert(codeOf(*candidateOf(trace)));
    return code.size();
  }
};

} // namespace

TEST_F(SameCode, CountsNoDuplicates) {
  makeSame(measurer);
  TuningResult result = run(measurer);
  EXPECT_EQ(result.reason, StopReason::TrialsDone);
  EXPECT_EQ(result.trials, 64u);
  EXPECT_EQ(countCode(measurer), 64u);
  const unsigned others = measurer.measured - 64;
  EXPECT_GT(others, 0u);
  EXPECT_NE(output.find("matmul: 64 trials and " + std::to_string(others) +
                        " of the same code as others; best "),
            std::string::npos)
      << output;
  EXPECT_NE(output.find(": 64/64 trials; "), std::string::npos) << output;
  EXPECT_EQ(output.find("65/"), std::string::npos) << output;
}

TEST_F(SameCode, ResumesAsIfItHadNotStopped) {
  makeSame(measurer);
  TuningResult whole = run(measurer);
  const unsigned total = measurer.measured;
  ASSERT_GT(total, 65u);
  for (unsigned at : {5u, 21u, total - 3, total - 2, total - 1}) {
    TemporaryDirectory directory;
    RecordFile file = directory.open();
    FakeMeasurer interrupted(sketch), rest(sketch);
    makeSame(interrupted);
    interrupted.afterEach = [&] { stop = interrupted.measured == at; };
    run(interrupted, &file);
    stop = false;
    makeSame(rest);
    TuningResult resumed = run(rest, &file);
    EXPECT_EQ(resumed.trials, 64u);
    std::vector<std::string> all = interrupted.log;
    all.insert(all.end(), rest.log.begin(), rest.log.end());
    EXPECT_EQ(all, measurer.log) << "stopped after " << at;
    EXPECT_EQ(resumed.best, whole.best);
    expectNothingLeft(file, resumed);
  }
}

TEST_F(SameCode, TasksThatShareTrialsResumeAlike) {
  SyntheticSketch other = makeMatmulSketch();
  SearchTask second = makeTask(other, "second");
  second.weight = 2;
  options.trials = 60;
  options.contenders = 0;
  ProgressReporter reporter(os, ProgressReporter::Mode::Silent);
  // One log for both, in their order.
  auto tuneBoth = [&](RecordFile *file, unsigned at) {
    std::vector<std::string> log;
    FakeMeasurer a(sketch), b(other);
    for (FakeMeasurer *by : {&a, &b}) {
      makeSame(*by);
      by->afterEach = [&, by] {
        log.push_back((by == &a ? "a " : "b ") + by->log.back());
        stop = log.size() == at;
      };
    }
    auto results =
        Tuner(options, reporter)
            .tuneAll({{&task, &model, &a}, {&second, &model, &b}}, file);
    EXPECT_TRUE(bool(results));
    stop = false;
    return log;
  };
  const std::vector<std::string> whole = tuneBoth(nullptr, 0);
  const unsigned total = whole.size();
  ASSERT_GT(total, 61u);
  for (unsigned at : {30u, total - 4, total - 3, total - 2, total - 1}) {
    TemporaryDirectory directory;
    RecordFile file = directory.open();
    std::vector<std::string> all = tuneBoth(&file, at);
    llvm::append_range(all, tuneBoth(&file, 0));
    EXPECT_EQ(all, whole) << "stopped after " << at;
  }
}

TEST_F(SameCode, ASpaceOfOneProgramIsNotBuiltThrough) {
  measurer.behaviour = [&](const Candidate &candidate, unsigned) {
    MeasureResult result = measurer.succeed(candidate);
    result.costsS = {1e-3};
    result.objectHash = "all";
    return result;
  };
  TuningResult result = run(measurer);
  EXPECT_EQ(result.reason, StopReason::TrialsDone);
  EXPECT_EQ(measurer.measured, 128u);
  EXPECT_EQ(result.trials, 64u);
}

TEST_F(SameCode, DoNotEndASearchEarly) {
  options.trials = 1000;
  options.earlyStopTrials = 48;
  makeSame(measurer);
  TuningResult result = run(measurer);
  EXPECT_EQ(result.reason, StopReason::EarlyStop);
  EXPECT_EQ(result.trials, countCode(measurer));
  EXPECT_GT(measurer.measured, result.trials);
  // So many of different code were no better.
  llvm::StringSet<> code;
  double best = Measurement::kFailed;
  unsigned since = 0;
  for (const std::string &trace : measurer.log) {
    Candidate candidate = *candidateOf(trace);
    if (!code.insert(codeOf(candidate)).second)
      continue;
    ++since;
    candidate.choices[5] = 0;
    const double seconds = sketch.measure(candidate.choices);
    if (seconds < 0.99 * best) {
      best = seconds;
      since = 0;
    }
  }
  EXPECT_GE(since, 48u);
}
