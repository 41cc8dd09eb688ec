//===- ScheduledTest.cpp - What scheduled functions become ----------------===//

#include "KernelTest.h"
#include <cmath>
#include <thread>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

using namespace sched;
using namespace sched::testing;

namespace {
using ScheduledTest = KernelTest;

constexpr int M = 12, N = 32, K = 20;

/// The form that a schedule leaves: loops over tiles, a tile's accumulator in
/// registers, contractions of vectors. LOOP and END are a serial or a parallel
/// loop over the rows' tiles.
std::string getTiledMatmul(bool isParallel) {
  const char *loop = isParallel ? R"mlir(
  %r = scf.forall (%t) in (2) shared_outs(%o = %e) -> (tensor<12x32xf32>) {
    %m = affine.apply affine_map<(d0) -> (d0 * 6)>(%t)
    %d = tensor.extract_slice %o[%m, 0] [6, 32] [1, 1] : tensor<12x32xf32> to tensor<6x32xf32>)mlir"
                                : R"mlir(
  %r = scf.for %m = %c0 to %c12 step %c6 iter_args(%o = %e) -> (tensor<12x32xf32>) {
    %d = tensor.extract_slice %o[%m, 0] [6, 32] [1, 1] : tensor<12x32xf32> to tensor<6x32xf32>)mlir";
  const char *end = isParallel ? R"mlir(
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %tile into %o[%m, 0] [6, 32] [1, 1]
        : tensor<6x32xf32> into tensor<12x32xf32>
    }
  })mlir"
                               : R"mlir(
    %new = tensor.insert_slice %tile into %o[%m, 0] [6, 32] [1, 1]
      : tensor<6x32xf32> into tensor<12x32xf32>
    scf.yield %new : tensor<12x32xf32>
  })mlir";
  return std::string(R"mlir(
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f(%a: tensor<12x20xf32>, %b: tensor<20x32xf32>) -> tensor<12x32xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %c20 = arith.constant 20 : index
  %c32 = arith.constant 32 : index
  %p = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<6x16xf32>
  %e = tensor.empty() : tensor<12x32xf32>)mlir") +
         loop + R"mlir(
    %tile = scf.for %n = %c0 to %c32 step %c16 iter_args(%w = %d) -> (tensor<6x32xf32>) {
      %acc = scf.for %k = %c0 to %c20 step %c4 iter_args(%s = %zero) -> (vector<6x16xf32>) {
        %x = vector.transfer_read %a[%m, %k], %p {in_bounds = [true, true]}
          : tensor<12x20xf32>, vector<6x4xf32>
        %y = vector.transfer_read %b[%k, %n], %p {in_bounds = [true, true]}
          : tensor<20x32xf32>, vector<4x16xf32>
        %z = vector.contract {indexing_maps = [#a, #b, #c],
          iterator_types = ["parallel", "parallel", "reduction"],
          kind = #vector.kind<add>} %x, %y, %s
          : vector<6x4xf32>, vector<4x16xf32> into vector<6x16xf32>
        scf.yield %z : vector<6x16xf32>
      }
      %v = vector.transfer_write %acc, %w[%c0, %n] {in_bounds = [true, true]}
        : vector<6x16xf32>, tensor<6x32xf32>
      scf.yield %v : tensor<6x32xf32>
    })mlir" +
         end + R"mlir(
  return %r : tensor<12x32xf32>
})mlir";
}

void expectProduct(Tensor<float> &a, Tensor<float> &b, Tensor<float> &c) {
  for (int m = 0; m != M; ++m)
    for (int n = 0; n != N; ++n) {
      float sum = 0;
      for (int k = 0; k != K; ++k)
        sum += a[m * K + k] * b[k * N + n];
      ASSERT_EQ(c[m * N + n], sum) << m << ", " << n;
    }
}

/// Occurrences of a part in a text.
int count(llvm::StringRef text, llvm::StringRef part) {
  return text.count(part);
}
} // namespace

TEST_F(ScheduledTest, TiledMatmul) {
  Tensor<float> a(M * K, 1), b(K * N, 1), c(M * N, 1);
  a.fill(1), b.fill(2);
  run(getTiledMatmul(false), 1, a, b, c);
  expectProduct(a, b, c);
}

TEST_F(ScheduledTest, TiledMatmulIsFusedMultiplyAddsOnRegisters) {
  const std::string text = getTiledMatmul(false);
  const std::string zen =
      toAssembly(text, "cpu:mcpu=znver3,triple=x86_64-linux-gnu");
  // 6 rows of 2 registers, 4 steps of k; more where LLVM unrolls.
  EXPECT_GE(count(zen, "vfmadd"), 48);
  EXPECT_EQ(count(zen, "vmulps"), 0);
  EXPECT_EQ(count(zen, "zmm"), 0);
  EXPECT_EQ(count(zen, "call"), 0) << "no allocation, no copy";
  const std::string rapids =
      toAssembly(text, "cpu:mcpu=sapphirerapids,triple=x86_64-linux-gnu");
  EXPECT_GE(count(rapids, "zmm"), 24);
  const std::string neoverse =
      toAssembly(text, "cpu:mcpu=neoverse-v2,triple=aarch64-linux-gnu");
  EXPECT_GE(count(neoverse, "fmla\tv"), 96);
}

