//===- TransposeTiles.cpp - Tiles transposed in registers -----------------===//
//
// Upstream lowers a transposed vector to one shuffle of all its elements, for
// which LLVM 22 finds three times as many instructions as there need be, or
// wrong ones (test/Upstream/shuffle-of-odd-rows.test). Here, tiles are cut into
// squares of registers of 128, 256 or 512 bits, and each square becomes rounds
// of shuffles of two rows, one instruction each on x86: pairs of elements,
// pairs of pairs, and so on within the parts of 128 bits, then halves, or
// quarters twice.
//
// Four rows of bytes, whose columns are groups for dot products, take four
// shuffles of two rows twice, and parts then change places. (For two rows of
// 16-bit elements LLVM finds one instruction for each register of the result.)
//
// Rows and columns that a tile lacks to be cut so, as at the end of a tensor,
// are poison: what only moves them is folded away.
//
//===----------------------------------------------------------------------===//

#include "TransposeTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>
#include <optional>

using namespace mlir;
using namespace sched;

/// The dimensions of more than one element of what `op` transposes, in the
/// order of its operand and in that of its result: the others change no
/// element's place.
static std::array<SmallVector<int64_t>, 2> getDims(vector::TransposeOp op) {
  const auto isLong = [&](int64_t dim) {
    return op.getSourceVectorType().getDimSize(dim) != 1;
  };
  const int64_t rank = op.getSourceVectorType().getRank();
  return {llvm::filter_to_vector(llvm::seq<int64_t>(rank), isLong),
          llvm::filter_to_vector(op.getPermutation(), isLong)};
}

/// Rows and columns of what `op` transposes; none if it is no matrix of
/// elements that parts of 128 bits hold several of.
static std::optional<std::array<int64_t, 2>> getMatrix(vector::TransposeOp op) {
  const VectorType source = op.getSourceVectorType();
  // Places, of type index, have no width.
  if (!source.getElementType().isIntOrFloat() || source.isScalable() ||
      !llvm::is_contained({8, 16, 32, 64}, source.getElementTypeBitWidth()))
    return std::nullopt;
  const auto [dims, order] = getDims(op);
  if (dims.size() != 2 || order[0] < order[1])
    return std::nullopt;
  return std::array{source.getDimSize(dims[0]), source.getDimSize(dims[1])};
}

/// `vector` as a matrix of `sizes`.
static Value makeMatrix(Value vector, ArrayRef<int64_t> sizes,
                        PatternRewriter &rewriter) {
  const auto type = VectorType::get(
      sizes, cast<VectorType>(vector.getType()).getElementType());
  return rewriter.createOrFold<vector::ShapeCastOp>(vector.getLoc(), type,
                                                    vector);
}

static Value getRow(Value matrix, int64_t row, PatternRewriter &rewriter) {
  return vector::ExtractOp::create(rewriter, matrix.getLoc(), matrix,
                                   ArrayRef<int64_t>{row});
}

Value sched::takePart(Value row, int64_t begin, int64_t count,
                      PatternRewriter &rewriter, Location loc) {
  const int64_t size = cast<VectorType>(row.getType()).getNumElements();
  if (size == count)
    return row;
  SmallVector<int64_t> mask;
  for (int64_t i = begin; i != begin + count; ++i)
    mask.push_back(i < size ? i : vector::ShuffleOp::kPoisonIndex);
  return vector::ShuffleOp::create(rewriter, loc, row, row, mask);
}

/// A matrix of `sizes` that begins with `rows`.
static Value joinRows(ArrayRef<Value> rows, ArrayRef<int64_t> sizes,
                      PatternRewriter &rewriter, Location loc) {
  const auto type = VectorType::get(
      sizes, cast<VectorType>(rows.front().getType()).getElementType());
  Value result =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
  for (auto [i, row] : llvm::enumerate(rows))
    result = vector::InsertOp::create(rewriter, loc, row, result,
                                      ArrayRef<int64_t>{int64_t(i)});
  return result;
}

