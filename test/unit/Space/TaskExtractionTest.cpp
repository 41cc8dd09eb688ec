//===- TaskExtractionTest.cpp - What becomes a task -----------------------===//

#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SpaceTest.h"

using namespace mlir;
using namespace sched;

namespace {
using TaskExtractionTest = SpaceTest;
using Roles = std::vector<BlockRole>;
using Ops = std::vector<unsigned>;
using Extents = SmallVector<int64_t, 4>;
using Loops = SmallVector<unsigned, 4>;
using Flags = SmallVector<bool>;

constexpr auto kInit = BlockRole::Init;
constexpr auto kAnchor = BlockRole::Anchor;
constexpr auto kEpilogue = BlockRole::Epilogue;
constexpr auto kProducer = BlockRole::Producer;
constexpr auto kOther = BlockRole::Other;
constexpr auto kRoot = BlockRole::Root;
constexpr auto kStage = BlockRole::Stage;

/// %r = A B of 8x6 and 6x4, filled with zero first.
constexpr llvm::StringLiteral kProduct = R"(
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x6xf32>, tensor<6x4xf32>)
                     outs(%i : tensor<8x4xf32>) -> tensor<8x4xf32>
)";

/// @f(%a, %b, %c) with `body` between the product and the return of `result`.
std::string withBody(llvm::StringRef body, llvm::StringRef result = "%x") {
  return ("func.func @f(%a: tensor<8x6xf32>, %b: tensor<6x4xf32>, "
          "%c: tensor<8x4xf32>) -> tensor<8x4xf32> {" +
          kProduct + body + "  return " + result + " : tensor<8x4xf32>\n}\n")
      .str();
}

std::string large(llvm::StringRef attribute) {
  return (R"(
func.func @f(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32> )" +
          attribute + R"(, %c: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1024x1024xf32>)
    -> tensor<1024x1024xf32>
  %r = linalg.matmul
    ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32>)
    outs(%i : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %s = linalg.add ins(%r, %c : tensor<1024x1024xf32>, tensor<1024x1024xf32>)
    outs(%r : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %s : tensor<1024x1024xf32>
})")
      .str();
}

TEST_F(TaskExtractionTest, MatmulAdd) {
  Task task = extractOne(large("{schedule.layout_free}"));
  EXPECT_EQ(task.function, "f");
  EXPECT_EQ(task.index, 0u);
  EXPECT_EQ(task.opIndices, (Ops{0, 1, 2}));
  EXPECT_EQ(task.roles, (Roles{kInit, kAnchor, kEpilogue}));
  EXPECT_EQ(task.extents[0], (Extents{1024, 1024}));
  EXPECT_EQ(task.extents[1], (Extents{1024, 1024, 1024}));
  EXPECT_EQ(task.layoutFree, (Flags{false, true, false}));
  EXPECT_EQ(task.text, "matmul_1024x1024x1024_f32+add(layout-free rhs)");
  EXPECT_DOUBLE_EQ(task.flops, 2.0 * 1024 * 1024 * 1024 + 1024 * 1024);
  EXPECT_EQ(task.bytes, int64_t(4) * 4 * 1024 * 1024);
  EXPECT_EQ(task.weight, 1);
  EXPECT_TRUE(remarks.empty());

  // The function is exactly one task.
  func::FuncOp function = task.getFunction();
  EXPECT_EQ(function.getName(), "f");
  EXPECT_TRUE(function.isPublic());
  EXPECT_EQ(function.getFunctionType(),
            cast<func::FuncOp>(module->lookupSymbol("f")).getFunctionType());
  EXPECT_TRUE(function.getArgAttr(1, mlir::schedule::kLayoutFreeAttrName) !=
              nullptr);
}

TEST_F(TaskExtractionTest, Shape) {
  ContractionShape shape = *extractOne(withBody("", "%r")).shape;
  EXPECT_EQ(shape.m, 8);
  EXPECT_EQ(shape.n, 4);
  EXPECT_EQ(shape.k, 6);
  EXPECT_FALSE(shape.lhsTransposed);
  EXPECT_FALSE(shape.rhsTransposed);
  EXPECT_EQ(shape.lhsOperand, 0u);
  EXPECT_EQ(shape.rhsOperand, 1u);
  EXPECT_TRUE(shape.lhsType.isF32() && shape.rhsType.isF32() &&
              shape.accType.isF32());
  EXPECT_EQ(shape.loops, (Loops{0, 1, 2}));
}

