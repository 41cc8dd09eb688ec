//===- Decompose.cpp - Ops without a bufferization of their own -----------===//
//
// The first step that changes what is computed, and only for what a schedule
// left alone. Read next: KernelABI.cpp.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace sched {
#define GEN_PASS_DEF_DECOMPOSEPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

static LogicalResult decompose(IRRewriter &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  if (auto pack = dyn_cast<linalg::PackOp>(op))
    return linalg::lowerPack(rewriter, pack);
  if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
    return linalg::lowerUnPack(rewriter, unpack);
  // In destination style, a padded result is written where it ends up.
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return linalg::rewriteInDestinationPassingStyle(rewriter, pad);
  FailureOr<SmallVector<Value>> values =
      cast<linalg::AggregatedOpInterface>(op).decomposeOperation(rewriter);
  if (failed(values))
    return failure();
  rewriter.replaceOp(op, *values);
  return success();
}

namespace {
struct Decompose : sched::impl::DecomposePassBase<Decompose> {
  void runOnOperation() override {
    // Ops of one kind may become ops of another (a pack has a pad in it).
    SmallVector<Operation *> ops;
    auto collect = [&] {
      ops.clear();
      getOperation()->walk([&](Operation *op) {
        if (isa<linalg::PackOp, linalg::UnPackOp, tensor::PadOp,
                linalg::AggregatedOpInterface>(op) &&
            llvm::all_of(op->getOperandTypes(),
                         llvm::IsaPred<RankedTensorType, FloatType, IntegerType,
                                       IndexType>))
          ops.push_back(op);
      });
      return !ops.empty();
    };
    IRRewriter rewriter(&getContext());
    while (collect())
      for (Operation *op : ops)
        if (failed(decompose(rewriter, op))) {
          op->emitOpError(
              "cannot be split into simpler ops; expected a form "
              "with constant sizes, or linalg.generic in its place");
          return signalPassFailure();
        }
  }
};
} // namespace
