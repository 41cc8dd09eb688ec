//===- MathTrigonometry.cpp - sin, cos, atan, atan2, asin, acos -----------===//
//
// Sines and cosines reduce the argument in f64, where two parts of pi/2 are
// enough up to 2^25. Beyond that the reduction needs hundreds of bits of pi: a
// vector with such an element calls the C library for all of its elements, and
// scalars always do, so that this stays out of loops that LLVM may vectorise.
//
//===----------------------------------------------------------------------===//

#include "MathBuilder.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace sched;

static constexpr double kHalfPi = 1.5707963267948966;

/// The sine of x + `quarters` quarter turns, for |x| below 2^25.
static Value buildSine(MathBuilder &b, Value x, int quarters) {
  MathBuilder d = b.inDouble();
  Value wide = d.extend(x);
  // The integer is in the low bits after the addition.
  const double magic = 0x1.8p52;
  Value shifted = d.madd(wide, 2 / 3.141592653589793, magic);
  Value n = d.sub(shifted, magic);
  Value quadrant = b.addInt(b.lowHalf(d.bits(shifted)), quarters);
  Value r =
      d.madd(n, -9.9209357968054043e-10, d.madd(n, -1.570796325802803, wide));
  Value y = b.truncate(r);
  Value square = b.mul(y, y);
  Value sine = b.polynomial(
      square, {-0.166666672, 0.00833338033, -0.000198534981, 2.83724762e-06});
  sine = b.madd(b.mul(square, sine), y, y);
  Value cosine = b.polynomial(
      square, {0.0416666679, -0.001388898, 2.48220076e-05, -2.8878452e-07});
  cosine =
      b.add(b.madd(b.mul(square, square), cosine, b.mul(square, -0.5)), 1.0);
  Value value = b.select(b.isZero(b.andInt(quadrant, 1)), sine, cosine);
  // The second and third quadrants have the other sign.
  Value sign = b.shiftLeft(b.andInt(quadrant, 2), 30);
  return b.fromBits(b.xorInt(b.bits(value), sign));
}

/// atan x for x from 0 to 1.
static Value buildAtanOfUnit(MathBuilder &b, Value x) {
  Value square = b.mul(x, x);
  Value p = b.polynomial(square, {-0.333333015, 0.199986294, -0.142651513,
                                  0.109571025, -0.0841812119, 0.058212325,
                                  -0.0314341411, 0.0110531384, -0.00182473927});
  return b.madd(b.mul(p, square), x, x);
}

static Value buildAtan(MathBuilder &b, Value x) {
  Value a = b.abs(x);
  Value isLarge = b.less(1.0, a);
  Value y = b.select(isLarge, b.div(b.constant(1.0), a), a);
  y = buildAtanOfUnit(b, y);
  y = b.select(isLarge, b.sub(b.constant(kHalfPi), y), y);
  return b.copySign(y, x);
}

static Value buildAtan2(MathBuilder &b, Value y, Value x) {
  Value absX = b.abs(x), absY = b.abs(y);
  Value isSteep = b.less(absX, absY);
  Value low = b.select(isSteep, absX, absY);
  Value high = b.select(isSteep, absY, absX);
  // A quotient of subnormals, or one that overflows the reciprocal, is right
  // by division; 0/0 is 0 and inf/inf 1.
  Value quotient =
      b.select(b.equal(low, high), b.constant(1.0), b.div(low, high));
  quotient = b.select(b.equal(high, 0.0), high, quotient);
  Value angle = buildAtanOfUnit(b, quotient);
  angle = b.select(isSteep, b.sub(b.constant(kHalfPi), angle), angle);
  Value isLeft = b.less(b.copySign(b.constant(1.0), x), 0.0);
  angle = b.select(isLeft, b.sub(b.constant(2 * kHalfPi), angle), angle);
  angle = b.copySign(angle, y);
  Value isOrdered = b.both(b.equal(x, x), b.equal(y, y));
  return b.select(isOrdered, angle, b.notANumber());
}

namespace {
struct ArcSine {
  /// Whether |x| is above 1/2; asin of `reduced`, which is |x| below and the
  /// root of (1 - |x|) / 2 above.
  Value isLarge, value;
};
} // namespace

