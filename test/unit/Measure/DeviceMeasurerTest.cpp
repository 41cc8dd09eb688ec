//===- DeviceMeasurerTest.cpp - Candidates on a GPU -----------------------===//
//
// With the real worker and the real compiler, on the driver of test/FakeDriver:
// its kernels copy their first argument to their last, which is what the
// payload asks for, unless a script says otherwise.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Measure/FindDevice.h"
#include "SchedOpt/Measure/Measurer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <atomic>
#include <cstdlib>
#include <thread>

using namespace llvm;
using namespace sched;

namespace {

const char *kPayload = R"(
func.func @f(%a: tensor<24x16xf32>) -> tensor<24x16xf32> {
  %empty = tensor.empty() : tensor<24x16xf32>
  %r = linalg.copy ins(%a : tensor<24x16xf32>) outs(%empty : tensor<24x16xf32>) -> tensor<24x16xf32>
  return %r : tensor<24x16xf32>
}
)";

/// Scripts that differ in what they tile by, and so in their code.
std::string tiled(int rows) {
  return ("module attributes {transform.with_named_sequence} {\n"
          "transform.named_sequence @__transform_main("
          "%root: !transform.any_op) {\n"
          "%op = transform.structured.match ops{[\"linalg.copy\"]} in %root "
          ": (!transform.any_op) -> !transform.any_op\n"
          "%t, %l = transform.structured.tile_using_forall %op tile_sizes [" +
          Twine(rows) +
          "] (mapping = [#gpu.block<linear_dim_0>]) : (!transform.any_op) -> "
          "(!transform.any_op, !transform.any_op)\n"
          "transform.yield\n}\n}\n")
      .str();
}

class DeviceMeasurerTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("sched-device", directory));
    gpu = (directory + "/gpu.txt").str();
    setenv("SCHED_CUDA_DRIVER", SCHED_FAKE_DRIVER_PATH, /*overwrite=*/1);
    setenv("SCHED_FAKE_CUDA", gpu.c_str(), /*overwrite=*/1);
    options.workerPath = SCHED_WORKER_PATH;
    options.scratchDir = directory.str().str();
    options.jobs = 1;
    options.minRepeatMs = 1;
    options.warmupMs = 0;
    options.repeats = 3;
    options.dropFactor = 0;
  }
  void TearDown() override {
    measurer.reset();
    sys::fs::remove_directories(directory);
    unsetenv("SCHED_CUDA_DRIVER");
    unsetenv("SCHED_FAKE_CUDA");
    unsetenv("CUDA_HOME");
  }

  void write(StringRef script) {
    std::error_code code;
    raw_fd_ostream(gpu, code) << script;
    ASSERT_FALSE(code);
  }

  MeasureTask makeTask(StringRef target = "nvvm:sm_90a") {
    MeasureTask task;
    task.payload = kPayload;
    task.target = target.str();
    return task;
  }

  /// Starts measuring on a device that works by `script`.
  void start(StringRef script = "") {
    write(script);
    Expected<std::unique_ptr<Measurer>> created = Measurer::create(options);
    ASSERT_TRUE(bool(created)) << toString(created.takeError());
    measurer = std::move(*created);
    Expected<Measurer::TaskId> prepared = measurer->prepare(makeTask());
    ASSERT_TRUE(bool(prepared)) << toString(prepared.takeError());
    id = *prepared;
  }

  std::vector<MeasureResult> measure(ArrayRef<MeasureInput> inputs,
                                     std::string *problem = nullptr) {
    std::vector<MeasureResult> results;
    Error error = measurer->measure(
        id, inputs, [&](unsigned index, const MeasureResult &result) {
          EXPECT_EQ(index, results.size());
          results.push_back(result);
        });
    const std::string message = toString(std::move(error));
    if (problem)
      *problem = message;
    else
      EXPECT_EQ(message, "");
    return results;
  }

  MeasureResult only(int rows) {
    std::vector<MeasureResult> results = measure({{tiled(rows), ""}});
    return results.size() == 1 ? results[0] : MeasureResult();
  }

  void expectGood(const MeasureResult &result) {
    EXPECT_EQ(result.error, "") << result.stage << ": " << result.message;
    EXPECT_TRUE(result.verified);
    EXPECT_EQ(result.costsS.size(), 3u);
  }

  MeasureOptions options;
  SmallString<128> directory;
  std::string gpu;
  std::unique_ptr<Measurer> measurer;
  Measurer::TaskId id = 0;
};

