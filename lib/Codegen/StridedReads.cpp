//===- StridedReads.cpp - Every other element of a line -------------------===//
//
// A picture of half the size is computed from every other pixel of every other
// line. Upstream reads such a vector element by element. Here all that is
// between is loaded too, in as many vectors as the elements are apart, and a
// shuffle of each with what is there takes the wanted ones:
//
//   r = load [0 .. 7], load [7 .. 14]        of elements 0, 2, ... 14
//   shuffle [0, 2, 4, 6, 9, 11, 13, 15] of the two
//
// The last vector ends with the last element: memory may end there. What is
// loaded in between is of the same tensor, and is not used, whoever writes it.
// Where several slices of one tensor are read at the same places, as red, green
// and blue, they share the loads, whatever lies between the first element of
// all and the last.
//
//===----------------------------------------------------------------------===//

#include "StridedReads.h"
#include "LineView.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// Elements further apart than this are loaded one by one: most of a vector
/// would be for nothing. So are fewer lanes than this: the vectors in between
/// would not end before the last one.
static constexpr int64_t kMostApart = 4;
/// What is read together waits in registers, of which each ISA has sixteen, or
/// as many as these with the widest vectors: so many vectors, or twice that.
static constexpr int64_t kMostWaiting = 12, kWidestBytes = 64;

namespace {
/// A read, and how many elements its own are behind those of the first read
/// that it shares loads with.
struct SharedRead {
  vector::TransferReadOp op;
  int64_t behind;
};

/// How a read goes through memory.
struct Steps {
  /// Where the memory begins in what it is a part of; may be dynamic.
  int64_t offset = 0;
  /// Elements from one to the next of each dimension of the memory.
  SmallVector<int64_t> strides;
  /// Of the memory's dimensions, the one of each dimension of the vector.
  SmallVector<unsigned> dims;

  /// From one element of a line of the vector to the next.
  int64_t getApart() const { return strides[dims.back()]; }
};
} // namespace

/// The steps of `op`, if its elements can be loaded so.
static std::optional<Steps> getSteps(vector::TransferReadOp op) {
  const auto memory = dyn_cast<MemRefType>(op.getShapedType());
  const VectorType type = op.getVectorType();
  const AffineMap map = op.getPermutationMap();
  Steps steps;
  if (!memory || type.getRank() == 0 || type.isScalable() ||
      type.getShape().back() < kMostApart || op.getMask() ||
      op.hasOutOfBoundsDim() || !map.isProjectedPermutation() ||
      type.getElementType() != memory.getElementType() ||
      !type.getElementType().isIntOrFloat() ||
      type.getElementTypeBitWidth() % 8 != 0 ||
      failed(memory.getStridesAndOffset(steps.strides, steps.offset)) ||
      llvm::any_of(steps.strides, ShapedType::isDynamic))
    return std::nullopt;
  for (unsigned i = 0, e = map.getNumResults(); i != e; ++i)
    steps.dims.push_back(map.getDimPosition(i));
  if (steps.getApart() < 2 || steps.getApart() > kMostApart)
    return std::nullopt;
  return steps;
}

/// How many elements `second` reads behind `first`, at other constant indices
/// or of another slice of the same tensor.
static std::optional<int64_t> getDistance(vector::TransferReadOp first,
                                          const Steps &firstSteps,
                                          vector::TransferReadOp second,
                                          const Steps &secondSteps) {
  if (first.getVectorType() != second.getVectorType() ||
      first.getPermutationMap() != second.getPermutationMap() ||
      firstSteps.strides != secondSteps.strides)
    return std::nullopt;
  int64_t distance = 0;
  if (first.getBase() != second.getBase()) {
    auto from = first.getBase().getDefiningOp<memref::SubViewOp>(),
         to = second.getBase().getDefiningOp<memref::SubViewOp>();
    if (!from || !to || from.getSource() != to.getSource() ||
        ShapedType::isDynamic(firstSteps.offset) ||
        ShapedType::isDynamic(secondSteps.offset))
      return std::nullopt;
    distance = secondSteps.offset - firstSteps.offset;
  }
  for (auto [begin, end, stride] : llvm::zip_equal(
           first.getIndices(), second.getIndices(), firstSteps.strides)) {
    if (begin == end)
      continue;
    const std::optional<int64_t> from = getConstantIntValue(begin),
                                 to = getConstantIntValue(end);
    if (!from || !to)
      return std::nullopt;
    distance += (*to - *from) * stride;
  }
  return distance;
}

