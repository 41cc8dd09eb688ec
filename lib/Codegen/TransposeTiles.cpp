//===- TransposeTiles.cpp - Square tiles transposed in registers ----------===//
//
// Upstream lowers a transposed vector to one shuffle of all its elements, for
// which LLVM finds three times as many instructions as there need be. Tiles of
// 8 x 8 f32 and 4 x 4 f64 become three and two rounds of shuffles here, each of
// them one instruction with AVX: pairs of elements, pairs of pairs, halves.
//
//===----------------------------------------------------------------------===//

#include "TransposeTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

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
        (bits != 32 && bits != 64) || sizes[0] != sizes[1] ||
        sizes[0] * bits != 256 || order[0] < order[1])
      return rewriter.notifyMatchFailure(op, "not a square tile of 256 bits");
    const int64_t size = sizes[0];
    Location loc = op.getLoc();
    const auto type = VectorType::get(sizes, source.getElementType());
    const Value tile =
        rewriter.createOrFold<vector::ShapeCastOp>(loc, type, op.getVector());
    SmallVector<Value> rows;
    for (int64_t i = 0; i != size; ++i)
      rows.push_back(
          vector::ExtractOp::create(rewriter, loc, tile, ArrayRef<int64_t>{i}));
    // Halves of the vectors change places last: the rounds before stay in
    // halves of 128 bits, as the instructions do.
    const int64_t half = size / 2;
    for (int64_t span = 1; span != half; span *= 2)
      rows = exchange(rows, span, span, half, rewriter, loc);
    rows = exchange(rows, half, half, size, rewriter, loc);
    if (half == 4) { // Two rounds leave the rows of a half in another order.
      std::swap(rows[1], rows[2]);
      std::swap(rows[5], rows[6]);
    }
    Value result =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
    for (auto [i, row] : llvm::enumerate(rows))
      result = vector::InsertOp::create(rewriter, loc, row, result,
                                        ArrayRef<int64_t>{int64_t(i)});
    rewriter.replaceOp(op, rewriter.createOrFold<vector::ShapeCastOp>(
                               loc, op.getResultVectorType(), result));
    return success();
  }

private:
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
};
} // namespace

void sched::populateTransposeTilePatterns(RewritePatternSet &patterns) {
  patterns.add<TransposeTile>(patterns.getContext(), /*benefit=*/10);
}