TEST_F(DeviceMeasurerTest, AGPUIsFoundByAWorker) {
  write("sms=14\nname=Small GPU\n");
  Expected<DeviceProperties> device = findDevice(SCHED_WORKER_PATH);
  ASSERT_TRUE(bool(device)) << toString(device.takeError());
  EXPECT_EQ(device->name, "Small GPU");
  EXPECT_EQ(device->multiprocessors, 14);
  Expected<std::string> spec = nameGraphicsProcessor("nvvm:native", *device);
  ASSERT_TRUE(bool(spec)) << toString(spec.takeError());
  EXPECT_EQ(*spec, "nvvm:chip=sm_90a,multiprocessors=14,shared=233472,"
                   "registers=65536,l2=1048576,memory-gbs=3352");
  write("init=100\n");
  EXPECT_EQ(toString(findDevice(SCHED_WORKER_PATH).takeError()),
            "starting the NVIDIA driver: CUDA_ERROR_NO_DEVICE");
}

TEST_F(DeviceMeasurerTest, MeasuresByEvents) {
  ASSERT_NO_FATAL_FAILURE(start("launch-us=40\n"));
  // It ran on the CPU: nothing to compare a GPU's time with.
  EXPECT_EQ(measurer->getReference(id).seconds, 0);
  MeasureResult result = only(4);
  expectGood(result);
  for (double cost : result.costsS)
    EXPECT_NEAR(cost, 40e-6, 1e-9);
  ASSERT_EQ(result.kernels.size(), 1u);
  EXPECT_GT(result.kernels[0].registers, 0);
  EXPECT_EQ(result.kernels[0].spillBytes, 0);
  EXPECT_GT(result.kernels[0].blocks, 0);
  EXPECT_EQ(measurer->getStats().respawns, 0);
}

TEST_F(DeviceMeasurerTest, ChecksWhatWasComputed) {
  ASSERT_NO_FATAL_FAILURE(start("kernel=nothing\n"));
  MeasureResult result = only(4);
  EXPECT_EQ(result.error, failure::kWrongResult);
  EXPECT_EQ(result.stage, stage::kCheck);

  ASSERT_NO_FATAL_FAILURE(start("kernel=trespass\n"));
  result = only(4);
  EXPECT_EQ(result.error, failure::kOutOfBounds);
  EXPECT_NE(result.message.find("wrote at byte 1536 of tensor 1"),
            std::string::npos)
      << result.message;

  ASSERT_NO_FATAL_FAILURE(start("kernel=input\n"));
  result = only(4);
  EXPECT_EQ(result.error, failure::kOutOfBounds);
  EXPECT_NE(result.message.find("modified input 0"), std::string::npos)
      << result.message;
}

TEST_F(DeviceMeasurerTest, AFaultEndsItsOwnProcessOnly) {
  // The second candidate's first launch; the first makes 1 to check, 1 to warm
  // up and 10 a repeat.
  ASSERT_NO_FATAL_FAILURE(start("crash-at=33\nstatus=716\n"));
  std::vector<MeasureResult> results =
      measure({{tiled(4), ""}, {tiled(8), ""}, {tiled(12), ""}});
  ASSERT_EQ(results.size(), 3u);
  expectGood(results[0]);
  // It came up in a process that another kernel had used: a fresh one decides,
  // in which this launch goes well.
  expectGood(results[1]);
  expectGood(results[2]);
  EXPECT_EQ(measurer->getStats().respawns, 1);

  ASSERT_NO_FATAL_FAILURE(start("crash-at=1\nstatus=716\n"));
  sys::fs::remove(gpu + ".count");
  results = measure({{tiled(4), ""}, {tiled(8), ""}});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].error, failure::kCrash);
  EXPECT_EQ(results[0].stage, stage::kCheck);
  EXPECT_EQ(results[0].message,
            "running kernels: CUDA_ERROR_MISALIGNED_ADDRESS");
  expectGood(results[1]);
}

