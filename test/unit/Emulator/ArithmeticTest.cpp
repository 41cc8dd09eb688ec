//===- ArithmeticTest.cpp - Instructions that compute ---------------------===//

#include "EmulatorTest.h"
#include <cmath>
#include <functional>
#include <limits>

using namespace sched;
using namespace sched::testing;

namespace {
/// Numbers of all signs and sizes; 45, so that the second warp is not full.
template <typename T> std::vector<T> makeIntegers(unsigned seed) {
  std::vector<T> values;
  uint64_t state = seed * 2654435761u + 12345;
  for (unsigned i = 0; i != 45; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values.push_back(i % 3 == 0 ? T(int(state >> 40) % 7 - 3) : T(state >> 20));
  }
  values[5] = std::numeric_limits<T>::max();
  values[6] = std::numeric_limits<T>::min();
  return values;
}

template <typename T> std::vector<T> makeFloats(unsigned seed) {
  std::vector<T> values;
  uint64_t state = seed * 2654435761u + 999;
  for (unsigned i = 0; i != 45; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values.push_back(T(int(state >> 33) % 20001 - 10000) / T(1 << (i % 12)));
  }
  values[3] = T(0);
  values[4] = -T(0);
  return values;
}

class ArithmeticTest : public EmulatorTest {
protected:
  /// Compares `body` on integers of type T with `expected`.
  template <typename T>
  void checkInteger(const std::string &body, std::function<T(T, T)> expected,
                    bool avoidZero = false) {
    const std::string type = "i" + std::to_string(8 * sizeof(T));
    std::vector<T> x = makeIntegers<T>(1), y = makeIntegers<T>(2);
    for (T &each : y)
      if (avoidZero && (each == 0 || each == T(-1)))
        each = 3;
    std::string text = body;
    for (size_t at; (at = text.find("iN")) != std::string::npos;)
      text.replace(at, 2, type);
    std::vector<T> z = apply<T, T>(type, type, text, x, y);
    for (unsigned i = 0; i != x.size(); ++i)
      EXPECT_EQ(z[i], expected(x[i], y[i]))
          << text << " of " << int64_t(x[i]) << " and " << int64_t(y[i]);
  }
  template <typename T> void checkIntegers() {
    using U = std::make_unsigned_t<T>;
    checkInteger<T>("%z = add iN %x, %y", [](T a, T b) { return U(a) + U(b); });
    checkInteger<T>("%z = sub iN %x, %y", [](T a, T b) { return U(a) - U(b); });
    checkInteger<T>("%z = mul iN %x, %y",
                    [](T a, T b) { return uint64_t(a) * uint64_t(b); });
    checkInteger<T>("%z = and iN %x, %y", [](T a, T b) { return a & b; });
    checkInteger<T>("%z = or iN %x, %y", [](T a, T b) { return a | b; });
    checkInteger<T>("%z = xor iN %x, %y", [](T a, T b) { return a ^ b; });
    checkInteger<T>("%s = and iN %y, 7\n %z = shl iN %x, %s",
                    [](T a, T b) { return U(a) << (b & 7); });
    checkInteger<T>("%s = and iN %y, 7\n %z = lshr iN %x, %s",
                    [](T a, T b) { return U(a) >> (b & 7); });
    checkInteger<T>("%s = and iN %y, 7\n %z = ashr iN %x, %s",
                    [](T a, T b) { return a >> (b & 7); });
    checkInteger<T>(
        "%z = sdiv iN %x, %y", [](T a, T b) { return a / b; }, true);
    checkInteger<T>(
        "%z = srem iN %x, %y", [](T a, T b) { return a % b; }, true);
    checkInteger<T>(
        "%z = udiv iN %x, %y", [](T a, T b) { return U(a) / U(b); }, true);
    checkInteger<T>(
        "%z = urem iN %x, %y", [](T a, T b) { return U(a) % U(b); }, true);
    checkInteger<T>("%z = call iN @llvm.smax.iN(iN %x, iN %y)",
                    [](T a, T b) { return std::max(a, b); });
    checkInteger<T>("%z = call iN @llvm.umin.iN(iN %x, iN %y)",
                    [](T a, T b) { return std::min(U(a), U(b)); });
    checkInteger<T>("%z = call iN @llvm.abs.iN(iN %x, i1 false)",
                    [](T a, T) { return a < 0 ? U(0) - U(a) : a; });
    checkInteger<T>("%z = call iN @llvm.ctpop.iN(iN %x)",
                    [](T a, T) { return llvm::popcount(U(a)); });
    checkInteger<T>("%z = call iN @llvm.ctlz.iN(iN %x, i1 false)",
                    [](T a, T) { return llvm::countl_zero(U(a)); });
    checkInteger<T>("%z = call iN @llvm.cttz.iN(iN %x, i1 false)",
                    [](T a, T) { return llvm::countr_zero(U(a)); });
    struct Compare {
      const char *name;
      std::function<bool(T, T)> holds;
    };
    const Compare compares[] = {{"eq", [](T a, T b) { return a == b; }},
                                {"ne", [](T a, T b) { return a != b; }},
                                {"slt", [](T a, T b) { return a < b; }},
                                {"sle", [](T a, T b) { return a <= b; }},
                                {"sgt", [](T a, T b) { return a > b; }},
                                {"sge", [](T a, T b) { return a >= b; }},
                                {"ult", [](T a, T b) { return U(a) < U(b); }},
                                {"ule", [](T a, T b) { return U(a) <= U(b); }},
                                {"ugt", [](T a, T b) { return U(a) > U(b); }},
                                {"uge", [](T a, T b) { return U(a) >= U(b); }}};
    for (const Compare &compare : compares)
      checkInteger<T>(std::string("%c = icmp ") + compare.name +
                          " iN %x, %y\n %z = select i1 %c, iN %x, iN %y",
                      [&](T a, T b) { return compare.holds(a, b) ? a : b; });
  }

