//===- Team.h - Threads that wait, spinning, for the next call --*- C++ -*-===//
//
// For the probes of the machine (Peak.h, Copy.h): the cheapest fork and join
// that there is, so that what is timed is the work alone. Who has waited for
// longer than that takes lets others have the processor: one that spins where
// there are more threads than processors keeps from running what it waits for.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_TEAM_H
#define SCHEDOPT_BENCHMARKS_TEAM_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <sched.h>
#include <thread>
#include <vector>

namespace sched::bench {

class Team {
public:
  /// `work` is called with the number of its thread.
  Team(int threads, std::function<void(int)> work) : work(std::move(work)) {
    for (int i = 1; i < threads; ++i)
      helpers.emplace_back([this, i] { help(i); });
  }

  void call() {
    left.store(static_cast<int>(helpers.size()));
    generation.fetch_add(1);
    work(0);
    for (Patience patience; left.load() != 0;)
      patience.wait();
  }

  ~Team() {
    done.store(true);
    for (std::thread &helper : helpers)
      helper.join();
  }

private:
  /// Spins for 10 to 100 us, as long as `pause` takes there, and yields from
  /// then on.
  class Patience {
  public:
    void wait() {
      if (spins == kMostSpins) {
        sched_yield();
        return;
      }
      ++spins;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#elif defined(__aarch64__)
      asm volatile("isb");
#endif
    }

  private:
    static constexpr int kMostSpins = 2000;
    int spins = 0;
  };

  void help(int thread) {
    Patience patience;
    for (uint64_t seen = 0; !done.load();) {
      if (generation.load() == seen) {
        patience.wait();
        continue;
      }
      patience = Patience();
      ++seen;
      work(thread);
      left.fetch_sub(1);
    }
  }

  std::function<void(int)> work;
  std::atomic<uint64_t> generation{0};
  std::atomic<int> left{0};
  std::atomic<bool> done{false};
  std::vector<std::thread> helpers;
};

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_TEAM_H
