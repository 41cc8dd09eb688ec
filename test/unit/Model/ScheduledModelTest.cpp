//===- ScheduledModelTest.cpp - The nest of scheduled code ----------------===//

#include "SchedOpt/Model/ScheduledModel.h"
#include "NestBuilder.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace sched;
using sched::test::NestRecorder;
using Lines = std::vector<std::string>;

namespace {

class ScheduledModel : public testing::Test {
protected:
  ScheduledModel() {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect,
                        func::FuncDialect, linalg::LinalgDialect,
                        scf::SCFDialect, tensor::TensorDialect>();
  }

  FailureOr<Program> read(llvm::StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << "does not parse";
      return failure();
    }
    return readScheduledCode(*module->getOps<func::FuncOp>().begin(),
                             test::makeTarget(), 2.0 * 12 * 32 * 16);
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
};

} // namespace

TEST_F(ScheduledModel, LoopsAreThoseOfTheirSlices) {
  // Columns over threads, rows, then steps; the fill is outside of the steps.
  FailureOr<Program> program = read(R"mlir(
    func.func @f(%a: tensor<12x16xf32>, %b: tensor<16x32xf32>) -> tensor<12x32xf32> {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c12 = arith.constant 12 : index
      %c16 = arith.constant 16 : index
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<12x32xf32>
      %p = scf.forall (%t) in (2) shared_outs(%o = %e) -> (tensor<12x32xf32>) {
        %n = affine.apply affine_map<(d0) -> (d0 * 16)>(%t)
        %s = tensor.extract_slice %o[0, %n] [12, 16] [1, 1] : tensor<12x32xf32> to tensor<12x16xf32>
        %r = scf.for %m = %c0 to %c12 step %c4 iter_args(%i = %s) -> (tensor<12x16xf32>) {
          %x = tensor.extract_slice %i[%m, 0] [4, 16] [1, 1] : tensor<12x16xf32> to tensor<4x16xf32>
          %f = linalg.fill ins(%z : f32) outs(%x : tensor<4x16xf32>) -> tensor<4x16xf32>
          %q = scf.for %k = %c0 to %c16 step %c4 iter_args(%j = %f) -> (tensor<4x16xf32>) {
            %as = tensor.extract_slice %a[%m, %k] [4, 4] [1, 1] : tensor<12x16xf32> to tensor<4x4xf32>
            %bs = tensor.extract_slice %b[%k, %n] [4, 16] [1, 1] : tensor<16x32xf32> to tensor<4x16xf32>
            %u = linalg.matmul ins(%as, %bs : tensor<4x4xf32>, tensor<4x16xf32>) outs(%j : tensor<4x16xf32>) -> tensor<4x16xf32>
            scf.yield %u : tensor<4x16xf32>
          }
          %y = tensor.insert_slice %q into %i[%m, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<12x16xf32>
          scf.yield %y : tensor<12x16xf32>
        }
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %r into %o[0, %n] [12, 16] [1, 1] : tensor<12x16xf32> into tensor<12x32xf32>
        }
      }
      return %p : tensor<12x32xf32>
    })mlir");
  ASSERT_TRUE(succeeded(program));
  EXPECT_TRUE(program->getDecisions().empty());
  EXPECT_EQ(NestRecorder::record(*program, {}),
            (Lines{"forall(2) for(3) block0[4,16]",
                   "forall(2) for(3) for(4) block1[4,16,4]"}));
  // Rows of a slice are as far apart as those of what it is taken from.
  const BlockPlan &product = program->getNest().blocks.back();
  int64_t registers[kMaxRegisters];
  ASSERT_TRUE(program->run({}, registers));
  EXPECT_EQ(product.kind, BlockKind::Contraction);
  EXPECT_EQ(registers[product.accesses[0].strides[0]], 16);
  EXPECT_EQ(registers[product.accesses[1].strides[0]], 32);
}

TEST_F(ScheduledModel, WhatNoSliceReadsIsRepeated) {
  FailureOr<Program> program = read(R"mlir(
    func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %p = scf.for %i = %c0 to %c5 step %c1 iter_args(%o = %b) -> (tensor<8xf32>) {
        %r = linalg.add ins(%a, %o : tensor<8xf32>, tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
        scf.yield %r : tensor<8xf32>
      }
      return %p : tensor<8xf32>
    })mlir");
  ASSERT_TRUE(succeeded(program));
  EXPECT_EQ(NestRecorder::record(*program, {}), (Lines{"for(5) block0[1,8]"}));
}

TEST_F(ScheduledModel, UnknownBoundsAndNoOpsFail) {
  EXPECT_TRUE(failed(read(R"mlir(
    func.func @f(%n: index, %b: tensor<8xf32>) -> tensor<8xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %p = scf.for %i = %c0 to %n step %c1 iter_args(%o = %b) -> (tensor<8xf32>) {
        %r = linalg.add ins(%o, %o : tensor<8xf32>, tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
        scf.yield %r : tensor<8xf32>
      }
      return %p : tensor<8xf32>
    })mlir")));
  EXPECT_TRUE(failed(read(R"mlir(
    func.func @f(%b: tensor<?xf32>) -> tensor<?xf32> {
      %r = linalg.add ins(%b, %b : tensor<?xf32>, tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    })mlir")));
  EXPECT_TRUE(failed(read("func.func @f() { return }")));
}