TEST_F(TaskExtractionTest, MatmulWithTransposedRhs) {
  Task task = extractOne(R"(
func.func @f(%a: tensor<8x6xf32>, %b: tensor<4x6xf32>, %c: tensor<8x4xf32>)
    -> tensor<8x4xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                      affine_map<(m, n, k) -> (n, k)>,
                                      affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<8x6xf32>, tensor<4x6xf32>)
    outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
})");
  EXPECT_EQ(task.roles, (Roles{kAnchor}));
  EXPECT_FALSE(task.shape->lhsTransposed);
  EXPECT_TRUE(task.shape->rhsTransposed);
  EXPECT_EQ(task.shape->n, 4);
  EXPECT_EQ(task.text, "matmul_8x4x6_f32(accumulate, rhs transposed)");
}

TEST_F(TaskExtractionTest, GenericWhoseInnermostDimensionIsOfOperandZero) {
  // Loops (k, j, i); C[j, i] += X[i, k] * Y[k, j], with mixed integers.
  Task task = extractOne(R"(
func.func @f(%x: tensor<4x6xi8>, %y: tensor<6x8xi8>, %c: tensor<8x4xi32>)
    -> tensor<8x4xi32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(k, j, i) -> (i, k)>,
                       affine_map<(k, j, i) -> (k, j)>,
                       affine_map<(k, j, i) -> (j, i)>],
      iterator_types = ["reduction", "parallel", "parallel"]}
    ins(%x, %y : tensor<4x6xi8>, tensor<6x8xi8>)
    outs(%c : tensor<8x4xi32>) {
  ^bb0(%p: i8, %q: i8, %o: i32):
    %0 = arith.extsi %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<8x4xi32>
  return %r : tensor<8x4xi32>
})");
  EXPECT_EQ(task.shape->m, 8);
  EXPECT_EQ(task.shape->n, 4);
  EXPECT_EQ(task.shape->k, 6);
  EXPECT_EQ(task.shape->lhsOperand, 1u);
  EXPECT_EQ(task.shape->rhsOperand, 0u);
  EXPECT_TRUE(task.shape->lhsTransposed); // Y is k x m.
  EXPECT_TRUE(task.shape->rhsTransposed); // X is n x k.
  EXPECT_EQ(task.shape->loops, (Loops{1, 2, 0}));
  EXPECT_EQ(task.flops, 2 * 8 * 4 * 6);
  EXPECT_EQ(task.bytes, 6 * 8 + 6 * 4 + 2 * 4 * 8 * 4);
  EXPECT_EQ(task.text, "matmul_8x4x6_i8_i8_i32(accumulate, lhs transposed, rhs "
                       "transposed, operands swapped)");
}

TEST_F(TaskExtractionTest, Contract) {
  Task task = extractOne(R"(
func.func @f(%a: tensor<8x6xf32>, %b: tensor<6x4xf32>, %c: tensor<8x4xf32>)
    -> tensor<8x4xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<8x6xf32>, tensor<6x4xf32>)
    outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
})");
  EXPECT_EQ(task.text, "matmul_8x4x6_f32(accumulate)");
}

TEST_F(TaskExtractionTest, OtherOpsAreLeft) {
  std::vector<Task> tasks = extract(R"(
func.func @elementwise_batch(%a: tensor<8x6xf32>, %b: tensor<8x6xf32>,
                             %c: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(b, k) -> (b, k)>,
                       affine_map<(b, k) -> (b, k)>,
                       affine_map<(b, k) -> (b)>],
      iterator_types = ["parallel", "reduction"]}
    ins(%a, %b : tensor<8x6xf32>, tensor<8x6xf32>) outs(%c : tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @max_plus(%a: tensor<8x6xf32>, %b: tensor<6x4xf32>,
                    %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                       affine_map<(m, n, k) -> (k, n)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<8x6xf32>, tensor<6x4xf32>)
    outs(%c : tensor<8x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.addf %p, %q : f32
    %1 = arith.maximumf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
})");
  // Neither is a contraction, both are reductions.
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_FALSE(tasks[0].shape);
  ASSERT_TRUE(tasks[0].staged);
  EXPECT_EQ(tasks[0].staged->kind, StagedKind::Rows);
  EXPECT_EQ(tasks[0].text, "rows_8x6_f32(mul_add)");
  ASSERT_TRUE(tasks[1].staged);
  EXPECT_EQ(tasks[1].staged->kind, StagedKind::Columns);
  EXPECT_EQ(tasks[1].text, "columns_8x4x6_f32(add_max)");
  EXPECT_TRUE(remarks.empty());
}