static ArcSine buildReducedAsin(MathBuilder &b, Value x) {
  Value a = b.abs(x);
  Value isLarge = b.less(0.5, a);
  Value square = b.select(isLarge, b.madd(a, -0.5, 0.5), b.mul(a, a));
  Value reduced = b.select(isLarge, b.sqrt(square), a);
  Value p = b.polynomial(square, {0.166666597, 0.075005196, 0.0445141383,
                                  0.0318303518, 0.0143557005, 0.0376297124});
  return {isLarge, b.madd(b.mul(p, square), reduced, reduced)};
}

static Value buildAsin(MathBuilder &b, Value x) {
  auto [isLarge, asin] = buildReducedAsin(b, x);
  Value large = b.madd(asin, -2.0, kHalfPi);
  return b.copySign(b.select(isLarge, large, asin), x);
}

static Value buildAcos(MathBuilder &b, Value x) {
  auto [isLarge, asin] = buildReducedAsin(b, x);
  Value twice = b.add(asin, asin);
  Value left = b.sub(b.constant(2 * kHalfPi), twice);
  Value large = b.select(b.less(x, 0.0), left, twice);
  Value small = b.sub(b.constant(kHalfPi), b.copySign(asin, x));
  return b.select(isLarge, large, small);
}

namespace {
template <typename Op, int quarters> struct Sine : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !type.getElementType().isF32() || type.isScalable() ||
        type.getRank() == 0)
      return rewriter.notifyMatchFailure(op, "not a vector of f32");
    if (type.getRank() > 1) {
      splitRows(op, type, rewriter);
      return success();
    }
    Location loc = op.getLoc();
    MathBuilder b(rewriter, loc, type);
    Value x = op.getOperand();
    Value value = buildSine(b, x, quarters);
    if (quarters == 0) // Zeros keep their sign.
      value = b.select(b.equal(x, 0.0), x, value);
    Value anyHuge = vector::ReductionOp::create(
        rewriter, loc, vector::CombiningKind::OR, b.notLess(b.abs(x), 0x1p25));
    auto branch = scf::IfOp::create(rewriter, loc, TypeRange(type), anyHuge,
                                    /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(branch.elseBlock());
      scf::YieldOp::create(rewriter, loc, value);
      rewriter.setInsertionPointToStart(branch.thenBlock());
      scf::YieldOp::create(rewriter, loc, callForEach(x, type, rewriter, loc));
    }
    rewriter.replaceOp(op, branch);
    return success();
  }

private:
  static void splitRows(Op op, VectorType type, PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    Value result =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
    for (int64_t row = 0; row != type.getDimSize(0); ++row) {
      Value part = vector::ExtractOp::create(rewriter, loc, op.getOperand(),
                                             ArrayRef<int64_t>{row});
      part = Op::create(rewriter, loc, part);
      result = vector::InsertOp::create(rewriter, loc, part, result,
                                        ArrayRef<int64_t>{row});
    }
    rewriter.replaceOp(op, result);
  }

  static Value callForEach(Value x, VectorType type, PatternRewriter &rewriter,
                           Location loc) {
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, value);
    };
    auto loop = scf::ForOp::create(
        rewriter, loc, index(0), index(type.getDimSize(0)), index(1),
        ValueRange(x),
        [&](OpBuilder &builder, Location loc, Value i, ValueRange values) {
          Value element = vector::ExtractOp::create(builder, loc, values[0],
                                                    OpFoldResult(i));
          element = Op::create(builder, loc, element);
          Value next = vector::InsertOp::create(builder, loc, element,
                                                values[0], OpFoldResult(i));
          scf::YieldOp::create(builder, loc, next);
        });
    return loop.getResult(0);
  }
};
} // namespace

void sched::populateTrigonometryPatterns(RewritePatternSet &patterns) {
  patterns.add<Sine<math::SinOp, 0>, Sine<math::CosOp, 1>,
               MathFormula<math::AtanOp, buildAtan>,
               MathFormula<math::Atan2Op, buildAtan2>,
               MathFormula<math::AsinOp, buildAsin>,
               MathFormula<math::AcosOp, buildAcos>>(patterns.getContext());
}