  /// The same for floats: results must be equal or no numbers.
  template <typename T>
  void checkFloat(const std::string &type, const std::string &body,
                  std::function<T(T, T)> expected, bool positive = false) {
    std::vector<T> x = makeFloats<T>(1), y = makeFloats<T>(2);
    if (positive)
      for (T &each : x)
        each = std::fabs(each) / 1000 + T(1);
    std::string text = body;
    for (size_t at; (at = text.find("fN")) != std::string::npos;)
      text.replace(at, 2, type == "float" ? "f32" : "f64");
    for (size_t at; (at = text.find("TYPE")) != std::string::npos;)
      text.replace(at, 4, type);
    std::vector<T> z = apply<T, T>(type, type, text, x, y);
    for (unsigned i = 0; i != x.size(); ++i) {
      const T right = expected(x[i], y[i]);
      EXPECT_TRUE(z[i] == right || (std::isnan(z[i]) && std::isnan(right)))
          << text << " of " << x[i] << " and " << y[i] << ": " << z[i]
          << ", expected " << right;
    }
  }
  template <typename T> void checkFloats(const std::string &type) {
    auto check = [&](const std::string &body, std::function<T(T, T)> expected,
                     bool positive = false) {
      checkFloat<T>(type, body, expected, positive);
    };
    check("%z = fadd TYPE %x, %y", [](T a, T b) { return a + b; });
    check("%z = fsub TYPE %x, %y", [](T a, T b) { return a - b; });
    check("%z = fmul TYPE %x, %y", [](T a, T b) { return a * b; });
    check("%z = fdiv TYPE %x, %y", [](T a, T b) { return a / b; });
    check("%z = frem TYPE %x, %y", [](T a, T b) { return std::fmod(a, b); });
    check("%z = fneg TYPE %x", [](T a, T) { return -a; });
    check("%z = call TYPE @llvm.fma.fN(TYPE %x, TYPE %y, TYPE %y)",
          [](T a, T b) { return std::fma(a, b, b); });
    check("%z = call TYPE @llvm.fabs.fN(TYPE %x)",
          [](T a, T) { return std::fabs(a); });
    check("%z = call TYPE @llvm.minnum.fN(TYPE %x, TYPE %y)",
          [](T a, T b) { return std::fmin(a, b); });
    check("%z = call TYPE @llvm.maximum.fN(TYPE %x, TYPE %y)",
          [](T a, T b) { return std::fmax(a, b); });
    check("%z = call TYPE @llvm.copysign.fN(TYPE %x, TYPE %y)",
          [](T a, T b) { return std::copysign(a, b); });
    struct Unary {
      const char *name;
      T (*function)(T);
    };
    const Unary unaries[] = {
        {"sqrt", std::sqrt},     {"floor", std::floor}, {"ceil", std::ceil},
        {"trunc", std::trunc},   {"rint", std::rint},   {"round", std::round},
        {"exp2", std::exp2},     {"log2", std::log2},   {"exp", std::exp},
        {"log", std::log},       {"sin", std::sin},     {"cos", std::cos},
        {"roundeven", std::rint}};
    for (const Unary &unary : unaries)
      check(
          std::string("%z = call TYPE @llvm.") + unary.name + ".fN(TYPE %x)",
          [&](T a, T) { return unary.function(a); }, true);
    struct Compare {
      const char *name;
      bool (*holds)(T, T);
    };
    // None of the operands is a number.
    const Compare compares[] = {
        {"oeq", [](T a, T b) { return a == b; }},
        {"olt", [](T a, T b) { return a < b; }},
        {"ole", [](T a, T b) { return a <= b; }},
        {"ogt", [](T a, T b) { return a > b; }},
        {"oge", [](T a, T b) { return a >= b; }},
        {"one", [](T a, T b) { return a < b || a > b; }},
        {"ord", [](T a, T b) { return !std::isnan(a) && !std::isnan(b); }},
        {"uno", [](T a, T b) { return std::isnan(a) || std::isnan(b); }},
        {"ueq", [](T a, T b) { return !(a < b || a > b); }},
        {"ult", [](T a, T b) { return !(a >= b); }},
        {"ule", [](T a, T b) { return !(a > b); }},
        {"ugt", [](T a, T b) { return !(a <= b); }},
        {"uge", [](T a, T b) { return !(a < b); }},
        {"une", [](T a, T b) { return a != b; }}};
    // 0 / 0 for the zeros among the operands.
    for (const Compare &compare : compares)
      check(std::string("%n = fdiv TYPE %y, %y\n %w = fmul TYPE %n, %x\n"
                        "%c = fcmp ") +
                compare.name +
                " TYPE %w, %y\n %z = select i1 %c, TYPE %x, TYPE %y",
            [&](T a, T b) { return compare.holds(b / b * a, b) ? a : b; });
  }
};
} // namespace

