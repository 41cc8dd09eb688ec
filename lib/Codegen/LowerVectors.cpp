//===- LowerVectors.cpp - One-dimensional vectors -------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "TransposeTiles.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace sched {
#define GEN_PASS_DEF_LOWERVECTORSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

namespace {
struct LowerVectors : sched::impl::LowerVectorsPassBase<LowerVectors> {
  /// The patterns are collected once, not for every function.
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    // Dot products or parallel arithmetic reach a tenth of the speed.
    vector::populateVectorContractLoweringPatterns(
        set, vector::VectorContractLowering::OuterProduct);
    vector::populateVectorTransferPermutationMapLoweringPatterns(set);
    vector::populateVectorMultiReductionLoweringPatterns(
        set, vector::VectorMultiReductionLowering::InnerParallel);
    VectorTransferToSCFOptions transfers;
    transfers.enableFullUnroll(true).setTargetRank(1);
    populateVectorToSCFConversionPatterns(set, transfers);
    vector::populateVectorTransferLoweringPatterns(set, /*maxTransferRank=*/1);
    vector::populateVectorShapeCastLoweringPatterns(set);
    sched::populateTransposeTilePatterns(set);
    vector::populateVectorTransposeLoweringPatterns(
        set, vector::VectorTransposeLowering::Shuffle1D);
    vector::populateVectorOuterProductLoweringPatterns(set);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(set);
    // A shape cast is lowered to elements, and the canonical form of elements
    // in the order of another vector is a shape cast: the two would never end.
    for (RegisteredOperationName op : context->getRegisteredOperations())
      if (op.getStringRef() != vector::FromElementsOp::getOperationName())
        op.getCanonicalizationPatterns(set, context);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    if (failed(applyPatternsGreedily(getOperation(), patterns))) {
      getOperation()->emitError("vectors could not be lowered: the patterns "
                                "did not come to an end");
      signalPassFailure();
    }
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