/// Rows of the squares that a tile is cut into: of 512 bits or 256, if none is
/// lacking, else as many as the tile has more than half of.
static int64_t chooseSquare(ArrayRef<int64_t> sizes, unsigned bits) {
  const int64_t least = 128 / bits, most = 512 / bits;
  for (int64_t square : {most, most / 2})
    if (sizes[0] % square == 0 && sizes[1] % square == 0)
      return square;
  const uint64_t filled = llvm::PowerOf2Ceil(std::min(sizes[0], sizes[1]));
  return std::clamp<int64_t>(filled, least, most);
}

Value sched::concatenate(SmallVector<Value> parts, PatternRewriter &rewriter,
                         Location loc) {
  parts.resize(
      llvm::PowerOf2Ceil(parts.size()),
      parts.size() > 1
          ? ub::PoisonOp::create(rewriter, loc, parts[0].getType()).getResult()
          : Value());
  for (; parts.size() > 1; parts.truncate(parts.size() / 2)) {
    const int64_t size =
        cast<VectorType>(parts.front().getType()).getNumElements();
    const auto mask = llvm::to_vector(llvm::seq<int64_t>(0, 2 * size));
    for (size_t i = 0; i != parts.size() / 2; ++i)
      parts[i] = vector::ShuffleOp::create(rewriter, loc, parts[2 * i],
                                           parts[2 * i + 1], mask);
  }
  return parts.front();
}

namespace {
struct TransposeTile : OpRewritePattern<vector::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    const auto sizes = getMatrix(op);
    if (!sizes)
      return failure();
    const auto [height, width] = *sizes;
    const unsigned bits = op.getSourceVectorType().getElementTypeBitWidth();
    const int64_t square = chooseSquare(*sizes, bits);
    Location loc = op.getLoc();
    const Value tile = makeMatrix(op.getVector(), *sizes, rewriter);
    const auto part =
        VectorType::get({square}, op.getSourceVectorType().getElementType());
    SmallVector<SmallVector<Value>> parts(width);
    for (int64_t row = 0; row < height; row += square)
      for (int64_t column = 0; column < width; column += square) {
        SmallVector<Value> rows;
        for (int64_t i = row; i != row + square; ++i)
          rows.push_back(
              i < height
                  ? takePart(getRow(tile, i, rewriter), column, square,
                             rewriter, loc)
                  : ub::PoisonOp::create(rewriter, loc, part).getResult());
        rows = transposeSquare(std::move(rows), 128 / bits, rewriter, loc);
        for (int64_t i = column; i != std::min(column + square, width); ++i)
          parts[i].push_back(rows[i - column]);
      }
    SmallVector<Value> rows;
    for (SmallVector<Value> &row : parts)
      rows.push_back(takePart(concatenate(std::move(row), rewriter, loc), 0,
                              height, rewriter, loc));
    rewriter.replaceOp(op, rewriter.createOrFold<vector::ShapeCastOp>(
                               loc, op.getResultVectorType(),
                               joinRows(rows, {width, height}, rewriter, loc)));
    return success();
  }

