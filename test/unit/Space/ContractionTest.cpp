//===- ContractionTest.cpp - Which loops of an op are a product -----------===//
//
// Read next: TaskExtractionTest.cpp (what goes with it into a task).
//
//===----------------------------------------------------------------------===//

#include "SpaceTest.h"

using namespace mlir;
using namespace sched;

namespace {
using ContractionTest = SpaceTest;
using Loops = SmallVector<unsigned, 4>;
using Outer = SmallVector<OuterLoop, 2>;

/// C[m, n] += A B[k, n] of 8 x 4 x 6 as a generic op that reads `lhs` of A.
std::string writeProduct(const std::string &type, const std::string &lhs) {
  return "func.func @f(%a: " + type + R"(, %b: tensor<6x4xf32>,
             %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> ()" +
         lhs + R"()>,
                       affine_map<(m, n, k) -> (k, n)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : )" +
         type + R"(, tensor<6x4xf32>)
    outs(%c : tensor<8x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
})";
}
} // namespace

TEST_F(ContractionTest, BatchesAreOuterLoops) {
  Task task = extractOne(R"(
func.func @f(%a: tensor<2x8x6xf32>, %b: tensor<2x6x4xf32>,
             %c: tensor<2x8x4xf32>) -> tensor<2x8x4xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<2x8x6xf32>, tensor<2x6x4xf32>)
    outs(%c : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %r : tensor<2x8x4xf32>
})");
  EXPECT_EQ(task.shape->m, 8);
  EXPECT_EQ(task.shape->n, 4);
  EXPECT_EQ(task.shape->k, 6);
  EXPECT_EQ(task.shape->outer, (Outer{{2, false, true}}));
  EXPECT_EQ(task.shape->loops, (Loops{1, 2, 3, 0}));
  EXPECT_EQ(task.shape->resultDims[0], 1u);
  EXPECT_EQ(task.shape->resultDims[1], 2u);
  EXPECT_EQ(task.shape->resultDims[3], 0u);
  EXPECT_FALSE(task.shape->isMatmul());
  EXPECT_EQ(task.text, "batch_matmul_2x8x4x6_f32(accumulate)");
}

TEST_F(ContractionTest, TheLargestLoopsAreTheProduct) {
  // R[i, j, l] += X[i, j, p, q] * Y[p, q, l]: of i and j, and of p and q, the
  // larger one; of equals the inner one.
  Task task = extractOne(R"(
func.func @f(%x: tensor<9x8x6x6xf32>, %y: tensor<6x6x4xf32>,
             %c: tensor<9x8x4xf32>) -> tensor<9x8x4xf32> {
  %r = linalg.contract
      indexing_maps = [affine_map<(i, j, l, p, q) -> (i, j, p, q)>,
                       affine_map<(i, j, l, p, q) -> (p, q, l)>,
                       affine_map<(i, j, l, p, q) -> (i, j, l)>]
    ins(%x, %y : tensor<9x8x6x6xf32>, tensor<6x6x4xf32>)
    outs(%c : tensor<9x8x4xf32>) -> tensor<9x8x4xf32>
  return %r : tensor<9x8x4xf32>
})");
  EXPECT_EQ(task.shape->loops, (Loops{0, 2, 4, 1, 3}));
  EXPECT_EQ(task.shape->outer, (Outer{{8, false}, {6, true, true}}));
  EXPECT_EQ(task.text, "contraction_8x9x4x6x6_f32(accumulate)");
}

TEST_F(ContractionTest, ElementsThatAreNoLanesAreLeft) {
  EXPECT_TRUE(extract(R"(
func.func @nibbles(%a: tensor<8x6xi4>, %b: tensor<6x4xi4>,
                   %c: tensor<8x4xi4>) -> tensor<8x4xi4> {
  %r = linalg.matmul ins(%a, %b : tensor<8x6xi4>, tensor<6x4xi4>)
                     outs(%c : tensor<8x4xi4>) -> tensor<8x4xi4>
  return %r : tensor<8x4xi4>
})")
                  .empty());
}

TEST_F(ContractionTest, ADiagonalIsNoMatrix) {
  EXPECT_TRUE(extract(writeProduct("tensor<8x8x6xf32>", "m, m, k")).empty());
}

TEST_F(ContractionTest, AStridedReductionIsNotUnrolled) {
  Task task = extractOne(writeProduct("tensor<8x16xf32>", "m, 3 * k"));
  EXPECT_FALSE(task.shape->unrollable);
  EXPECT_FALSE(task.shape->isMatmul());
}