TEST_F(DeviceMeasurerTest, AKernelThatHangsTimesOut) {
  options.runTimeoutS = 2;
  ASSERT_NO_FATAL_FAILURE(start("hang-at=1\n"));
  MeasureResult result = only(4);
  EXPECT_EQ(result.error, failure::kTimeout);
  expectGood(only(8));
}

TEST_F(DeviceMeasurerTest, TooLittleMemoryIsNoCrash) {
  ASSERT_NO_FATAL_FAILURE(start("memory=12000\n"));
  MeasureResult result = only(4);
  EXPECT_EQ(result.error, failure::kMemory);
  EXPECT_NE(result.message.find("CUDA_ERROR_OUT_OF_MEMORY"), std::string::npos)
      << result.message;
}

TEST_F(DeviceMeasurerTest, ALaunchThatIsTooLargeIsOverTheLimit) {
  ASSERT_NO_FATAL_FAILURE(start("refuse-at=1\n"));
  EXPECT_EQ(only(4).error, failure::kOverLimit);
}

TEST_F(DeviceMeasurerTest, WhatTheDriverAssemblesIsJudgedWhenItIsLoaded) {
  // No toolkit: the program has PTX alone.
  setenv("CUDA_HOME", "/none/of/these", /*overwrite=*/1);
  ASSERT_NO_FATAL_FAILURE(start("spill=24\n"));
  MeasureResult result = only(4);
  EXPECT_EQ(result.error, failure::kSpill);
  EXPECT_EQ(result.stage, stage::kLoad);
  EXPECT_EQ(result.message, "f_kernel_0 spills 48 bytes a thread of the "
                            "registers, of which it has 32");
  ASSERT_EQ(result.kernels.size(), 1u);
  EXPECT_EQ(result.kernels[0].spillBytes, 48);
  EXPECT_TRUE(result.costsS.empty());

  ASSERT_NO_FATAL_FAILURE(start("registers=77\n"));
  result = only(4);
  expectGood(result);
  ASSERT_EQ(result.kernels.size(), 1u);
  EXPECT_EQ(result.kernels[0].registers, 77);
}

TEST_F(DeviceMeasurerTest, ALostDeviceEndsTheMeasuring) {
  ASSERT_NO_FATAL_FAILURE(start("lost-at=33\n"));
  std::string problem;
  std::vector<MeasureResult> results =
      measure({{tiled(4), ""}, {tiled(8), ""}, {tiled(12), ""}}, &problem);
  // What came before is kept; the others are not blamed.
  ASSERT_EQ(results.size(), 1u);
  expectGood(results[0]);
  EXPECT_EQ(problem,
            "the GPU cannot be measured on any more: starting the NVIDIA "
            "driver: CUDA_ERROR_NO_DEVICE; what was measured before is kept, "
            "and a run with the same work-dir goes on from there");
}

TEST_F(DeviceMeasurerTest, ADriverThatDoesNotKnowTheCodeEndsTheMeasuring) {
  ASSERT_NO_FATAL_FAILURE(start("cubin=209\nptx=222\ndriver=11040\n"));
  std::string problem;
  EXPECT_TRUE(measure({{tiled(4), ""}}, &problem).empty());
  EXPECT_NE(problem.find("CUDA_ERROR_UNSUPPORTED_PTX_VERSION; update the "
                         "NVIDIA driver"),
            std::string::npos)
      << problem;
}

TEST_F(DeviceMeasurerTest, CodeForAnotherChipEndsTheMeasuring) {
  ASSERT_NO_FATAL_FAILURE(start("major=8\n"));
  std::string problem;
  EXPECT_TRUE(measure({{tiled(4), ""}}, &problem).empty());
  EXPECT_NE(problem.find("found Fake GPU, a GPU of sm_80, expected one that "
                         "runs code for sm_90a"),
            std::string::npos)
      << problem;
}