private:
  /// The rounds, where a part of 128 bits has `part` elements.
  static SmallVector<Value> transposeSquare(SmallVector<Value> rows,
                                            int64_t part,
                                            PatternRewriter &rewriter,
                                            Location loc) {
    const int64_t size = rows.size();
    // Parts change places last: the rounds before stay in them, as the
    // instructions do.
    for (int64_t span = 1; span != part; span *= 2)
      rows = exchange(rows, span, span, part, rewriter, loc);
    // They leave the rows of a part in the order of their numbers' bits
    // reversed.
    for (int64_t i = 0; i != size; ++i) {
      const int64_t j = i - i % part + reverseBits(i % part, part);
      if (i < j)
        std::swap(rows[i], rows[j]);
    }
    if (size == part)
      return rows;
    if (size == 2 * part)
      return exchange(rows, part, part, size, rewriter, loc);
    rows = chooseParts(rows, part, part, rewriter, loc);
    return chooseParts(rows, 2 * part, part, rewriter, loc);
  }

  /// The bits of `number`, which is less than `end`, a power of two, from last
  /// to first.
  static int64_t reverseBits(int64_t number, int64_t end) {
    int64_t reversed = 0;
    for (int64_t bit = 1; bit != end; bit *= 2) {
      reversed = 2 * reversed + number % 2;
      number /= 2;
    }
    return reversed;
  }

  /// Interleaves groups of `span` elements of rows that are `distance` apart:
  /// one result from the lower half of each block of `block` elements, and one
  /// from the upper half.
  static SmallVector<Value> exchange(ArrayRef<Value> rows, int64_t distance,
                                     int64_t span, int64_t block,
                                     PatternRewriter &rewriter, Location loc) {
    const int64_t size = rows.size();
    SmallVector<Value> result(size);
    for (int64_t part = 0; part != 2; ++part) {
      SmallVector<int64_t> mask;
      for (int64_t begin = 0; begin != size; begin += block)
        for (int64_t i = 0; i != block; ++i) {
          const int64_t group = i / span, row = group % 2;
          mask.push_back(row * size + begin + part * (block / 2) +
                         group / 2 * span + i % span);
        }
      for (int64_t i = 0; i != size; ++i)
        if (!(i & distance))
          result[i + part * distance] = vector::ShuffleOp::create(
              rewriter, loc, rows[i], rows[i + distance], mask);
    }
    return result;
  }

  /// Of rows that are `distance` apart: one result from the even parts of both,
  /// and one from the odd ones. Twice that, at one part's distance and at two,
  /// is a transposition of 4 x 4 parts.
  static SmallVector<Value> chooseParts(ArrayRef<Value> rows, int64_t distance,
                                        int64_t part, PatternRewriter &rewriter,
                                        Location loc) {
    const int64_t size = rows.size();
    SmallVector<Value> result(size);
    for (int64_t odd = 0; odd != 2; ++odd) {
      SmallVector<int64_t> mask;
      for (int64_t begin = odd * part; begin < 2 * size; begin += 2 * part)
        for (int64_t i = 0; i != part; ++i)
          mask.push_back(begin + i);
      for (int64_t i = 0; i != size; ++i)
        if (!(i & distance))
          result[i + odd * distance] = vector::ShuffleOp::create(
              rewriter, loc, rows[i], rows[i + distance], mask);
    }
    return result;
  }
};

/// Four rows of bytes, whose columns dot products take as groups of 32 bits.
struct InterleaveRows : OpRewritePattern<vector::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    const VectorType source = op.getSourceVectorType();
    const auto sizes = getTiles(op);
    if (!sizes)
      return rewriter.notifyMatchFailure(op, "no groups of four bytes");
    const auto [tiles, width] = *sizes;
    Location loc = op.getLoc();
    const Value all = rewriter.createOrFold<vector::ShapeCastOp>(
        loc, VectorType::get({tiles, kGroup, width}, source.getElementType()),
        op.getVector());
    SmallVector<Value> results;
    for (int64_t tile = 0; tile != tiles; ++tile) {
      SmallVector<Value> rows;
      for (int64_t row = 0; row != kGroup; ++row)
        rows.push_back(vector::ExtractOp::create(rewriter, loc, all,
                                                 ArrayRef<int64_t>{tile, row}));
      results.push_back(interleave(rows, rewriter, loc));
    }
    rewriter.replaceOp(
        op, rewriter.createOrFold<vector::ShapeCastOp>(
                loc, op.getResultVectorType(),
                joinRows(results, {tiles, kGroup * width}, rewriter, loc)));
    return success();
  }

