//===- ReferenceTest.cpp - What candidates are compared with --------------===//

#include "SchedOpt/Measure/Measurer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace sched;

namespace {

std::unique_ptr<Measurer> startMeasurer() {
  MeasureOptions options;
  options.workerPath = SCHED_WORKER_PATH;
  options.jobs = 1;
  options.minRepeatMs = options.warmupMs = 0;
  Expected<std::unique_ptr<Measurer>> created =
      Measurer::create(std::move(options));
  EXPECT_TRUE(bool(created)) << toString(created.takeError());
  return created ? std::move(*created) : nullptr;
}

/// A sum of f64 and one of f16 in one op, what is only moved, and what a called
/// function computes in f32.
const char *kSeveral = R"(
func.func private @half(%x: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %e = tensor.empty() : tensor<4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : tensor<4xf64>) outs(%e : tensor<4xf64>) {
  ^bb0(%a: f64, %o: f64):
    %n = arith.truncf %a : f64 to f32
    %w = arith.extf %n : f32 to f64
    linalg.yield %w : f64
  } -> tensor<4xf64>
  return %x, %r : tensor<4xf64>, tensor<4xf64>
}
func.func @several(%x: tensor<4x8xf64>, %y: tensor<4x8xf16>, %z: tensor<4xf64>)
    -> (tensor<4xf64>, tensor<4xf16>, tensor<4x8xf16>, tensor<4xf64>) {
  %zero = arith.constant 0.0 : f64
  %none = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<4xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  %eh = tensor.empty() : tensor<4xf16>
  %fh = linalg.fill ins(%none : f16) outs(%eh : tensor<4xf16>) -> tensor<4xf16>
  %r:2 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]}
    ins(%x, %y : tensor<4x8xf64>, tensor<4x8xf16>) outs(%f, %fh : tensor<4xf64>, tensor<4xf16>) {
  ^bb0(%a: f64, %b: f16, %o: f64, %oh: f16):
    %s = arith.addf %o, %a : f64
    %sh = arith.addf %oh, %b : f16
    linalg.yield %s, %sh : f64, f16
  } -> (tensor<4xf64>, tensor<4xf16>)
  %h:2 = func.call @half(%z) : (tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %r#0, %r#1, %y, %h#1 : tensor<4xf64>, tensor<4xf16>, tensor<4x8xf16>, tensor<4xf64>
}
)";

const char *kSum = R"(
func.func @sum(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
)";

/// A product, a depthwise convolution, and sums of squares of the first one.
const char *kProducts = R"(
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x12xf32>, %x: tensor<1x6x6x4xf32>, %w: tensor<3x3x4xf32>)
    -> (tensor<8x12xf32>, tensor<1x4x4x4xf32>, tensor<8xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x12xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x12xf32>) outs(%i : tensor<8x12xf32>) -> tensor<8x12xf32>
  %ed = tensor.empty() : tensor<1x4x4x4xf32>
  %id = linalg.fill ins(%z : f32) outs(%ed : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %d = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x6x6x4xf32>, tensor<3x3x4xf32>) outs(%id : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %es = tensor.empty() : tensor<8xf32>
  %is = linalg.fill ins(%z : f32) outs(%es : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%a : tensor<8x16xf32>) outs(%is : tensor<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %p = arith.mulf %v, %v : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  return %r, %d, %s : tensor<8x12xf32>, tensor<1x4x4x4xf32>, tensor<8xf32>
}
)";

} // namespace

TEST(Reference, OnlyProductsOfMatricesAreRounded) {
  std::unique_ptr<Measurer> measurer = startMeasurer();
  ASSERT_TRUE(measurer);
  for (bool rounds : {false, true}) {
    MeasureTask task;
    task.payload = kProducts;
    task.target = rounds ? "nvvm:sm_90a,features=+tf32" : "nvvm:sm_90a";
    Expected<Measurer::TaskId> id = measurer->prepare(task);
    ASSERT_TRUE(bool(id)) << toString(id.takeError());
    ArrayRef<TensorSpec> tensors = measurer->getReference(*id).tensors;
    ASSERT_EQ(tensors.size(), 7u);
    EXPECT_EQ(tensors[4].tensorFloatOps, rounds ? 2 : 0);
    EXPECT_EQ(tensors[5].tensorFloatOps, 0);
    EXPECT_EQ(tensors[6].tensorFloatOps, 0);
  }
}

/// A product that starts from ones, and its negative.
const char *kProduct = R"(
func.func @f(%a: tensor<64x30xf32>, %b: tensor<30x48xf32>) -> (tensor<64x48xf32>, tensor<64x48xf32>) {
  %z = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x30xf32>, tensor<30x48xf32>) outs(%i : tensor<64x48xf32>) -> tensor<64x48xf32>
  %i2 = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %r2 = linalg.matmul ins(%a, %b : tensor<64x30xf32>, tensor<30x48xf32>) outs(%i2 : tensor<64x48xf32>) -> tensor<64x48xf32>
  %n = linalg.negf ins(%r2 : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %r, %n : tensor<64x48xf32>, tensor<64x48xf32>
}
)";

