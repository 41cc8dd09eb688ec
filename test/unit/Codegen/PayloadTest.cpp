//===- PayloadTest.cpp - What unscheduled functions compute ---------------===//

#include "KernelTest.h"
#include <cmath>
#include <functional>
#include <numeric>

using namespace sched;
using namespace sched::testing;

namespace {
using PayloadTest = KernelTest;

constexpr int M = 17, K = 19, N = 23;

constexpr const char *kMatmul = R"mlir(
func.func @f(%a: tensor<17x19xf32>, %b: tensor<19x23xf32>) -> tensor<17x23xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<17x23xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<17x23xf32>) -> tensor<17x23xf32>
  %r = linalg.matmul ins(%a, %b : tensor<17x19xf32>, tensor<19x23xf32>)
                     outs(%i : tensor<17x23xf32>) -> tensor<17x23xf32>
  return %r : tensor<17x23xf32>
})mlir";

/// c = a * b, in double precision.
template <typename T> std::vector<double> multiply(Tensor<T> &a, Tensor<T> &b) {
  std::vector<double> c(M * N);
  for (int m = 0; m != M; ++m)
    for (int n = 0; n != N; ++n)
      for (int k = 0; k != K; ++k)
        c[m * N + n] += double(a[m * K + k]) * double(b[k * N + n]);
  return c;
}
} // namespace

TEST_F(PayloadTest, MatmulAtEveryAlignment) {
  const std::string object = compile(kMatmul, getOptions(1));
  for (size_t offset : {0, 1, 3, 15}) {
    Tensor<float> a(M * K, offset), b(K * N, offset), c(M * N, offset);
    a.fill(1), b.fill(2);
    call(object, a, b, c);
    std::vector<double> expected = multiply(a, b);
    for (int i = 0; i != M * N; ++i)
      ASSERT_EQ(c[i], expected[i]) << i << " at offset " << offset;
  }
}

TEST_F(PayloadTest, EveryOptimisationLevel) {
  for (int level : {0, 1, 2, 3}) {
    CompileOptions options = getOptions(1);
    options.optLevel = level;
    Tensor<float> a(M * K), b(K * N), c(M * N);
    a.fill(3), b.fill(4);
    call(compile(kMatmul, options), a, b, c);
    std::vector<double> expected = multiply(a, b);
    for (int i = 0; i != M * N; ++i)
      ASSERT_EQ(c[i], expected[i]) << i << " at level " << level;
  }
}

TEST_F(PayloadTest, OldContentOfResultsDoesNotMatter) {
  Tensor<float> a(M * K), b(K * N), c(M * N);
  a.fill(1), b.fill(2);
  for (size_t i = 0; i != c.size(); ++i)
    c[i] = NAN;
  run(kMatmul, 1, a, b, c);
  std::vector<double> expected = multiply(a, b);
  for (int i = 0; i != M * N; ++i)
    ASSERT_EQ(c[i], expected[i]) << i;
}

constexpr const char *kMatmulAdd = R"mlir(
func.func @f(%a: tensor<17x19xf32>, %b: tensor<19x23xf32>, %c: tensor<17x23xf32>) -> tensor<17x23xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<17x23xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<17x23xf32>) -> tensor<17x23xf32>
  %p = linalg.matmul ins(%a, %b : tensor<17x19xf32>, tensor<19x23xf32>)
                     outs(%i : tensor<17x23xf32>) -> tensor<17x23xf32>
  %r = linalg.add ins(%p, %c : tensor<17x23xf32>, tensor<17x23xf32>)
                  outs(%p : tensor<17x23xf32>) -> tensor<17x23xf32>
  return %r : tensor<17x23xf32>
})mlir";

TEST_F(PayloadTest, MatmulAdd) {
  Tensor<float> a(M * K), b(K * N), c(M * N), r(M * N);
  a.fill(1), b.fill(2), c.fill(3);
  run(kMatmulAdd, 1, a, b, c, r);
  std::vector<double> expected = multiply(a, b);
  for (int i = 0; i != M * N; ++i)
    ASSERT_EQ(r[i], expected[i] + c[i]) << i;
}

TEST_F(PayloadTest, ResultsAreWrittenInPlace) {
  for (const char *text : {kMatmul, kMatmulAdd}) {
    const std::string ir = toLLVM(text, 0);
    EXPECT_FALSE(contains(ir, "alloc")) << ir;
    EXPECT_FALSE(contains(ir, "memcpy")) << ir;
  }
  // So is one that is padded.
  const std::string ir = toLLVM(R"mlir(
func.func @f(%a: tensor<10x12xf32>) -> tensor<13x14xf32> {
  %z = arith.constant 0.0 : f32
  %r = tensor.pad %a low[1, 1] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<10x12xf32> to tensor<13x14xf32>
  return %r : tensor<13x14xf32>
})mlir",
                                0);
  EXPECT_FALSE(contains(ir, "alloc")) << ir;
}