TEST_F(ScheduledTest, ParallelLoopRunsOnThreads) {
  const std::string text = getTiledMatmul(true);
  for (int threads : {1, 2, 3}) {
    const std::string object = compile(text, getOptions(threads));
    EXPECT_EQ(contains(object, "__kmpc_fork_call"), threads > 1);
    Tensor<float> a(M * K), b(K * N), c(M * N);
    a.fill(threads), b.fill(2);
    call(object, a, b, c);
    expectProduct(a, b, c);
  }
  EXPECT_TRUE(contains(toLLVM(text, 0, 2), "__kmpc_push_num_threads"));
}

TEST_F(ScheduledTest, BuffersOfAThreadAreItsOwn) {
  // Each iteration computes in a buffer of its own; were it hoisted out of the
  // parallel loop, threads would write over each other's.
  const char *text = R"mlir(
func.func @f(%a: tensor<64x500xf32>) -> tensor<64x500xf32> {
  %e = tensor.empty() : tensor<64x500xf32>
  %r = scf.forall (%i) in (64) shared_outs(%o = %e) -> (tensor<64x500xf32>) {
    %s = tensor.extract_slice %a[%i, 0] [1, 500] [1, 1] : tensor<64x500xf32> to tensor<1x500xf32>
    %d = tensor.extract_slice %o[%i, 0] [1, 500] [1, 1] : tensor<64x500xf32> to tensor<1x500xf32>
    %t = bufferization.alloc_tensor() : tensor<1x500xf32>
    %x = linalg.add ins(%s, %s : tensor<1x500xf32>, tensor<1x500xf32>)
                    outs(%t : tensor<1x500xf32>) -> tensor<1x500xf32>
    %y = linalg.mul ins(%x, %x : tensor<1x500xf32>, tensor<1x500xf32>)
                    outs(%d : tensor<1x500xf32>) -> tensor<1x500xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i, 0] [1, 500] [1, 1]
        : tensor<1x500xf32> into tensor<64x500xf32>
    }
  }
  return %r : tensor<64x500xf32>
})mlir";
  const std::string object = compile(text, getOptions(4));
  for (int round = 0; round != 20; ++round) {
    Tensor<float> a(64 * 500), r(64 * 500);
    a.fill(round);
    call(object, a, r);
    for (size_t i = 0; i != a.size(); ++i)
      ASSERT_EQ(r[i], 4 * a[i] * a[i]) << i;
  }
  // Buffers start at a cache line.
  EXPECT_TRUE(contains(toLLVM(text, 0), "@aligned_alloc(i64 64,"));
}

TEST_F(ScheduledTest, CallersMayBeThreads) {
  const std::string object = compile(getTiledMatmul(false), getOptions(1));
  llvm::Expected<KernelLibrary> library = KernelLibrary::load(object);
  ASSERT_TRUE(bool(library)) << llvm::toString(library.takeError());
  auto entry = library->lookup("f");
  ASSERT_TRUE(bool(entry)) << llvm::toString(entry.takeError());
  auto work = [&](int seed) {
    Tensor<float> a(M * K), b(K * N), c(M * N);
    a.fill(seed), b.fill(seed + 1);
    void *pointers[] = {a.data(), b.data(), c.data()};
    for (int i = 0; i != 1000; ++i)
      (*entry)(pointers);
    expectProduct(a, b, c);
  };
  std::thread other(work, 1);
  work(2);
  other.join();
}

namespace {
/// Loops and branches whose buffers only run time can tell apart.
constexpr const char *kSwappedBuffers = R"mlir(
func.func @f(%a: tensor<4096xf32>, %p: i32) -> tensor<4096xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %x = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (tensor<4096xf32>) {
    %e = tensor.empty() : tensor<4096xf32>
    %y = linalg.generic {
        indexing_maps = [affine_map<(i) -> (4095 - i)>, affine_map<(i) -> (i)>],
        iterator_types = ["parallel"]}
        ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
    ^bb0(%in: f32, %out: f32):
      %s = arith.addf %in, %in : f32
      linalg.yield %s : f32
    } -> tensor<4096xf32>
    scf.yield %y : tensor<4096xf32>
  }
  %negate = arith.cmpi ne, %p, %zero : i32
  %r = scf.if %negate -> tensor<4096xf32> {
    %e = tensor.empty() : tensor<4096xf32>
    %n = linalg.negf ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
    %m = linalg.mul ins(%x, %n : tensor<4096xf32>, tensor<4096xf32>)
                    outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
    scf.yield %m : tensor<4096xf32>
  } else {
    scf.yield %x : tensor<4096xf32>
  }
  return %r : tensor<4096xf32>
})mlir";
} // namespace

