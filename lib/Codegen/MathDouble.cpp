//===- MathDouble.cpp - exp, log, tanh, erf and their like, of f64 --------===//
//
// The reductions are those of MathExponential.cpp and MathLogarithm.cpp, and
// the polynomials longer. They were fitted by Remez' exchange with 45 digits
// for the smallest relative error of the function, and then each coefficient
// was rounded to f64; above each is the largest error with rounded coefficients
// and exact arithmetic. What has no vector instructions before AVX-512,
// arithmetic shifts and conversions of 64-bit integers, is done without.
// docs/MathFunctions.md has the error bounds, and
// test/unit/Codegen/MathDoubleTest.cpp tests them. Read next:
// MathTrigonometry.cpp.
//
//===----------------------------------------------------------------------===//

#include "MathBuilder.h"

using namespace mlir;
using namespace sched;

/// ln 2 and log10 2 in two parts; the first has 42 bits, so that products with
/// exponents are exact.
static constexpr double kLn2High = 0x1.62e42fefa3800p-1;
static constexpr double kLn2Low = 0x1.ef35793c76730p-45;
static constexpr double kLog10Of2High = 0x1.34413509f7800p-2;
static constexpr double kLog10Of2Low = 0x1.fef311f12b358p-46;
static constexpr double kLog2E = 1.4426950408889634;
static constexpr double kLog10E = 0.43429448190325183;

/// exp(r) - 1 for |r| up to half of ln 2; 2^-58.9 of that.
static Value buildReducedExpm1(MathBuilder &b, Value r) {
  Value p = b.polynomial(r, {0.5, 0.16666666666666677, 0.041666666666666574,
                             0.008333333333322175, 0.0013888888888943345,
                             0.00019841269884912803, 2.4801587196786344e-05,
                             2.7557245316028184e-06, 2.7557388268364603e-07,
                             2.5108681122007795e-08, 2.0878544986281753e-09});
  return b.madd(b.mul(r, r), p, r);
}

/// 2^r - 1 for |r| up to 1/2; 2^-55 of 2^r.
static Value buildReducedExp2m1(MathBuilder &b, Value r) {
  Value p = b.polynomial(
      r, {0.6931471805599453, 0.2402265069591013, 0.055504108664820084,
          0.009618129107594152, 0.0013333558146774803, 0.00015403530457080893,
          1.525273349326402e-05, 1.3215435292452042e-06, 1.017819935278113e-07,
          7.07378243732222e-09, 4.434828315573044e-10});
  return b.mul(p, r);
}

static Value buildExp(MathBuilder &b, Value x) {
  // At the bound both powers are zero.
  x = b.atLeast(b.atMost(x, 710.0), -1418.0);
  auto [n, power, otherPower] = b.roundInTwo(x, kLog2E);
  Value r = b.madd(n, -kLn2Low, b.madd(n, -kLn2High, x));
  Value p = b.add(buildReducedExpm1(b, r), 1.0);
  return b.mul(b.mul(p, power), otherPower);
}

static Value buildExp2(MathBuilder &b, Value x) {
  x = b.atLeast(b.atMost(x, 1025.0), -2046.0);
  auto [n, power, otherPower] = b.roundInTwo(x, 1.0);
  Value p = b.add(buildReducedExp2m1(b, b.sub(x, n)), 1.0);
  return b.mul(b.mul(p, power), otherPower);
}

/// (exp(x) - 1) / 2, which does not overflow before exp(x) - 1 does.
static Value buildHalfExpm1(MathBuilder &b, Value x) {
  auto [n, power] = b.round(x, kLog2E, /*bias=*/-1);
  Value r = b.madd(n, -kLn2Low, b.madd(n, -kLn2High, x));
  return b.madd(power, buildReducedExpm1(b, r), b.sub(power, 0.5));
}

