//===- Team.h - Threads that wait, spinning, for the next call --*- C++ -*-===//
//
// For the probes of the machine (Peak.h, Copy.h): the cheapest fork and join
// that there is, so that what is timed is the work alone.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_TEAM_H
#define SCHEDOPT_BENCHMARKS_TEAM_H

#include <atomic>
#include <cstdint>
#include <functional>
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
    while (left.load() != 0) {
    }
  }

  ~Team() {
    done.store(true);
    for (std::thread &helper : helpers)
      helper.join();
  }

private:
  void help(int thread) {
    for (uint64_t seen = 0; !done.load();) {
      if (generation.load() == seen)
        continue;
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