/// Adds `value` twice to each element of the products.
std::string padSteps(StringRef value) {
  return ("module attributes {transform.with_named_sequence} {\n"
          "transform.named_sequence @__transform_main("
          "%root: !transform.any_op {transform.readonly}) {\n"
          "%op = transform.structured.match ops{[\"linalg.matmul\"]} in %root "
          ": (!transform.any_op) -> !transform.any_op\n"
          "%p, %q, %c = transform.structured.pad %op pad_to_multiple_of [32] "
          "{padding_values=[" +
          value +
          " : f32, 1.0 : f32, 0.0 : f32], padding_dimensions=[2], "
          "copy_back_op=\"none\"} : (!transform.any_op) -> "
          "(!transform.any_op, !transform.any_op, !transform.any_op)\n"
          "transform.yield\n}\n}\n")
      .str();
}

TEST(Reference, ASchedulesResultsAreSampled) {
  std::unique_ptr<Measurer> measurer = startMeasurer();
  ASSERT_TRUE(measurer);
  auto prepare = [&](StringRef padding, double share) {
    MeasureTask task;
    task.payload = kProduct;
    task.target = "nvvm:sm_90a";
    task.referenceScript = padSteps(padding);
    task.referenceShare = share;
    Expected<Measurer::TaskId> id = measurer->prepare(task);
    return id ? std::string() : toString(id.takeError());
  };
  // In three parts; a tenth of 64 rows are two each. There is one element at
  // least.
  for (double share : {1.0, 0.1, 1e-9}) {
    EXPECT_EQ(prepare("0.0", share), "");
    const std::string message = prepare("1.0", share);
    EXPECT_EQ(
        message.find("the unscheduled function cannot be measured: "
                     "wrong-result at check: its schedule for the CPU, "
                     "whose results others are to be compared with, is "
                     "wrong; of those from element 0 on, element [0, 0] of "),
        0u)
        << message;
    EXPECT_NE(message.find(share == 1.0   ? "of 21x48xf32"
                           : share == 0.1 ? "of 2x48xf32"
                                          : "of 1x1xf32"),
              std::string::npos)
        << message;
  }
  EXPECT_EQ(prepare("1.0", /*share=*/0), "");
}

TEST(Reference, OnlyARightScheduleStandsInOnACPU) {
  std::unique_ptr<Measurer> measurer = startMeasurer();
  ASSERT_TRUE(measurer);
  // Whether the schedule made the results: the payload itself is timed.
  auto isScheduled = [&](StringRef payload, StringRef padding, double share) {
    MeasureTask task;
    task.payload = payload.str();
    task.referenceScript = padSteps(padding);
    task.referenceShare = share;
    Expected<Measurer::TaskId> id = measurer->prepare(task);
    EXPECT_TRUE(bool(id)) << toString(id.takeError());
    return id && measurer->getReference(*id).seconds == 0;
  };
  EXPECT_TRUE(isScheduled(kProduct, "0.0", 0.1));
  EXPECT_FALSE(isScheduled(kProduct, "1.0", 0.1));
  // Nor one that cannot be built.
  EXPECT_FALSE(isScheduled(kProduct, "no number", 0.1));
  // Nothing says that it is right.
  EXPECT_FALSE(isScheduled(kProduct, "0.0", 0));
  // Sums of f16 are judged by how far f32 is from them.
  EXPECT_FALSE(isScheduled(kSeveral, "0.0", 0.5));
}

TEST(Reference, EachResultHasItsOwnPrecision) {
  std::unique_ptr<Measurer> measurer = startMeasurer();
  ASSERT_TRUE(measurer);
  MeasureTask task;
  task.payload = kSeveral;
  Expected<Measurer::TaskId> id = measurer->prepare(task);
  ASSERT_TRUE(bool(id)) << toString(id.takeError());
  ArrayRef<TensorSpec> tensors = measurer->getReference(*id).tensors;
  ASSERT_EQ(tensors.size(), 7u);
  EXPECT_EQ(tensors[3].precision, ElementType::F64);
  EXPECT_EQ(tensors[3].reductionLength, 8);
  EXPECT_EQ(tensors[4].precision, ElementType::F16);
  EXPECT_EQ(tensors[4].reductionLength, 8);
  EXPECT_EQ(tensors[5].precision, std::nullopt);
  EXPECT_EQ(tensors[5].reductionLength, 1);
  EXPECT_EQ(tensors[6].precision, ElementType::F32);
  EXPECT_EQ(tensors[6].reductionLength, 1);
}

TEST(Reference, WhatWasRewrittenIsComparedWithThePayload) {
  std::unique_ptr<Measurer> measurer = startMeasurer();
  ASSERT_TRUE(measurer);
  auto measure = [&](StringRef op) {
    MeasureTask task;
    task.payload = task.rewritten = kSum;
    const StringRef add = "linalg.add";
    task.rewritten.replace(task.rewritten.find(add.str()), add.size(),
                           op.str());
    Expected<Measurer::TaskId> id = measurer->prepare(task);
    EXPECT_TRUE(bool(id)) << toString(id.takeError());
    std::string error = "nothing was measured";
    Error failed = measurer->measure(
        *id, MeasureInput(),
        [&](unsigned, const MeasureResult &result) { error = result.error; });
    EXPECT_FALSE(bool(failed)) << toString(std::move(failed));
    return error;
  };
  EXPECT_EQ(measure("linalg.add"), "");
  EXPECT_EQ(measure("linalg.sub"), failure::kWrongResult);
}
