//===- MathDoubleTest.cpp - The error of math functions of f64 ------------===//
//
// As MathTest.cpp, of f64: its largest error is 2^-11 more than what is seen
// here where a long double has 64 bits. Where it has no more than a double
// there is nothing to compare with.
//
//===----------------------------------------------------------------------===//

#include "MathTest.h"
#include <random>

using namespace sched;
using namespace sched::testing;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Zeros, subnormals, the normal range's ends, infinities, NaN, and where
/// functions overflow, underflow or change their formula; of both signs.
std::vector<double> getSpecialValues() {
  std::vector<double> values;
  for (double x : {0.0,
                   0x1p-1074,
                   0x1.8p-1073,
                   0x1p-1023,
                   0x1.ffffffffffffep-1023,
                   0x1p-1022,
                   0x1p-1000,
                   0x1p-56,
                   0x1p-55,
                   0x1.fffffffffffffp-56,
                   0x1p-54,
                   0x1p-53,
                   0x1p-27,
                   0.34657359027997264,
                   0.5,
                   0x1.6a09e667f3bccp-1,
                   0x1.6a09e667f3bcdp-1,
                   0.6931471805599453,
                   0x1.fffffffffffffp-1,
                   1.0,
                   0x1.0000000000001p0,
                   0x1.6a09e667f3bcdp0,
                   2.0,
                   3.0,
                   5.92,
                   6.0,
                   19.06,
                   20.0,
                   36.7,
                   37.4,
                   39.0,
                   708.3964185322641,
                   709.782712893384,
                   709.7827128933841,
                   710.0,
                   745.1332191019411,
                   745.1332191019412,
                   746.0,
                   1022.0,
                   1022.5,
                   1023.0,
                   0x1.fffffffffffffp9,
                   1024.0,
                   1025.0,
                   1073.5,
                   1074.0,
                   1075.0,
                   1077.0,
                   0x1p52,
                   0x1p53,
                   0x1.0000000000001p53,
                   0x1p54,
                   0x1p1022,
                   0x1.8p1023,
                   0x1.fffffffffffffp1023,
                   kInf,
                   kNaN}) {
    values.push_back(x);
    values.push_back(-x);
  }
  return values;
}

struct Function {
  const char *name;
  std::function<long double(long double)> exact;
  double bound;
};

class MathDoubleTest : public MathFixture {
protected:
  void SetUp() override {
    MathFixture::SetUp();
    if (std::numeric_limits<long double>::digits <= 53)
      GTEST_SKIP() << "a long double is a double";
  }
};

} // namespace

TEST_F(MathDoubleTest, FunctionsOfOneArgument) {
  const Function functions[] = {
      {"exp", [](long double x) { return std::exp(x); }, 1.25},
      {"exp2", [](long double x) { return std::exp2(x); }, 1.5},
      {"expm1", [](long double x) { return std::expm1(x); }, 2.25},
      {"log", [](long double x) { return std::log(x); }, 1.25},
      {"log2", [](long double x) { return std::log2(x); }, 2.0},
      {"log10", [](long double x) { return std::log10(x); }, 2.25},
      {"log1p", [](long double x) { return std::log1p(x); }, 1.75},
      {"tanh", [](long double x) { return std::tanh(x); }, 2.75},
      {"erf", [](long double x) { return std::erf(x); }, 1.5},
      {"sqrt", [](long double x) { return std::sqrt(x); }, 0.5005},
      {"rsqrt", [](long double x) { return 1 / std::sqrt(x); }, 1.6},
      // Left to the C library.
      {"sin", [](long double x) { return std::sin(x); }, 1.0},
      {"erfc", [](long double x) { return std::erfc(x); }, 5.0},
  };
  std::vector<double> arguments = getSpecialValues();
  std::mt19937_64 random(1);
  for (int i = 0; i != 60000; ++i) {
    // Any bits.
    const uint64_t bits = random();
    double x;
    std::memcpy(&x, &bits, sizeof(x));
    arguments.push_back(x);
    // Of either sign and of magnitudes from 2^-55 to 2^10.
    const double unit = random() * 0x1p-64;
    arguments.push_back(
        std::ldexp(i % 2 ? unit : -unit, int(random() % 66) - 55));
    // Where networks compute, and where the formulas change: from -16 to 16,
    // and from -2 to 2.
    arguments.push_back((random() * 0x1p-63 - 1) * (i % 2 ? 16 : 2));
  }
  // Where exponentials are subnormal, or overflow.
  for (int i = 0; i != 20000; ++i)
    arguments.push_back((i % 2 ? 700 : -700) * (1 + random() * 0x1p-65));
  for (const Function &function : functions) {
    std::vector<long double> exact;
    for (double x : arguments)
      exact.push_back(function.exact(x));
    for (const std::string &spec : getSpecs())
      for (bool isVector : {false, true})
        check<double>(
            function.name, isVector, spec, arguments,
            [&](size_t i) { return exact[i]; }, function.bound);
  }
}
