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
  EXPECT_EQ(task.shape->outer, (Outer{{2, false}}));
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
  EXPECT_EQ(task.shape->outer, (Outer{{8, false}, {6, true}}));
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
            (Outer{{2, false}, {14, false}, {3, true}, {3, true}}));
  EXPECT_EQ(task.shape->rowStep, 2);
  EXPECT_TRUE(task.shape->overlaps);
  EXPECT_TRUE(task.shape->unrollable);
}
