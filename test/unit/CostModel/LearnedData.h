//===- LearnedData.h - Measurements to learn from ---------------*- C++ -*-===//
//
// What the tests of the learned model share: a library, and tasks whose
// candidates take a time that follows from their features.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_COSTMODEL_LEARNEDDATA_H
#define SCHEDOPT_TEST_UNIT_COSTMODEL_LEARNEDDATA_H

#include "../Model/NestBuilder.h"
#include "SchedOpt/CostModel/AnalyticModel.h"
#include "SchedOpt/CostModel/XGBoostLibrary.h"
#include <cmath>
#include <limits>
#include <random>

namespace sched::test {

/// Skips a test where there is no XGBoost. For `library` of a fixture.
class WithXGBoost : public ::testing::Test {
protected:
  void SetUp() override {
    auto loaded = XGBoostLibrary::load();
    if (!loaded)
      GTEST_SKIP() << llvm::toString(loaded.takeError());
    library = *loaded;
  }

  std::shared_ptr<const XGBoostLibrary> library;
};

/// Candidates of one task with what they took.
struct MeasuredTask {
  FeatureBatch batch;
  std::vector<double> seconds;
};

/// Candidates of blocks with a cost of their own each, which the analytic model
/// knows nothing of: a candidate takes the analytic time times e to the sum of
/// what its blocks' points say. `size` scales the task.
inline MeasuredTask measure(unsigned n, uint64_t seed, double size = 1,
                            double failureShare = 0) {
  std::mt19937_64 bits(seed);
  auto draw = [&](double low, double high) {
    return low + (high - low) * double(bits() >> 11) * 0x1.0p-53;
  };
  MeasuredTask task;
  const AnalyticModel analytic(makeTarget());
  for (unsigned i = 0; i != n; ++i) {
    FeatureVector program;
    program[Feature::Flops] = 2e6 * size;
    program[Feature::ComputeCycles] = draw(8e4, 3e5) * size;
    program[Feature::IdealCycles] = 6e4 * size;
    program[Feature::L1Bytes] = draw(1e5, 1e6) * size;
    program[Feature::TileM] = 1 + bits() % 8;
    program[Feature::Threads] = 1;
    double correction = 0;
    for (unsigned block = 0; block != 2; ++block) {
      BlockFeatureVector row;
      row.values[0] = draw(0, 100);
      row.values[1] = draw(0, 100);
      correction += row.values[0] > 50 ? 0.6 : 0;
      task.batch.getRows().push_back(row);
    }
    task.batch.add(program);
    const bool fails = failureShare > 0 && program[Feature::TileM] > 7;
    task.seconds.push_back(fails ? std::numeric_limits<double>::infinity()
                                 : analytic.seconds(program) *
                                       std::exp(correction + draw(0, 0.02)));
  }
  return task;
}

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_COSTMODEL_LEARNEDDATA_H
