//===- MathTest.cpp - The error of math functions -------------------------===//
//
// Each function of f32 against the C library's in long double, over floats of
// all magnitudes and those at the ends, as a loop over scalars and on vectors,
// with fused multiply-add and without. The bounds are those that
// docs/MathFunctions.md states, in units of the last place of the result.
//
//===----------------------------------------------------------------------===//

#include "MathTest.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>
#include <functional>
#include <limits>

using namespace sched;
using namespace sched::testing;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// Zeros, subnormals, the normal range's ends, infinities, NaN, and where
/// functions overflow, underflow or change their formula; of both signs.
std::vector<float> getSpecialValues() {
  std::vector<float> values;
  for (float x : {0.0f,           0x1p-149f,
                  0x1p-127f,      0x1.fffffcp-127f,
                  0x1p-126f,      0x1p-26f,
                  0x1p-25f,       0x1p-12f,
                  0.5f,           0x1.6a09e6p-1f,
                  0.69314718f,    1.0f,
                  0x1.fffffep-1f, 0x1.000002p0f,
                  1.41421356f,    1.5707963f,
                  2.0f,           3.0f,
                  3.1415927f,     3.92f,
                  4.0f,           9.01f,
                  10.06f,         18.0f,
                  87.33654f,      88.72283f,
                  88.72284f,      89.0f,
                  103.97208f,     104.0f,
                  126.0f,         127.0f,
                  128.0f,         149.0f,
                  150.0f,         151.0f,
                  0x1p24f,        0x1.000002p24f,
                  0x1.fffffep24f, 0x1p25f,
                  0x1p31f,        0x1p126f,
                  0x1.8p127f,     0x1.fffffep127f,
                  kInf,           kNaN}) {
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

class MathTest : public MathFixture {};

} // namespace

TEST_F(MathTest, FunctionsOfOneArgument) {
  const Function functions[] = {
      {"exp", [](long double x) { return std::exp(x); }, 1.75},
      {"exp2", [](long double x) { return std::exp2(x); }, 1.75},
      {"expm1", [](long double x) { return std::expm1(x); }, 1.75},
      {"log", [](long double x) { return std::log(x); }, 1.0},
      {"log2", [](long double x) { return std::log2(x); }, 2.0},
      {"log10", [](long double x) { return std::log10(x); }, 2.25},
      {"log1p", [](long double x) { return std::log1p(x); }, 1.75},
      {"tanh", [](long double x) { return std::tanh(x); }, 2.75},
      {"erf", [](long double x) { return std::erf(x); }, 1.75},
      {"erfc", [](long double x) { return std::erfc(x); }, 3.5},
      {"sin", [](long double x) { return std::sin(x); }, 1.75},
      {"cos", [](long double x) { return std::cos(x); }, 1.75},
      {"atan", [](long double x) { return std::atan(x); }, 2.25},
      {"asin", [](long double x) { return std::asin(x); }, 2.5},
      {"acos", [](long double x) { return std::acos(x); }, 1.5},
      {"sqrt", [](long double x) { return std::sqrt(x); }, 0.5},
      {"rsqrt", [](long double x) { return 1 / std::sqrt(x); }, 1.6},
      // Left to the C library.
      {"tan", [](long double x) { return std::tan(x); }, 1.0},
      {"sinh", [](long double x) { return std::sinh(x); }, 2.5},
      {"cbrt", [](long double x) { return std::cbrt(x); }, 1.5},
  };
  std::vector<float> arguments = getSpecialValues();
  // A step that is prime to the number of floats visits all exponents.
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += 43201)
    arguments.push_back(fromBits(static_cast<uint32_t>(bits)));
  // Where networks compute: from -16 to 16.
  for (int i = -(1 << 15); i <= 1 << 15; ++i)
    arguments.push_back(i * 0x1p-11f);
  for (const Function &function : functions) {
    std::vector<long double> exact;
    for (float x : arguments)
      exact.push_back(function.exact(x));
    for (const std::string &spec : getSpecs())
      for (bool isVector : {false, true})
        check<float>(
            function.name, isVector, spec, arguments,
            [&](size_t i) { return exact[i]; }, function.bound);
  }
}

