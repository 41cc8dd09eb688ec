//===- ErrorsTest.cpp - What cannot be compiled, and where it says so -----===//

#include "KernelTest.h"

using namespace sched;
using namespace sched::testing;

namespace {
using ErrorsTest = KernelTest;
} // namespace

TEST_F(ErrorsTest, SideEffects) {
  std::string message = compileError(R"mlir(
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant 0 : index
  %v = tensor.extract %a[%c] : tensor<4xf32>
  vector.print %v : f32
  return %a : tensor<4xf32>
})mlir");
  EXPECT_TRUE(contains(message, "in.mlir:5:3")) << message;
  EXPECT_TRUE(contains(message, "'vector.print' op has side effects"))
      << message;
  EXPECT_TRUE(contains(message, "out of @f")) << message;
}

TEST_F(ErrorsTest, CallsThatAreNotInlined) {
  std::string message = compileError(R"mlir(
func.func private @g(tensor<4xf32>) -> tensor<4xf32>
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = call @g(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
})mlir");
  EXPECT_TRUE(contains(message, "in.mlir:4:8")) << message;
  EXPECT_TRUE(contains(message, "no body here")) << message;
  message = compileError(R"mlir(
func.func private @g(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = call @g(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = call @g(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
})mlir");
  EXPECT_TRUE(contains(message, "cannot be inlined")) << message;
}

TEST_F(ErrorsTest, TypesOfArgumentsAndResults) {
  std::string message = compileError(R"mlir(
func.func @f(%a: tensor<8xf32>, %b: tensor<?xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
})mlir");
  EXPECT_TRUE(contains(message, "in.mlir:2:33")) << message;
  EXPECT_TRUE(contains(message, "argument 1 has type 'tensor<?xf32>'"))
      << message;
  message = compileError(R"mlir(
func.func @f(%a: memref<8xf32>) {
  return
})mlir");
  EXPECT_TRUE(contains(message, "argument 0 has type 'memref<8xf32>'"))
      << message;
  message = compileError(R"mlir(
func.func @f(%a: tensor<8xf32>) -> f32 {
  %c = arith.constant 0 : index
  %v = tensor.extract %a[%c] : tensor<8xf32>
  return %v : f32
})mlir");
  EXPECT_TRUE(contains(message, "result 0 has type 'f32'")) << message;
}

TEST_F(ErrorsTest, ControlFlowBetweenBlocks) {
  std::string message = compileError(R"mlir(
func.func @f(%a: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a : tensor<8xf32>
^bb2:
  return %a : tensor<8xf32>
})mlir");
  EXPECT_TRUE(contains(message, "in.mlir:2:1")) << message;
  EXPECT_TRUE(contains(message, "one block")) << message;
}

TEST_F(ErrorsTest, OpsWithoutLowering) {
  context.allowUnregisteredDialects();
  std::string message = compileError(R"mlir(
func.func @f(%a: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
  %y = "other.op"(%x) : (f32) -> f32
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.fill ins(%y : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
})mlir");
  EXPECT_TRUE(contains(message, "in.mlir:3:8")) << message;
  EXPECT_TRUE(contains(message, "'other.op' op has no lowering for a CPU"))
      << message;
}
