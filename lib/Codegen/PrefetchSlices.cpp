//===- PrefetchSlices.cpp - The slice that comes next ---------------------===//
//
// A step after ShareIterations.cpp. The tiles of a product read a slice of one
// operand from a cache, several of them the same: only the first waits for
// memory, or a cache that is far. So each of them fetches a part of the slice
// that is next. Where a sum has its slice to itself, as the rows of a product
// that is as wide as one tile, its steps do: rows begin in the middle of pages,
// several at once, which processors follow badly.
//
//===----------------------------------------------------------------------===//

#include "IndexSum.h"
#include "Prefetch.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace sched {
#define GEN_PASS_DEF_PREFETCHSLICESPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// Tiles for each row, or line, of what they share in an iteration, at most.
static constexpr int64_t kMostTurns = 4;

namespace {
/// The loops around one over the steps of a sum, as a read in that sees them.
struct Nest {
  vector::TransferReadOp read;
  TransferPlace place;
  /// Innermost first: all, those whose iterations read the same slice, and
  /// those whose next iteration reads another one.
  SmallVector<scf::ForOp> around, passes, slices;

  static std::optional<Nest> get(vector::TransferReadOp read, scf::ForOp steps,
                                 uint64_t minBytes);
  /// Whether the slice is rows along the steps, which this sum alone reads, and
  /// others in each iteration of the loop around.
  bool hasOwnRows();
  /// The op in the loop `around[depth]` that the read is in.
  Operation *getChild(unsigned depth) {
    return depth == 0 ? read->getParentOp() : around[depth - 1].getOperation();
  }
};
} // namespace