TEST_F(TaskExtractionTest, SoftmaxIsOneTask) {
  Task task = extractOne(R"(
func.func @f(%a: tensor<4x8x6xf32>) -> tensor<4x8x6xf32> {
  %e = tensor.empty() : tensor<4x8x6xf32>
  %r = linalg.softmax dimension(2) ins(%a : tensor<4x8x6xf32>)
    outs(%e : tensor<4x8x6xf32>) -> tensor<4x8x6xf32>
  return %r : tensor<4x8x6xf32>
})");
  EXPECT_EQ(task.roles, (Roles{kInit, kStage, kStage, kInit, kStage, kRoot}));
  ASSERT_TRUE(task.staged);
  EXPECT_EQ(task.staged->kind, StagedKind::Rows);
  EXPECT_EQ(task.staged->rowDims, 2u);
  EXPECT_EQ(task.text, "rows_4x8x6_f32(max+sub_exp+add+div)");
  EXPECT_EQ(task.getFunction().getName(), "f");
}

TEST_F(TaskExtractionTest, RowsNeedTheSameRows) {
  // The sum is over other rows than the maximum of it.
  std::vector<Task> tasks = extract(R"(
func.func @f(%a: tensor<4x8x6xf32>, %b: tensor<4x8xf32>, %c: tensor<4xf32>)
    -> tensor<4xf32> {
  %s = linalg.reduce { arith.addf } ins(%a : tensor<4x8x6xf32>)
    outs(%b : tensor<4x8xf32>) dimensions = [2]
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<4x8xf32>)
    outs(%c : tensor<4xf32>) dimensions = [1]
  return %m : tensor<4xf32>
})");
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0].staged->rowDims, 2u);
  EXPECT_EQ(tasks[1].staged->rowDims, 1u);
}

TEST_F(TaskExtractionTest, FillsOfSeveralTasksAreCopied) {
  std::vector<Task> tasks = extract(R"(
func.func @f(%a: tensor<8x6xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.reduce { arith.addf } ins(%a : tensor<8x6xf32>)
    outs(%i : tensor<8xf32>) dimensions = [1]
  %m = linalg.reduce { arith.maximumf } ins(%a : tensor<8x6xf32>)
    outs(%i : tensor<8xf32>) dimensions = [1]
  return %s, %m : tensor<8xf32>, tensor<8xf32>
})");
  ASSERT_EQ(tasks.size(), 2u);
  for (const Task &task : tasks)
    EXPECT_EQ(task.roles, (Roles{kInit, kRoot}));
}

TEST_F(TaskExtractionTest, ChainOfEpiloguesWithBias) {
  Task task = extractOne(R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: tensor<8x6xf32>, %b: tensor<6x4xf32>, %bias: tensor<4xf32>)
    -> tensor<8x4xf32> {)" +
                         kProduct.str() + R"(
  %w = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%e : tensor<8x4xf32>)
    dimensions = [0]
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add>
    ins(%r, %w : tensor<8x4xf32>, tensor<8x4xf32>)
    outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %t = linalg.map { math.exp } ins(%s : tensor<8x4xf32>)
    outs(%e : tensor<8x4xf32>)
  %x = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel", "parallel"]}
    ins(%t : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %m = arith.maximumf %p, %z : f32
    linalg.yield %m : f32
  } -> tensor<8x4xf32>
  return %x : tensor<8x4xf32>
})");
  EXPECT_EQ(task.roles,
            (Roles{kInit, kAnchor, kOther, kEpilogue, kEpilogue, kEpilogue}));
  EXPECT_EQ(task.opIndices, (Ops{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(task.text, "matmul_8x4x6_f32+add+exp+max");
  EXPECT_EQ(task.flops, 2 * 8 * 4 * 6 + 3 * 8 * 4);
  EXPECT_EQ(task.getFunction().getName(), "f");
}

TEST_F(TaskExtractionTest, BroadcastAsInit) {
  Task task = extractOne(R"(
func.func @f(%a: tensor<8x6xf32>, %b: tensor<6x4xf32>, %bias: tensor<4xf32>)
    -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %i = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%e : tensor<8x4xf32>)
    dimensions = [0]
  %r = linalg.matmul ins(%a, %b : tensor<8x6xf32>, tensor<6x4xf32>)
                     outs(%i : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
})");
  EXPECT_EQ(task.roles, (Roles{kInit, kAnchor}));
  EXPECT_EQ(task.text, "matmul_8x4x6_f32(init broadcast)");
  // The bias comes first: it is used first.
  EXPECT_EQ(cast<RankedTensorType>(task.getFunction().getArgumentTypes()[0])
                .getRank(),
            1);
}

TEST_F(TaskExtractionTest, ProducersOfOperands) {
  Task task = extractOne(R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: tensor<8x6xf32>, %b: tensor<6x4xf32>, %c: tensor<8x4xf32>)
    -> tensor<8x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %s = linalg.square ins(%a : tensor<8x6xf32>) outs(%e : tensor<8x6xf32>)
    -> tensor<8x6xf32>
  %relu = linalg.generic {indexing_maps = [#id, #id],
                          iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<8x6xf32>) outs(%e : tensor<8x6xf32>) {
  ^bb0(%p: f32, %o: f32):
    %m = arith.maximumf %p, %z : f32
    linalg.yield %m : f32
  } -> tensor<8x6xf32>
  %r = linalg.matmul ins(%relu, %b : tensor<8x6xf32>, tensor<6x4xf32>)
                     outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
})");
  EXPECT_EQ(task.roles, (Roles{kProducer, kProducer, kAnchor}));
  EXPECT_EQ(task.text, "square+max+matmul_8x4x6_f32(accumulate)");
  EXPECT_EQ(task.flops, 2 * 8 * 6 + 2 * 8 * 4 * 6);
}