TEST_F(MathTest, FunctionsOfTwoArguments) {
  std::vector<float> lhs, rhs;
  for (float x : getSpecialValues())
    for (float y : getSpecialValues()) {
      lhs.push_back(x);
      rhs.push_back(y);
    }
  // Any bits, and numbers whose powers are finite.
  uint32_t state = 1;
  auto next = [&] { return state = state * 1664525u + 1013904223u; };
  for (int i = 0; i != 40000; ++i) {
    lhs.push_back(fromBits(next()));
    rhs.push_back(fromBits(next()));
    lhs.push_back(next() * 0x1p-30f);
    rhs.push_back(int32_t(next()) * 0x1p-27f);
  }
  for (const std::string &spec : getSpecs())
    for (bool isVector : {false, true}) {
      check<float>(
          "powf", isVector, spec, {lhs, rhs},
          [&](size_t i) {
            return std::pow(static_cast<long double>(lhs[i]),
                            static_cast<long double>(rhs[i]));
          },
          0.51);
      check<float>(
          "atan2", isVector, spec, {lhs, rhs},
          [&](size_t i) {
            return std::atan2(static_cast<long double>(lhs[i]),
                              static_cast<long double>(rhs[i]));
          },
          2.75);
    }
}

/// No function is computed as exp(x) - 1 or log(1 + x).
TEST_F(MathTest, DoubleNearZero) {
  const std::pair<const char *, double (*)(double)> functions[] = {
      {"expm1", std::expm1}, {"log1p", std::log1p}, {"erf", std::erf},
      {"erfc", std::erfc},   {"cbrt", std::cbrt},   {"exp", std::exp}};
  for (auto [name, exact] : functions)
    for (bool isVector : {false, true}) {
      Tensor<double> a(kBlock), result(kBlock);
      for (int i = 0; i != kBlock; ++i)
        a[i] = std::ldexp(i % 3 - 0.75, -(i % 100));
      call(compile(
               getText(std::string("math.") + name + " %x", isVector, 1, "f64"),
               getOptions(1)),
           a, result);
      for (int i = 0; i != kBlock; ++i)
        ASSERT_DOUBLE_EQ(result[i], exact(a[i])) << name << " at " << a[i];
    }
}

/// Division by one value may be a multiplication, and is right for values whose
/// inverse no float holds.
TEST_F(MathTest, DivisionByOneValue) {
  const std::string text = R"mlir(
func.func @f(%a: tensor<32xf32>, %s: tensor<1xf32>) -> tensor<32xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32xf32>
  %x = vector.transfer_read %a[%c0], %p {in_bounds = [true]} : tensor<32xf32>, vector<32xf32>
  %d = tensor.extract %s[%c0] : tensor<1xf32>
  %b = vector.broadcast %d : f32 to vector<32xf32>
  %y = arith.divf %x, %b fastmath<arcp> : vector<32xf32>
  %w = vector.transfer_write %y, %e[%c0] {in_bounds = [true]} : vector<32xf32>, tensor<32xf32>
  return %w : tensor<32xf32>
})mlir";
  const std::string object = compile(text, getOptions(1));
  llvm::Expected<KernelLibrary> library = KernelLibrary::load(object);
  ASSERT_TRUE(bool(library)) << llvm::toString(library.takeError());
  auto entry = library->lookup("f");
  ASSERT_TRUE(bool(entry)) << llvm::toString(entry.takeError());
  const std::vector<float> values = getSpecialValues();
  Tensor<float> x(32), s(1), y(32);
  for (float divisor : values)
    for (size_t begin = 0; begin < values.size(); begin += 32) {
      for (size_t i = 0; i != 32; ++i)
        x[i] = values[std::min(begin + i, values.size() - 1)];
      s[0] = divisor;
      void *pointers[] = {x.data(), s.data(), y.data()};
      (*entry)(pointers);
      for (size_t i = 0; i != 32; ++i) {
        const long double exact = static_cast<long double>(x[i]) / divisor;
        // Rounding may go either way at the very end of the range.
        if (std::isinf(y[i]) && std::fabs(exact) > 0x1.fffffcp127L)
          continue;
        EXPECT_LE(getError(y[i], exact), 1.5) << x[i] << " / " << divisor;
      }
    }
}