private:
  /// Bytes of a group, and of a part of a register that shuffles stay in.
  static constexpr int64_t kGroup = 4, kPart = 16;

  /// The columns of four `rows`.
  static Value interleave(SmallVector<Value> rows, PatternRewriter &rewriter,
                          Location loc) {
    const int64_t width = cast<VectorType>(rows[0].getType()).getNumElements();
    // Within parts first, as the instructions do: neighbouring rows, then pairs
    // of them. LLVM finds no such steps in a shuffle of all.
    for (int64_t span : {1, 2}) {
      SmallVector<Value> halves;
      for (int64_t row = 0; row != kGroup; row += 2 * span)
        for (int64_t i = row; i != row + span; ++i)
          for (bool upper : {false, true})
            halves.push_back(takeHalves(rows[i], rows[i + span], span, upper,
                                        rewriter, loc));
      rows = halves;
    }
    SmallVector<Value> parts;
    for (int64_t begin = 0; begin != width; begin += kPart)
      for (Value row : rows)
        parts.push_back(takePart(row, begin, kPart, rewriter, loc));
    return takePart(concatenate(std::move(parts), rewriter, loc), 0,
                    kGroup * width, rewriter, loc);
  }

  /// Groups of `span` elements of `a` and `b` by turns, of the lower or the
  /// upper half of each part.
  static Value takeHalves(Value a, Value b, int64_t span, bool upper,
                          PatternRewriter &rewriter, Location loc) {
    const int64_t width = cast<VectorType>(a.getType()).getNumElements();
    SmallVector<int64_t> mask;
    for (int64_t begin = upper ? kPart / 2 : 0; begin < width; begin += kPart)
      for (int64_t i = 0; i != kPart / 2; i += span)
        for (int64_t from : {begin + i, width + begin + i})
          for (int64_t j = 0; j != span; ++j)
            mask.push_back(from + j);
    return vector::ShuffleOp::create(rewriter, loc, a, b, mask);
  }

  /// Tiles and columns of what `op` transposes, tile by tile; none if a column
  /// is no group, or a row no parts.
  static std::optional<std::array<int64_t, 2>>
  getTiles(vector::TransposeOp op) {
    const VectorType source = op.getSourceVectorType();
    if (!source.getElementType().isInteger(8) || source.isScalable())
      return std::nullopt;
    auto [dims, order] = getDims(op);
    if (dims.size() < 2)
      return std::nullopt;
    std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
    if (dims != order)
      return std::nullopt;
    const int64_t width = source.getDimSize(order.end()[-2]);
    if (source.getDimSize(order.back()) != kGroup || width % kPart != 0)
      return std::nullopt;
    return std::array{source.getNumElements() / (kGroup * width), width};
  }
};

/// A tile of equal rows: each row of the result is one element of them.
struct SpreadElements : OpRewritePattern<vector::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    const auto sizes = getMatrix(op);
    if (!sizes)
      return failure();
    const auto [height, width] = *sizes;
    auto spread = op.getVector().getDefiningOp<vector::BroadcastOp>();
    auto row = spread ? dyn_cast<VectorType>(spread.getSourceType()) : nullptr;
    // Dimensions are counted from the last, as those of a broadcast are.
    const auto tile = llvm::reverse(op.getSourceVectorType().getShape());
    const int64_t inner =
        llvm::find_if(tile, [](int64_t size) { return size != 1; }) -
        tile.begin();
    // A column has another dimension where the tile has its width.
    if (!row || row.getNumElements() != width || inner >= row.getRank() ||
        row.getDimSize(row.getRank() - 1 - inner) != width)
      return rewriter.notifyMatchFailure(op, "not of equal rows");
    Location loc = op.getLoc();
    const Value elements = makeMatrix(spread.getSource(), {width}, rewriter);
    const auto type = VectorType::get({height}, row.getElementType());
    SmallVector<Value> rows;
    for (int64_t i = 0; i != width; ++i)
      rows.push_back(vector::BroadcastOp::create(
          rewriter, loc, type, getRow(elements, i, rewriter)));
    rewriter.replaceOp(op, rewriter.createOrFold<vector::ShapeCastOp>(
                               loc, op.getResultVectorType(),
                               joinRows(rows, {width, height}, rewriter, loc)));
    return success();
  }
};
} // namespace

void sched::populateTransposeTilePatterns(RewritePatternSet &patterns) {
  patterns.add<InterleaveRows>(patterns.getContext(), /*benefit=*/12);
  patterns.add<SpreadElements>(patterns.getContext(), /*benefit=*/11);
  patterns.add<TransposeTile>(patterns.getContext(), /*benefit=*/10);
}
