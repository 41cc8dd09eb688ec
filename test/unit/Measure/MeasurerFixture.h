//===- MeasurerFixture.h - Measures a small product -------------*- C++ -*-===//
//
// With the real worker and real processes, in a directory of its own.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_MEASURE_MEASURERFIXTURE_H
#define SCHEDOPT_TEST_UNIT_MEASURE_MEASURERFIXTURE_H

#include "SchedOpt/Measure/Measurer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

namespace sched::test {

inline const char *kPayload = R"(
func.func @mm(%a: tensor<24x20xf32>, %b: tensor<20x16xf32>) -> tensor<24x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<24x16xf32>) -> tensor<24x16xf32>
  %c = linalg.matmul ins(%a, %b : tensor<24x20xf32>, tensor<20x16xf32>)
                     outs(%init : tensor<24x16xf32>) -> tensor<24x16xf32>
  return %c : tensor<24x16xf32>
}
)";

/// A script with `body`, which may use %mm, the handle of the matmul.
inline std::string script(const llvm::Twine &body) {
  return ("module attributes {transform.with_named_sequence} {\n"
          "transform.named_sequence @__transform_main("
          "%root: !transform.any_op) {\n"
          "%mm = transform.structured.match ops{[\"linalg.matmul\"]} in %root "
          ": (!transform.any_op) -> !transform.any_op\n" +
          body + "\ntransform.yield\n}\n}\n")
      .str();
}

inline std::string tiled(int rows) {
  return script(
      "%t, %l = transform.structured.tile_using_for %mm tile_sizes [" +
      llvm::Twine(rows) +
      "] : (!transform.any_op) -> (!transform.any_op, "
      "!transform.any_op)");
}

class MeasurerTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(
        llvm::sys::fs::createUniqueDirectory("sched-measurer", directory));
    options.workerPath = SCHED_WORKER_PATH;
    options.scratchDir = directory.str().str();
    options.jobs = 1;
    options.minRepeatMs = 0.2;
    options.warmupMs = 0.1;
    options.dropFactor = 0;
  }
  void TearDown() override {
    measurer.reset();
    // A measurer leaves nothing behind.
    std::error_code code;
    EXPECT_EQ(llvm::sys::fs::directory_iterator(directory, code),
              llvm::sys::fs::directory_iterator());
    llvm::sys::fs::remove_directories(directory);
  }

  void start() {
    llvm::Expected<std::unique_ptr<Measurer>> created =
        Measurer::create(options);
    ASSERT_TRUE(bool(created)) << llvm::toString(created.takeError());
    measurer = std::move(*created);
    MeasureTask task;
    task.payload = kPayload;
    task.bestS = bestS;
    llvm::Expected<Measurer::TaskId> prepared = measurer->prepare(task);
    ASSERT_TRUE(bool(prepared)) << llvm::toString(prepared.takeError());
    id = *prepared;
  }

  std::vector<MeasureResult> measure(llvm::ArrayRef<MeasureInput> inputs) {
    std::vector<MeasureResult> results;
    llvm::Error error = measurer->measure(
        id, inputs, [&](unsigned index, const MeasureResult &result) {
          EXPECT_EQ(index, results.size());
          results.push_back(result);
        });
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    return results;
  }

  /// The one result of `input`.
  MeasureResult only(const MeasureInput &input) {
    std::vector<MeasureResult> results = measure(input);
    return results.size() == 1 ? results[0] : MeasureResult();
  }

  void expectGood(const MeasureResult &result) {
    EXPECT_EQ(result.error, "") << result.stage << ": " << result.message;
    EXPECT_TRUE(result.verified);
    EXPECT_FALSE(result.costsS.empty());
  }

  MeasureOptions options;
  double bestS = 0;
  llvm::SmallString<128> directory;
  std::unique_ptr<Measurer> measurer;
  Measurer::TaskId id = 0;
};

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_MEASURE_MEASURERFIXTURE_H