TEST_F(ArithmeticTest, Integers8) { checkIntegers<int8_t>(); }
TEST_F(ArithmeticTest, Integers16) { checkIntegers<int16_t>(); }
TEST_F(ArithmeticTest, Integers32) { checkIntegers<int32_t>(); }
TEST_F(ArithmeticTest, Integers64) { checkIntegers<int64_t>(); }
TEST_F(ArithmeticTest, Floats) { checkFloats<float>("float"); }
TEST_F(ArithmeticTest, Doubles) { checkFloats<double>("double"); }

TEST_F(ArithmeticTest, MoreIntegerFunctions) {
  using T = int32_t;
  using U = uint32_t;
  checkInteger<T>("%z = call i32 @llvm.fshl.i32(i32 %x, i32 %y, i32 9)",
                  [](T a, T b) { return (U(a) << 9) | (U(b) >> 23); });
  checkInteger<T>("%z = call i32 @llvm.fshr.i32(i32 %x, i32 %y, i32 9)",
                  [](T a, T b) { return (U(a) << 23) | (U(b) >> 9); });
  checkInteger<T>("%z = call i32 @llvm.bswap.i32(i32 %x)",
                  [](T a, T) { return llvm::byteswap(U(a)); });
  checkInteger<T>(
      "%z = call i32 @llvm.sadd.sat.i32(i32 %x, i32 %y)", [](T a, T b) {
        return std::clamp<int64_t>(int64_t(a) + b, INT32_MIN, INT32_MAX);
      });
  checkInteger<T>("%z = call i32 @llvm.nvvm.mulhi.i(i32 %x, i32 %y)",
                  [](T a, T b) { return (int64_t(a) * b) >> 32; });
  checkInteger<T>("%z = call i32 @llvm.nvvm.prmt(i32 %x, i32 %y, i32 25924)",
                  [](T a, T b) {
                    // Selector 0x6544.
                    const U c = b;
                    return (c & 255) | (c & 255) << 8 | (c & 0xff00) << 8 |
                           (c & 0xff0000) << 8;
                  });
  checkInteger<T>(
      "%p = call {i32, i1} @llvm.smul.with.overflow.i32(i32 %x, i32 %y)\n"
      "%v = extractvalue {i32, i1} %p, 0\n"
      "%o = extractvalue {i32, i1} %p, 1\n"
      "%z = select i1 %o, i32 -7, i32 %v",
      [](T a, T b) {
        const int64_t product = int64_t(a) * b;
        return product == T(product) ? T(product) : -7;
      });
}

