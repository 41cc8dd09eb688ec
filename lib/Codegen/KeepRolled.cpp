//===- KeepRolled.cpp - Loops over memory that LLVM must not unroll -------===//
//
// A schedule decides how many vectors a loop has in flight. LLVM unrolls what
// is short enough all the same; where a row is then read again, as the next
// stage of a norm does, it keeps all of the row for it, on the stack: a layer
// norm of 128x768 took 1.5 times as long.
//
// Products are left alone: their loops share nothing but sums. Of integers they
// are multiplications by now.
//
// Nor are nests of scalar loops, as ops without a schedule become, to be
// unrolled from the inside out: a minimum of 33 x 151 integers became 20,000
// instructions, for which LLVM's optimiser took more than a minute.
//
// And loops around much code are said not to be unrolled because LLVM would not
// unroll them anyway, but weighs the code of each loop of a nest anew, twice:
// of a convolution that was most of the time that its build took.
//
// Of a product's loop of two iterations LLVM makes one over a bit, whose
// addresses it no longer sees through: each row of a tile takes a register for
// its own, and the rows of all steps are loaded before the first is used, and
// spilled. Such a loop is unrolled.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"

namespace sched {
#define GEN_PASS_DEF_KEEPROLLEDPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

/// Fewer trips, as of the taps of a window, are LLVM's to unroll.
static constexpr int64_t kLeastTrips = 4;

/// Whether the innermost `loop` streams vectors that are no product's.
static bool isStream(scf::ForOp loop) {
  bool loads = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (op.getNumRegions() != 0 ||
        isa<vector::FMAOp, vector::ContractionOp, vector::OuterProductOp,
            arith::MulIOp>(op))
      return false;
    loads |= isa<vector::TransferReadOp, vector::LoadOp>(op);
  }
  return loads;
}

/// Whether the innermost `loop` multiplies tiles: each takes so long that an
/// unrolled loop only keeps more addresses than there are registers.
static bool multipliesTiles(scf::ForOp loop) {
  return llvm::any_of(loop.getBody()->without_terminator(), [](Operation &op) {
    return isa<amx::TileMulFOp, amx::TileMulIOp>(op);
  });
}

/// Whether `loop` is one of scalars, with another loop inside.
static bool isScalarNest(scf::ForOp loop) {
  bool hasLoop = false;
  const WalkResult walked = loop.getBody()->walk([&](Operation *op) {
    hasLoop |= isa<scf::ForOp>(op);
    return llvm::all_of(op->getResultTypes(),
                        [](Type type) {
                          return type.isIntOrIndexOrFloat() ||
                                 isa<MemRefType>(type);
                        })
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return hasLoop && !walked.wasInterrupted();
}

/// Two iterations of so many instructions are above LLVM's threshold.
static constexpr int64_t kMuchCode = 150;
/// What is unrolled all the same has less than this in an iteration: a schedule
/// puts at most 128 products of vectors there, each with what it reads.
static constexpr int64_t kMostCode = 400;
/// So many instructions of all iterations of products are, too: what they read
/// is not known, so that no more than addresses folds.
static constexpr int64_t kMuchCodeInAll = 600;
/// LLVM's `unroll-max-iteration-count-to-analyze`.
static constexpr int64_t kMostSimulated = 10;
/// Of the widest vectors: what the code is for is not known here.
static constexpr int64_t kWidestBits = 512;

/// Whether `loop`, with loops inside of it, has `limit` instructions: at least
/// one an op, and one for each register of a vector.
static bool hasMuchCode(scf::ForOp loop, int64_t limit = kMuchCode) {
  int64_t count = 0;
  return loop.getBody()
      ->walk([&](Operation *op) {
        int64_t registers = 1;
        for (Type type : op->getResultTypes())
          if (auto vector = dyn_cast<VectorType>(type);
              vector && vector.getElementType().isIntOrFloat())
            registers = std::max(
                registers, vector.getNumElements() *
                               vector.getElementTypeBitWidth() / kWidestBits);
        count += registers;
        return count < limit ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Whether the innermost `loop` multiplies vectors and adds them up.
static bool addsProducts(scf::ForOp loop) {
  bool multiplies = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (op.getNumRegions() != 0)
      return false;
    multiplies |= isa<vector::FMAOp>(op);
  }
  return multiplies;
}

/// The same, twice.
static bool isPairOfProducts(scf::ForOp loop) {
  const std::optional<llvm::APInt> trips = loop.getStaticTripCount();
  return trips && *trips == 2 && addsProducts(loop) &&
         !hasMuchCode(loop, kMostCode);
}

/// Whether the innermost `loop` adds so many products in all of its iterations
/// that LLVM leaves it, but only after it has simulated each to see what folds.
static bool addsManyProducts(scf::ForOp loop) {
  const std::optional<llvm::APInt> trips = loop.getStaticTripCount();
  return trips && trips->ule(kMostSimulated) && trips->ugt(0) &&
         addsProducts(loop) &&
         hasMuchCode(loop, kMuchCodeInAll / trips->getLimitedValue());
}

namespace {
struct KeepRolled : sched::impl::KeepRolledPassBase<KeepRolled> {
  void runOnOperation() override {
    Builder builder(&getContext());
    auto annotate = [&](BoolAttr disable, BoolAttr full) {
      auto unroll = LLVM::LoopUnrollAttr::get(&getContext(), disable, {}, {},
                                              full, {}, {}, {});
      return LLVM::LoopAnnotationAttr::get(&getContext(), {}, {}, {}, unroll,
                                           {}, {}, {}, {}, {}, {}, {}, {}, {},
                                           {}, {});
    };
    const auto rolled = annotate(builder.getBoolAttr(true), {}),
               unrolled = annotate({}, builder.getBoolAttr(true));
    getOperation()->walk([&](scf::ForOp loop) {
      std::optional<llvm::APInt> trips = loop.getStaticTripCount();
      if (isPairOfProducts(loop))
        loop->setAttr("loop_annotation", unrolled);
      else if ((trips && trips->sge(kLeastTrips) &&
                (isStream(loop) || multipliesTiles(loop) ||
                 isScalarNest(loop))) ||
               hasMuchCode(loop) || addsManyProducts(loop))
        loop->setAttr("loop_annotation", rolled);
    });
  }
};
} // namespace
