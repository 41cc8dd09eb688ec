//===- Clock.h - Seconds since the start of a run ---------------*- C++ -*-===//
//
// The tuner's only source of time; tests bring their own.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TUNING_CLOCK_H
#define SCHEDOPT_TUNING_CLOCK_H

#include <chrono>
#include <functional>

namespace sched {

class Clock {
public:
  /// `now` gives seconds that never decrease; by default, the steady clock.
  explicit Clock(std::function<double()> now = readSteadyClock)
      : now(std::move(now)), start(this->now()) {}

  /// Seconds since this clock was made.
  double elapsed() const { return now() - start; }

private:
  static double readSteadyClock() {
    return std::chrono::duration<double>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  std::function<double()> now;
  double start;
};

} // namespace sched

#endif // SCHEDOPT_TUNING_CLOCK_H