/// The reads beside `op` that may share loads with it, itself among them, the
/// one of the first elements at the front; nothing in between writes.
static SmallVector<SharedRead> collectShared(vector::TransferReadOp op,
                                             const Steps &steps) {
  const int64_t apart = steps.getApart();
  SmallVector<SharedRead> reads = {{op, 0}};
  auto visit = [&](Operation *other) {
    if (auto read = dyn_cast<vector::TransferReadOp>(other)) {
      if (const std::optional<Steps> others = getSteps(read))
        if (const auto behind = getDistance(op, steps, read, *others))
          reads.push_back({read, *behind});
      return true;
    }
    return isMemoryEffectFree(other);
  };
  for (Operation *other = op->getPrevNode(); other && visit(other);)
    other = other->getPrevNode();
  for (Operation *other = op->getNextNode(); other && visit(other);)
    other = other->getNextNode();
  // What lies between two elements of the first one.
  llvm::erase_if(reads,
                 [&](const SharedRead &read) { return read.behind <= -apart; });
  llvm::sort(reads, [](const SharedRead &a, const SharedRead &b) {
    return a.behind < b.behind;
  });
  const int64_t least = reads.front().behind;
  for (SharedRead &read : reads)
    read.behind -= least;
  llvm::erase_if(reads,
                 [&](const SharedRead &read) { return read.behind >= apart; });
  return reads;
}

/// Whether `value` is there before `op`, which may read it later.
static bool isBefore(Value value, Operation *op) {
  Operation *definition = value.getDefiningOp();
  return !definition || definition->getBlock() != op->getBlock() ||
         definition->isBeforeInBlock(op);
}

/// Lanes of the elements `behind` and every `apart` behind that, of `loads`
/// vectors that begin at `firsts`.
static Value takeLanes(OpBuilder &builder, Location loc, ValueRange loads,
                       ArrayRef<int64_t> firsts, int64_t apart,
                       int64_t behind) {
  const int64_t lanes =
      cast<VectorType>(loads.front().getType()).getNumElements();
  Value result = loads.front();
  for (size_t part = 1, e = loads.size(); part != e; ++part) {
    SmallVector<int64_t> places;
    for (int64_t lane = 0; lane != lanes; ++lane) {
      const int64_t element = lane * apart + behind;
      // Those of the parts before are in their lanes by now.
      if (element >= lanes * int64_t(part))
        places.push_back(lanes + std::min(element - firsts[part], lanes - 1));
      else
        places.push_back(part == 1 ? element : lane);
    }
    result =
        vector::ShuffleOp::create(builder, loc, result, loads[part], places);
  }
  return result;
}

/// What each of `reads` has in a line of memory, `line`: `lanes` elements from
/// one of the first read's on, which is at `begin`.
static SmallVector<Value> readPiece(OpBuilder &builder,
                                    ArrayRef<SharedRead> reads, Value line,
                                    int64_t begin, int64_t lanes,
                                    int64_t apart) {
  const Location loc = line.getLoc();
  const auto type =
      VectorType::get(lanes, cast<MemRefType>(line.getType()).getElementType());
  const int64_t count = (lanes - 1) * apart + reads.back().behind + 1;
  SmallVector<Value> loads;
  SmallVector<int64_t> firsts;
  for (int64_t part = 0; part != apart; ++part) {
    firsts.push_back(std::min(part * lanes, count - lanes));
    Value index =
        arith::ConstantIndexOp::create(builder, loc, begin + firsts.back());
    loads.push_back(vector::LoadOp::create(builder, loc, type, line, index));
  }
  SmallVector<Value> taken;
  for (const SharedRead &read : reads)
    taken.push_back(takeLanes(builder, loc, loads, firsts, apart, read.behind));
  return taken;
}

