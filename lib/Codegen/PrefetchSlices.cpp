//===- PrefetchSlices.cpp - Slices that are read several times ------------===//
//
// A step after ShareIterations.cpp. The tiles of a product read a slice of one
// operand from a cache, several of them the same: only the first waits for
// memory, or a cache that is far. So each of them fetches a part of the slice
// that is next.
//
//===----------------------------------------------------------------------===//

#include "BufferRoot.h"
#include "IndexSum.h"
#include "Prefetch.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace sched {
#define GEN_PASS_DEF_PREFETCHSLICESPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

namespace {
/// Which of how many tiles that read the same slice this one is.
struct Turn {
  /// From 0, of `operands` as dimensions.
  AffineExpr number;
  SmallVector<Value> operands;
  /// At most, where the bounds of loops are computed.
  int64_t count = 1;

  /// In the iterations of `loops`, innermost first.
  static std::optional<Turn> get(Builder &builder, ArrayRef<scf::ForOp> loops);
};

/// The loops around one over the steps of a sum, as a read in that sees them.
struct Nest {
  vector::TransferReadOp read;
  ReadPlace place;
  /// Innermost first: all, those whose iterations read the same slice, and
  /// those whose next iteration reads another one.
  SmallVector<scf::ForOp> around, passes, slices;

  static std::optional<Nest> get(vector::TransferReadOp read, scf::ForOp steps,
                                 uint64_t minBytes);
  /// The op in the loop `around[depth]` that the read is in.
  Operation *getChild(unsigned depth) {
    return depth == 0 ? read->getParentOp() : around[depth - 1].getOperation();
  }
};
} // namespace

std::optional<Turn> Turn::get(Builder &builder, ArrayRef<scf::ForOp> loops) {
  Turn turn{builder.getAffineConstantExpr(0), {}};
  for (scf::ForOp loop : loops) {
    const auto range = getRange(loop.getInductionVar());
    const auto step = getConstantIntValue(loop.getStep());
    if (!range || !step)
      return std::nullopt;
    const unsigned dim = turn.operands.size();
    turn.operands.append({loop.getInductionVar(), loop.getLowerBound()});
    const AffineExpr iterations =
        (builder.getAffineDimExpr(dim) - builder.getAffineDimExpr(dim + 1))
            .floorDiv(*step);
    turn.number = turn.number + iterations * turn.count;
    turn.count *= (range->most - range->least) / *step + 1;
  }
  return turn;
}

std::optional<Nest> Nest::get(vector::TransferReadOp read, scf::ForOp steps,
                              uint64_t minBytes) {
  SmallVector<scf::ForOp> around;
  for (auto loop = dyn_cast<scf::ForOp>(steps->getParentOp());
       loop && loop.getInductionVar().getType().isIndex() &&
       readsLargeBuffer(read, loop, minBytes);
       loop = dyn_cast<scf::ForOp>(loop->getParentOp()))
    around.push_back(loop);
  if (around.empty())
    return std::nullopt;
  std::optional<ReadPlace> place = ReadPlace::get(read, around.back());
  if (!place || !place->dependsOn(steps.getInductionVar()))
    return std::nullopt;
  Nest nest{read, *std::move(place), around, {}, {}};
  for (scf::ForOp loop : around) {
    const bool moves = nest.place.dependsOn(loop.getInductionVar());
    // What moves inside of a pass is of the slice, and what does not, outside
    // of the slices, is of no interest.
    if (!moves && nest.slices.empty())
      nest.passes.push_back(loop);
    else if (moves && !nest.passes.empty())
      nest.slices.push_back(loop);
  }
  return nest;
}

/// The indices of `slices` for the slice after that of this iteration; the last
/// one has itself.
static IRMapping getNext(OpBuilder &builder, Location loc,
                         ArrayRef<scf::ForOp> slices) {
  IRMapping next;
  // Whether all loops so far were at their last iterations.
  Value carry;
  for (scf::ForOp loop : slices) {
    const bool isLast = loop == slices.back();
    Value here = loop.getInductionVar();
    Value later = arith::AddIOp::create(builder, loc, here, loop.getStep());
    Value exists = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, later, loop.getUpperBound());
    Value moved = arith::SelectOp::create(builder, loc, exists, later,
                                          isLast ? here : loop.getLowerBound());
    next.map(here,
             carry ? arith::SelectOp::create(builder, loc, carry, moved, here)
                         .getResult()
                   : moved);
    if (isLast)
      break;
    Value yes = arith::ConstantIntOp::create(builder, loc, /*value=*/1,
                                             /*width=*/1);
    Value ends = arith::XOrIOp::create(builder, loc, exists, yes);
    carry = carry ? arith::AndIOp::create(builder, loc, carry, ends).getResult()
                  : ends;
  }
  return next;
}

