//===- CheckerTest.cpp - Are these results the expected ones? -------------===//

#include "SchedOpt/Measure/Checker.h"
#include "SchedOpt/Measure/TensorData.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>

using namespace sched;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

TensorSpec vectorOf(int64_t size, ElementType type = ElementType::F32) {
  TensorSpec spec;
  spec.shape = {size};
  spec.elementType = type;
  spec.isResult = true;
  return spec;
}

TensorSpec of(ElementType type, int64_t reductionLength,
              std::optional<ElementType> precision = std::nullopt) {
  TensorSpec result;
  result.elementType = type;
  result.reductionLength = reductionLength;
  result.precision = precision;
  return result;
}

TEST(Checker, ToleranceGrowsWithTheRootOfTheReduction) {
  double one = toleranceFor(of(ElementType::F32, 1));
  EXPECT_DOUBLE_EQ(one, kToleranceFactor * std::ldexp(1.0, -23));
  EXPECT_DOUBLE_EQ(toleranceFor(of(ElementType::F32, 0)), one);
  EXPECT_DOUBLE_EQ(toleranceFor(of(ElementType::F32, 1024)), 32 * one);
  EXPECT_GT(toleranceFor(of(ElementType::BF16, 1)),
            toleranceFor(of(ElementType::F16, 1)));
  EXPECT_EQ(toleranceFor(of(ElementType::I32, 1024)), 0);
}

TEST(Checker, ToleranceIsThatOfTheFewestDigits) {
  // A result of f64 that was computed in f32, and the other way around.
  const double single = toleranceFor(of(ElementType::F32, 9));
  EXPECT_EQ(toleranceFor(of(ElementType::F64, 9, ElementType::F32)), single);
  EXPECT_EQ(toleranceFor(of(ElementType::F32, 9, ElementType::F64)), single);
  EXPECT_EQ(toleranceFor(of(ElementType::I32, 9, ElementType::F32)), 0);
}

TEST(Checker, SumsInF32HaveTheirLengthInF32) {
  // A long sum of f32 that is rounded once does not make bf16 coarser.
  TensorSpec spec = of(ElementType::BF16, 1 << 16, ElementType::BF16);
  spec.narrowOps = 1;
  const double once = toleranceFor(spec);
  EXPECT_LT(once, 1.02 * kNarrowFactor * std::ldexp(1.0, -7));
  // A sum of bf16 does, by what it was seen to do, and by no less than half a
  // standard deviation.
  spec.narrowLength = 1 << 16;
  const double stepwise = toleranceFor(spec);
  EXPECT_DOUBLE_EQ(stepwise - once, kNarrowSumFactor * 2);
  spec.deviation = 3;
  EXPECT_DOUBLE_EQ(toleranceFor(spec) - once, kDeviationFactor * 3);
}

/// `value` with so many bits of mantissa, rounded to the nearest.
float roundTo(float value, int bits) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return static_cast<float>(std::ldexp(
      std::nearbyint(std::ldexp(mantissa, bits + 1)), exponent - bits - 1));
}

/// A result of products of `steps` numbers, of which the operands have so many
/// bits and the first `skipped` terms are left out; random but for the seed.
std::vector<float> multiply(int steps, int bits, int skipped = 0) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> draw(-1, 1);
  std::vector<float> sums(512);
  for (float &sum : sums) {
    double exact = 0;
    for (int i = 0; i != steps; ++i) {
      const float a = roundTo(draw(random), bits),
                  b = roundTo(draw(random), bits);
      if (i >= skipped)
        exact += double(a) * b;
    }
    sum = static_cast<float>(exact);
  }
  return sums;
}

TEST(Checker, OperandsMayBeRoundedToTF32AndNoFurther) {
  const TensorSpec spec = vectorOf(512);
  for (int steps : {1, 8, 512, 4096}) {
    TensorSpec exact = of(ElementType::F32, steps), rounded = exact;
    rounded.tensorFloatOps = 2;
    const double tolerance = toleranceFor(rounded);
    EXPECT_DOUBLE_EQ(tolerance - toleranceFor(exact),
                     kNarrowFactor * std::ldexp(1.0, -10) * std::sqrt(2.0));
    const std::vector<float> expected = multiply(steps, 23);
    auto agree = [&](const std::vector<float> &got) {
      return compare(spec, got.data(), expected.data(), tolerance).agree;
    };
    EXPECT_TRUE(agree(multiply(steps, 10))) << steps;
    // Other formats, and a term that is missing.
    EXPECT_FALSE(agree(multiply(steps, 5))) << steps;
    EXPECT_FALSE(agree(multiply(steps, 23, /*skipped=*/1))) << steps;
    // Without tf32, it is wrong.
    EXPECT_FALSE(compare(spec, multiply(steps, 10).data(), expected.data(),
                         toleranceFor(exact))
                     .agree)
        << steps;
  }
}

