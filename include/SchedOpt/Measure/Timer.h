//===- Timer.h - How long does a call take? ---------------------*- C++ -*-===//
//
// The timing loop of the worker, for calls on the CPU and on a GPU alike. The
// clock is passed in, so that the loop's decisions are tested without waiting.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MEASURE_TIMER_H
#define SCHEDOPT_MEASURE_TIMER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace sched {

struct TimingOptions {
  /// Seconds that a call is known to take about; 0: not known. One five times
  /// as long as a repeat has to be is not warmed up.
  double expectedS = 0;
  /// Warm up for this long, at least one call.
  double warmupS = 0.002;
  /// A repeat makes as many calls as it takes to last this long.
  double minRepeatS = 0.01;
  int repeats = 5;
  /// Two repeats are enough where the longer is above the shorter by no more
  /// than this share of it, and any number that lasts five times as long as all
  /// have to; negative: never.
  double agreement = -1;
  /// Stop after the first repeat when it, and the shortest call of the warm-up,
  /// are above this; 0: never.
  double dropAboveS = 0;
  /// Called before each repeat, outside of its time; may be null.
  llvm::function_ref<llvm::Error()> prepare = nullptr;
  /// Start no further repeat after this long.
  double maxTotalS = 3;
};

struct Timing {
  /// Seconds a call, one entry a repeat; at least one, at most `repeats`.
  std::vector<double> costsS;
  bool dropped = false;
};

/// Makes so many calls one after the other and says how many seconds all of
/// them took.
using CallTimer = llvm::function_ref<llvm::Expected<double>(int64_t calls)>;

/// Times calls by what `timer` says; `now` is a monotonic clock in seconds, for
/// the bounds on the whole. The first error of `timer` or `prepare` ends it.
llvm::Expected<Timing> timeRepeats(CallTimer timer,
                                   const TimingOptions &options,
                                   llvm::function_ref<double()> now);

/// Times `call`, which cannot fail, by `now`; `prepare` must not fail either.
Timing timeCalls(llvm::function_ref<void()> call, const TimingOptions &options,
                 llvm::function_ref<double()> now);

/// The monotonic clock of the machine, seconds from an arbitrary point.
double monotonicSeconds();

} // namespace sched

#endif // SCHEDOPT_MEASURE_TIMER_H
