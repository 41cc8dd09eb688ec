//===- TunerTest.h - What the tests of whole runs share ---------*- C++ -*-===//

#ifndef SCHEDOPT_TEST_UNIT_TUNING_TUNERTEST_H
#define SCHEDOPT_TEST_UNIT_TUNING_TUNERTEST_H

#include "FakeMeasurer.h"

namespace sched::test {

class TunerTest : public ::testing::Test {
protected:
  TunerTest() : task(makeTask(sketch)), measurer(sketch), os(output) {
    options.trials = 64;
    options.stop = &stop;
    measurer.stop = &stop;
  }

  llvm::Expected<TuningResult> tune(FakeMeasurer &measurer, RecordFile *file) {
    ProgressReporter reporter(os, ProgressReporter::Mode::Plain);
    return Tuner(options, reporter).tune(task, model, measurer, file);
  }
  /// A run that must succeed.
  TuningResult run(FakeMeasurer &measurer, RecordFile *file = nullptr) {
    llvm::Expected<TuningResult> result = tune(measurer, file);
    if (!result) {
      ADD_FAILURE() << llvm::toString(result.takeError());
      return TuningResult();
    }
    return std::move(*result);
  }
  /// A run that is stopped in the final of its comparison.
  TuningResult runUntilFinal(RecordFile &file) {
    FakeMeasurer cut(sketch);
    cut.stop = &stop;
    cut.behaviour = [&](const Candidate &candidate, unsigned nth) {
      if (nth == 2) // a trial, the screening, then the final
        stop = true;
      return cut.succeed(candidate);
    };
    TuningResult result = run(cut, &file);
    EXPECT_TRUE(stop);
    stop = false;
    return result;
  }
  /// One more run measures nothing and has the same answer.
  void expectNothingLeft(RecordFile &file, const TuningResult &result) {
    FakeMeasurer none(sketch);
    EXPECT_EQ(run(none, &file).best, result.best);
    EXPECT_EQ(none.measured, 0u);
    EXPECT_EQ(none.interleaved, 0u);
  }
  std::string runToError(FakeMeasurer &measurer) {
    llvm::Expected<TuningResult> result = tune(measurer, nullptr);
    if (!result)
      return llvm::toString(result.takeError());
    ADD_FAILURE() << "expected an error";
    return "";
  }

  SyntheticSketch sketch = makeMatmulSketch();
  SyntheticModel model;
  SearchTask task;
  FakeMeasurer measurer;
  TuningOptions options;
  std::atomic<bool> stop{false};
  std::string output;
  llvm::raw_string_ostream os;
};

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_TUNING_TUNERTEST_H
