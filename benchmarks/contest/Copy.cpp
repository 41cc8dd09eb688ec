//===- Copy.cpp - The bandwidth that a copy reaches -----------------------===//

#include "Copy.h"
#include "Team.h"
#include <cstring>

using namespace llvm;

namespace sched::bench {

namespace {
struct Arrays {
  Floats from, to;
  size_t count;
  std::unique_ptr<Team> byLibrary, byLoop;
};
} // namespace

/// Vectors of 32 bytes, stored through the caches; memcpy goes around them for
/// large arrays.
static void copyByLoop(const float *from, float *to, size_t count) {
  typedef float Vector __attribute__((vector_size(32), aligned(4)));
  size_t i = 0;
  for (; i + 8 <= count; i += 8)
    *reinterpret_cast<Vector *>(to + i) =
        *reinterpret_cast<const Vector *>(from + i);
  std::memcpy(to + i, from + i, (count - i) * sizeof(float));
}

Setup measureCopy(const Problem &problem) {
  return [&problem]() -> Expected<Work> {
    auto arrays = std::make_shared<Arrays>();
    Arrays *a = arrays.get();
    a->count = std::max<size_t>(problem.bytes() / (2 * sizeof(float)), 64);
    a->from = allocateFloats(a->count);
    a->to = allocateFloats(a->count);
    if (!a->from || !a->to)
      return createStringError("no memory for the copy");
    std::memset(a->from.get(), 0, a->count * sizeof(float));
    std::memset(a->to.get(), 0, a->count * sizeof(float));
    int threads = problem.threads;
    auto share = [a, threads](int thread) {
      size_t begin = a->count * thread / threads;
      return std::pair(begin, a->count * (thread + 1) / threads - begin);
    };
    a->byLibrary = std::make_unique<Team>(threads, [a, share](int thread) {
      auto [begin, count] = share(thread);
      std::memcpy(a->to.get() + begin, a->from.get() + begin,
                  count * sizeof(float));
    });
    Team *library = a->byLibrary.get();
    Way best = {"memcpy", [library] { library->call(); }};
    // Two spinning teams would disturb one another, so only a single thread
    // has the choice.
    if (threads == 1) {
      a->byLoop = std::make_unique<Team>(threads, [a, share](int thread) {
        auto [begin, count] = share(thread);
        copyByLoop(a->from.get() + begin, a->to.get() + begin, count);
      });
      Team *loop = a->byLoop.get();
      best = chooseFastest({best, {"loop", [loop] { loop->call(); }}});
    }
    Work work;
    work.call = best.call;
    work.variant = best.name;
    work.bytes = 2.0 * sizeof(float) * a->count;
    work.state = std::move(arrays);
    return std::move(work);
  };
}

} // namespace sched::bench
