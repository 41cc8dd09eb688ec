//===- ScratchTest.cpp - Large buffers live from call to call -------------===//

#include "KernelTest.h"
#include <array>
#include <sys/resource.h>
#include <thread>

using namespace sched;
using namespace sched::testing;

namespace {
using ScratchTest = KernelTest;

constexpr int64_t kRows = 512;
constexpr int64_t kCount = kRows * kRows;

/// Two intermediates of a megabyte, which transposing keeps apart.
constexpr const char *kChain = R"mlir(
!t = tensor<512x512xf32>
func.func @f(%a: !t) -> !t {
  %e = tensor.empty() : !t
  %x = linalg.transpose ins(%a : !t) outs(%e : !t) permutation = [1, 0]
  %y = linalg.add ins(%x, %a : !t, !t) outs(%e : !t) -> !t
  %z = linalg.transpose ins(%y : !t) outs(%e : !t) permutation = [1, 0]
  %r = linalg.add ins(%z, %x : !t, !t) outs(%e : !t) -> !t
  return %r : !t
})mlir";

bool isRight(Tensor<float> &in, Tensor<float> &out) {
  for (int64_t i = 0; i != kRows; ++i)
    for (int64_t j = 0; j != kRows; ++j)
      if (out[i * kRows + j] != in[i * kRows + j] + 2 * in[j * kRows + i])
        return false;
  return true;
}

int64_t getPageFaults() {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}
} // namespace

TEST_F(ScratchTest, LaterCallsMapNothing) {
  auto library = KernelLibrary::load(compile(kChain, getOptions(1)));
  ASSERT_TRUE(bool(library)) << llvm::toString(library.takeError());
  auto f = llvm::cantFail(library->lookup("f"));
  Tensor<float> in(kCount), out(kCount);
  void *pointers[] = {in.fill(3).data(), out.data()};
  f(pointers);
  const int64_t before = getPageFaults();
  for (int i = 0; i != 10; ++i)
    f(pointers);
  // One megabyte is 256 pages.
  EXPECT_LT(getPageFaults() - before, 256);
  EXPECT_TRUE(isRight(in, out));
}

TEST_F(ScratchTest, CallsAtTheSameTime) {
  auto library = KernelLibrary::load(compile(kChain, getOptions(1)));
  ASSERT_TRUE(bool(library)) << llvm::toString(library.takeError());
  auto f = llvm::cantFail(library->lookup("f"));
  std::vector<std::thread> threads;
  std::array<bool, 4> right = {};
  for (unsigned t = 0; t != right.size(); ++t)
    threads.emplace_back([&, t] {
      Tensor<float> in(kCount), out(kCount);
      void *pointers[] = {in.fill(t).data(), out.data()};
      right[t] = true;
      for (int i = 0; i != 10; ++i) {
        std::fill(out.data(), out.data() + out.size(), 0.0f);
        f(pointers);
        right[t] = right[t] && isRight(in, out);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (bool one : right)
    EXPECT_TRUE(one);
}

TEST_F(ScratchTest, LibrariesGiveBack) {
  // A library that did not would leave two megabytes each.
  const std::string object = compile(kChain, getOptions(1));
  struct rusage first, last;
  for (int i = 0; i != 60; ++i) {
    auto library = llvm::cantFail(KernelLibrary::load(object));
    auto f = llvm::cantFail(library.lookup("f"));
    Tensor<float> in(kCount), out(kCount);
    void *pointers[] = {in.fill(3).data(), out.data()};
    f(pointers);
    if (i == 9)
      getrusage(RUSAGE_SELF, &first);
  }
  getrusage(RUSAGE_SELF, &last);
  // ru_maxrss counts KiB.
  EXPECT_LT(last.ru_maxrss - first.ru_maxrss, 50 << 10);
}
