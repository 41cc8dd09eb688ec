//===- MathLogarithm.cpp - log, log2, log10, log1p, pow -------------------===//
//
// An argument is 2^e m with m between sqrt(1/2) and sqrt(2); log m is a
// polynomial in m - 1. Powers need the logarithm to more bits than a float has,
// and are computed in f64. Read next: MathDouble.cpp.
//
//===----------------------------------------------------------------------===//

#include "MathBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace sched;

static constexpr double kLn2High = 0.693115234375;
static constexpr double kLn2Low = 3.1946183306e-05;
static constexpr double kLog2E = 1.4426950408889634;
static constexpr double kLog10E = 0.43429448190325183;
static constexpr double kLog10Of2High = 0.301025390625;
static constexpr double kLog10Of2Low = 4.605039067e-06;

namespace {
/// x = 2^exponent mantissa.
struct Parts {
  Value exponent, mantissa;
};
} // namespace

/// Subtracting the bits of sqrt(1/2) leaves the exponent in the upper bits.
static constexpr int64_t kSqrtHalf = 0x3f3504f3;

static Value getMantissa(MathBuilder &b, Value offset) {
  return b.fromBits(b.addInt(b.andInt(offset, 0x7fffff), kSqrtHalf));
}

/// Of a positive, finite f32, which may be subnormal.
static Parts split(MathBuilder &b, Value x) {
  Value isSmall = b.less(x, 0x1p-126);
  x = b.select(isSmall, b.mul(x, 0x1p24), x);
  Value offset = b.addInt(b.bits(x), -kSqrtHalf);
  Value exponent = b.toFloat(b.shiftRight(offset, 23));
  exponent = b.add(exponent, b.select(isSmall, b.constant(-24), b.constant(0)));
  return {exponent, getMantissa(b, offset)};
}

/// log(1 + f) - f.
static Value buildLogRest(MathBuilder &b, Value f) {
  Value p =
      b.polynomial(f, {0.333333313, -0.250008196, 0.200012431, -0.166234106,
                       0.142015398, -0.131595507, 0.127624854, -0.0763694048});
  return b.mul(b.mul(f, f), b.madd(f, p, -0.5));
}

Value sched::withLogarithmEnds(MathBuilder &b, Value x, Value value) {
  Value atMostZero =
      b.select(b.equal(x, 0.0), b.negate(b.infinity()), b.notANumber());
  value = b.select(b.less(0.0, x), value, atMostZero);
  return b.select(b.equal(x, b.infinity()), x, value);
}

static Value buildLog(MathBuilder &b, Value x) {
  auto [e, m] = split(b, x);
  Value f = b.sub(m, 1.0);
  Value rest = b.madd(e, kLn2Low, buildLogRest(b, f));
  return withLogarithmEnds(b, x, b.madd(e, kLn2High, b.add(f, rest)));
}

static Value buildLog2(MathBuilder &b, Value x) {
  auto [e, m] = split(b, x);
  Value f = b.sub(m, 1.0);
  return withLogarithmEnds(b, x,
                           b.madd(b.add(f, buildLogRest(b, f)), kLog2E, e));
}

static Value buildLog10(MathBuilder &b, Value x) {
  auto [e, m] = split(b, x);
  Value f = b.sub(m, 1.0);
  Value low =
      b.madd(b.add(f, buildLogRest(b, f)), kLog10E, b.mul(e, kLog10Of2Low));
  return withLogarithmEnds(b, x, b.madd(e, kLog10Of2High, low));
}

/// 1 + x is rounded; what that took away is added to the mantissa's fraction.
static Value buildLog1p(MathBuilder &b, Value x) {
  Value u = b.add(x, 1.0);
  Value lost = b.sub(x, b.sub(u, 1.0));
  Value offset = b.addInt(b.bits(u), -kSqrtHalf);
  Value exponent = b.shiftRight(offset, 23);
  // At 2^127 nothing was lost that counts, and 2^-128 has no such bits.
  Value scale =
      b.fromBits(b.shiftLeft(b.subInt(127, b.minInt(exponent, 126)), 23));
  Value f = b.madd(lost, scale, b.sub(getMantissa(b, offset), 1.0));
  Value e = b.toFloat(exponent);
  Value rest = b.madd(e, kLn2Low, buildLogRest(b, f));
  Value value = withLogarithmEnds(b, u, b.madd(e, kLn2High, b.add(f, rest)));
  // Zeros keep their sign.
  return b.select(b.equal(x, 0.0), x, value);
}

/// log2 of a positive f32, in f64.
static Value buildLog2InDouble(MathBuilder &b, MathBuilder &d, Value x) {
  auto [e, m] = split(b, x);
  m = d.extend(m);
  Value s = d.div(d.sub(m, 1.0), d.add(m, 1.0));
  Value p = d.polynomial(d.mul(s, s), {2.8853900817779228, 0.96179669393487743,
                                       0.57707801325844965, 0.41219896211519319,
                                       0.3205805368368374, 0.26250730764962488,
                                       0.23105699620271156});
  return d.madd(p, s, d.extend(e));
}