TEST_F(DeviceMeasurerTest, TheNextAreBuiltWhileOneIsMeasured) {
  if (std::thread::hardware_concurrency() < 2)
    GTEST_SKIP() << "one core is the runner's";
  options.jobs = 2;
  options.buildTimeoutS = 300;
  std::atomic<bool> stop = false;
  options.stop = &stop;
  ASSERT_NO_FATAL_FAILURE(start());
  // The second never ends its build, and the first is measured all the same;
  // a stop then ends both.
  std::vector<MeasureResult> results;
  MeasureInput inputs[] = {{tiled(4), ""}, {tiled(8), "build:hang"}};
  Error error =
      measurer->measure(id, inputs, [&](unsigned, const MeasureResult &result) {
        results.push_back(result);
        stop = true;
      });
  ASSERT_FALSE(bool(error)) << toString(std::move(error));
  ASSERT_EQ(results.size(), 1u);
  expectGood(results[0]);
  EXPECT_LT(measurer->getStats().buildS, 300);

  // Whoever was stopped is replaced, and the order is that of the inputs,
  // whatever fails or is the same code.
  stop = false;
  std::string problem;
  results = measure({{tiled(8), "build:crash"},
                     {tiled(12), ""},
                     {"no script", ""},
                     {tiled(4), ""},
                     {tiled(12), ""},
                     {tiled(6), ""}});
  ASSERT_EQ(results.size(), 6u);
  EXPECT_EQ(results[0].error, failure::kBuildCrash);
  expectGood(results[1]);
  EXPECT_EQ(results[2].error, failure::kBuildError);
  EXPECT_TRUE(results[3].duplicate);
  EXPECT_TRUE(results[4].duplicate);
  expectGood(results[5]);
}

TEST_F(DeviceMeasurerTest, ALostDeviceEndsTheBuilds) {
  options.jobs = 2;
  options.buildTimeoutS = 300;
  ASSERT_NO_FATAL_FAILURE(start("lost-at=1\n"));
  std::string problem;
  EXPECT_TRUE(
      measure({{tiled(4), ""}, {tiled(8), "build:hang"}}, &problem).empty());
  EXPECT_NE(problem.find("the GPU cannot be measured on any more"),
            std::string::npos)
      << problem;
}

TEST_F(DeviceMeasurerTest, EachCandidateMayHaveAProcess) {
  // The clock of a process begins with its first kernel, and each kernel of the
  // fake takes longer than the last of its process.
  options.isolate = true;
  ASSERT_NO_FATAL_FAILURE(start("slower-us=1\n"));
  std::vector<MeasureResult> results =
      measure({{tiled(4), ""}, {tiled(8), ""}, {tiled(12), ""}});
  ASSERT_EQ(results.size(), 3u);
  for (const MeasureResult &result : results)
    expectGood(result);
  EXPECT_EQ(results[0].costsS, results[1].costsS);
  EXPECT_EQ(results[0].costsS, results[2].costsS);
  // That is no trouble.
  EXPECT_EQ(measurer->getStats().respawns, 0);

  options.isolate = false;
  ASSERT_NO_FATAL_FAILURE(start("slower-us=1\n"));
  results = measure({{tiled(4), ""}, {tiled(8), ""}});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_LT(results[0].costsS.back(), results[1].costsS.front());
}

TEST_F(DeviceMeasurerTest, BuildsWithoutADevice) {
  write("init=100\n");
  Expected<std::unique_ptr<Measurer>> created = Measurer::create(options);
  ASSERT_TRUE(bool(created)) << toString(created.takeError());
  std::vector<MeasureResult> results;
  MeasureInput inputs[] = {{tiled(4), ""}, {"no script", ""}};
  Error error = (*created)->buildOnly(
      makeTask(), inputs, [&](unsigned, const MeasureResult &result) {
        results.push_back(result);
      });
  ASSERT_FALSE(bool(error)) << toString(std::move(error));
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].error, "") << results[0].message;
  EXPECT_TRUE(results[0].costsS.empty());
  EXPECT_FALSE(results[0].objectHash.empty());
  EXPECT_EQ(results[1].error, failure::kBuildError);
}

} // namespace