/// The sum of all elements but some, each step of which is rounded to bf16.
static uint16_t addUp(const std::vector<uint16_t> &terms, size_t begin,
                      size_t end) {
  float sum = 0;
  for (size_t i = begin; i != end; ++i) {
    sum += llvm::bit_cast<float>(uint32_t(terms[i]) << 16);
    const uint32_t bits = llvm::bit_cast<uint32_t>(sum);
    sum =
        llvm::bit_cast<float>((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000);
  }
  return llvm::bit_cast<uint32_t>(sum) >> 16;
}

TEST(Checker, LongSumsOf16BitsAreOfWholeNumbers) {
  constexpr int64_t kTerms = (1 << 18) + 3;
  TensorSpec argument = of(ElementType::BF16, 1);
  argument.shape = {kTerms};
  TensorSpec result = of(ElementType::BF16, kTerms, ElementType::BF16);
  result.isResult = true;
  result.narrowOps = 1;
  result.narrowLength = kTerms;
  // Of random numbers, no result would be wrong.
  EXPECT_GT(toleranceFor(result), 1);
  result.wholeFactors = 1;
  std::vector<TensorSpec> specs{argument, result};
  thinOut(specs);
  EXPECT_EQ(specs[0].oneOf, 2048);
  EXPECT_EQ(specs[1].oneOf, 1);
  std::vector<uint16_t> terms(kTerms);
  fillFromSeed(specs[0], 0, /*seed=*/7, terms.data());
  const uint16_t expected = addUp(terms, 0, kTerms);
  const double tolerance = toleranceFor(result);
  auto agrees = [&](uint16_t got) {
    return compare(result, &got, &expected, tolerance).agree;
  };
  // Any order is exact.
  std::vector<uint16_t> reversed(terms.rbegin(), terms.rend());
  EXPECT_TRUE(agrees(addUp(reversed, 0, kTerms)));
  EXPECT_FALSE(agrees(0));
  // What does not divide 2^18, the first part of eight, and one term twice.
  EXPECT_FALSE(agrees(addUp(terms, 0, 1 << 18)));
  EXPECT_FALSE(agrees(addUp(terms, 1 << 15, kTerms)));
  terms.push_back(terms.back());
  EXPECT_FALSE(agrees(addUp(terms, 0, kTerms + 1)));

  // Sums that were not exact, and others that are not whole.
  result.deviation = 0.1;
  EXPECT_GT(toleranceFor(result), 1);
  result.deviation = 0;
  specs[1].narrowLength = 1 << 10;
  specs[0].oneOf = 1;
  thinOut(specs);
  EXPECT_EQ(specs[0].oneOf, 1);
  // A product of two whole numbers is 1 where both are.
  specs[1].narrowLength = 1 << 17;
  specs[1].wholeFactors = 2;
  thinOut(specs);
  EXPECT_EQ(specs[0].oneOf, 32);
  // Not where another result is none of these sums.
  specs[0].oneOf = 1;
  specs.push_back(of(ElementType::F32, 1));
  specs.back().isResult = true;
  thinOut(specs);
  EXPECT_EQ(specs[0].oneOf, 1);
}

TEST(Checker, DeviationIsRelative) {
  float expected[] = {3, 4}, got[] = {3, 5};
  const double rms = std::sqrt(12.5);
  EXPECT_DOUBLE_EQ(deviationOf(vectorOf(2), got, expected), 1 / (rms + 4));
  EXPECT_EQ(deviationOf(vectorOf(2), got, got), 0);
  got[0] = kInf;
  EXPECT_TRUE(std::isinf(deviationOf(vectorOf(2), got, expected)));
}

TEST(Checker, AcceptsRoundingAndRejectsMore) {
  float expected[] = {1, -2, 0, 3};
  float got[] = {1, -2, 1e-6f, 3};
  TensorSpec spec = vectorOf(4);
  double tolerance = toleranceFor(of(ElementType::F32, 1));
  EXPECT_TRUE(compare(spec, got, expected, tolerance).agree);
  got[2] = 1e-4f;
  Comparison comparison = compare(spec, got, expected, tolerance);
  EXPECT_FALSE(comparison.agree);
  EXPECT_EQ(comparison.firstIndex, 2);
  EXPECT_EQ(comparison.numWrong, 1);
  // Of the root mean square of all four, as the element itself is 0.
  EXPECT_NEAR(comparison.maxError, 1e-4 / std::sqrt(14.0 / 4), 1e-9);
}

TEST(Checker, SumOfAThousandProductsLessOneIsWrong) {
  // One product of a matmul left out in each element.
  constexpr int kCount = 64;
  float expected[kCount], got[kCount];
  for (int i = 0; i < kCount; ++i) {
    expected[i] = static_cast<float>((i % 2 ? 1 : -1) * 10.7);
    got[i] = expected[i] + 0.3f * static_cast<float>(i % 3 - 1);
  }
  EXPECT_FALSE(compare(vectorOf(kCount), got, expected,
                       toleranceFor(of(ElementType::F32, 1024)))
                   .agree);
}

TEST(Checker, PoisonIsWrong) {
  float expected[] = {1, 2};
  float got[] = {1, kNaN};
  Comparison comparison = compare(vectorOf(2), got, expected, 1);
  EXPECT_FALSE(comparison.agree);
  EXPECT_EQ(comparison.firstIndex, 1);
  EXPECT_TRUE(std::isinf(comparison.maxError));
}

TEST(Checker, SpecialValuesAgreeWithThemselvesOnly) {
  float expected[] = {kNaN, kInf, -kInf, 1};
  float same[] = {kNaN, kInf, -kInf, 1};
  EXPECT_TRUE(compare(vectorOf(4), same, expected, 1e-6).agree);
  float flipped[] = {kNaN, -kInf, -kInf, 1};
  EXPECT_EQ(compare(vectorOf(4), flipped, expected, 1e-6).firstIndex, 1);
  float finite[] = {0, 1e30f, -kInf, 1};
  EXPECT_EQ(compare(vectorOf(4), finite, expected, 1e-6).numWrong, 2);
}

TEST(Checker, IntegersMustBeEqual) {
  int64_t expected[] = {int64_t(1) << 62, 5};
  int64_t got[] = {(int64_t(1) << 62) + 1, 5};
  TensorSpec spec = vectorOf(2, ElementType::I64);
  EXPECT_TRUE(compare(spec, expected, expected, 0).agree);
  // The two are the same number as doubles.
  Comparison comparison = compare(spec, got, expected, 0);
  EXPECT_FALSE(comparison.agree);
  EXPECT_EQ(comparison.firstIndex, 0);
}

TEST(Checker, IntegersFromFloatsMayFlip) {
  TensorSpec spec;
  spec.shape = {200};
  spec.elementType = ElementType::I32;
  spec.isResult = true;
  std::vector<int32_t> expected(200, 3), got(200, 3);
  got[7] = 4;
  got[199] = 0;
  Comparison comparison =
      compare(spec, got.data(), expected.data(), toleranceFor(spec));
  EXPECT_EQ(comparison.numWrong, 2);
  // No float was rounded: there is no reason to differ.
  EXPECT_FALSE(isFlip(spec, comparison));
  spec.precision = ElementType::F32;
  EXPECT_TRUE(isFlip(spec, comparison));
  // More than one in a hundred.
  got[0] = 4;
  EXPECT_FALSE(isFlip(spec, compare(spec, got.data(), expected.data(), 0)));
  spec.elementType = ElementType::F32;
  EXPECT_FALSE(isFlip(spec, comparison));
}

TEST(Checker, DescribesTheFirstWrongElement) {
  TensorSpec spec;
  spec.shape = {2, 3};
  float expected[] = {0, 1, 2, 3, 4, 5};
  float got[] = {0, 1, 2, 3, 9, 9};
  double tolerance = 1e-6;
  Comparison comparison = compare(spec, got, expected, tolerance);
  EXPECT_EQ(comparison.describe(spec, tolerance),
            "element [1, 1] of 2x3xf32: got 9, expected 4; 2 of 6 elements "
            "wrong, largest relative error 0.711, tolerance 1e-06");
}

TEST(Checker, AScalarAndAnEmptyTensor) {
  TensorSpec scalar;
  double one = 1, two = 2;
  scalar.elementType = ElementType::F64;
  Comparison comparison = compare(scalar, &two, &one, 1e-9);
  EXPECT_EQ(comparison.describe(scalar, 1e-9).substr(0, 18),
            "element [] of f64:");
  EXPECT_TRUE(compare(vectorOf(0), &one, &two, 0).agree);
}

} // namespace
