//===- MathExponential.cpp - exp, exp2, expm1, tanh, erf, erfc ------------===//
//
// All reduce the argument by a multiple of ln 2 and approximate what is left by
// a polynomial, fitted for the smallest relative error with coefficients that
// are floats. docs/MathFunctions.md has the error bounds, and
// test/unit/Codegen/MathTest.cpp tests them. Read next: MathLogarithm.cpp.
//
//===----------------------------------------------------------------------===//

#include "MathBuilder.h"

using namespace mlir;
using namespace sched;

/// ln 2 in two parts; the first has 12 bits, so that products with small
/// integers are exact.
static constexpr double kLn2High = 0.693115234375;
static constexpr double kLn2Low = 3.1946183306e-05;
static constexpr double kLog2E = 1.4426950408889634;

/// The power of two is squared: its exponent then has room for results that
/// are subnormal, with one rounding. What is masked off by -inf, or by a number
/// that is as good, has a power of zero: a result that is too small by its
/// exponent takes a processor a hundred cycles or more.
static Value buildExp(MathBuilder &b, Value x) {
  x = b.atLeast(b.atMost(x, 100.0), -176.0);
  auto [n, power] = b.round(x, kLog2E / 2);
  Value r = b.madd(n, -2 * kLn2Low, b.madd(n, -2 * kLn2High, x));
  Value p = b.polynomial(r, {0.500000358, 0.166666165, 0.0416612066,
                             0.00833598338, 0.001410531, 0.000196267152});
  p = b.add(b.madd(b.mul(r, r), p, r), 1.0);
  return b.mul(b.mul(p, power), power);
}

static Value buildExp2(MathBuilder &b, Value x) {
  x = b.atLeast(b.atMost(x, 140.0), -254.0);
  auto [n, power] = b.round(x, 0.5);
  Value r = b.madd(n, -2.0, x);
  Value p =
      b.polynomial(r, {0.693147242, 0.240226686, 0.0555036701, 0.00961683784,
                       0.0013341445, 0.00015646049, 1.49338221e-05});
  p = b.madd(p, r, 1.0);
  return b.mul(b.mul(p, power), power);
}

/// (exp(x) - 1) / 2, which does not overflow before exp(x) - 1 does.
static Value buildHalfExpm1(MathBuilder &b, Value x) {
  auto [n, power] = b.round(x, kLog2E, /*bias=*/-1);
  Value r = b.madd(n, -kLn2Low, b.madd(n, -kLn2High, x));
  Value p = b.polynomial(r, {0.5, 0.166666657, 0.0416664928, 0.00833354332,
                             0.00139323424, 0.000197642454});
  p = b.madd(b.mul(r, r), p, r);
  return b.madd(power, p, b.sub(power, 0.5));
}

static Value buildExpm1(MathBuilder &b, Value x) {
  Value bounded = b.atLeast(b.atMost(x, 89.0), -18.0);
  Value half = buildHalfExpm1(b, bounded);
  // Where only the first term counts; it keeps zero's sign.
  return b.select(b.less(b.abs(x), 0x1p-26), x, b.add(half, half));
}

/// tanh x = (e - 1) / (e + 1) with e = exp(2 |x|).
static Value buildTanh(MathBuilder &b, Value x) {
  Value half = buildHalfExpm1(b, b.atMost(b.mul(b.abs(x), 2.0), 20.0));
  return b.copySign(b.div(half, b.add(half, 1.0)), x);
}

/// Near 0 an odd polynomial; further out 1 - 2^-q, q a polynomial in |x|.
static Value buildErf(MathBuilder &b, Value x) {
  Value a = b.atMost(b.abs(x), 4.0);
  Value square = b.mul(x, x);
  Value near = b.polynomial(square, {0.128379166, -0.37612626, 0.112835787,
                                     -0.0268533472, 0.0051871622,
                                     -0.00079978531, 7.80690316e-05});
  near = b.madd(near, x, x);
  Value q =
      b.polynomial(a, {0.000492699037, 1.62604606, 0.920648217, 0.148751795,
                       -0.0315057822, 0.00425260607, -0.000268892036});
  auto [n, power] = b.round(q, -1.0);
  // The rest of -q.
  Value r = b.negate(b.add(n, q));
  Value p = b.polynomial(r, {0.693147004, 0.240222454, 0.0555071123,
                             0.00967139471, 0.00132695935});
  Value rest = b.mul(b.madd(p, r, 1.0), power);
  Value far = b.copySign(b.sub(b.constant(1.0), rest), x);
  return b.select(b.less(1.0, a), far, near);
}

void sched::populateExponentialPatterns(RewritePatternSet &patterns) {
  patterns.add<
      MathFormula<math::ExpOp, buildExp>, MathFormula<math::Exp2Op, buildExp2>,
      MathFormula<math::ExpM1Op, buildExpm1>,
      MathFormula<math::TanhOp, buildTanh>, MathFormula<math::ErfOp, buildErf>>(
      patterns.getContext());
}
