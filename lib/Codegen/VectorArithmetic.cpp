//===- VectorArithmetic.cpp - Cheaper forms of vector arithmetic ----------===//
//
// Divisions by one value and maxima, for LowerMath.cpp. What a NaN, an infinity
// or a subnormal gives stays what it was.
//
//===----------------------------------------------------------------------===//

#include "MathBuilder.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace sched;

namespace {
/// x / s for all elements x is x (1 / s) where the program allows it (`arcp`):
/// one division in place of one a vector, and at most 1.5 units in the last
/// place. Where 1 / s would leave the
/// normal range, s and the result are scaled by a power of two, which is exact:
/// so the result is right for every s, at the price of a second multiplication.
struct DivideByScalar : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    if (!arith::bitEnumContainsAny(op.getFastmath(),
                                   arith::FastMathFlags::arcp))
      return rewriter.notifyMatchFailure(op, "quotients must be exact");
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.isScalable() || type.getNumElements() < 8)
      return rewriter.notifyMatchFailure(op, "not a vector worth it");
    const bool isDouble = type.getElementType().isF64();
    if (!isDouble && !type.getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "neither f32 nor f64");
    auto broadcast = op.getRhs().getDefiningOp<vector::BroadcastOp>();
    if (!broadcast)
      return rewriter.notifyMatchFailure(op, "divisors differ");
    auto from = dyn_cast<VectorType>(broadcast.getSourceType());
    if (from && from.getNumElements() != 1)
      return rewriter.notifyMatchFailure(op, "divisors differ");
    // Next to the broadcast, which stands outside of the loop.
    rewriter.setInsertionPoint(broadcast);
    Location loc = op.getLoc();
    MathBuilder b(rewriter, loc, broadcast.getSourceType());
    Value divisor = broadcast.getSource();
    Value magnitude = b.abs(divisor);
    const double large = isDouble ? 0x1p900 : 0x1p100;
    Value scale = b.select(b.less(large, magnitude), b.constant(1 / large),
                           b.constant(1));
    scale = b.select(b.less(magnitude, 1 / large), b.constant(large), scale);
    Value inverse = b.div(b.constant(1), b.mul(divisor, scale));
    auto spread = [&](Value value) -> Value {
      return vector::BroadcastOp::create(rewriter, loc, type, value);
    };
    Value inverses = spread(inverse), scales = spread(scale);
    rewriter.setInsertionPoint(op);
    Value product = arith::MulFOp::create(rewriter, loc, op.getLhs(), inverses);
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, product, scales);
    return success();
  }
};

/// The largest element so far is never a NaN if it did not start as one, as
/// maxnum passes over NaNs: then a comparison is enough, one instruction where
/// a maxnum takes three.
template <typename Op, arith::CmpFPredicate isBetter>
struct CarriedExtreme : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!isa<VectorType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "not of vectors");
    for (OpOperand &operand : op->getOpOperands())
      if (isCarried(op, operand.get())) {
        Value best = operand.get();
        Value next = op->getOperand(1 - operand.getOperandNumber());
        Value better =
            arith::CmpFOp::create(rewriter, op.getLoc(), isBetter, next, best);
        rewriter.replaceOpWithNewOp<arith::SelectOp>(op, better, next, best);
        return success();
      }
    return rewriter.notifyMatchFailure(op, "not kept across a loop");
  }

private:
  /// Whether `value` is carried by a loop from a number to `op`'s result.
  static bool isCarried(Op op, Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    auto loop =
        argument
            ? dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp())
            : nullptr;
    if (!loop || argument == loop.getInductionVar() || !op->hasOneUse() ||
        !argument.hasOneUse())
      return false;
    OpOperand *init = loop.getTiedLoopInit(argument);
    OpOperand *yielded = loop.getTiedLoopYieldedValue(argument);
    DenseFPElementsAttr start;
    return yielded->get() == op.getResult() &&
           matchPattern(init->get(), m_Constant(&start)) && start.isSplat() &&
           !start.getSplatValue<APFloat>().isNaN();
  }
};
/// Which of two zeros a maximum returns is left open: telling them apart takes
/// two of the five instructions, where a maximum that keeps NaNs takes three.
template <typename Op> struct EitherZero : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    const arith::FastMathFlags flags = op.getFastmath();
    if (arith::bitEnumContainsAll(flags, arith::FastMathFlags::nsz))
      return rewriter.notifyMatchFailure(op, "left open already");
    rewriter.modifyOpInPlace(
        op, [&] { op.setFastmath(flags | arith::FastMathFlags::nsz); });
    return success();
  }
};

/// Upstream's conversion of these to the LLVM dialect takes vectors of one
/// dimension alone.
template <typename Op> struct RowByRow : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.getRank() < 2 || type.isScalable())
      return rewriter.notifyMatchFailure(op, "no rows");
    const Location loc = op.getLoc();
    Value result =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
    for (int64_t i = 0, e = type.getDimSize(0); i != e; ++i) {
      Value row =
          vector::ExtractOp::create(rewriter, loc, op->getOperand(0), i);
      row = Op::create(rewriter, loc, row);
      result = vector::InsertOp::create(rewriter, loc, row, result, i);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Upstream's conversion of these to the LLVM dialect takes vectors of one
/// dimension alone, too: the halves of a product twice as wide.
template <typename Op, typename Extend>
struct ExtendAndMultiply : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getLow().getType());
    if (!type || !type.getElementType().isInteger())
      return rewriter.notifyMatchFailure(op, "not of vectors");
    const Location loc = op.getLoc();
    const unsigned bits = type.getElementTypeBitWidth();
    const auto wide =
        cast<VectorType>(type.clone(rewriter.getIntegerType(2 * bits)));
    Value lhs = Extend::create(rewriter, loc, wide, op.getLhs());
    Value rhs = Extend::create(rewriter, loc, wide, op.getRhs());
    Value product = arith::MulIOp::create(rewriter, loc, lhs, rhs);
    Value shift = arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(
            wide, rewriter.getIntegerAttr(wide.getElementType(), bits)));
    Value upper = arith::ShRUIOp::create(rewriter, loc, product, shift);
    Value low = arith::TruncIOp::create(rewriter, loc, type, product);
    Value high = arith::TruncIOp::create(rewriter, loc, type, upper);
    rewriter.replaceOp(op, {low, high});
    return success();
  }
};
} // namespace

void sched::populateVectorArithmeticPatterns(RewritePatternSet &patterns) {
  patterns.add<DivideByScalar, EitherZero<arith::MaximumFOp>,
               EitherZero<arith::MinimumFOp>,
               CarriedExtreme<arith::MaxNumFOp, arith::CmpFPredicate::OGT>,
               CarriedExtreme<arith::MinNumFOp, arith::CmpFPredicate::OLT>,
               RowByRow<math::AbsIOp>, RowByRow<math::CountLeadingZerosOp>,
               RowByRow<math::CountTrailingZerosOp>,
               ExtendAndMultiply<arith::MulSIExtendedOp, arith::ExtSIOp>,
               ExtendAndMultiply<arith::MulUIExtendedOp, arith::ExtUIOp>>(
      patterns.getContext());
}
