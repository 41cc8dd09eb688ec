//===- TaskExtractionErrorTest.cpp - What cannot be scheduled -------------===//

#include "SpaceTest.h"

using namespace mlir;
using namespace sched;

namespace {
using TaskExtractionErrorTest = SpaceTest;

constexpr llvm::StringLiteral kExpectedShape =
    ": expected ranked tensors of static shape; found ";

/// A function that is fine.
constexpr llvm::StringLiteral kMatmul = R"(
func.func @matmul(%a: tensor<8x8xf32>, %c: tensor<8x8xf32>)
    -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
)";

TEST_F(TaskExtractionErrorTest, NoFunction) {
  EXPECT_EQ(extractError(""),
            "found no function with a body in the module; expected a public "
            "func.func on ranked tensors of static shape");
  // The error and the one diagnostic say the same.
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_TRUE(StringRef(errors[0]).starts_with("found no function"));
}

TEST_F(TaskExtractionErrorTest, OnlyADeclaration) {
  EXPECT_TRUE(StringRef(extractError("func.func private @f()"))
                  .starts_with("found no function with a body"));
}

TEST_F(TaskExtractionErrorTest, NoLinalgOp) {
  EXPECT_EQ(extractError("func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> "
                         "{ return %a : tensor<2xf32> }"),
            "found no linalg op in the module; expected linalg ops on tensors: "
            "convert the input to linalg first (TOSA with "
            "schedule-lower-tosa)");
}

TEST_F(TaskExtractionErrorTest, DynamicArgument) {
  EXPECT_EQ(extractError(
                "func.func @f(%a: tensor<2xf32>, %b: tensor<?x4xf32>) { return "
                "}"),
            "argument #1 of @f" + kExpectedShape.str() +
                "'tensor<?x4xf32>'; dynamic shapes are not schedulable: write "
                "one function for each shape");
}

TEST_F(TaskExtractionErrorTest, DynamicResult) {
  EXPECT_EQ(extractError(R"(
func.func @f(%a: tensor<2xf32>) -> tensor<?xf32> {
  %r = tensor.cast %a : tensor<2xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
})"),
            "result #0 of @f" + kExpectedShape.str() +
                "'tensor<?xf32>'; dynamic shapes are not schedulable: write "
                "one function for each shape");
}

TEST_F(TaskExtractionErrorTest, DynamicShapeInside) {
  EXPECT_EQ(extractError(R"(
func.func @f(%a: tensor<2xf32>) {
  %r = tensor.cast %a : tensor<2xf32> to tensor<?xf32>
  return
})"),
            "'tensor.cast' op result in @f: expected tensors of static shape; "
            "found 'tensor<?xf32>'; dynamic shapes are not schedulable: write "
            "one function for each shape");
}

TEST_F(TaskExtractionErrorTest, BufferizedArgument) {
  EXPECT_EQ(extractError(R"(
func.func @f(%a: memref<8x8xf32>) {
  linalg.matmul ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>)
                outs(%a : memref<8x8xf32>)
  return
})"),
            "argument #0 of @f" + kExpectedShape.str() +
                "'memref<8x8xf32>'; bufferized input is not schedulable: pass "
                "linalg on tensors");
}

TEST_F(TaskExtractionErrorTest, ScalarAndUnrankedArguments) {
  EXPECT_EQ(extractError("func.func @f(%a: f32) { return }"),
            "argument #0 of @f" + kExpectedShape.str() +
                "'f32'; wrap the value in a tensor");
  EXPECT_EQ(extractError("func.func @f(%a: tensor<*xf32>) { return }"),
            "argument #0 of @f" + kExpectedShape.str() +
                "'tensor<*xf32>'; give the tensor a shape");
}

TEST_F(TaskExtractionErrorTest, SideEffects) {
  const std::string rest =
      "; expected ops on tensors without side effects in what is scheduled: "
      "move it out of @f";
  EXPECT_EQ(extractError(R"(
func.func @f() {
  %v = arith.constant dense<0.0> : vector<4xf32>
  vector.print %v : vector<4xf32>
  return
})"),
            "'vector.print' op has side effects" + rest);
  EXPECT_EQ(extractError(R"(
memref.global @counter : memref<1xf32>
func.func @f() {
  %v = arith.constant 0.0 : f32
  %i = arith.constant 0 : index
  %m = memref.get_global @counter : memref<1xf32>
  memref.store %v, %m[%i] : memref<1xf32>
  return
})"),
            "'memref.store' op has side effects" + rest);
  EXPECT_EQ(extractError(R"(
func.func private @g()
func.func @f() {
  call @g() : () -> ()
  return
})"),
            "'func.call' op calls @g, which has no body here and may have side "
            "effects" +
                rest);
}

TEST_F(TaskExtractionErrorTest, SideEffectsInALoopAndInACallee) {
  EXPECT_EQ(extractError(R"(
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  call @g(%c0, %c1) : (index, index) -> ()
  return
}
func.func private @g(%lower: index, %upper: index) {
  scf.for %i = %lower to %upper step %upper {
    vector.print %i : index
  }
  return
})"),
            "'vector.print' op has side effects; expected ops on tensors "
            "without side effects in what is scheduled: move it out of @g");
}

TEST_F(TaskExtractionErrorTest, OneErrorAFunction) {
  extractError("func.func @f(%a: f32, %b: f32) { return }\n"
               "func.func @g(%a: f32) { return }\n" +
               kMatmul.str());
  EXPECT_EQ(errors.size(), 2u);
}

TEST_F(TaskExtractionErrorTest, CallsOfPureFunctionsAreFine) {
  std::vector<Task> tasks = extract(kMatmul.str() + R"(
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = call @matmul(%a, %a) : (tensor<8x8xf32>, tensor<8x8xf32>)
    -> tensor<8x8xf32>
  %s = call @matmul(%r, %a) : (tensor<8x8xf32>, tensor<8x8xf32>)
    -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
})");
  EXPECT_EQ(tasks.size(), 1u);
}

TEST_F(TaskExtractionErrorTest, PrivateFunctionsAreLeftToTheDefault) {
  std::vector<Task> tasks = extract(kMatmul.str() + R"(
func.func private @f(%a: tensor<?xf32>) { return }
)");
  EXPECT_EQ(tasks.size(), 1u);
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0], "compiled by the default schedule, without a search: "
                        "private function @f is "
                        "not schedulable");
}
} // namespace