TEST_F(ArithmeticTest, WhatTheDeviceLibraryDoes) {
  // Numbers of 64 bits, from and to halves of 32.
  checkInteger<int32_t>(
      "%p = call {i32, i32} asm \"{\\0A\\09mad.lo.cc.u32   $0, $2, $3, $4;"
      "\\0A\\09madc.hi.u32     $1, $2, $3,  0;\\0A\\09}\", "
      "\"=r,=r,r,r,r\"(i32 %x, i32 %y, i32 %x)\n"
      "%l = extractvalue {i32, i32} %p, 0\n"
      "%h = extractvalue {i32, i32} %p, 1\n%z = xor i32 %l, %h",
      [](int32_t a, int32_t b) {
        const uint64_t sum = uint64_t(uint32_t(a)) * uint32_t(b) + uint32_t(a);
        return int32_t(sum) ^ int32_t(sum >> 32);
      });
  checkFloat<double>("double",
                     "%l = call i32 @llvm.nvvm.d2i.lo(double %x)\n"
                     "%h = call i32 @llvm.nvvm.d2i.hi(double %x)\n"
                     "%n = xor i32 %h, -2147483648\n"
                     "%z = call double @llvm.nvvm.lohi.i2d(i32 %l, i32 %n)",
                     [](double a, double) { return -a; });
}

TEST_F(ArithmeticTest, NarrowFloats) {
  // All products and sums of these are exact in f16, but for the last ones.
  const std::vector<float> x = {1, -2.5f, 1024, 0.125f, 2049, 65504, 1e-6f};
  const std::vector<float> y = {3, 4, 2, -8, 1, 32, 0.5f};
  const std::vector<float> half = {4,    1.5f,     1026, -7.875f,
                                   2050, INFINITY, 0.5f};
  // 2049 is none of f16 (2048), 2048 + 1 is halfway: to the even.
  std::vector<float> z = apply<float, float>(
      "float", "float",
      "%a16 = fptrunc float %x to half\n%b16 = fptrunc float %y to half\n"
      "%s = fadd half %a16, %b16\n%z = fpext half %s to float",
      x, y);
  for (unsigned i = 0; i != x.size(); ++i)
    EXPECT_EQ(z[i], i == 4 ? 2048 : half[i]) << i;
  z = apply<float, float>(
      "float", "float",
      "%a16 = fptrunc float %x to bfloat\n%b16 = fptrunc float %y to bfloat\n"
      "%s = fmul bfloat %a16, %b16\n%z = fpext bfloat %s to float",
      {1.00390625f, 3, 1.0078125f}, {1, 1.5f, 1.0078125f});
  // Halfway between 1 and 1 + 2^-7: to the even.
  EXPECT_EQ(z, (std::vector<float>{1, 4.5f, 1.015625f}));
  // The smallest of f16, and half of it.
  z = apply<float, float>("float", "float",
                          "%h = fptrunc float %x to half\n"
                          "%z = fpext half %h to float",
                          {0x1p-24f, 0x1p-25f, 0x1.8p-25f, 65519.0f, 65520.0f},
                          {0, 0, 0, 0, 0});
  EXPECT_EQ(z, (std::vector<float>{0x1p-24f, 0, 0x1p-24f, 65504, INFINITY}));
}

