//===- StreamTest.cpp - Results past the caches ---------------------------===//

#include "KernelTest.h"

using namespace sched;
using namespace sched::testing;

namespace {
using StreamTest = KernelTest;

/// Rows of 24 lines, one line at a time; the rows are shared.
constexpr const char *kMaxima = R"mlir(
func.func @f(%a: tensor<32x384xf32>, %b: tensor<32x384xf32>) -> tensor<32x384xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c384 = arith.constant 384 : index
  %p = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x384xf32>
  %r = scf.forall (%i) in (32) shared_outs(%o = %e) -> (tensor<32x384xf32>) {
    %d = tensor.extract_slice %o[%i, 0] [1, 384] [1, 1] : tensor<32x384xf32> to tensor<1x384xf32>
    %row = scf.for %j = %c0 to %c384 step %c16 iter_args(%w = %d) -> (tensor<1x384xf32>) {
      %x = vector.transfer_read %a[%i, %j], %p {in_bounds = [true]} : tensor<32x384xf32>, vector<16xf32>
      %y = vector.transfer_read %b[%i, %j], %p {in_bounds = [true]} : tensor<32x384xf32>, vector<16xf32>
      %m = arith.maximumf %x, %y : vector<16xf32>
      %n = vector.transfer_write %m, %w[%c0, %j] {in_bounds = [true]} : vector<16xf32>, tensor<1x384xf32>
      scf.yield %n : tensor<1x384xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %row into %o[%i, 0] [1, 384] [1, 1]
        : tensor<1x384xf32> into tensor<32x384xf32>
    }
  }
  return %r : tensor<32x384xf32>
})mlir";
constexpr size_t kCount = 32 * 384;
} // namespace

TEST_F(StreamTest, ResultsMayBeginAnywhere) {
  for (int threads : {1, 2}) {
    const std::string object =
        compile(kMaxima, getOptions(threads), "cpu:l3=4096");
    for (size_t offset : {0, 1, 8, 15}) {
      Tensor<float> a(kCount), b(kCount), r(kCount, offset);
      a.fill(1), b.fill(threads);
      call(object, a, b, r);
      for (size_t i = 0; i != kCount; ++i)
        ASSERT_EQ(r[i], std::max(a[i], b[i])) << offset << ", " << i;
    }
  }
}

TEST_F(StreamTest, OnlyWhatTheLastCacheCannotHold) {
  for (const char *cpu : {"haswell", "skylake-avx512"}) {
    const std::string spec =
        "cpu:triple=x86_64-linux-gnu,mcpu=" + std::string(cpu) + ",l3=";
    const std::string code = toAssembly(kMaxima, spec + "1024");
    EXPECT_TRUE(contains(code, "vmovntps")) << cpu;
    EXPECT_TRUE(contains(code, "vmovups")) << cpu;
    EXPECT_TRUE(contains(code, "sfence")) << cpu;
    const std::string held =
        toAssembly(kMaxima, spec + std::to_string(kCount * sizeof(float) + 1));
    EXPECT_FALSE(contains(held, "vmovnt")) << cpu;
    EXPECT_FALSE(contains(held, "sfence")) << cpu;
  }
}

TEST_F(StreamTest, OtherProcessorsDecideThemselves) {
  const std::string code = toAssembly(
      kMaxima, "cpu:triple=aarch64-linux-gnu,mcpu=neoverse-n1,l3=1024");
  EXPECT_FALSE(contains(code, "stnp"));
}