TEST_F(PayloadTest, ResultsOfEveryKind) {
  // A computed one twice, an argument, a constant, one of rank 0.
  Tensor<float> a(4), x(4), y(4), z(4), c(4), s(1);
  a.fill(5);
  run(R"mlir(
func.func @f(%a: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>) {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.add ins(%a, %c : tensor<4xf32>, tensor<4xf32>)
                  outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %z = arith.constant dense<0.0> : tensor<f32>
  %s = linalg.reduce ins(%a : tensor<4xf32>) outs(%z : tensor<f32>) dimensions = [0]
    (%i: f32, %o: f32) { %p = arith.addf %i, %o : f32  linalg.yield %p : f32 }
  return %r, %r, %a, %c, %s
    : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>
})mlir",
      1, a, x, y, z, c, s);
  float sum = 0;
  for (int i = 0; i != 4; ++i) {
    EXPECT_EQ(x[i], a[i] + i + 1);
    EXPECT_EQ(y[i], a[i] + i + 1);
    EXPECT_EQ(z[i], a[i]);
    EXPECT_EQ(c[i], i + 1);
    sum += a[i];
  }
  EXPECT_EQ(s[0], sum);
}

TEST_F(PayloadTest, InputsAreNotWritten) {
  // The add would run in place of its input.
  Tensor<float> a(8), r(8);
  a.fill(1);
  run(R"mlir(
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.add ins(%a, %a : tensor<8xf32>, tensor<8xf32>)
                  outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
})mlir",
      1, a, r);
  Tensor<float> before(8);
  before.fill(1);
  for (int i = 0; i != 8; ++i) {
    EXPECT_EQ(a[i], before[i]);
    EXPECT_EQ(r[i], 2 * before[i]);
  }
}

TEST_F(PayloadTest, PrivateFunctionsAndScalars) {
  Tensor<float> a(4), s(1), r(4);
  a.fill(1), s[0] = 3;
  run(R"mlir(
func.func private @scale(%a: tensor<4xf32>, %s: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.mul ins(%a, %f : tensor<4xf32>, tensor<4xf32>)
                  outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @f(%a: tensor<4xf32>, %s: f32) -> tensor<4xf32> {
  %x = call @scale(%a, %s) : (tensor<4xf32>, f32) -> tensor<4xf32>
  %y = call @scale(%x, %s) : (tensor<4xf32>, f32) -> tensor<4xf32>
  return %y : tensor<4xf32>
})mlir",
      1, a, s, r);
  for (int i = 0; i != 4; ++i)
    EXPECT_EQ(r[i], a[i] * 9);
}

TEST_F(PayloadTest, Integers) {
  Tensor<int8_t> a(M * K), b(K * N);
  Tensor<int32_t> c(M * N);
  a.fill(1), b.fill(2);
  run(R"mlir(
func.func @f(%a: tensor<17x19xi8>, %b: tensor<19x23xi8>) -> tensor<17x23xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<17x23xi32>
  %i = linalg.fill ins(%z : i32) outs(%e : tensor<17x23xi32>) -> tensor<17x23xi32>
  %r = linalg.matmul ins(%a, %b : tensor<17x19xi8>, tensor<19x23xi8>)
                     outs(%i : tensor<17x23xi32>) -> tensor<17x23xi32>
  return %r : tensor<17x23xi32>
})mlir",
      1, a, b, c);
  std::vector<double> expected = multiply(a, b);
  for (int i = 0; i != M * N; ++i)
    ASSERT_EQ(c[i], expected[i]) << i;
}

TEST_F(PayloadTest, HalfAndBrainFloat) {
  // 1.5 and 2 in both formats; the sum is 3.5.
  struct {
    const char *type;
    uint16_t a, b, sum;
  } cases[] = {{"f16", 0x3E00, 0x4000, 0x4300},
               {"bf16", 0x3FC0, 0x4000, 0x4060}};
  for (const auto &c : cases) {
    std::string text = R"mlir(
func.func @f(%a: tensor<9xT>, %b: tensor<9xT>) -> tensor<9xT> {
  %e = tensor.empty() : tensor<9xT>
  %r = linalg.add ins(%a, %b : tensor<9xT>, tensor<9xT>)
                  outs(%e : tensor<9xT>) -> tensor<9xT>
  return %r : tensor<9xT>
})mlir";
    for (size_t at; (at = text.find("xT>")) != std::string::npos;)
      text.replace(at + 1, 1, c.type);
    Tensor<uint16_t> a(9), b(9), r(9);
    for (int i = 0; i != 9; ++i)
      a[i] = c.a, b[i] = c.b;
    run(text, 1, a, b, r);
    for (int i = 0; i != 9; ++i)
      EXPECT_EQ(r[i], c.sum) << c.type;
  }
}

