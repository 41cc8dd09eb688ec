//===- ShareIterations.cpp - Parallel loops of many iterations ------------===//
//
// A parallel loop of more iterations than there are threads becomes one of the
// threads around a loop over each one's share, whose buffers are then the
// thread's: one serves all of its iterations, instead of a buffer for each of
// the whole loop's. Neighbours stay with one thread, as they read the same.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

namespace sched {
#define GEN_PASS_DEF_SHAREITERATIONSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

/// Trips of each dimension; empty where they are not known.
static SmallVector<int64_t> getTrips(scf::ForallOp loop) {
  SmallVector<int64_t> trips;
  for (auto [lower, upper, step] :
       llvm::zip_equal(loop.getStaticLowerBound(), loop.getStaticUpperBound(),
                       loop.getStaticStep())) {
    if (llvm::is_contained({lower, upper, step}, ShapedType::kDynamic))
      return {};
    trips.push_back(
        std::max<int64_t>(llvm::divideCeilSigned(upper - lower, step), 0));
  }
  return trips;
}

/// Moves the body of `loop` to where `builder` is, for iteration `number` of
/// all; the last dimension changes fastest.
static void moveBody(RewriterBase &builder, scf::ForallOp loop, Value number,
                     ArrayRef<int64_t> trips) {
  const Location loc = loop.getLoc();
  SmallVector<OpFoldResult> extents =
      getAsIndexOpFoldResult(builder.getContext(), trips);
  FailureOr<SmallVector<Value>> places =
      affine::delinearizeIndex(builder, loc, number, extents);
  assert(succeeded(places) && "static extents");
  SmallVector<Value> arguments;
  for (auto [place, lower, step] : llvm::zip_equal(
           *places, loop.getStaticLowerBound(), loop.getStaticStep())) {
    AffineExpr d = builder.getAffineDimExpr(0);
    arguments.push_back(affine::AffineApplyOp::create(
        builder, loc, AffineMap::get(1, 0, d * step + lower), place));
  }
  builder.eraseOp(loop.getTerminator());
  builder.inlineBlockBefore(loop.getBody(), builder.getInsertionBlock(),
                            builder.getInsertionPoint(), arguments);
}

static void share(RewriterBase &builder, scf::ForallOp loop, int64_t threads,
                  ArrayRef<int64_t> trips) {
  const Location loc = loop.getLoc();
  const int64_t all = llvm::product_of(trips);
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  builder.setInsertionPoint(loop);
  Value first, end;
  if (threads == 1) {
    first = index(0);
    end = index(all);
  } else {
    auto team = scf::ForallOp::create(
        builder, loc, {builder.getIndexAttr(threads)}, /*outputs=*/ValueRange(),
        /*mapping=*/std::nullopt);
    builder.setInsertionPointToStart(team.getBody());
    Value thread = team.getInductionVar(0);
    AffineExpr d = builder.getAffineDimExpr(0);
    auto bound = [&](AffineExpr number) {
      return affine::AffineApplyOp::create(
          builder, loc, AffineMap::get(1, 0, (number * all).floorDiv(threads)),
          thread);
    };
    first = bound(d);
    end = bound(d + 1);
  }
  auto own = scf::ForOp::create(builder, loc, first, end, index(1));
  builder.setInsertionPointToStart(own.getBody());
  moveBody(builder, loop, own.getInductionVar(), trips);
  builder.eraseOp(loop);
}

namespace {
struct ShareIterations : sched::impl::ShareIterationsPassBase<ShareIterations> {
  using ShareIterationsPassBase::ShareIterationsPassBase;

  void runOnOperation() override {
    SmallVector<scf::ForallOp> loops;
    getOperation()->walk([&](scf::ForallOp loop) {
      // On buffers, not inside of another.
      if (loop->getNumResults() == 0 && !loop->getParentOfType<scf::ForallOp>())
        loops.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ForallOp loop : loops) {
      SmallVector<int64_t> trips = getTrips(loop);
      if (!trips.empty() && llvm::product_of(trips) > threads)
        share(rewriter, loop, threads, trips);
    }
  }
};
} // namespace