static Value buildExpm1(MathBuilder &b, Value x) {
  Value half = buildHalfExpm1(b, b.atLeast(b.atMost(x, 710.0), -39.0));
  // Where only the first term counts; it keeps zero's sign.
  return b.select(b.less(b.abs(x), 0x1p-55), x, b.add(half, half));
}

/// tanh x = (e - 1) / (e + 1) with e = exp(2 |x|).
static Value buildTanh(MathBuilder &b, Value x) {
  Value half = buildHalfExpm1(b, b.atMost(b.mul(b.abs(x), 2.0), 40.0));
  return b.copySign(b.div(half, b.add(half, 1.0)), x);
}

/// Up to 1 an odd polynomial; further out 1 - 2^-q, q a polynomial in
/// |x| - 1, which is exact. Rounding of q counts less the further out.
static Value buildErf(MathBuilder &b, Value x) {
  Value a = b.atMost(b.abs(x), 6.0);
  Value square = b.mul(x, x);
  // erf x / x - 1; 2^-55.8 of erf x / x.
  Value near =
      b.polynomial(square, {0.12837916709551256, -0.37612638903183526,
                            0.112837916709444, -0.02686617064313725,
                            0.00522397760628861, -0.0008548325936151507,
                            0.00012055293753020028, -1.4924715272857389e-05,
                            1.6447164229425875e-06, -1.6206539155872345e-07,
                            1.3711867233970102e-08, -7.780986008657541e-10});
  near = b.madd(near, x, x);
  // -log2 erfc |x|; it moves erf x by 2^-56.5 of itself.
  Value q = b.polynomial(
      b.sub(a, 1.0),
      {2.6684166967815997,      3.8072253458536083,     1.2163466576858908,
       0.0599599900454217,      -0.014475750190869236,  0.0028535108292181755,
       -0.00034238682296927234, -3.790174588647995e-05, 3.9161255824834115e-05,
       -1.3827649800883376e-05, 2.928263608788579e-06,  -1.6578825048609276e-07,
       -1.6914473442603204e-07, 9.022833396483029e-08,  -2.758538773094549e-08,
       5.929168308947631e-09,   -9.117729496492905e-10, 9.600635186582323e-11,
       -6.205913366957878e-12,  1.8548333098637683e-13});
  auto [n, power] = b.round(q, -1.0);
  // The rest of -q.
  Value r = b.negate(b.add(n, q));
  Value rest = b.madd(buildReducedExp2m1(b, r), power, power);
  Value far = b.copySign(b.sub(b.constant(1.0), rest), x);
  return b.select(b.less(1.0, a), far, near);
}

namespace {
/// x = 2^(exponent - 1023) mantissa, the exponent an integer of 11 bits.
struct Parts {
  Value exponent, mantissa;
};
} // namespace

/// The bits of sqrt(1/2), 2^-1 times a mantissa.
static constexpr int64_t kSqrtHalf = 0x3fe6a09e667f3bcd;
static constexpr int64_t kMantissa = 0xfffffffffffff;

/// Of a positive, finite and normal f64: the mantissa is between sqrt(1/2) and
/// sqrt(2).
static Parts split(MathBuilder &b, Value x) {
  Value offset = b.addInt(b.bits(x), (int64_t(1023) << 52) - kSqrtHalf);
  return {b.shiftRightUnsigned(offset, 52),
          b.fromBits(b.addInt(b.andInt(offset, kMantissa), kSqrtHalf))};
}

/// The low bits of 2^52 hold an integer.
static Value toFloat(MathBuilder &b, Value exponent, Value bias) {
  constexpr int64_t k2To52 = int64_t(1023 + 52) << 52;
  return b.sub(b.fromBits(b.orInt(exponent, k2To52)), bias);
}
static constexpr double kBias = 0x1p52 + 1023;

