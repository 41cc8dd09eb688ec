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
//===----------------------------------------------------------------------===//

#include "TransposeTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace {
struct TransposeTile : OpRewritePattern<vector::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    const VectorType source = op.getSourceVectorType();
    // Places, of type index, have none.
    if (!source.getElementType().isIntOrFloat())
      return failure();
    const unsigned bits = source.getElementTypeBitWidth();
    // Unit dimensions change no element's place.
    SmallVector<int64_t> sizes, order;
    for (int64_t extent : source.getShape())
      if (extent != 1)
        sizes.push_back(extent);
    for (int64_t dim : op.getPermutation())
      if (source.getDimSize(dim) != 1)
        order.push_back(dim);
    if (sizes.size() != 2 || source.isScalable() ||
        (bits != 32 && bits != 64) || order[0] < order[1])
      return failure();
    const int64_t square = chooseSquare(sizes, bits);
    if (square == 0)
      return rewriter.notifyMatchFailure(op, "not in squares of registers");
    Location loc = op.getLoc();
    const auto type = VectorType::get(sizes, source.getElementType());
    const Value tile =
        rewriter.createOrFold<vector::ShapeCastOp>(loc, type, op.getVector());
    SmallVector<Value> rows(sizes[1]);
    for (int64_t row = 0; row != sizes[0]; row += square)
      for (int64_t column = 0; column != sizes[1]; column += square) {
        SmallVector<Value> part;
        for (int64_t i = row; i != row + square; ++i) {
          const Value line = vector::ExtractOp::create(rewriter, loc, tile,
                                                       ArrayRef<int64_t>{i});
          part.push_back(takePart(line, column, square, rewriter, loc));
        }
        part = transposeSquare(std::move(part), 128 / bits, rewriter, loc);
        for (int64_t i = 0; i != square; ++i)
          rows[column + i] = append(rows[column + i], part[i], rewriter, loc);
      }
    const auto turned =
        VectorType::get({sizes[1], sizes[0]}, source.getElementType());
    Value result =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(turned));
    for (auto [i, row] : llvm::enumerate(rows))
      result = vector::InsertOp::create(rewriter, loc, row, result,
                                        ArrayRef<int64_t>{int64_t(i)});
    rewriter.replaceOp(op, rewriter.createOrFold<vector::ShapeCastOp>(
                               loc, op.getResultVectorType(), result));
    return success();
  }

private:
  /// Rows of the squares that a tile is cut into: of 512 bits, else of 256; 0
  /// where neither fits.
  static int64_t chooseSquare(ArrayRef<int64_t> sizes, unsigned bits) {
    for (int64_t square : {512 / bits, 256 / bits})
      if (sizes[0] % square == 0 && sizes[1] % square == 0)
        return square;
    return 0;
  }

  /// So many elements of `row`, from `begin` on.
  static Value takePart(Value row, int64_t begin, int64_t count,
                        PatternRewriter &rewriter, Location loc) {
    if (cast<VectorType>(row.getType()).getNumElements() == count)
      return row;
    const auto mask = llvm::to_vector(llvm::seq(begin, begin + count));
    return vector::ShuffleOp::create(rewriter, loc, row, row, mask);
  }

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
} // namespace

void sched::populateTransposeTilePatterns(RewritePatternSet &patterns) {
  patterns.add<TransposeTile>(patterns.getContext(), /*benefit=*/10);
}