TEST_F(ArithmeticTest, Casts) {
  std::vector<int32_t> x = makeIntegers<int32_t>(3);
  auto check = [&](const std::string &body, auto expected) {
    std::vector<int32_t> z = apply<int32_t, int32_t>("i32", "i32", body, x, x);
    for (unsigned i = 0; i != x.size(); ++i)
      EXPECT_EQ(z[i], int32_t(expected(x[i]))) << body << " of " << x[i];
  };
  check("%n = trunc i32 %x to i8\n%z = sext i8 %n to i32",
        [](int32_t a) { return int8_t(a); });
  check("%n = trunc i32 %x to i8\n%z = zext i8 %n to i32",
        [](int32_t a) { return uint8_t(a); });
  check("%n = trunc i32 %x to i1\n%z = sext i1 %n to i32",
        [](int32_t a) { return -(a & 1); });
  check("%w = sext i32 %x to i64\n%s = lshr i64 %w, 31\n"
        "%z = trunc i64 %s to i32",
        [](int32_t a) { return uint64_t(int64_t(a)) >> 31; });
  check("%f = sitofp i32 %x to double\n%h = fdiv double %f, 2.0\n"
        "%z = fptosi double %h to i32",
        [](int32_t a) { return a / 2; });
  check("%f = uitofp i32 %x to double\n%h = fmul double %f, 0.25\n"
        "%z = fptoui double %h to i32",
        [](int32_t a) { return uint32_t(a) / 4; });
  check("%f = sitofp i32 %x to float\n%z = bitcast float %f to i32",
        [](int32_t a) { return llvm::bit_cast<int32_t>(float(a)); });
  check("%v = bitcast i32 %x to <4 x i8>\n"
        "%w = shufflevector <4 x i8> %v, <4 x i8> poison, "
        "<4 x i32> <i32 3, i32 2, i32 1, i32 0>\n"
        "%z = bitcast <4 x i8> %w to i32",
        [](int32_t a) { return llvm::byteswap(uint32_t(a)); });
  check("%v = bitcast i32 %x to <2 x half>\n"
        "%e = extractelement <2 x half> %v, i32 1\n"
        "%bits = bitcast half %e to i16\n%z = zext i16 %bits to i32",
        [](int32_t a) { return uint32_t(a) >> 16; });
  check("%f = sitofp i32 %x to float\n"
        "%z = call i32 @llvm.nvvm.f2i.rn(float %f)",
        [](int32_t a) {
          return float(a) >= 0x1p31f ? INT32_MAX : int32_t(float(a));
        });
}

TEST_F(ArithmeticTest, VectorsAndStructs) {
  std::vector<int32_t> x = makeIntegers<int32_t>(4),
                       y = makeIntegers<int32_t>(5);
  auto check = [&](const std::string &body, auto expected) {
    std::vector<int32_t> z = apply<int32_t, int32_t>("i32", "i32", body, x, y);
    for (unsigned i = 0; i != x.size(); ++i)
      EXPECT_EQ(z[i], int32_t(expected(uint32_t(x[i]), uint32_t(y[i]), i)))
          << body;
  };
  const std::string make =
      "%v0 = insertelement <4 x i32> poison, i32 %x, i32 0\n"
      "%v1 = insertelement <4 x i32> %v0, i32 %y, i32 1\n"
      "%v2 = insertelement <4 x i32> %v1, i32 %t, i32 2\n"
      "%v = insertelement <4 x i32> %v2, i32 5, i32 3\n";
  check(make + "%w = mul <4 x i32> %v, <i32 2, i32 3, i32 5, i32 7>\n"
               "%z = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %w)",
        [](uint32_t a, uint32_t b, uint32_t i) {
          return 2 * a + 3 * b + 5 * i + 35;
        });
  check(make + "%n = and i32 %t, 3\n"
               "%z = extractelement <4 x i32> %v, i32 %n",
        [](uint32_t a, uint32_t b, uint32_t i) {
          return i % 4 == 0 ? a : i % 4 == 1 ? b : i % 4 == 2 ? i : 5;
        });
  check(make + "%n = and i32 %t, 3\n"
               "%w = insertelement <4 x i32> %v, i32 0, i32 %n\n"
               "%z = call i32 @llvm.vector.reduce.xor.v4i32(<4 x i32> %w)",
        [](uint32_t a, uint32_t b, uint32_t i) {
          const uint32_t all[] = {a, b, i, 5};
          return a ^ b ^ i ^ 5 ^ all[i % 4];
        });
  check("%s0 = insertvalue {i32, [2 x i32]} poison, i32 %x, 0\n"
        "%s1 = insertvalue {i32, [2 x i32]} %s0, i32 %y, 1, 1\n"
        "%s2 = insertvalue {i32, [2 x i32]} %s1, i32 3, 1, 0\n"
        "%p = extractvalue {i32, [2 x i32]} %s2, 1\n"
        "%q = extractvalue [2 x i32] %p, 1\n"
        "%o = extractvalue {i32, [2 x i32]} %s2, 0\n"
        "%z = sub i32 %q, %o",
        [](uint32_t a, uint32_t b, uint32_t) { return b - a; });
}