/// 2^x, in f64, for |x| below 1000.
static Value buildExp2InDouble(MathBuilder &d, Value x) {
  auto [n, power] = d.round(x, 1.0);
  Value p = d.polynomial(
      d.sub(x, n),
      {0.9999999999997593, 0.69314718054640689, 0.24022650698907494,
       0.055504109397781623, 0.0096181285390206702, 0.0013333451638502117,
       0.00015403853258949511, 1.5309851309078219e-05, 1.3175741842886835e-06});
  return d.mul(p, power);
}

static Value buildPow(MathBuilder &b, Value x, Value y) {
  MathBuilder d = b.inDouble();
  Value a = b.abs(x);
  Value log = buildLog2InDouble(b, d, a);
  log = d.select(b.equal(a, 0.0), d.negate(d.infinity()), log);
  log = d.select(b.equal(a, b.infinity()), d.infinity(), log);
  Value power = d.mul(log, d.extend(y));
  // 1 to the infinite is 1, not 0 times infinity.
  power = d.select(d.equal(log, 0.0), log, power);
  power = d.atLeast(d.atMost(power, 300.0), -300.0);
  Value value = b.truncate(buildExp2InDouble(d, power));

  // Negative numbers have whole powers only. Whole floats from 2^24 are even,
  // and so is infinity here.
  Value isWhole = b.equal(y, b.floor(y));
  Value half = b.mul(y, 0.5);
  Value isOdd = b.both(isWhole, b.less(b.floor(half), half));
  Value signedX = b.select(isOdd, x, b.constant(1.0));
  value = b.copySign(value, signedX);
  Value isFinite = b.less(a, b.infinity());
  Value hasNone =
      b.both(b.both(b.less(x, 0.0), isFinite), b.less(b.floor(y), y));
  value = b.select(hasNone, b.notANumber(), value);
  // A NaN goes through, except in 1^NaN and NaN^0.
  Value isOrdered = b.both(b.equal(x, x), b.equal(y, y));
  value = b.select(isOrdered, value, b.notANumber());
  Value isOne = b.either(b.equal(x, 1.0), b.equal(y, 0.0));
  return b.select(isOne, b.constant(1.0), value);
}

namespace {
/// Powers of layer norms and polynomials: x^2, x^3, x^-1 and 1.
struct SmallPower : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::PowFOp op,
                                PatternRewriter &rewriter) const override {
    APFloat value(0.0);
    if (!matchPattern(op.getRhs(), m_ConstantFloat(&value)))
      return rewriter.notifyMatchFailure(op, "power is not constant");
    Type type = op.getType();
    Location loc = op.getLoc();
    Value x = op.getLhs();
    auto multiply = [&](Value a, Value b) -> Value {
      return arith::MulFOp::create(rewriter, loc, a, b);
    };
    Value result;
    if (value.isExactlyValue(1.0))
      result = x;
    else if (value.isExactlyValue(2.0))
      result = multiply(x, x);
    else if (value.isExactlyValue(3.0))
      result = multiply(multiply(x, x), x);
    else if (value.isExactlyValue(-1.0)) {
      TypedAttr one = rewriter.getFloatAttr(getElementTypeOrSelf(type), 1.0);
      if (auto vector = dyn_cast<VectorType>(type))
        one = DenseElementsAttr::get(vector, Attribute(one));
      result = arith::DivFOp::create(
          rewriter, loc, arith::ConstantOp::create(rewriter, loc, one), x);
    } else {
      return rewriter.notifyMatchFailure(op, "power is not small");
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// x^n for a constant n up to 64 is a product of squares, as in the compiler's
/// runtime, which it would call for each element.
struct SmallIntegerPower : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FPowIOp op,
                                PatternRewriter &rewriter) const override {
    APInt value;
    if (!matchPattern(op.getRhs(), m_ConstantInt(&value)))
      return rewriter.notifyMatchFailure(op, "power is not constant");
    if (value.sgt(kLargestPower) || value.slt(-kLargestPower))
      return rewriter.notifyMatchFailure(op, "power is not small");
    const Type type = op.getType();
    TypedAttr attr = rewriter.getFloatAttr(getElementTypeOrSelf(type), 1.0);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    const Location loc = op.getLoc();
    Value one = arith::ConstantOp::create(rewriter, loc, attr);
    Value product, square = op.getLhs();
    for (uint64_t rest = value.abs().getZExtValue(); rest != 0;) {
      if (rest % 2)
        product = product
                      ? arith::MulFOp::create(rewriter, loc, product, square)
                            .getResult()
                      : square;
      rest /= 2;
      if (rest != 0)
        square = arith::MulFOp::create(rewriter, loc, square, square);
    }
    if (!product)
      product = one;
    else if (value.isNegative())
      product = arith::DivFOp::create(rewriter, loc, one, product);
    rewriter.replaceOp(op, product);
    return success();
  }

private:
  static constexpr int64_t kLargestPower = 64;
};
} // namespace

void sched::populateLogarithmPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<SmallPower, SmallIntegerPower>(context, /*benefit=*/2);
  patterns.add<MathFormula<math::LogOp, buildLog>,
               MathFormula<math::Log2Op, buildLog2>,
               MathFormula<math::Log10Op, buildLog10>,
               MathFormula<math::Log1pOp, buildLog1p>,
               MathFormula<math::PowFOp, buildPow>>(context);
}
