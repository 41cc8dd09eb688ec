//===- FoldSlices.cpp - Vectors of slices are those of the tensor ---------===//
//
// A tile that is computed row by row is read and written as slices of slices,
// one a row. Upstream's analysis before bufferization compares each of them
// with each, which was half of the time of a build. So vectors are read from
// the tile itself, and written to it.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace sched {
#define GEN_PASS_DEF_FOLDSLICESPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

/// Whether `slice` is all of another slice, in another shape, and vectors alone
/// are read from it, or written to it. Parts of slices are tiles of loops,
/// which stay: that a result is put where its tile was taken from is what
/// upstream knows a result in place by.
static bool isOfVectors(tensor::ExtractSliceOp slice) {
  auto outer = slice.getSource().getDefiningOp<tensor::ExtractSliceOp>();
  return outer && slice.getStaticSizes() == outer.getType().getShape() &&
         llvm::all_of(
             slice->getUsers(),
             llvm::IsaPred<vector::TransferReadOp, vector::TransferWriteOp>);
}

/// Whether `insert` puts a vector's slice, in another shape, into a tile.
static bool isOfVector(tensor::InsertSliceOp insert) {
  auto inner = insert.getSource().getDefiningOp<tensor::InsertSliceOp>();
  return inner && inner.getSource().getDefiningOp<vector::TransferWriteOp>();
}

namespace {
struct FoldSlices : sched::impl::FoldSlicesPassBase<FoldSlices> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet ofSlices(context), ofVectors(context);
    tensor::populateMergeConsecutiveInsertExtractSlicePatterns(ofSlices);
    tensor::populateFoldTensorSubsetIntoVectorTransferPatterns(ofVectors);
    merges = std::move(ofSlices);
    folds = std::move(ofVectors);
    return success();
  }

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
      auto insert = dyn_cast<tensor::InsertSliceOp>(op);
      if ((slice && isOfVectors(slice)) || (insert && isOfVector(insert)))
        ops.push_back(op);
    });
    if (ops.empty())
      return;
    // A vector of a row alone cannot be written to a tile of more dimensions in
    // two steps.
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps);
    if (failed(applyOpPatternsGreedily(ops, merges, config)) ||
        failed(applyPatternsGreedily(getOperation(), folds)))
      signalPassFailure();
  }

  FrozenRewritePatternSet merges, folds;
};
} // namespace