TEST_F(ContractionTest, ConvolutionsHaveTapsOutside) {
  Task task = extractOne(R"(
func.func @f(%x: tensor<2x29x29x16xf32>, %w: tensor<3x3x16x64xf32>,
             %c: tensor<2x14x14x64xf32>) -> tensor<2x14x14x64xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>,
                                 strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : tensor<2x29x29x16xf32>, tensor<3x3x16x64xf32>)
    outs(%c : tensor<2x14x14x64xf32>) -> tensor<2x14x14x64xf32>
  return %r : tensor<2x14x14x64xf32>
})");
  // Loops (n, oh, ow, f, kh, kw, c): a line of pixels times a tap.
  EXPECT_EQ(task.shape->loops, (Loops{2, 3, 6, 0, 1, 4, 5}));
  EXPECT_EQ(task.shape->outer,
            (Outer{{2, false}, {14, false}, {3, true, true}, {3, true, true}}));
  EXPECT_EQ(task.shape->rowStep, 2);
  EXPECT_TRUE(task.shape->overlaps);
  EXPECT_TRUE(task.shape->unrollable);
}

/// A depthwise convolution of 13x13 pixels and 8 channels by 3x3 taps: `op`
/// with an image, a filter and a result of these types.
static std::string writeDepthwise(llvm::StringRef op, llvm::StringRef image,
                                  llvm::StringRef filter,
                                  llvm::StringRef result, int stride = 1) {
  auto tensor = [](llvm::StringRef shape) {
    return ("tensor<" + shape + "xf32>").str();
  };
  const std::string types = tensor(image) + ", " + tensor(filter);
  return "func.func @f(%x: " + tensor(image) + ", %w: " + tensor(filter) +
         ", %c: " + tensor(result) + ") -> " + tensor(result) +
         " {\n  %r = linalg." + op.str() +
         " {dilations = dense<1> : tensor<2xi64>, strides = dense<" +
         std::to_string(stride) + "> : tensor<2xi64>} ins(%x, %w : " + types +
         ") outs(%c : " + tensor(result) + ") -> " + tensor(result) +
         "\n  return %r : " + tensor(result) + "\n}\n";
}

TEST_F(ContractionTest, EachChannelOfADepthwiseConvolutionIsALane) {
  // Loops (n, oh, ow, c, kh, kw).
  Task task = extractOne(writeDepthwise("depthwise_conv_2d_nhwc_hwc",
                                        "2x15x15x8", "3x3x8", "2x13x13x8"));
  EXPECT_TRUE(task.shape->isWindowed);
  EXPECT_FALSE(task.shape->unrollable);
  EXPECT_FALSE(task.shape->isMatmul());
  EXPECT_EQ(task.shape->loops, (Loops{2, 3, 5, 0, 1, 4}));
  EXPECT_EQ(task.text, "windows_2x13x13x8x3x3_f32(accumulate)");
}

TEST_F(ContractionTest, WindowsAreRowsBeforeImagesAre) {
  // Loops (n, oh, ow, c, kh, kw).
  Task task = extractOne(writeDepthwise("depthwise_conv_2d_nhwc_hwc",
                                        "16x9x9x8", "3x3x8", "16x7x7x8"));
  EXPECT_EQ(task.shape->loops, (Loops{2, 3, 5, 0, 1, 4}));
  EXPECT_EQ(task.shape->m, 7);
  // Too few of them.
  task = extractOne(writeDepthwise("depthwise_conv_2d_nhwc_hwc", "16x5x5x8",
                                   "3x3x8", "16x3x3x8"));
  EXPECT_EQ(task.shape->m, 16);
}

TEST_F(ContractionTest, AMultiplierOfOneIsNoVector) {
  // Loops (n, oh, ow, c, multiplier, kh, kw).
  Task task = extractOne(writeDepthwise("depthwise_conv_2d_nhwc_hwcm",
                                        "1x15x15x8", "3x3x8x1", "1x13x13x8x1"));
  EXPECT_TRUE(task.shape->isWindowed);
  EXPECT_EQ(task.shape->n, 8);
  EXPECT_EQ(task.shape->m, 13);
}

TEST_F(ContractionTest, PixelsAreLanesWhereTheyAreNeighbours) {
  Task task = extractOne(writeDepthwise("depthwise_conv_2d_nchw_chw",
                                        "1x8x15x15", "8x3x3", "1x8x13x13"));
  EXPECT_TRUE(task.shape->isWindowed);
  // Loops (n, ow, oh, c, kh, kw) of upstream's op; rows are lines of the image.
  EXPECT_EQ(task.shape->n, 13);
  EXPECT_EQ(task.shape->m, 13);
  EXPECT_TRUE(extract(writeDepthwise("depthwise_conv_2d_nchw_chw", "1x8x15x15",
                                     "8x3x3", "1x8x7x7", /*stride=*/2))
                  .empty());
}

TEST_F(ContractionTest, APoolingReadsItsImageAlone) {
  Task task = extractOne(writeDepthwise("pooling_nhwc_max", "1x15x15x8", "3x3",
                                        "1x7x7x8", /*stride=*/2));
  EXPECT_TRUE(task.shape->isWindowed);
  EXPECT_EQ(task.shape->lhsOperand, 0u);
  EXPECT_EQ(task.shape->rowStep, 2);
}