TEST_F(ArithmeticTest, ApproximationsOfTheHardware) {
  auto check = [&](const std::string &body, float (*expected)(float)) {
    std::vector<float> x, z;
    for (int i = 0; i != 33; ++i)
      x.push_back(0.25f + 0.125f * float(i));
    z = apply<float, float>("float", "float", body, x, x);
    for (unsigned i = 0; i != x.size(); ++i)
      EXPECT_NEAR(z[i], expected(x[i]), 1e-5f * std::fabs(expected(x[i])))
          << body;
  };
  check("%z = call float @llvm.nvvm.ex2.approx.ftz.f32(float %x)",
        [](float a) { return std::exp2(a); });
  check("%z = call float @llvm.nvvm.lg2.approx.f(float %x)",
        [](float a) { return std::log2(a); });
  check("%z = call float @llvm.nvvm.rcp.approx.ftz.f(float %x)",
        [](float a) { return 1 / a; });
  check("%z = call float @llvm.nvvm.rsqrt.approx.f(float %x)",
        [](float a) { return 1 / std::sqrt(a); });
  check("%z = call float @llvm.nvvm.sqrt.rn.f(float %x)",
        [](float a) { return std::sqrt(a); });
  check("%z = call float @llvm.nvvm.fma.rn.f(float %x, float %x, float 1.0)",
        [](float a) { return a * a + 1; });
  check("%z = call float @llvm.nvvm.div.approx.f(float 1.0, float %x)",
        [](float a) { return 1 / a; });
  check("%z = call float @llvm.tanh.f32(float %x)",
        [](float a) { return std::tanh(a); });
  check("%m = call float @llvm.nvvm.fmin.nan.f(float %x, float 2.0)\n"
        "%z = call float @llvm.nvvm.saturate.f(float %m)",
        [](float a) { return std::min(a, 1.0f); });
  // Device functions that were not linked.
  std::vector<float> z = apply<float, float>(
      "float", "float",
      "%e = call float @__nv_expf(float %x)\n"
      "%z = call float @__nv_fmaf(float %e, float %y, float 1.0)",
      {0, 1, -1}, {1, 2, 3},
      "declare float @__nv_expf(float)\n"
      "declare float @__nv_fmaf(float, float, float)\n");
  EXPECT_FLOAT_EQ(z[1], std::exp(1.0f) * 2 + 1);
  EXPECT_FLOAT_EQ(z[2], std::exp(-1.0f) * 3 + 1);
}

TEST_F(ArithmeticTest, ClassesOfFloats) {
  // The bit of each number's class is set in the result, and no other.
  std::string body;
  for (unsigned i = 0; i != 10; ++i) {
    const std::string n = std::to_string(i);
    body += "%c" + n + " = call i1 @llvm.is.fpclass.FN(FN %v, i32 " +
            std::to_string(1 << i) + ")\n%w" + n + " = zext i1 %c" + n +
            " to i32\n%s" + n + " = shl i32 %w" + n + ", " + n + "\n%o" +
            std::to_string(i + 1) + " = or i32 " +
            (i ? "%o" + n : std::string("0")) + ", %s" + n + "\n";
  }
  // One bit for several classes: all but -infinity and infinity.
  body += "%f = call i1 @llvm.is.fpclass.FN(FN %v, i32 507)\n"
          "%g = zext i1 %f to i32\n%h = shl i32 %g, 10\n"
          "%z = or i32 %o10, %h";
  auto check = [&](llvm::StringRef suffix, llvm::StringRef type, auto infinity,
                   auto one) {
    using T = decltype(infinity);
    const T sign = T(1) << (8 * sizeof(T) - 1);
    const T leading = infinity & ~(infinity << 1);
    const T quiet = leading >> 1;
    // In the order of the bits: signalling, quiet, -infinity, -normal,
    // -subnormal, -0, 0, subnormal, normal, infinity.
    const std::vector<T> values = {T(infinity | 1),
                                   T(infinity | quiet),
                                   T(sign | infinity),
                                   T(sign | one),
                                   T(sign | 1),
                                   sign,
                                   T(0),
                                   T(quiet),
                                   T(leading),
                                   infinity};
    std::string text = "%v = bitcast iN %x to FN\n" + body;
    const std::string integer = "i" + std::to_string(8 * sizeof(T));
    auto replace = [&](llvm::StringRef from, llvm::StringRef to) {
      for (size_t at; (at = text.find(from)) != std::string::npos;)
        text.replace(at, from.size(), to);
    };
    replace(".FN", "." + suffix.str());
    replace("FN", type);
    replace("iN", integer);
    const std::vector<uint32_t> z =
        apply<T, uint32_t>(integer, "i32", text, values, values);
    for (unsigned i = 0; i != values.size(); ++i)
      EXPECT_EQ(z[i], (1u << i) | ((507u >> i & 1) << 10))
          << type.str() << " " << i;
  };
  check("f16", "half", uint16_t(0x7c00), uint16_t(0x3c00));
  check("bf16", "bfloat", uint16_t(0x7f80), uint16_t(0x3f80));
  check("f32", "float", 0x7f800000u, 0x3f800000u);
  check("f64", "double", uint64_t(0x7ff) << 52, uint64_t(0x3ff) << 52);
}