TEST_F(PayloadTest, BrainFloatRoundsToNearest) {
  // A contraction and a math function: sums in f32, rounded as hardware does.
  Tensor<uint16_t> a(M * K), b(K * N), c(M * N);
  auto toFloat = [](uint16_t bits) {
    uint32_t wide = uint32_t(bits) << 16;
    float value;
    std::memcpy(&value, &wide, sizeof value);
    return value;
  };
  for (size_t i = 0; i != a.size(); ++i)
    a[i] = 0x3F80 + i % 9; // 1 and a little
  for (size_t i = 0; i != b.size(); ++i)
    b[i] = 0xBF80 + i % 7; // -1 and a little less
  run(R"mlir(
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: tensor<17x19xbf16>, %b: tensor<19x23xbf16>) -> tensor<17x23xbf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<17x23xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<17x23xf32>) -> tensor<17x23xf32>
  %p = linalg.matmul ins(%a, %b : tensor<17x19xbf16>, tensor<19x23xbf16>)
                     outs(%i : tensor<17x23xf32>) -> tensor<17x23xf32>
  %d = tensor.empty() : tensor<17x23xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<17x23xf32>) outs(%d : tensor<17x23xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    %y = math.absf %t : bf16
    %s = math.sqrt %y : bf16
    linalg.yield %s : bf16
  } -> tensor<17x23xbf16>
  return %r : tensor<17x23xbf16>
})mlir",
      1, a, b, c);
  for (int m = 0; m != M; ++m)
    for (int n = 0; n != N; ++n) {
      double sum = 0;
      for (int k = 0; k != K; ++k)
        sum += toFloat(a[m * K + k]) * toFloat(b[k * N + n]);
      // 8 bits of fraction, rounded twice.
      EXPECT_NEAR(toFloat(c[m * N + n]), std::sqrt(-sum),
                  std::sqrt(-sum) / 200);
    }
}

TEST_F(PayloadTest, MathFunctions) {
  struct {
    const char *op;
    double (*reference)(double);
    double from, to;
  } cases[] = {{"exp", std::exp, -20, 20},    {"log", std::log, 0.01, 50},
               {"tanh", std::tanh, -6, 6},    {"erf", std::erf, -3, 3},
               {"sqrt", std::sqrt, 0, 100},   {"sin", std::sin, -7, 7},
               {"tan", std::tan, -1.2, 1.2},  {"cbrt", std::cbrt, -9, 9},
               {"atan", std::atan, -30, 30},  {"exp2", std::exp2, -20, 20},
               {"log1p", std::log1p, -0.5, 9}};
  constexpr int kCount = 37;
  for (const auto &c : cases)
    for (bool isDouble : {false, true}) {
      std::string text = R"mlir(
#id = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<37xT>) -> tensor<37xT> {
  %e = tensor.empty() : tensor<37xT>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<37xT>) outs(%e : tensor<37xT>) {
  ^bb0(%x: T, %o: T):
    %y = math.OP %x : T
    linalg.yield %y : T
  } -> tensor<37xT>
  return %r : tensor<37xT>
})mlir";
      for (auto [from, to] : {std::pair<std::string, std::string>("OP", c.op),
                              {"T", isDouble ? "f64" : "f32"}})
        for (size_t at; (at = text.find(from)) != std::string::npos;)
          text.replace(at, from.size(), to);
      auto check = [&](auto zero, double tolerance) {
        using T = decltype(zero);
        Tensor<T> a(kCount), r(kCount);
        for (int i = 0; i != kCount; ++i)
          a[i] = c.from + (c.to - c.from) * i / (kCount - 1);
        run(text, 1, a, r);
        for (int i = 0; i != kCount; ++i) {
          const double expected = c.reference(a[i]);
          EXPECT_NEAR(r[i], expected,
                      tolerance * std::max(1.0, std::fabs(expected)))
              << c.op << "(" << a[i] << ")";
        }
      };
      if (isDouble)
        check(0.0, 1e-12);
      else
        check(0.0f, 1e-5);
    }
}

TEST_F(PayloadTest, Softmax) {
  constexpr int kRows = 5, kColumns = 33;
  Tensor<float> a(kRows * kColumns), r(kRows * kColumns);
  a.fill(1);
  run(R"mlir(
func.func @f(%a: tensor<5x33xf32>) -> tensor<5x33xf32> {
  %e = tensor.empty() : tensor<5x33xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<5x33xf32>)
                                   outs(%e : tensor<5x33xf32>) -> tensor<5x33xf32>
  return %r : tensor<5x33xf32>
})mlir",
      1, a, r);
  for (int i = 0; i != kRows; ++i) {
    double sum = 0;
    for (int j = 0; j != kColumns; ++j)
      sum += std::exp(double(a[i * kColumns + j]));
    for (int j = 0; j != kColumns; ++j)
      EXPECT_NEAR(r[i * kColumns + j], std::exp(a[i * kColumns + j]) / sum,
                  1e-6);
  }
}