/// log(1 + f) - f for 1 + f between sqrt(1/2) and sqrt(2); 2^-55.9 of
/// log(1 + f).
static Value buildLogRest(MathBuilder &b, Value f) {
  Value p = b.polynomial(
      f, {0.3333333333333314, -0.2499999999998799, 0.20000000000066445,
          -0.16666666669822894, 0.14285714280094539, -0.12499999691664411,
          0.11111111148039324, -0.100000151989862, 0.09090923900821789,
          -0.08332913649765325, 0.07691530523213103, -0.07149439055325268,
          0.06684581150052271, -0.06196672033956367, 0.05668419675252624,
          -0.05677862796409738, 0.06503433757934472, -0.05981456500221123,
          0.02614925176162085});
  return b.mul(b.mul(f, f), b.madd(f, p, -0.5));
}

namespace {
/// log x = exponent ln 2 + fraction + rest.
struct LogParts {
  Value exponent, fraction, rest;
};
} // namespace

static LogParts buildLogParts(MathBuilder &b, Value x) {
  Value isSmall = b.less(x, 0x1p-1022);
  auto [exponent, mantissa] = split(b, b.select(isSmall, b.mul(x, 0x1p54), x));
  Value bias = b.select(isSmall, b.constant(kBias + 54), b.constant(kBias));
  Value f = b.sub(mantissa, 1.0);
  return {toFloat(b, exponent, bias), f, buildLogRest(b, f)};
}

static Value buildLog(MathBuilder &b, Value x) {
  auto [e, f, rest] = buildLogParts(b, x);
  rest = b.madd(e, kLn2Low, rest);
  return withLogarithmEnds(b, x, b.madd(e, kLn2High, b.add(f, rest)));
}

static Value buildLog2(MathBuilder &b, Value x) {
  auto [e, f, rest] = buildLogParts(b, x);
  return withLogarithmEnds(b, x, b.madd(b.add(f, rest), kLog2E, e));
}

static Value buildLog10(MathBuilder &b, Value x) {
  auto [e, f, rest] = buildLogParts(b, x);
  Value low = b.madd(b.add(f, rest), kLog10E, b.mul(e, kLog10Of2Low));
  return withLogarithmEnds(b, x, b.madd(e, kLog10Of2High, low));
}

/// 1 + x is rounded; what that took away is added to the mantissa's fraction.
static Value buildLog1p(MathBuilder &b, Value x) {
  Value u = b.add(x, 1.0);
  Value lost = b.sub(x, b.sub(u, 1.0));
  auto [exponent, mantissa] = split(b, u);
  // 2^-e; from 2^1022 nothing was lost that counts, and 2^-1023 has no such
  // bits.
  Value scale = b.fromBits(
      b.shiftLeft(b.subInt(2 * 1023, b.minInt(exponent, 2 * 1023 - 1)), 52));
  Value f = b.madd(lost, scale, b.sub(mantissa, 1.0));
  Value e = toFloat(b, exponent, b.constant(kBias));
  Value rest = b.madd(e, kLn2Low, buildLogRest(b, f));
  Value value = withLogarithmEnds(b, u, b.madd(e, kLn2High, b.add(f, rest)));
  // Zeros keep their sign.
  return b.select(b.equal(x, 0.0), x, value);
}

template <typename Op, auto formula>
using DoubleFormula = MathFormula<Op, formula, /*isDouble=*/true>;

void sched::populateDoublePatterns(RewritePatternSet &patterns) {
  patterns.add<DoubleFormula<math::ExpOp, buildExp>,
               DoubleFormula<math::Exp2Op, buildExp2>,
               DoubleFormula<math::ExpM1Op, buildExpm1>,
               DoubleFormula<math::TanhOp, buildTanh>,
               DoubleFormula<math::ErfOp, buildErf>,
               DoubleFormula<math::LogOp, buildLog>,
               DoubleFormula<math::Log2Op, buildLog2>,
               DoubleFormula<math::Log10Op, buildLog10>,
               DoubleFormula<math::Log1pOp, buildLog1p>>(patterns.getContext());
}