/// What each of `reads` has in the line at `row`, one index for each dimension
/// of their vectors but the last, in pieces of `most` elements.
static SmallVector<Value> readLine(OpBuilder &builder,
                                   ArrayRef<SharedRead> reads,
                                   ArrayRef<int64_t> row, const Steps &steps,
                                   int64_t most) {
  vector::TransferReadOp first = reads.front().op;
  const Location loc = first.getLoc();
  const VectorType type = first.getVectorType();
  const int64_t lanes = type.getShape().back(), apart = steps.getApart();
  SmallVector<Value> indices(first.getIndices());
  for (auto [dim, at] : llvm::enumerate(row)) {
    Value &index = indices[steps.dims[dim]];
    index = affine::makeComposedAffineApply(
        builder, loc, builder.getAffineDimExpr(0) + at, {index});
  }
  Value line =
      sched::viewLine(builder, loc, first.getBase(), indices, steps.strides,
                      (lanes - 1) * apart + reads.back().behind + 1);
  if (lanes <= most || lanes % most != 0)
    return readPiece(builder, reads, line, /*begin=*/0, lanes, apart);
  // LLVM would shuffle several registers at once, element by element.
  const auto whole = VectorType::get(lanes, type.getElementType());
  SmallVector<Value> results(
      reads.size(), arith::ConstantOp::create(builder, loc, whole,
                                              builder.getZeroAttr(whole)));
  for (int64_t begin = 0; begin != lanes; begin += most)
    for (auto [result, piece] :
         llvm::zip_equal(results, readPiece(builder, reads, line, begin * apart,
                                            most, apart)))
      result = vector::InsertStridedSliceOp::create(
          builder, loc, piece, result, /*offsets=*/ArrayRef<int64_t>{begin},
          /*strides=*/ArrayRef<int64_t>{1});
  return results;
}

namespace {
struct ReadStrided : OpRewritePattern<vector::TransferReadOp> {
  ReadStrided(MLIRContext *context, int64_t vectorBytes)
      : OpRewritePattern(context, /*benefit=*/10), vectorBytes(vectorBytes),
        mostBytes(kMostWaiting * vectorBytes *
                  (vectorBytes == kWidestBytes ? 2 : 1)) {}

  LogicalResult matchAndRewrite(vector::TransferReadOp op,
                                PatternRewriter &rewriter) const override {
    const std::optional<Steps> steps = getSteps(op);
    if (!steps)
      return failure();
    SmallVector<SharedRead> reads = collectShared(op, *steps);
    Operation *place = op;
    for (const SharedRead &read : reads)
      if (read.op->isBeforeInBlock(place))
        place = read.op;
    const VectorType type = op.getVectorType();
    const int64_t bytes =
        type.getNumElements() * type.getElementTypeBitWidth() / 8;
    if (!isBefore(reads.front().op.getBase(), place) ||
        bytes * int64_t(reads.size()) > mostBytes) {
      reads = {{op, 0}};
      place = op;
    }
    rewriter.setInsertionPoint(place);
    const Location loc = op.getLoc();
    SmallVector<Value> results(
        reads.size(), arith::ConstantOp::create(rewriter, loc, type,
                                                rewriter.getZeroAttr(type)));
    // One line after the other.
    const SmallVector<int64_t> one(type.getRank() - 1, 1);
    for (SmallVector<int64_t> row :
         StaticTileOffsetRange(type.getShape().drop_back(), one)) {
      const SmallVector<Value> lanes =
          readLine(rewriter, reads, row, *steps,
                   vectorBytes * 8 / int64_t(type.getElementTypeBitWidth()));
      for (auto [result, value] : llvm::zip_equal(results, lanes))
        result = row.empty() ? value
                             : vector::InsertOp::create(rewriter, loc, value,
                                                        result, row);
    }
    for (auto [read, result] : llvm::zip_equal(reads, results))
      rewriter.replaceOp(read.op, result);
    return success();
  }

private:
  int64_t vectorBytes;
  /// Of reads that share loads.
  int64_t mostBytes;
};
} // namespace

void sched::populateStridedReadPatterns(RewritePatternSet &patterns,
                                        int64_t vectorBytes) {
  // Before upstream's loop over elements.
  patterns.add<ReadStrided>(patterns.getContext(),
                            vectorBytes == 0 ? 16 : vectorBytes);
}