TEST_F(ScheduledTest, BuffersThatSwapInLoops) {
  const std::string object = compile(kSwappedBuffers, getOptions(1));
  for (int negate : {0, 1}) {
    Tensor<float> a(4096), r(4096);
    Tensor<int32_t> p(1);
    a.fill(1), p[0] = negate;
    call(object, a, p, r);
    for (int i = 0; i != 4096; ++i) {
      const float x = 8 * a[4095 - i];
      ASSERT_EQ(r[i], negate ? -x * x : x) << i;
    }
  }
}

#if defined(__GLIBC__)
TEST_F(ScheduledTest, BuffersAreFreed) {
  const std::string object = compile(kSwappedBuffers, getOptions(1));
  llvm::Expected<KernelLibrary> library = KernelLibrary::load(object);
  ASSERT_TRUE(bool(library)) << llvm::toString(library.takeError());
  auto entry = library->lookup("f");
  ASSERT_TRUE(bool(entry)) << llvm::toString(entry.takeError());
  for (int negate : {0, 1}) {
    Tensor<float> a(4096), r(4096);
    Tensor<int32_t> p(1);
    p[0] = negate;
    void *pointers[] = {a.data(), p.data(), r.data()};
    auto inUse = [] {
      struct mallinfo2 info = mallinfo2();
      return info.uordblks + info.hblkhd;
    };
    (*entry)(pointers);
    const size_t before = inUse();
    for (int i = 0; i != 200; ++i)
      (*entry)(pointers);
    // One buffer of 16 KiB a call would be 3 MiB.
    EXPECT_LT(inUse(), before + (1 << 20));
  }
}
#endif

TEST_F(ScheduledTest, ReductionsAndTransposesOfVectors) {
  Tensor<float> a(8 * 16), sums(8), t(16 * 8), e(8 * 16);
  a.fill(1);
  run(R"mlir(
func.func @f(%a: tensor<8x16xf32>) -> (tensor<8xf32>, tensor<16x8xf32>, tensor<8x16xf32>) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %v = vector.transfer_read %a[%c0, %c0], %p {in_bounds = [true, true]}
    : tensor<8x16xf32>, vector<8x16xf32>
  %s = vector.multi_reduction <add>, %v, %zero [1] : vector<8x16xf32> to vector<8xf32>
  %t = vector.transpose %v, [1, 0] : vector<8x16xf32> to vector<16x8xf32>
  %x = math.exp %v : vector<8x16xf32>
  %e0 = tensor.empty() : tensor<8xf32>
  %e1 = tensor.empty() : tensor<16x8xf32>
  %e2 = tensor.empty() : tensor<8x16xf32>
  %r0 = vector.transfer_write %s, %e0[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  %r1 = vector.transfer_write %t, %e1[%c0, %c0] {in_bounds = [true, true]}
    : vector<16x8xf32>, tensor<16x8xf32>
  %r2 = vector.transfer_write %x, %e2[%c0, %c0] {in_bounds = [true, true]}
    : vector<8x16xf32>, tensor<8x16xf32>
  return %r0, %r1, %r2 : tensor<8xf32>, tensor<16x8xf32>, tensor<8x16xf32>
})mlir",
      1, a, sums, t, e);
  for (int i = 0; i != 8; ++i) {
    float sum = 0;
    for (int j = 0; j != 16; ++j) {
      sum += a[i * 16 + j];
      EXPECT_EQ(t[j * 8 + i], a[i * 16 + j]);
      const double x = std::exp(double(a[i * 16 + j]));
      EXPECT_NEAR(e[i * 16 + j], x, 1e-6 * x);
    }
    EXPECT_EQ(sums[i], sum);
  }
}

TEST_F(ScheduledTest, MaskedTails) {
  // A vector of 8 over rows of 5.
  Tensor<float> a(3 * 5), r(3 * 5);
  a.fill(1);
  run(R"mlir(
func.func @f(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %v = vector.transfer_read %a[%c0, %c0], %p : tensor<3x5xf32>, vector<4x8xf32>
  %w = arith.addf %v, %v : vector<4x8xf32>
  %e = tensor.empty() : tensor<3x5xf32>
  %r = vector.transfer_write %w, %e[%c0, %c0] : vector<4x8xf32>, tensor<3x5xf32>
  return %r : tensor<3x5xf32>
})mlir",
      1, a, r);
  for (size_t i = 0; i != a.size(); ++i)
    EXPECT_EQ(r[i], 2 * a[i]) << i;
}