TEST_F(PayloadTest, PackAndUnpackWithTails) {
  Tensor<float> a(10 * 12), packed(2 * 3 * 8 * 5), r(10 * 12);
  for (size_t i = 0; i != a.size(); ++i)
    a[i] = i + 1;
  run(R"mlir(
func.func @f(%a: tensor<10x12xf32>) -> (tensor<2x3x8x5xf32>, tensor<10x12xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x8x5xf32>
  %p = linalg.pack %a padding_value(%z : f32) inner_dims_pos = [0, 1]
       inner_tiles = [8, 5] into %e : tensor<10x12xf32> -> tensor<2x3x8x5xf32>
  %d = tensor.empty() : tensor<10x12xf32>
  %u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [8, 5] into %d
       : tensor<2x3x8x5xf32> -> tensor<10x12xf32>
  return %p, %u : tensor<2x3x8x5xf32>, tensor<10x12xf32>
})mlir",
      1, a, packed, r);
  for (int i = 0; i != 16; ++i)
    for (int j = 0; j != 15; ++j) {
      const float expected = i < 10 && j < 12 ? a[i * 12 + j] : 0;
      EXPECT_EQ(packed[((i / 8 * 3 + j / 5) * 8 + i % 8) * 5 + j % 5],
                expected);
    }
  for (size_t i = 0; i != a.size(); ++i)
    EXPECT_EQ(r[i], a[i]);
}

TEST_F(PayloadTest, TensorOps) {
  // Pad, concatenate, slice, collapse and expand.
  Tensor<float> a(2 * 3), r(2 * 10);
  for (size_t i = 0; i != a.size(); ++i)
    a[i] = i + 1;
  run(R"mlir(
func.func @f(%a: tensor<2x3xf32>) -> tensor<2x10xf32> {
  %z = arith.constant -1.0 : f32
  %p = tensor.pad %a low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<2x3xf32> to tensor<2x5xf32>
  %c = tensor.concat dim(0) %p, %p : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<4x5xf32>
  %s = tensor.collapse_shape %c [[0, 1]] : tensor<4x5xf32> into tensor<20xf32>
  %x = tensor.expand_shape %s [[0, 1]] output_shape [2, 10] : tensor<20xf32> into tensor<2x10xf32>
  return %x : tensor<2x10xf32>
})mlir",
      1, a, r);
  for (int half = 0; half != 2; ++half)
    for (int i = 0; i != 2; ++i)
      for (int j = 0; j != 5; ++j)
        EXPECT_EQ(r[half * 10 + i * 5 + j],
                  j == 0 || j == 4 ? -1 : a[i * 3 + j - 1]);
}

TEST_F(PayloadTest, ResultsDoNotShareTheirStart) {
  // A sum and a maximum of rows from one fill; and a result that another one
  // starts from.
  Tensor<float> a(M * K), sums(M), maxima(M), twice(M);
  a.fill(1);
  run(R"mlir(
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#all = affine_map<(i) -> (i)>
func.func @f(%a: tensor<17x19xf32>) -> (tensor<17xf32>, tensor<17xf32>, tensor<17xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<17xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<17xf32>) -> tensor<17xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<17x19xf32>) outs(%i : tensor<17xf32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = arith.addf %o, %x : f32
    linalg.yield %0 : f32
  } -> tensor<17xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<17x19xf32>) outs(%i : tensor<17xf32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = arith.maximumf %o, %x : f32
    linalg.yield %0 : f32
  } -> tensor<17xf32>
  %t = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel"]} outs(%s : tensor<17xf32>) {
  ^bb0(%o: f32):
    %0 = arith.addf %o, %o : f32
    linalg.yield %0 : f32
  } -> tensor<17xf32>
  return %t, %s, %m : tensor<17xf32>, tensor<17xf32>, tensor<17xf32>
})mlir",
      1, a, twice, sums, maxima);
  for (int i = 0; i != M; ++i) {
    double sum = 0, most = 0;
    for (int k = 0; k != K; ++k) {
      sum += a[i * K + k];
      most = std::max<double>(most, a[i * K + k]);
    }
    EXPECT_NEAR(sums[i], sum, 1e-3) << i;
    EXPECT_NEAR(twice[i], 2 * sum, 1e-3) << i;
    EXPECT_EQ(maxima[i], most) << i;
  }
}
