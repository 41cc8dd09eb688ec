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
//
//===----------------------------------------------------------------------===//

#include "StridedReads.h"
#include "LineView.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// Elements further apart than this are loaded one by one: most of a vector
/// would be for nothing. So are fewer lanes than this: the vectors in between
/// would not end before the last one.
static constexpr int64_t kMostApart = 4;

namespace {
struct ReadStrided : OpRewritePattern<vector::TransferReadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::TransferReadOp op,
                                PatternRewriter &rewriter) const override {
    const auto memory = dyn_cast<MemRefType>(op.getShapedType());
    const VectorType type = op.getVectorType();
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!memory || type.getRank() != 1 || type.isScalable() ||
        type.getNumElements() < kMostApart || op.getMask() ||
        op.hasOutOfBoundsDim() || !op.getPermutationMap().isMinorIdentity() ||
        type.getElementType() != memory.getElementType() ||
        !type.getElementType().isIntOrFloat() ||
        type.getElementTypeBitWidth() % 8 != 0 ||
        failed(memory.getStridesAndOffset(strides, offset)) ||
        llvm::any_of(strides, ShapedType::isDynamic) || strides.back() < 2 ||
        strides.back() > kMostApart)
      return failure();
    const Location loc = op.getLoc();
    const int64_t lanes = type.getNumElements(), apart = strides.back();
    Value line = sched::viewLine(rewriter, loc, op.getBase(), op.getIndices(),
                                 strides, (lanes - 1) * apart + 1);
    auto load = [&](int64_t first) -> Value {
      Value index = arith::ConstantIndexOp::create(rewriter, loc, first);
      return vector::LoadOp::create(rewriter, loc, type, line, index);
    };
    Value result = load(0);
    for (int64_t part = 1; part != apart; ++part) {
      const int64_t first =
          part + 1 == apart ? (lanes - 1) * part : lanes * part;
      SmallVector<int64_t> places;
      for (int64_t lane = 0; lane != lanes; ++lane) {
        const int64_t element = lane * apart;
        // Those of the parts before are in their lanes by now.
        if (element >= lanes * part)
          places.push_back(lanes + std::min(element - first, lanes - 1));
        else
          places.push_back(part == 1 ? element : lane);
      }
      result =
          vector::ShuffleOp::create(rewriter, loc, result, load(first), places);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void sched::populateStridedReadPatterns(RewritePatternSet &patterns) {
  // Before upstream's loop over elements.
  patterns.add<ReadStrided>(patterns.getContext(), /*benefit=*/10);
}