TEST_F(ArithmeticTest, DirectedRoundings) {
  // Sums, products and quotients of these floats lie between the result and its
  // neighbour in the other direction: what is left is exact in f64.
  const std::vector<float> x = makeFloats<float>(1);
  std::vector<float> y = makeFloats<float>(2);
  for (float &each : y)
    each = each == 0 ? 3 : each;
  const float infinity = std::numeric_limits<float>::infinity();
  auto check = [&](llvm::StringRef name, auto isBelow) {
    for (llvm::StringRef direction : {"rz", "rm", "rp"})
      for (llvm::StringRef flush : {"", ".ftz"}) {
        const std::string text =
            ("%z = call float @llvm.nvvm." + name + "." + direction + flush +
             (name == "fma" ? ".f(float %x, float %y, float %y)"
                            : ".f(float %x, float %y)"))
                .str();
        const std::vector<float> z =
            apply<float, float>("float", "float", text, x, y);
        for (unsigned i = 0; i != x.size(); ++i) {
          // Whether the exact result is below what was found, equal or above.
          const int order = isBelow(x[i], y[i], z[i]);
          const float next =
              std::nextafter(z[i], direction == "rm"   ? infinity
                                   : direction == "rp" ? -infinity
                                   : z[i] < 0          ? -infinity
                                                       : infinity);
          if (order == 0)
            continue;
          EXPECT_EQ(order > 0, next > z[i])
              << text << " " << x[i] << " " << y[i];
          EXPECT_EQ(isBelow(x[i], y[i], next), -order)
              << text << " " << x[i] << " " << y[i];
        }
      }
  };
  auto sign = [](double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; };
  check("add", [&](double a, double b, double z) { return sign(a + b - z); });
  check("mul", [&](double a, double b, double z) { return sign(a * b - z); });
  check("div", [&](double a, double b, double z) {
    return sign(a - z * b) * sign(b);
  });
  check("fma",
        [&](double a, double b, double z) { return sign(a * b + b - z); });
  // One more than the last number below it, and a sum below all numbers.
  const std::vector<double> d = {1, -1, 1}, e = {0x1p-60, -0x1p-60, -0x1p-60};
  auto sum = [&](llvm::StringRef direction) {
    return apply<double, double>("double", "double",
                                 ("%z = call double @llvm.nvvm.add." +
                                  direction + ".d(double %x, double %y)")
                                     .str(),
                                 d, e);
  };
  const double above = 1 + 0x1p-52, below = 1 - 0x1p-53;
  EXPECT_EQ(sum("rz"), (std::vector<double>{1, -1, below}));
  EXPECT_EQ(sum("rm"), (std::vector<double>{1, -above, below}));
  EXPECT_EQ(sum("rp"), (std::vector<double>{above, -1, 1}));
  const std::vector<float> least = {0x1p-149f}, factor = {0.75f};
  EXPECT_EQ((apply<float, float>("float", "float",
                                 "%z = call float @llvm.nvvm.mul.rp.f(float "
                                 "%x, float %y)",
                                 least, factor))
                .front(),
            0x1p-149f);
  EXPECT_EQ((apply<float, float>("float", "float",
                                 "%z = call float @llvm.nvvm.mul.rp.ftz.f("
                                 "float %x, float %y)",
                                 least, factor))
                .front(),
            0.0f);
}