TEST_F(TaskExtractionTest, SharedValueEndsTheChain) {
  std::vector<Task> tasks = extract(withBody(R"(
  %s = linalg.exp ins(%r : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>)
    -> tensor<8x4xf32>
  %t = linalg.exp ins(%s : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>)
    -> tensor<8x4xf32>
  %x = linalg.add ins(%s, %t : tensor<8x4xf32>, tensor<8x4xf32>)
    outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
)"));
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0].roles, (Roles{kInit, kAnchor, kEpilogue}));
  EXPECT_EQ(tasks[0].opIndices, (Ops{0, 1, 2}));
  // Not the whole function: another name.
  EXPECT_EQ(tasks[0].getFunction().getName(), "f_0");
  // The rest is a task of its own.
  EXPECT_EQ(tasks[1].roles, (Roles{kStage, kRoot}));
  EXPECT_EQ(tasks[1].opIndices, (Ops{3, 4}));
  EXPECT_EQ(tasks[1].text, "elementwise_8x4_f32(exp+add)");
  EXPECT_TRUE(remarks.empty());
}

TEST_F(TaskExtractionTest, SharedProducerStaysOutside) {
  std::vector<Task> tasks = extract(R"(
func.func @f(%a: tensor<8x8xf32>, %c: tensor<8x8xf32>)
    -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %s = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>)
    -> tensor<8x8xf32>
  %r = linalg.matmul ins(%s, %s : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r, %s : tensor<8x8xf32>, tensor<8x8xf32>
})");
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0].roles, (Roles{kRoot}));
  EXPECT_EQ(tasks[1].roles, (Roles{kAnchor}));
  EXPECT_EQ(tasks[1].opIndices, (Ops{1}));
  EXPECT_EQ(tasks[1].getFunction().getNumArguments(), 2u);
}

TEST_F(TaskExtractionTest, TransposedConsumerIsNoEpilogue) {
  std::vector<Task> tasks = extract(R"(
func.func @f(%a: tensor<8x6xf32>, %b: tensor<6x8xf32>, %c: tensor<8x8xf32>)
    -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x6xf32>, tensor<6x8xf32>)
                     outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %x = linalg.transpose ins(%r : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>)
    permutation = [1, 0]
  return %x : tensor<8x8xf32>
})");
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0].roles, (Roles{kAnchor}));
  EXPECT_EQ(tasks[1].roles, (Roles{kRoot}));
}

TEST_F(TaskExtractionTest, ConsumerThatOnlyTakesTheShapeIsNoEpilogue) {
  std::vector<Task> tasks = extract(R"(
func.func @f(%a: tensor<8x6xf32>, %b: tensor<6x4xf32>, %c: tensor<8x4xf32>)
    -> (tensor<8x4xf32>, tensor<8x4xf32>) {)" +
                                    kProduct.str() + R"(
  %x = linalg.exp ins(%c : tensor<8x4xf32>) outs(%r : tensor<8x4xf32>)
    -> tensor<8x4xf32>
  return %r, %x : tensor<8x4xf32>, tensor<8x4xf32>
})");
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0].roles, (Roles{kInit, kAnchor}));
  EXPECT_EQ(tasks[1].roles, (Roles{kRoot}));
}