/// Fetches, at the read of `nest`, a share of the next slice.
static void prefetch(Nest &nest, const Turn &turn) {
  // Before all reads: LLVM moves none across a prefetch, and what is read
  // before one takes registers until it is used.
  OpBuilder builder = OpBuilder::atBlockBegin(nest.read->getBlock());
  const Location loc = nest.read.getLoc();
  const VectorType type = nest.read.getVectorType();
  const int64_t elements = kLineBytes * 8 / type.getElementTypeBitWidth();
  // What is fetched of each dimension of the vector, and how far apart.
  SmallVector<int64_t> counts(type.getShape()), steps(type.getRank(), 1);
  counts.back() = llvm::divideCeil(counts.back(), elements);
  steps.back() = elements;
  // The tiles share the innermost dimension of several rows, or else the lines
  // of the row: what each one fetches is at constant distances from its first.
  unsigned shared = type.getRank() - 1;
  for (unsigned dim = 0; dim + 1 < type.getRank(); ++dim)
    if (counts[dim] > 1)
      shared = dim;
  const int64_t all = counts[shared];
  counts[shared] = llvm::divideCeil(all, turn.count);
  // The last tiles may have less to fetch than there is.
  const AffineExpr firsts[] = {
      turn.number * counts[shared],
      builder.getAffineConstantExpr(all - counts[shared])};
  Value first = affine::AffineMinOp::create(
      builder, loc,
      AffineMap::get(turn.operands.size(), 0, firsts, builder.getContext()),
      turn.operands);
  auto [buffer, begins] =
      nest.place.clone(builder, getNext(builder, loc, nest.slices));
  const unsigned outer = begins.size() - type.getRank();
  Value operands[] = {begins[outer + shared], first};
  begins[outer + shared] = affine::AffineApplyOp::create(
      builder, loc,
      AffineMap::get(2, 0,
                     builder.getAffineDimExpr(0) +
                         builder.getAffineDimExpr(1) * steps[shared]),
      operands);
  for (int64_t i = 0, e = llvm::product_of(counts); i != e; ++i) {
    SmallVector<Value> place = begins;
    int64_t rest = i;
    for (int64_t dim = type.getRank(); dim-- > 0;) {
      const int64_t by = rest % counts[dim] * steps[dim];
      rest /= counts[dim];
      if (by != 0)
        place[outer + dim] = affine::AffineApplyOp::create(
            builder, loc,
            AffineMap::get(1, 0, builder.getAffineDimExpr(0) + by),
            place[outer + dim]);
    }
    // Into the second level: the first one has the slice of this tile.
    memref::PrefetchOp::create(builder, loc, buffer, place, /*isWrite=*/false,
                               /*localityHint=*/2, /*isDataCache=*/true);
  }
}

/// Whether a line of the cache has pieces of several of these vectors, which
/// would each fetch it.
static bool isShort(VectorType type) {
  return type.getRank() == 0 ||
         type.getShape().back() * type.getElementTypeBitWidth() <
             kLineBytes * 8;
}

namespace {
/// The reads of vectors of the same type in a buffer, in nests without passes
/// that are in a loop: each in an op of its own there.
using Place = std::tuple<Operation *, Value, Type>;
using Siblings = llvm::MapVector<Place, SetVector<Operation *>>;

struct PrefetchSlices : sched::impl::PrefetchSlicesPassBase<PrefetchSlices> {
  using PrefetchSlicesPassBase::PrefetchSlicesPassBase;

  void runOnOperation() override {
    if (minBytes == 0)
      return;
    std::vector<Nest> nests;
    getOperation()->walk([&](scf::ForOp steps) {
      if (steps.getNumResults() == 0)
        return;
      for (auto read : steps.getBody()->getOps<vector::TransferReadOp>())
        if (!isShort(read.getVectorType()))
          if (auto nest = Nest::get(read, steps, minBytes))
            nests.push_back(*std::move(nest));
    });
    Siblings siblings;
    for (Nest &nest : nests)
      if (nest.passes.empty())
        for (unsigned depth = 0; depth != nest.around.size(); ++depth)
          siblings[getPlace(nest, depth)].insert(nest.getChild(depth));
    Builder builder(&getContext());
    for (Nest &nest : nests) {
      const std::optional<Turn> turn =
          nest.passes.empty() ? getTurnAmong(builder, siblings, nest)
                              : Turn::get(builder, nest.passes);
      if (turn && turn->count > 1 && !nest.slices.empty())
        prefetch(nest, *turn);
    }
  }

private:
  static Place getPlace(Nest &nest, unsigned depth) {
    return {nest.around[depth], getRoot(nest.read.getBase()),
            nest.read.getVectorType()};
  }

  /// Of tiles that are no loop, but follow each other in one. Sets the slices.
  static std::optional<Turn>
  getTurnAmong(Builder &builder, const Siblings &siblings, Nest &nest) {
    for (unsigned depth = 0; depth != nest.around.size(); ++depth) {
      const auto &tiles = siblings.find(getPlace(nest, depth))->second;
      if (tiles.size() < 2)
        continue;
      llvm::append_range(nest.slices, ArrayRef(nest.around).drop_front(depth));
      const int64_t number =
          std::distance(tiles.begin(), llvm::find(tiles, nest.getChild(depth)));
      return Turn{
          builder.getAffineConstantExpr(number), {}, int64_t(tiles.size())};
    }
    return std::nullopt;
  }
};
} // namespace
