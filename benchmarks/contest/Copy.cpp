//===- Copy.cpp - The bandwidth that a copy reaches -----------------------===//

#include "Copy.h"
#include "SchedOpt/Support/Target.h"
#include "Team.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace llvm;

namespace sched::bench {

namespace {
using Copier = void (*)(const float *from, float *to, size_t count);

struct Arrays {
  Floats from, to;
  size_t count;
  /// What the team does when it is called next.
  Copier copier = nullptr;
  std::unique_ptr<Team> team;
};
} // namespace

static void copyByLibrary(const float *from, float *to, size_t count) {
  std::memcpy(to, from, count * sizeof(float));
}

/// Vectors of 32 bytes, stored through the caches or past them. memcpy has a
/// limit of its own for that, which follows from what it takes for the cache.
template <bool throughCaches>
static void copyByLoop(const float *from, float *to, size_t count) {
  typedef float Vector __attribute__((vector_size(32)));
  typedef float Unaligned __attribute__((vector_size(32), aligned(4)));
  size_t i = 0;
  if constexpr (!throughCaches)
    for (; i != count && reinterpret_cast<uintptr_t>(to + i) % sizeof(Vector);
         ++i)
      to[i] = from[i];
  for (; i + 8 <= count; i += 8) {
    auto vector = *reinterpret_cast<const Unaligned *>(from + i);
    if constexpr (throughCaches)
      *reinterpret_cast<Unaligned *>(to + i) = vector;
    else
      __builtin_nontemporal_store(Vector(vector),
                                  reinterpret_cast<Vector *>(to + i));
  }
  copyByLibrary(from + i, to + i, count - i);
}

/// Two arrays of `count` floats each.
static Setup copyArrays(const Problem &problem, size_t count) {
  return [&problem, count]() -> Expected<Work> {
    auto arrays = std::make_shared<Arrays>();
    Arrays *a = arrays.get();
    a->count = count;
    a->from = allocateFloats(a->count);
    a->to = allocateFloats(a->count);
    if (!a->from || !a->to)
      return createStringError("no memory for the copy");
    std::memset(a->from.get(), 0, a->count * sizeof(float));
    std::memset(a->to.get(), 0, a->count * sizeof(float));
    int threads = problem.threads;
    a->team = std::make_unique<Team>(threads, [a, threads](int thread) {
      size_t begin = a->count * thread / threads;
      size_t end = a->count * (thread + 1) / threads;
      a->copier(a->from.get() + begin, a->to.get() + begin, end - begin);
    });
    auto callsOf = [a](Copier copier, size_t calls) {
      return [a, copier, calls] {
        a->copier = copier;
        for (size_t i = 0; i != calls; ++i)
          a->team->call();
      };
    };
    // One call of a small one is too short to tell them apart.
    const size_t calls = divideCeil(size_t(1) << 22, a->count);
    const std::pair<const char *, Copier> copiers[] = {
        {"memcpy", copyByLibrary},
        {"loop", copyByLoop<true>},
        {"loop past the caches", copyByLoop<false>}};
    std::vector<Way> ways;
    for (auto [name, copier] : copiers)
      ways.push_back({name, callsOf(copier, calls)});
    const char *best = chooseFastest(ways).name;
    Copier fastest = llvm::find_if(copiers, [&](auto &it) {
                       return it.first == best;
                     })->second;
    Work work;
    work.call = callsOf(fastest, 1);
    work.variant = best;
    work.bytes = 2.0 * sizeof(float) * a->count;
    work.state = std::move(arrays);
    return std::move(work);
  };
}

Setup measureCopy(const Problem &problem) {
  return copyArrays(
      problem, std::max<size_t>(problem.bytes() / (2 * sizeof(float)), 64));
}

Setup measureStream(const Problem &problem) {
  return [&problem]() -> Expected<Work> {
    // Not what sysconf says: on virtual machines that is the whole socket's.
    Expected<Target> host = Target::parse("cpu");
    if (!host)
      return host.takeError();
    const size_t bytes =
        std::max<size_t>(4 * host->l3Bytes, problem.bytes() / 2);
    return copyArrays(problem, bytes / sizeof(float))();
  };
}

} // namespace sched::bench
