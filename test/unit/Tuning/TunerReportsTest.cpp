//===- TunerReportsTest.cpp - What a tuner says of its runs ---------------===//

#include "TunerTest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace sched;
using namespace sched::test;

TEST_F(TunerTest, SaysWhatAnInterruptedRunUses) {
  measurer.afterEach = [&] { stop = measurer.measured == 7; };
  TuningResult result = run(measurer);
  EXPECT_EQ(result.reason, StopReason::Stopped);
  EXPECT_NE(output.find("warning: matmul: interrupted after 7 of " +
                        std::to_string(options.trials) +
                        " trials; the best so far is used: " +
                        ProgressReporter::formatSeconds(result.seconds)),
            std::string::npos)
      << output;
}

TEST_F(TunerTest, WarnsWhereTheUnscheduledCodeIsFaster) {
  measurer.referenceSeconds = 1e-12;
  options.contenders = 0;
  run(measurer);
  EXPECT_NE(output.find("warning: matmul: the best schedule takes "),
            std::string::npos)
      << output;
}

TEST_F(TunerTest, LeavesUnscheduledWhatNoScheduleMakesFaster) {
  // The script of the unscheduled code is empty.
  measurer.referenceSeconds = 1e-9;
  measurer.behaviour = [&](const Candidate &candidate, unsigned) {
    MeasureResult result;
    result.costsS = {candidate.choices.empty() ? 1e-9 : 1e-3};
    result.verified = true;
    return result;
  };
  TemporaryDirectory directory;
  RecordFile file = directory.open();
  ProgressReporter reporter(os, ProgressReporter::Mode::Plain);
  auto tune = [&](CandidateMeasurer &by) {
    return llvm::cantFail(
        Tuner(options, reporter).tune(task, model, by, &file));
  };
  TuningResult result = tune(measurer);
  EXPECT_TRUE(result.isLeftUnscheduled);
  EXPECT_FALSE(result.best);
  EXPECT_EQ(result.seconds, 1e-9);
  EXPECT_NE(output.find("; left unscheduled, which takes 1.00 ns"),
            std::string::npos)
      << output;
  // The records know; no worker is started.
  FakeMeasurer idle(sketch);
  result = tune(idle);
  EXPECT_TRUE(result.isLeftUnscheduled);
  EXPECT_EQ(idle.prepared, 0u);

  // What only seemed slower is used.
  FakeMeasurer other(sketch);
  other.referenceSeconds = 1e-9;
  other.behaviour = [&](const Candidate &candidate, unsigned) {
    MeasureResult slow;
    slow.costsS = {candidate.choices.empty() ? 2e-3 : 1e-3};
    slow.verified = true;
    return slow;
  };
  result = llvm::cantFail(
      Tuner(options, reporter).tune(task, model, other, nullptr));
  EXPECT_FALSE(result.isLeftUnscheduled);
  EXPECT_TRUE(result.best);
}

TEST_F(TunerTest, WhatIsNotClearlyFasterTakesTurnsWithTheUnscheduledCode) {
  // Timed alone it took half as long again, beside a busy neighbour.
  ProgressReporter reporter(os, ProgressReporter::Mode::Plain);
  bool wasCompared = false;
  measurer.behaviour = [&](const Candidate &candidate, unsigned) {
    wasCompared |= candidate.choices.empty();
    MeasureResult result;
    result.costsS = {candidate.choices.empty() ? 0.5e-3 : 1e-3};
    result.verified = true;
    return result;
  };
  measurer.referenceSeconds = 1.5e-3;
  TuningResult result = llvm::cantFail(
      Tuner(options, reporter).tune(task, model, measurer, nullptr));
  EXPECT_TRUE(wasCompared);
  EXPECT_TRUE(result.isLeftUnscheduled);

  // A loop nest that takes ten times as long has nothing to prove.
  wasCompared = false;
  FakeMeasurer other(sketch);
  other.behaviour = measurer.behaviour;
  other.referenceSeconds = 1e-2;
  result = llvm::cantFail(
      Tuner(options, reporter).tune(task, model, other, nullptr));
  EXPECT_FALSE(wasCompared);
  EXPECT_FALSE(result.isLeftUnscheduled);
}

TEST_F(TunerTest, ShowsWhereTheTimeGoesWhileItMeasures) {
  // The first redraw comes with the first result.
  ProgressReporter reporter(os, ProgressReporter::Mode::Live, /*columns=*/200);
  options.trials = 16;
  llvm::cantFail(Tuner(options, reporter).tune(task, model, measurer, nullptr));
  EXPECT_NE(output.find(": 1/16 trials; "), std::string::npos) << output;
  EXPECT_NE(output.find("check 0.0, measure 0.5"), std::string::npos) << output;
}
