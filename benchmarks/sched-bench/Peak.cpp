//===- Peak.cpp - What the machine could do at most -----------------------===//

#include "Peak.h"
#include <atomic>
#include <thread>

using namespace llvm;

namespace sched::bench {

namespace {
/// Runs that many steps; a step is `kChains` fused multiply-adds.
struct Loop {
  void (*run)(int64_t steps);
  int lanes;
  const char *name;
};
} // namespace

/// Independent chains: two ports times a latency of four or five, and some.
/// They fit the 16 registers of AVX2 together with the two constants.
constexpr int kChains = 12;

// The vector type's own arithmetic; the compiler contracts it to one FMA. The
// empty assembly keeps the chains alive and in registers.
#define SCHED_PEAK_LOOP(NAME, BYTES, REGISTER, ATTRIBUTES)                     \
  ATTRIBUTES static void NAME(int64_t steps) {                                 \
    typedef float Vector __attribute__((vector_size(BYTES)));                  \
    Vector zero = {};                                                          \
    Vector x = zero + 0.999f, y = zero + 1e-3f, chains[kChains];               \
    for (int i = 0; i != kChains; ++i)                                         \
      chains[i] = y;                                                           \
    for (int64_t step = 0; step != steps; ++step) {                            \
      _Pragma("unroll") for (int i = 0; i != kChains; ++i) {                   \
        chains[i] = chains[i] * x + y;                                         \
        asm volatile("" : "+" REGISTER(chains[i]));                            \
      }                                                                        \
    }                                                                          \
  }

#if defined(__x86_64__)
SCHED_PEAK_LOOP(runAVX2, 32, "x", __attribute__((target("avx2,fma"))))
SCHED_PEAK_LOOP(runAVX512, 64, "v",
                __attribute__((target("avx512f"), min_vector_width(512))))
#elif defined(__aarch64__)
SCHED_PEAK_LOOP(runNEON, 16, "w", )
#endif

static Loop chooseLoop() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return {runAVX512, 16, "AVX-512"};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {runAVX2, 8, "AVX2"};
#elif defined(__aarch64__)
  return {runNEON, 4, "NEON"};
#endif
  return {nullptr, 0, ""};
}

namespace {
/// Threads that wait, spinning, for the next call.
class Team {
public:
  Team(int threads, void (*run)(int64_t), int64_t steps)
      : run(run), steps(steps) {
    for (int i = 1; i < threads; ++i)
      helpers.emplace_back([this] { help(); });
  }

  void call() {
    left.store(static_cast<int>(helpers.size()));
    generation.fetch_add(1);
    run(steps);
    while (left.load() != 0) {
    }
  }

  ~Team() {
    done.store(true);
    for (std::thread &helper : helpers)
      helper.join();
  }

private:
  void help() {
    for (uint64_t seen = 0; !done.load();) {
      if (generation.load() == seen)
        continue;
      ++seen;
      run(steps);
      left.fetch_sub(1);
    }
  }

  void (*run)(int64_t);
  int64_t steps;
  std::atomic<uint64_t> generation{0};
  std::atomic<int> left{0};
  std::atomic<bool> done{false};
  std::vector<std::thread> helpers;
};
} // namespace

Setup measurePeak() {
  return [](const Problem &problem) -> Expected<Work> {
    Loop loop = chooseLoop();
    if (!loop.run)
      return createStringError("no peak loop for this machine");
    constexpr int64_t steps = 100'000; // About 0.2 ms.
    auto team = std::make_shared<Team>(problem.threads, loop.run, steps);
    Work work;
    work.call = [t = team.get()] { t->call(); };
    work.flops = 2.0 * kChains * loop.lanes * steps * problem.threads;
    work.variant = loop.name;
    work.state = std::move(team);
    return std::move(work);
  };
}

} // namespace sched::bench