TEST_F(TaskExtractionTest, SumOfTwoProductsGoesToTheLater) {
  std::vector<Task> tasks = extract(R"(
func.func @f(%a: tensor<8x6xf32>, %b: tensor<6x4xf32>, %c: tensor<8x4xf32>)
    -> tensor<8x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x6xf32>, tensor<6x4xf32>)
                     outs(%i : tensor<8x4xf32>) -> tensor<8x4xf32>
  %s = linalg.matmul ins(%a, %b : tensor<8x6xf32>, tensor<6x4xf32>)
                     outs(%i : tensor<8x4xf32>) -> tensor<8x4xf32>
  %x = linalg.add ins(%r, %s : tensor<8x4xf32>, tensor<8x4xf32>)
                  outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %x : tensor<8x4xf32>
})");
  // The shared fill is copied: fill, fill, matmul, matmul, add, in some order.
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0].roles, (Roles{kInit, kAnchor}));
  EXPECT_EQ(tasks[1].roles, (Roles{kInit, kAnchor, kEpilogue}));
  EXPECT_EQ(tasks[1].index, 1u);
  EXPECT_EQ(tasks[1].getFunction().getName(), "f_1");
  EXPECT_EQ(tasks[0].opIndices, (Ops{1, 2}));
  EXPECT_EQ(tasks[1].opIndices, (Ops{0, 3, 4}));
  EXPECT_TRUE(remarks.empty());

  // A second look finds the same.
  llvm::Expected<std::vector<Task>> again = extractTasks(*module);
  ASSERT_TRUE(bool(again));
  ASSERT_EQ(again->size(), 2u);
  EXPECT_EQ((*again)[1].opIndices, tasks[1].opIndices);
  EXPECT_EQ((*again)[1].hash, tasks[1].hash);
}

TEST_F(TaskExtractionTest, ChainBetweenProductsIsAnEpilogueOfTheFirst) {
  std::vector<Task> tasks = extract(R"(
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>)
    -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.exp ins(%r : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>)
    -> tensor<8x8xf32>
  %x = linalg.matmul ins(%s, %b : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %x : tensor<8x8xf32>
})");
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0].roles, (Roles{kAnchor, kEpilogue}));
  EXPECT_EQ(tasks[1].roles, (Roles{kAnchor}));
}

TEST_F(TaskExtractionTest, SameWorkloadInTwoFunctionsIsOneTask) {
  std::string text = withBody("%x = linalg.exp ins(%r : tensor<8x4xf32>) "
                              "outs(%e : tensor<8x4xf32>) -> "
                              "tensor<8x4xf32>\n");
  std::string other = text;
  other.replace(other.find("@f"), 2, "@g");
  Task task = extractOne(text + other);
  EXPECT_EQ(task.weight, 2);
  EXPECT_EQ(task.function, "f");
  ASSERT_EQ(task.occurrences.size(), 2u);
  EXPECT_EQ(task.occurrences[0].function, "f");
  EXPECT_EQ(task.occurrences[1].function, "g");
  EXPECT_EQ(task.occurrences[1].opIndices, (Ops{0, 1, 2}));
}

TEST_F(TaskExtractionTest, LayoutIsFreeForOneUseOnly) {
  Task task = extractOne(R"(
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32> {schedule.layout_free},
             %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.add ins(%r, %b : tensor<8x8xf32>, tensor<8x8xf32>)
                  outs(%r : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %x : tensor<8x8xf32>
})");
  EXPECT_EQ(task.layoutFree, (Flags{false, false, false}));
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks.front(), "argument #1 of @f keeps its layout: it is not "
                             "used exactly once; it is packed beforehand all "
                             "the same if its readers pack it alike, which "
                             "the header then says");
}

TEST_F(TaskExtractionTest, ConstantsGoAlong) {
  Task task = extractOne(R"(
func.func @f(%a: tensor<2x2xf32>, %c: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %b = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %r = linalg.matmul ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>)
                     outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
})");
  EXPECT_EQ(task.getFunction().getNumArguments(), 2u);
  EXPECT_EQ(task.bytes, 4 * 16);
  EXPECT_EQ(task.text, "matmul_2x2x2_f32(accumulate, constant rhs)");
}

TEST_F(TaskExtractionTest, AnchorInALoop) {
  Task task = extractOne(R"(
func.func @f(%a: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%v = %c)
      -> tensor<8x8xf32> {
    %s = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>)
                       outs(%v : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %s : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
})");
  EXPECT_EQ(task.roles, (Roles{kAnchor}));
  EXPECT_EQ(task.getFunction().getName(), "f_0");
  EXPECT_EQ(task.getFunction().getNumArguments(), 2u);
}
} // namespace