std::optional<Nest> Nest::get(vector::TransferReadOp read, scf::ForOp steps,
                              uint64_t minBytes) {
  SmallVector<scf::ForOp> around;
  for (auto loop = dyn_cast<scf::ForOp>(steps->getParentOp());
       loop && loop.getInductionVar().getType().isIndex() &&
       isInLargeBuffer(read, loop, minBytes);
       loop = dyn_cast<scf::ForOp>(loop->getParentOp()))
    around.push_back(loop);
  if (around.empty())
    return std::nullopt;
  std::optional<TransferPlace> place = TransferPlace::get(read, around.back());
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

/// Whether something in `body` but the tail of a sum reads the buffer of
/// `read`, too, or fetches it.
static bool isOfOthers(vector::TransferReadOp read, scf::ForOp body) {
  const Value root = getRoot(read.getBase());
  const WalkResult others = body.walk([&](Operation *op) {
    auto other = dyn_cast<vector::TransferReadOp>(op);
    auto fetch = dyn_cast<memref::PrefetchOp>(op);
    const bool reads = other && other != read && other->getParentOp() != body &&
                       getRoot(other.getBase()) == root;
    return reads || (fetch && getRoot(fetch.getMemref()) == root)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return others.wasInterrupted();
}

bool Nest::hasOwnRows() {
  auto steps = cast<scf::ForOp>(read->getParentOp());
  scf::ForOp tiles = around.front();
  const auto shape = read.getVectorType().getShape();
  const auto step = getConstantIntValue(tiles.getStep());
  if (!passes.empty() || tiles.getNumResults() != 0 || !step ||
      llvm::product_of(shape.drop_back()) == 1)
    return false;
  // Rows along the steps, and none that the next iteration reads again.
  bool moves = false;
  const auto indices = read.getIndices();
  for (auto [i, index] : llvm::enumerate(llvm::reverse(indices))) {
    IndexSum sum;
    if (!sum.add(index, 1))
      return false;
    if (i == 0 && sum.terms.lookup(steps.getInductionVar()) == 0)
      return false;
    const int64_t extent = i < shape.size() ? shape.rbegin()[i] : 1;
    moves |= sum.terms.lookup(tiles.getInductionVar()) * *step >= extent;
  }
  return moves && !isOfOthers(read, tiles);
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

/// Fetches, at the read of `nest`, a share of the next slice, into the first
/// level of caches (3) or the second (2).
static void prefetch(Nest &nest, const Turn &turn, int64_t locality) {
  LineGrid lines(nest.read.getVectorType());
  // The tiles share the innermost dimension of several rows, or else the lines
  // of the row: what each one fetches is at constant distances from its first.
  unsigned shared = lines.counts.size() - 1;
  for (unsigned dim = 0; dim + 1 < lines.counts.size(); ++dim)
    if (lines.counts[dim] > 1)
      shared = dim;
  int64_t &share = lines.counts[shared];
  const int64_t all = share;
  // Few of so many wait for the slice, and most would fetch what is there.
  if (turn.count > kMostTurns * all)
    return;
  share = llvm::divideCeil(all, turn.count);
  // Before all reads: LLVM moves none across a prefetch, and what is read
  // before one takes registers until it is used.
  OpBuilder builder = OpBuilder::atBlockBegin(nest.read->getBlock());
  const Location loc = nest.read.getLoc();
  // The last tiles may have less to fetch than there is.
  const AffineExpr firsts[] = {turn.number * share,
                               builder.getAffineConstantExpr(all - share)};
  Value first = affine::AffineMinOp::create(
      builder, loc,
      AffineMap::get(turn.operands.size(), 0, firsts, builder.getContext()),
      turn.operands);
  auto [buffer, begins] =
      nest.place.clone(builder, getNext(builder, loc, nest.slices));
  Value &begin = begins[begins.size() - lines.counts.size() + shared];
  Value operands[] = {begin, first};
  begin = affine::AffineApplyOp::create(
      builder, loc,
      AffineMap::get(2, 0,
                     builder.getAffineDimExpr(0) +
                         builder.getAffineDimExpr(1) * lines.steps[shared]),
      operands);
  lines.prefetch(builder, loc, buffer, begins, locality);
}

/// Whether loops have the same iterations.
static bool haveSameBounds(scf::ForOp a, scf::ForOp b) {
  auto isSame = [](Value a, Value b) {
    auto number = getConstantIntValue(a);
    return a == b || (number && number == getConstantIntValue(b));
  };
  return isSame(a.getLowerBound(), b.getLowerBound()) &&
         isSame(a.getUpperBound(), b.getUpperBound()) &&
         isSame(a.getStep(), b.getStep());
}

/// Whether reads in different ops of the loop `around[depth]` of both read the
/// same there.
static bool readSame(Nest &a, Nest &b, unsigned depth) {
  if (a.read.getBase() != b.read.getBase() ||
      a.read.getVectorType() != b.read.getVectorType() ||
      a.around.size() <= depth || b.around.size() <= depth ||
      a.around[depth] != b.around[depth] ||
      a.getChild(depth) == b.getChild(depth))
    return false;
  SmallVector<std::pair<scf::ForOp, scf::ForOp>> inner = {
      {cast<scf::ForOp>(a.read->getParentOp()),
       cast<scf::ForOp>(b.read->getParentOp())}};
  for (unsigned i = 0; i != depth; ++i)
    inner.emplace_back(a.around[i], b.around[i]);
  for (auto [x, y] : inner)
    if (!haveSameBounds(x, y))
      return false;
  for (auto [x, y] :
       llvm::zip_equal(a.read.getIndices(), b.read.getIndices())) {
    IndexSum difference;
    if (!difference.add(x, 1) || !difference.add(y, -1))
      return false;
    // Their loops stand for ours.
    for (auto [ours, theirs] : inner) {
      difference.terms[ours.getInductionVar()] +=
          difference.terms.lookup(theirs.getInductionVar());
      difference.terms.erase(theirs.getInductionVar());
    }
    if (difference.constant != 0 ||
        llvm::any_of(difference.terms,
                     [](const auto &term) { return term.second != 0; }))
      return false;
  }
  return true;
}

/// Whether a line of the cache has pieces of several of these vectors, which
/// would each fetch it.
static bool isShort(VectorType type) {
  return type.getRank() == 0 || !type.getElementType().isIntOrFloat() ||
         type.getShape().back() * type.getElementTypeBitWidth() <
             kLineBytes * 8;
}

/// Whether `read` is of a row that `steps` and loops beside it share, and fetch
/// another one of.
static bool isFetched(vector::TransferReadOp read, scf::ForOp steps) {
  if (!steps->hasAttr(kSharesRowAttrName))
    return false;
  const Value root = getRoot(read.getBase());
  for (auto loop : steps->getBlock()->getOps<scf::ForOp>())
    if (loop->hasAttr(kSharesRowAttrName))
      for (auto fetch : loop.getBody()->getOps<memref::PrefetchOp>())
        if (getRoot(fetch.getMemref()) == root)
          return true;
  return false;
}

namespace {
struct PrefetchSlices : sched::impl::PrefetchSlicesPassBase<PrefetchSlices> {
  using PrefetchSlicesPassBase::PrefetchSlicesPassBase;

  void runOnOperation() override {
    if (minBytes != 0)
      prefetchSlices();
    getOperation()->walk([](scf::ForOp loop) {
      loop->removeDiscardableAttr(kSharesRowAttrName);
    });
  }

private:
  void prefetchSlices() {
    std::vector<Nest> nests, own;
    getOperation()->walk([&](scf::ForOp steps) {
      if (steps.getNumResults() == 0)
        return;
      for (auto read : steps.getBody()->getOps<vector::TransferReadOp>())
        if (!isFetched(read, steps))
          if (auto nest = Nest::get(read, steps, minBytes)) {
            if (nest->hasOwnRows())
              own.push_back(*std::move(nest));
            else if (!isShort(read.getVectorType()))
              nests.push_back(*std::move(nest));
          }
    });
    Builder builder(&getContext());
    // Those of all nests first, as they read what is there now.
    const auto turns = llvm::map_to_vector(nests, [&](Nest &nest) {
      return nest.passes.empty() ? getTurnAmong(builder, nests, nest)
                                 : Turn::get(builder, nest.passes);
    });
    for (auto [nest, turn] : llvm::zip_equal(nests, turns))
      if (turn && turn->count > 1 && !nest.slices.empty() &&
          isSmall(countSliceBytes(nest)))
        // The first level has the slice of this tile.
        prefetch(nest, *turn, /*locality=*/2);
    for (Nest &nest : own)
      fetchOwn(builder, nest);
  }

  /// Each step fetches what the same step of the next slice reads.
  void fetchOwn(Builder &builder, Nest &nest) {
    nest.slices = nest.around;
    const std::optional<int64_t> bytes = countSliceBytes(nest);
    if (isSmall(bytes))
      prefetch(nest, *Turn::get(builder, /*loops=*/{}),
               l1Bytes == 0 || 4 * uint64_t(*bytes) <= l1Bytes ? 3 : 2);
  }

  /// Whether the slice that is read and the one that is fetched are there
  /// together where buffers of `minBytes` are not.
  bool isSmall(std::optional<int64_t> bytes) const {
    return bytes && uint64_t(2 * *bytes) <= minBytes;
  }

  /// None where a loop over a slice has no known bounds.
  static std::optional<int64_t> countSliceBytes(Nest &nest) {
    int64_t bytes = countBytes(nest.read.getVectorType());
    auto loop = cast<scf::ForOp>(nest.read->getParentOp());
    for (; loop != nest.slices.front();
         loop = cast<scf::ForOp>(loop->getParentOp())) {
      if (!nest.place.dependsOn(loop.getInductionVar()))
        continue;
      const auto trips = countTrips(loop);
      if (!trips)
        return std::nullopt;
      bytes *= *trips;
    }
    return bytes;
  }

  /// Of tiles that are no loop, but follow each other in one. Sets the slices.
  static std::optional<Turn>
  getTurnAmong(Builder &builder, MutableArrayRef<Nest> nests, Nest &nest) {
    for (unsigned depth = 0; depth != nest.around.size(); ++depth) {
      int64_t number = 0, count = 1;
      for (Nest &other : nests)
        if (other.passes.empty() && readSame(nest, other, depth)) {
          ++count;
          number +=
              other.getChild(depth)->isBeforeInBlock(nest.getChild(depth));
        }
      if (count == 1)
        continue;
      llvm::append_range(nest.slices, ArrayRef(nest.around).drop_front(depth));
      return Turn{builder.getAffineConstantExpr(number), {}, count};
    }
    return std::nullopt;
  }
};
} // namespace
