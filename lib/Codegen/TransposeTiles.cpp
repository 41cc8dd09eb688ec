//===- TransposeTiles.cpp - Square tiles transposed in registers ----------===//
//
// Upstream lowers a transposed vector to one shuffle of all its elements, for
// which LLVM finds three times as many instructions as there need be. Tiles of
// 8 x 8 f32 and 4 x 4 f64 become three and two rounds of shuffles here, each of
// them one instruction with AVX: pairs of elements, pairs of pairs, halves.
// Tiles of 16 x 16 f32 and 8 x 8 f64 become four and three, with AVX-512: pairs
// of elements, pairs of pairs, and quarters twice. Larger tiles are cut into
// such squares.
//
// Tiles whose rows or columns are no power of two, as at the end of a tensor,
// are transposed as parts of such: of the one shuffle of all their elements,
// LLVM 22 gets some wrong (test/Upstream/shuffle-of-odd-rows.test).
//
//===----------------------------------------------------------------------===//

#include "TransposeTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <optional>

using namespace mlir;

/// Rows and columns of what `op` transposes; none if it is no matrix.
static std::optional<std::array<int64_t, 2>> getMatrix(vector::TransposeOp op) {
  const VectorType source = op.getSourceVectorType();
  // Places, of type index, have no width.
  if (!source.getElementType().isIntOrFloat() || source.isScalable())
    return std::nullopt;
  // Unit dimensions change no element's place.
  SmallVector<int64_t> sizes, order;
  for (int64_t extent : source.getShape())
    if (extent != 1)
      sizes.push_back(extent);
  for (int64_t dim : op.getPermutation())
    if (source.getDimSize(dim) != 1)
      order.push_back(dim);
  if (sizes.size() != 2 || order[0] < order[1])
    return std::nullopt;
  return std::array{sizes[0], sizes[1]};
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

/// So many elements of `row`, from `begin` on; any where it has none.
static Value takePart(Value row, int64_t begin, int64_t count,
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

/// Rows of the squares that a tile is cut into: of 512 bits, else of 256; 0
/// where neither fits.
static int64_t chooseSquare(ArrayRef<int64_t> sizes, unsigned bits) {
  if (bits != 32 && bits != 64)
    return 0;
  for (int64_t square : {512 / bits, 256 / bits})
    if (sizes[0] % square == 0 && sizes[1] % square == 0)
      return square;
  return 0;
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
    if (square == 0)
      return rewriter.notifyMatchFailure(op, "not in squares of registers");
    Location loc = op.getLoc();
    const Value tile = makeMatrix(op.getVector(), *sizes, rewriter);
    SmallVector<Value> rows(width);
    for (int64_t row = 0; row != height; row += square)
      for (int64_t column = 0; column != width; column += square) {
        SmallVector<Value> part;
        for (int64_t i = row; i != row + square; ++i)
          part.push_back(takePart(getRow(tile, i, rewriter), column, square,
                                  rewriter, loc));
        part = transposeSquare(std::move(part), 128 / bits, rewriter, loc);
        for (int64_t i = 0; i != square; ++i)
          rows[column + i] = append(rows[column + i], part[i], rewriter, loc);
      }
    rewriter.replaceOp(op, rewriter.createOrFold<vector::ShapeCastOp>(
                               loc, op.getResultVectorType(),
                               joinRows(rows, {width, height}, rewriter, loc)));
    return success();
  }

private:
  /// `row`, which may be null, and `part` after it.
  static Value append(Value row, Value part, PatternRewriter &rewriter,
                      Location loc) {
    if (!row)
      return part;
    const int64_t count = cast<VectorType>(row.getType()).getNumElements() +
                          cast<VectorType>(part.getType()).getNumElements();
    const auto mask = llvm::to_vector(llvm::seq<int64_t>(0, count));
    return vector::ShuffleOp::create(rewriter, loc, row, part, mask);
  }

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
    if (part == 4) // Two rounds leave the rows of a part in another order.
      for (int64_t i = 0; i != size; i += part)
        std::swap(rows[i + 1], rows[i + 2]);
    if (size == 2 * part)
      return exchange(rows, part, part, size, rewriter, loc);
    rows = chooseParts(rows, part, part, rewriter, loc);
    return chooseParts(rows, 2 * part, part, rewriter, loc);
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

/// A tile as part of one whose rows and columns are powers of two.
struct GrowTile : OpRewritePattern<vector::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    const auto sizes = getMatrix(op);
    if (!sizes)
      return failure();
    const auto [height, width] = *sizes;
    const std::array<int64_t, 2> grown = {int64_t(llvm::PowerOf2Ceil(height)),
                                          int64_t(llvm::PowerOf2Ceil(width))};
    if (grown == *sizes)
      return rewriter.notifyMatchFailure(op, "powers of two");
    Location loc = op.getLoc();
    const Value tile = makeMatrix(op.getVector(), *sizes, rewriter);
    SmallVector<Value> rows;
    for (int64_t i = 0; i != height; ++i)
      rows.push_back(
          takePart(getRow(tile, i, rewriter), 0, grown[1], rewriter, loc));
    const Value turned = vector::TransposeOp::create(
        rewriter, loc, joinRows(rows, grown, rewriter, loc),
        ArrayRef<int64_t>{1, 0});
    rows.clear();
    for (int64_t i = 0; i != width; ++i)
      rows.push_back(
          takePart(getRow(turned, i, rewriter), 0, height, rewriter, loc));
    rewriter.replaceOp(op, rewriter.createOrFold<vector::ShapeCastOp>(
                               loc, op.getResultVectorType(),
                               joinRows(rows, {width, height}, rewriter, loc)));
    return success();
  }
};
} // namespace

void sched::populateTransposeTilePatterns(RewritePatternSet &patterns) {
  patterns.add<TransposeTile>(patterns.getContext(), /*benefit=*/11);
  patterns.add<GrowTile>(patterns.getContext(), /*benefit=*/10);
}
