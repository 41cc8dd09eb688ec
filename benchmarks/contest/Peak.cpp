//===- Peak.cpp - What the machine could do at most -----------------------===//

#include "Peak.h"
#include "Team.h"

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

Setup measurePeak(const Problem &problem) {
  return [&problem]() -> Expected<Work> {
    Loop loop = chooseLoop();
    if (!loop.run)
      return createStringError("no peak loop for this machine");
    constexpr int64_t steps = 100'000; // About 0.2 ms.
    auto team = std::make_shared<Team>(problem.threads,
                                       [run = loop.run](int) { run(steps); });
    Work work;
    work.call = [t = team.get()] { t->call(); };
    work.flops = 2.0 * kChains * loop.lanes * steps * problem.threads;
    work.variant = loop.name;
    work.state = std::move(team);
    return std::move(work);
  };
}

} // namespace sched::bench
