//===- ShareRest.cpp - Ops without a schedule, by all threads -------------===//
//
// What no sketch rule takes up is compiled by the default, as loops of one
// thread. Here each thread gets a slice. Read next: Decompose.cpp, which comes
// before, and ShareIterations.cpp, for loops that schedules have made.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

namespace sched {
#define GEN_PASS_DEF_SHARERESTPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

/// The loop of `op` that threads share; nullopt where it stays whole.
static std::optional<unsigned>
findSharedLoop(linalg::LinalgOp op, int64_t threads, int64_t minPoints) {
  // Sums of a slice would go through memory, as threads are not known to have
  // memory of their own: 32768 sums of 300 took 1.2 times as long by two.
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      isa<linalg::FillOp, linalg::CopyOp, linalg::BroadcastOp,
          linalg::TransposeOp>(op))
    return std::nullopt;
  const SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (computeProduct(extents) < minPoints)
    return std::nullopt;
  for (unsigned loop = 0; loop != extents.size(); ++loop) {
    if (extents[loop] < threads)
      continue;
    // Each slice of the loop has a slice of each result to itself.
    const AffineExpr dim = getAffineDimExpr(loop, op.getContext());
    if (llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
          return llvm::is_contained(
              op.getMatchingIndexingMap(&init).getResults(), dim);
        }))
      return loop;
  }
  return std::nullopt;
}

namespace {
struct ShareRest : sched::impl::ShareRestPassBase<ShareRest> {
  using ShareRestPassBase::ShareRestPassBase;

  void runOnOperation() override {
    if (threads <= 1)
      return;
    SmallVector<linalg::LinalgOp> ops(
        getOperation().getOps<linalg::LinalgOp>());
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      const auto loop = findSharedLoop(op, threads, minPoints);
      auto tiled = dyn_cast<TilingInterface>(*op);
      if (!loop || !tiled)
        continue;
      SmallVector<OpFoldResult> shares(op.getNumLoops(),
                                       rewriter.getIndexAttr(0));
      shares[*loop] = rewriter.getIndexAttr(threads);
      scf::SCFTilingOptions options;
      options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
      options.setNumThreads(shares);
      rewriter.setInsertionPoint(op);
      auto result = scf::tileUsingSCF(rewriter, tiled, options);
      // What upstream cannot take a slice of stays whole.
      if (succeeded(result))
        rewriter.replaceOp(op, result->replacements);
    }
  }
};
} // namespace
