//===- ReadUnpadded.cpp - Images that are read without a padded copy ------===//
//
// A step before Decompose.cpp. Schedules tile a depthwise convolution or a
// pooling, but not the `tensor.pad` of its image; as an op of its own, that
// copies the image, which costs as much as the windows. Most register tiles
// read no border at all. So a tile gets two forms: where all it reads is
// inside, it reads the image itself; else it reads the nearest pixel inside,
// and takes the padding instead of what lies outside. Read next: Decompose.cpp.
//
//===----------------------------------------------------------------------===//

#include "IndexSum.h"
#include "MoveLines.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

namespace sched {
#define GEN_PASS_DEF_READUNPADDEDPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

namespace {
/// Elements that a register tile has at most, loop iterations in it, and
/// products that an element of a result of a contraction is the sum of.
constexpr int64_t kMostElements = 512, kMostSteps = 256, kMostProducts = 64;

/// A bound of an index that a tile depends on: `least <= index`, and
/// `index <= most`, where the index is a sum of values outside of the tile.
struct Condition {
  IndexSum sum;
  int64_t least, most;
};

using Reads = SmallVector<vector::TransferReadOp>;
} // namespace

/// Whether `read` is the left-hand side of products alone.
static bool isMultiplied(vector::TransferReadOp read) {
  return llvm::all_of(read->getUsers(), [&](Operation *user) {
    auto product = dyn_cast<vector::ContractionOp>(user);
    return product && product.getLhs() == read.getResult() &&
           product.getRhs() != read.getResult();
  });
}

/// Whether `read` takes vectors of whole pixels: dimensions that are padded
/// come first.
static bool isReadable(vector::TransferReadOp read, tensor::PadOp pad) {
  const VectorType type = read.getVectorType();
  if (read.getBase() != pad.getResult() || read.getMask() ||
      read.hasOutOfBoundsDim() || !read.getPermutationMap().isMinorIdentity() ||
      type.isScalable() ||
      (!llvm::all_of(read->getUsers(), OpTrait::hasElementwiseMappableTraits) &&
       !isMultiplied(read)))
    return false;
  const int64_t first = pad.getResultType().getRank() - type.getRank();
  bool wasPadded = true;
  for (int64_t i = 0; i != type.getRank(); ++i) {
    const bool padded = isPadded(pad, first + i) || type.getDimSize(i) == 1;
    if (padded && !wasPadded && isPadded(pad, first + i))
      return false;
    wasPadded &= padded;
  }
  return !isPadded(pad, pad.getResultType().getRank() - 1);
}

/// Whether each iteration of `loop` writes all of its result again.
static bool isReduction(scf::ForOp loop) {
  auto isPlacedByLoop = [&](ValueRange places) {
    return llvm::any_of(places, [&](Value place) {
      IndexSum sum;
      return !sum.add(place, 1) || sum.terms.contains(loop.getInductionVar());
    });
  };
  return !loop.walk([&](Operation *op) {
                auto insert = dyn_cast<tensor::InsertSliceOp>(op);
                auto write = dyn_cast<vector::TransferWriteOp>(op);
                const bool isPlaced =
                    (insert && isPlacedByLoop(insert.getOffsets())) ||
                    (write && isPlacedByLoop(write.getIndices()));
                return isPlaced ? WalkResult::interrupt()
                                : WalkResult::advance();
              })
              .wasInterrupted();
}

/// The reduction of the register tile that `read` is in, or `read` itself; none
/// if the reduction is long: what each pixel is read for then pays for a copy.
static Operation *getTile(vector::TransferReadOp read) {
  Operation *tile = read, *op = read;
  int64_t steps = 1;
  while (auto loop = dyn_cast<scf::ForOp>(op->getParentOp())) {
    auto trips = loop.getStaticTripCount();
    if (!trips || !getRange(loop.getInductionVar()))
      break;
    int64_t elements = 0;
    for (Type type : loop.getResultTypes()) {
      auto shaped = dyn_cast<ShapedType>(type);
      elements += shaped && shaped.hasStaticShape() ? shaped.getNumElements()
                                                    : kMostElements + 1;
    }
    if (elements > kMostElements || elements == 0)
      break;
    const bool reduces = isReduction(loop);
    if (!reduces && tile != read)
      break;
    steps *= trips->getSExtValue();
    op = loop;
    if (!reduces)
      continue;
    tile = loop;
    if (steps > kMostSteps)
      return nullptr;
  }
  // A pixel that is read for many results pays for its copy.
  if (isMultiplied(read) &&
      steps * read.getVectorType().getShape().back() > kMostProducts)
    return nullptr;
  return tile;
}

/// The conditions under which `read` is inside of the image, wherever the loops
/// of `tile` are; none if they cannot be told.
static std::optional<SmallVector<Condition>>
getConditions(vector::TransferReadOp read, tensor::PadOp pad, Operation *tile) {
  SmallVector<Condition> conditions;
  const VectorType type = read.getVectorType();
  const int64_t rank = pad.getResultType().getRank(),
                first = rank - type.getRank();
  for (int64_t dim = 0; dim != rank; ++dim) {
    if (!isPadded(pad, dim))
      continue;
    IndexSum index;
    if (!index.add(read.getIndices()[dim], 1))
      return std::nullopt;
    const int64_t low = pad.getStaticLow()[dim],
                  extent = dim < first ? 1 : type.getDimSize(dim - first);
    Condition condition{
        {}, low, low + pad.getSourceType().getDimSize(dim) - extent};
    IndexSum inside;
    inside.constant = index.constant;
    for (auto [value, factor] : index.terms) {
      const bool isInside =
          tile->isAncestor(value.getParentBlock()->getParentOp());
      (isInside ? inside : condition.sum).terms[value] = factor;
    }
    const std::optional<Interval> range = inside.getInterval();
    if (!range)
      return std::nullopt;
    condition.least -= range->least;
    condition.most -= range->most;
    conditions.push_back(condition);
  }
  return conditions;
}

static Value makeIndex(OpBuilder &builder, Location loc, int64_t number) {
  return arith::ConstantIndexOp::create(builder, loc, number);
}

/// Whether all of `conditions` hold; constants where that is known.
static Value holdsAll(OpBuilder &builder, Location loc,
                      ArrayRef<Condition> conditions) {
  Value all;
  auto require = [&](arith::CmpIPredicate kind, Value left, int64_t right) {
    Value holds = arith::CmpIOp::create(builder, loc, kind, left,
                                        makeIndex(builder, loc, right));
    all = all ? arith::AndIOp::create(builder, loc, all, holds).getResult()
              : holds;
  };
  // Reads of one tile differ in constants: the tightest counts.
  SmallVector<Condition> tight;
  for (const Condition &condition : conditions) {
    auto same = llvm::find_if(tight, [&](const Condition &other) {
      return llvm::equal(other.sum.terms, condition.sum.terms);
    });
    if (same == tight.end()) {
      tight.push_back(condition);
      continue;
    }
    same->least = std::max(same->least, condition.least);
    same->most = std::min(same->most, condition.most);
  }
  for (const Condition &condition : tight) {
    SmallVector<Value> values;
    const AffineExpr expr = condition.sum.getExpr(builder, values);
    const std::optional<Interval> can = condition.sum.getInterval();
    if (can && (can->most < condition.least || can->least > condition.most))
      return arith::ConstantIntOp::create(builder, loc, 0, 1);
    const bool isAbove = can && can->least >= condition.least,
               isBelow = can && can->most <= condition.most;
    if (isAbove && isBelow)
      continue;
    Value index = affine::AffineApplyOp::create(
        builder, loc, AffineMap::get(values.size(), 0, expr), values);
    if (!isAbove)
      require(arith::CmpIPredicate::sge, index, condition.least);
    if (!isBelow)
      require(arith::CmpIPredicate::sle, index, condition.most);
  }
  return all ? all : arith::ConstantIntOp::create(builder, loc, 1, 1);
}

/// Where `pad`'s element `index` along `dim` is in the source.
static Value toSource(OpBuilder &builder, Location loc, tensor::PadOp pad,
                      int64_t dim, Value index, int64_t offset = 0) {
  const int64_t shift = offset - pad.getStaticLow()[dim];
  if (shift == 0)
    return index;
  return affine::AffineApplyOp::create(
      builder, loc, AffineMap::get(1, 0, builder.getAffineDimExpr(0) + shift),
      index);
}

static void readInside(RewriterBase &rewriter, vector::TransferReadOp read,
                       tensor::PadOp pad) {
  rewriter.setInsertionPoint(read);
  SmallVector<Value> indices;
  for (auto [dim, index] : llvm::enumerate(read.getIndices()))
    indices.push_back(toSource(rewriter, read.getLoc(), pad, dim, index));
  const SmallVector<bool> inBounds(read.getVectorType().getRank(), true);
  rewriter.replaceOpWithNewOp<vector::TransferReadOp>(
      read, read.getVectorType(), pad.getSource(), indices, read.getPadding(),
      read.getPermutationMap(), ArrayRef<bool>(inBounds));
}

/// Reads pixel by pixel.
static void readGuarded(RewriterBase &rewriter, vector::TransferReadOp read,
                        tensor::PadOp pad) {
  rewriter.setInsertionPoint(read);
  const Location loc = read.getLoc();
  const VectorType type = read.getVectorType();
  const RankedTensorType source = pad.getSourceType();
  const int64_t rank = source.getRank(), first = rank - type.getRank();
  // Leading dimensions of the vector are taken one by one.
  int64_t single = 0;
  for (int64_t i = 0; i != type.getRank(); ++i)
    if (isPadded(pad, first + i))
      single = i + 1;
  auto part = VectorType::get(type.getShape().drop_front(single),
                              type.getElementType());
  Value padding = vector::BroadcastOp::create(rewriter, loc, part,
                                              pad.getConstantPaddingValue());
  Value result;
  if (single)
    result = vector::BroadcastOp::create(rewriter, loc, type,
                                         pad.getConstantPaddingValue());
  int64_t count = 1;
  for (int64_t extent : type.getShape().take_front(single))
    count *= extent;
  for (int64_t number = 0; number != count; ++number) {
    SmallVector<int64_t> position(single);
    int64_t rest = number;
    for (int64_t i = single; i-- > 0;) {
      position[i] = rest % type.getDimSize(i);
      rest /= type.getDimSize(i);
    }
    SmallVector<Value> indices;
    Value isInside;
    for (int64_t dim = 0; dim != rank; ++dim) {
      const int64_t offset =
          dim >= first && dim < first + single ? position[dim - first] : 0;
      Value index =
          toSource(rewriter, loc, pad, dim, read.getIndices()[dim], offset);
      if (isPadded(pad, dim)) {
        Value zero = makeIndex(rewriter, loc, 0),
              last = makeIndex(rewriter, loc, source.getDimSize(dim) - 1);
        Value nearest = arith::MinSIOp::create(
            rewriter, loc, arith::MaxSIOp::create(rewriter, loc, index, zero),
            last);
        Value holds = arith::CmpIOp::create(
            rewriter, loc, arith::CmpIPredicate::eq, index, nearest);
        isInside = isInside
                       ? arith::AndIOp::create(rewriter, loc, isInside, holds)
                             .getResult()
                       : holds;
        index = nearest;
      }
      indices.push_back(index);
    }
    const SmallVector<bool> inBounds(part.getRank(), true);
    Value value = vector::TransferReadOp::create(
        rewriter, loc, part, pad.getSource(), indices, read.getPadding(),
        AffineMap::getMinorIdentityMap(rank, part.getRank(),
                                       rewriter.getContext()),
        ArrayRef<bool>(inBounds));
    value = arith::SelectOp::create(rewriter, loc, isInside, value, padding);
    if (single) {
      // An insertion becomes a list of elements, taken one by one.
      SmallVector<int64_t> offsets = position;
      offsets.resize(type.getRank());
      const SmallVector<int64_t> ones(part.getRank(), 1);
      value = vector::InsertStridedSliceOp::create(rewriter, loc, value, result,
                                                   offsets, ones);
    }
    result = value;
  }
  rewriter.replaceOp(read, result);
}

/// Replaces the reads of `pad` in `root`.
static void replaceReads(RewriterBase &rewriter, Operation *root,
                         tensor::PadOp pad, bool areInside) {
  Reads reads;
  root->walk([&](vector::TransferReadOp read) {
    if (read.getBase() == pad.getResult())
      reads.push_back(read);
  });
  for (vector::TransferReadOp read : reads) {
    if (areInside)
      readInside(rewriter, read, pad);
    else
      readGuarded(rewriter, read, pad);
  }
}

/// Gives `tile` its two forms, or the one that it needs.
static void split(RewriterBase &rewriter, Operation *tile, tensor::PadOp pad,
                  ArrayRef<Condition> conditions) {
  rewriter.setInsertionPoint(tile);
  const Location loc = tile->getLoc();
  Value inside = holdsAll(rewriter, loc, conditions);
  if (auto constant = getConstantIntValue(inside))
    return replaceReads(rewriter, tile, pad, *constant != 0);
  auto choice = scf::IfOp::create(rewriter, loc, tile->getResultTypes(), inside,
                                  /*withElseRegion=*/true);
  for (bool isInside : {true, false}) {
    Block *block = isInside ? choice.thenBlock() : choice.elseBlock();
    rewriter.setInsertionPointToEnd(block);
    Operation *copy = rewriter.clone(*tile);
    scf::YieldOp::create(rewriter, loc, copy->getResults());
    replaceReads(rewriter, copy, pad, isInside);
  }
  rewriter.replaceOp(tile, choice.getResults());
}

static void readUnpadded(RewriterBase &rewriter, tensor::PadOp pad) {
  const RankedTensorType source = pad.getSourceType(),
                         result = pad.getResultType();
  // Where elements are taken away, there is no border.
  auto isDynamicOrAdded = [](int64_t size) {
    return ShapedType::isDynamic(size) || size >= 0;
  };
  auto isStatic = [](int64_t size) { return !ShapedType::isDynamic(size); };
  if (!pad.getConstantPaddingValue() || !source.hasStaticShape() ||
      !result.hasStaticShape() || source == result || result.getRank() == 0 ||
      llvm::is_contained(source.getShape(), 0) ||
      !llvm::all_of(pad.getStaticLow(), isStatic) ||
      !llvm::all_of(pad.getStaticLow(), isDynamicOrAdded) ||
      !llvm::all_of(pad.getStaticHigh(), isDynamicOrAdded))
    return;
  llvm::MapVector<Operation *, Reads> tiles;
  for (Operation *user : pad->getUsers()) {
    auto read = dyn_cast<vector::TransferReadOp>(user);
    Operation *tile = read && isReadable(read, pad) ? getTile(read) : nullptr;
    if (!tile)
      return;
    tiles[tile].push_back(read);
  }
  // A tile inside of another would be copied with it.
  for (auto &[tile, reads] : tiles)
    for (auto &[other, ownReads] : tiles)
      if (tile->isProperAncestor(other))
        return;
  llvm::MapVector<Operation *, SmallVector<Condition>> conditions;
  for (auto &[tile, reads] : tiles)
    for (vector::TransferReadOp read : reads) {
      auto own = getConditions(read, pad, tile);
      if (!own)
        return;
      llvm::append_range(conditions[tile], *own);
    }
  takeOutPadding(pad);
  for (auto &[tile, reads] : tiles)
    split(rewriter, tile, pad, conditions[tile]);
  if (pad->use_empty())
    rewriter.eraseOp(pad);
}

namespace {
struct ReadUnpadded : sched::impl::ReadUnpaddedPassBase<ReadUnpadded> {
  void runOnOperation() override {
    SmallVector<tensor::PadOp> pads;
    getOperation()->walk([&](tensor::PadOp pad) { pads.push_back(pad); });
    IRRewriter rewriter(&getContext());
    for (tensor::PadOp pad : pads)
      readUnpadded(rewriter, pad);
  }
};
} // namespace