TEST_F(MathTest, TransposedTiles) {
  for (auto [type, size] : {std::pair("f32", 8), std::pair("i64", 4)}) {
    const std::string n = std::to_string(size);
    const std::string vector = "vector<" + n + "x" + n + "x" + type + ">";
    const std::string tensor = "tensor<" + n + "x" + n + "x" + type + ">";
    const std::string text =
        "func.func @f(%a: " + tensor + ") -> " + tensor +
        " {\n%c0 = arith.constant 0 : index\n%p = ub.poison : " + type +
        "\n%e = tensor.empty() : " + tensor +
        "\n%x = vector.transfer_read %a[%c0, %c0], %p {in_bounds = [true, "
        "true]} : " +
        tensor + ", " + vector +
        "\n%y = vector.transpose %x, [1, 0] : " + vector + " to " + vector +
        "\n%w = vector.transfer_write %y, %e[%c0, %c0] {in_bounds = [true, "
        "true]} : " +
        vector + ", " + tensor + "\nreturn %w : " + tensor + "\n}";
    // 256 bits a row, whatever the type.
    std::vector<uint64_t> from(32), to(32);
    for (int i = 0; i != size * size; ++i)
      if (size == 8)
        reinterpret_cast<float *>(from.data())[i] = i;
      else
        from[i] = i;
    const std::string object = compile(text, getOptions(1));
    llvm::Expected<KernelLibrary> library = KernelLibrary::load(object);
    ASSERT_TRUE(bool(library)) << llvm::toString(library.takeError());
    auto entry = library->lookup("f");
    ASSERT_TRUE(bool(entry)) << llvm::toString(entry.takeError());
    void *pointers[] = {from.data(), to.data()};
    (*entry)(pointers);
    for (int i = 0; i != size * size; ++i) {
      const int expected = i % size * size + i / size;
      EXPECT_EQ(size == 8 ? int(reinterpret_cast<float *>(to.data())[i])
                          : int(to[i]),
                expected);
    }
  }
}

/// f16 and bf16 are computed in f32 and rounded: at most one unit in the last
/// place from the rounded result.
TEST_F(MathTest, NarrowTypes) {
  for (bool isHalf : {true, false}) {
    const llvm::fltSemantics &semantics =
        isHalf ? llvm::APFloat::IEEEhalf() : llvm::APFloat::BFloat();
    auto widen = [&](uint16_t bits) {
      llvm::APFloat value(semantics, llvm::APInt(16, bits));
      bool losesInfo;
      value.convert(llvm::APFloat::IEEEdouble(),
                    llvm::APFloat::rmNearestTiesToEven, &losesInfo);
      return value.convertToDouble();
    };
    const std::pair<const char *, double (*)(double)> functions[] = {
        {"exp", std::exp},
        {"tanh", std::tanh},
        {"erf", std::erf},
        {"log", std::log},
        {"sin", std::sin}};
    for (auto [name, exact] : functions)
      for (bool isVector : {false, true}) {
        std::string object =
            compile(getText(std::string("math.") + name + " %x", isVector, 1,
                            isHalf ? "f16" : "bf16"),
                    getOptions(1));
        Tensor<uint16_t> a(kBlock), result(kBlock);
        for (int begin = 0; begin < 1 << 16; begin += kBlock) {
          for (int i = 0; i != kBlock; ++i)
            a[i] = static_cast<uint16_t>(begin + i);
          call(object, a, result);
          for (int i = 0; i != kBlock; ++i) {
            llvm::APFloat expected(exact(widen(a[i])));
            bool losesInfo;
            expected.convert(semantics, llvm::APFloat::rmNearestTiesToEven,
                             &losesInfo);
            if (expected.isNaN()) {
              ASSERT_TRUE(std::isnan(widen(result[i]))) << name << widen(a[i]);
              continue;
            }
            // Neighbours of one sign have neighbouring bits.
            const int bits =
                static_cast<int>(expected.bitcastToAPInt().getZExtValue());
            ASSERT_LE(std::abs(bits - int(result[i])), 1)
                << name << " at " << widen(a[i]);
          }
        }
      }
  }
}
