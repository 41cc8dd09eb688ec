//===- SubsetModelsTest.cpp - Parts of tensors are told apart -------------===//

#include "KernelTest.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/SubsetOpInterfaceImpl.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

using namespace sched;
using namespace sched::testing;
using namespace mlir;

namespace {
class SubsetModelsTest : public KernelTest {
protected:
  /// Accesses of one tensor, in places that are constants, values, and values
  /// that upstream knows something of.
  static constexpr llvm::StringLiteral kAccesses = R"mlir(
func.func @f(%t: tensor<16x64xf32>, %u: tensor<16x64xf32>, %i: index, %n: index,
             %s: tensor<2x8xf32>, %v: vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %pad = arith.constant 0.0 : f32
  %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
  %r0 = vector.transfer_read %t[%c0, %c0], %pad {in_bounds = [true]} : tensor<16x64xf32>, vector<16xf32>
  %r1 = vector.transfer_read %t[%c0, %c16], %pad {in_bounds = [true]} : tensor<16x64xf32>, vector<16xf32>
  %r2 = vector.transfer_read %t[%c1, %c0], %pad {in_bounds = [true]} : tensor<16x64xf32>, vector<16xf32>
  %r3 = vector.transfer_read %t[%c0, %c1], %pad {in_bounds = [true]} : tensor<16x64xf32>, vector<16xf32>
  %r4 = vector.transfer_read %t[%i, %c0], %pad {in_bounds = [true]} : tensor<16x64xf32>, vector<16xf32>
  %r5 = vector.transfer_read %t[%next, %c0], %pad {in_bounds = [true]} : tensor<16x64xf32>, vector<16xf32>
  %r6 = vector.transfer_read %t[%i, %c16], %pad {in_bounds = [true]} : tensor<16x64xf32>, vector<16xf32>
  %r7 = vector.transfer_read %u[%c0, %c0], %pad {in_bounds = [true]} : tensor<16x64xf32>, vector<16xf32>
  %r8 = vector.transfer_read %t[%c0, %c0], %pad {in_bounds = [true, true]} : tensor<16x64xf32>, vector<2x8xf32>
  %w0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<16x64xf32>
  %w1 = vector.transfer_write %v, %t[%i, %c0] {in_bounds = [true]} : vector<16xf32>, tensor<16x64xf32>
  %e0 = tensor.extract_slice %t[0, 0] [1, 16] [1, 1] : tensor<16x64xf32> to tensor<16xf32>
  %e1 = tensor.extract_slice %t[0, 0] [2, 8] [1, 1] : tensor<16x64xf32> to tensor<2x8xf32>
  %e2 = tensor.extract_slice %t[0, 0] [2, 8] [2, 1] : tensor<16x64xf32> to tensor<2x8xf32>
  %e3 = tensor.extract_slice %t[1, 0] [2, 8] [2, 1] : tensor<16x64xf32> to tensor<2x8xf32>
  %e4 = tensor.extract_slice %t[%i, 0] [%n, 8] [1, 1] : tensor<16x64xf32> to tensor<?x8xf32>
  %e5 = tensor.extract_slice %t[%next, 8] [%n, 8] [1, 1] : tensor<16x64xf32> to tensor<?x8xf32>
  %e6 = tensor.extract_slice %t[%i, 0] [4, 8] [%n, 1] : tensor<16x64xf32> to tensor<4x8xf32>
  %i0 = tensor.insert_slice %s into %t[0, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<16x64xf32>
  %i1 = tensor.insert_slice %s into %t[%i, 8] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<16x64xf32>
  return
}
)mlir";

  using Model = SubsetOpInterface::Concept;
  template <typename Op> static Model *getModel(MLIRContext &context) {
    return OperationName(Op::getOperationName(), &context)
        .getInterface<SubsetOpInterface>();
  }
};

bool areSame(Value a, Value b) { return a == b; }

TEST_F(SubsetModelsTest, AnswersAreUpstreams) {
  auto module = parse(kAccesses);
  ASSERT_TRUE(bool(module));
  std::vector<SubsetOpInterface> ops;
  module->walk([&](SubsetOpInterface op) { ops.push_back(op); });
  ASSERT_EQ(ops.size(), 20u);
  int numEquivalent = 0, numDisjoint = 0;
  for (SubsetOpInterface a : ops)
    for (SubsetOpInterface b : ops) {
      const bool isEquivalent = a.operatesOnEquivalentSubset(b, areSame);
      const bool isDisjoint = a.operatesOnDisjointSubset(b, areSame);
      EXPECT_EQ(isEquivalent,
                mlir::detail::defaultOperatesOnEquivalentSubset(a, b, areSame));
      EXPECT_EQ(isDisjoint,
                mlir::detail::defaultOperatesOnDisjointSubset(a, b, areSame));
      numEquivalent += isEquivalent && a != b;
      numDisjoint += isDisjoint;
    }
  // Neither is never, nor always.
  EXPECT_GT(numEquivalent, 6);
  EXPECT_GT(numDisjoint, 40);
}

// Upstream takes a square read across, and its write along, for one part.
TEST_F(SubsetModelsTest, OrdersOfElementsAreToldApart) {
  auto module = parse(R"mlir(
func.func @f(%t: tensor<16x16xf32>, %v: vector<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %r = vector.transfer_read %t[%c0, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<16x16xf32>, vector<4x4xf32>
  %w = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, tensor<16x16xf32>
  return
}
)mlir");
  ASSERT_TRUE(bool(module));
  std::vector<SubsetOpInterface> ops;
  module->walk([&](SubsetOpInterface op) { ops.push_back(op); });
  ASSERT_EQ(ops.size(), 2u);
  EXPECT_FALSE(ops[0].operatesOnEquivalentSubset(ops[1], areSame));
  EXPECT_FALSE(ops[1].operatesOnEquivalentSubset(ops[0], areSame));
  EXPECT_TRUE(ops[0].operatesOnEquivalentSubset(ops[0], areSame));
  EXPECT_FALSE(ops[0].operatesOnDisjointSubset(ops[1], areSame));
}

TEST_F(SubsetModelsTest, StandBeforeUpstreams) {
  DialectRegistry registry;
  registry.insert<tensor::TensorDialect, vector::VectorDialect>();
  tensor::registerSubsetOpInterfaceExternalModels(registry);
  vector::registerSubsetOpInterfaceExternalModels(registry);
  MLIRContext upstream(registry, MLIRContext::Threading::DISABLED);
  upstream.loadAllAvailableDialects();
  context.loadAllAvailableDialects();
  auto differ = [](Model *own, Model *other) {
    return own->operatesOnDisjointSubset != other->operatesOnDisjointSubset &&
           own->operatesOnEquivalentSubset != other->operatesOnEquivalentSubset;
  };
  EXPECT_TRUE(differ(getModel<vector::TransferReadOp>(context),
                     getModel<vector::TransferReadOp>(upstream)));
  EXPECT_TRUE(differ(getModel<vector::TransferWriteOp>(context),
                     getModel<vector::TransferWriteOp>(upstream)));
  EXPECT_TRUE(differ(getModel<tensor::ExtractSliceOp>(context),
                     getModel<tensor::ExtractSliceOp>(upstream)));
  EXPECT_TRUE(differ(getModel<tensor::InsertSliceOp>(context),
                     getModel<tensor::InsertSliceOp>(upstream)));
}
} // namespace
