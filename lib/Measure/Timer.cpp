//===- Timer.cpp - How long does a call take? -----------------------------===//

#include "SchedOpt/Measure/Timer.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sched {

/// A call that lasts as long as so many repeats have to needs no warm-up.
static constexpr double kLongRepeats = 5;
/// Repeats that last this many times what all have to are enough.
static constexpr double kEnough = 5;

double monotonicSeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

llvm::Expected<Timing> timeRepeats(CallTimer timer,
                                   const TimingOptions &options,
                                   llvm::function_ref<double()> now) {
  double begin = now();
  double estimate = options.expectedS;
  if (estimate <= 0 || estimate < kLongRepeats * options.minRepeatS) {
    // The shortest call of the warm-up sets the number of calls a repeat.
    estimate = std::numeric_limits<double>::infinity();
    do {
      llvm::Expected<double> once = timer(1);
      if (!once)
        return once.takeError();
      estimate = std::min(estimate, *once);
    } while (now() - begin < options.warmupS);
  }

  constexpr double kMaxCalls = 1e9;
  auto callsFor = [&](double secondsPerCall) {
    double calls = options.minRepeatS / std::max(secondsPerCall, 1e-9);
    return static_cast<int64_t>(std::clamp(std::ceil(calls), 1.0, kMaxCalls));
  };
  int64_t calls = callsFor(estimate);

  Timing timing;
  bool recalibrated = false;
  double timed = 0;
  const double enough =
      kEnough * options.minRepeatS * std::max(1, options.repeats);
  while (static_cast<int>(timing.costsS.size()) <
         std::max(1, options.repeats)) {
    if (options.prepare)
      if (llvm::Error error = options.prepare())
        return std::move(error);
    llvm::Expected<double> elapsed = timer(calls);
    if (!elapsed)
      return elapsed.takeError();
    double cost = *elapsed / static_cast<double>(calls);
    // A call timed alone includes the clock's own cost; when that misled the
    // estimate, set the number of calls by the repeat just made.
    if (*elapsed < 0.8 * options.minRepeatS && !recalibrated) {
      recalibrated = true;
      calls = callsFor(cost);
      continue;
    }
    timing.costsS.push_back(cost);
    timed += *elapsed;
    // Another program's burst must not cost a good candidate its place: the
    // shortest call so far has to agree.
    if (timing.costsS.size() == 1 && options.dropAboveS > 0 &&
        std::min(cost, estimate) > options.dropAboveS) {
      timing.dropped = true;
      break;
    }
    if (timing.costsS.size() == 2) {
      auto [low, high] = std::minmax(timing.costsS[0], timing.costsS[1]);
      if (high - low <= options.agreement * low)
        break;
    }
    if (options.agreement >= 0 && timed >= enough)
      break;
    if (now() - begin > options.maxTotalS)
      break;
  }
  return timing;
}

Timing timeCalls(llvm::function_ref<void()> call, const TimingOptions &options,
                 llvm::function_ref<double()> now) {
  return llvm::cantFail(timeRepeats(
      [&](int64_t calls) -> llvm::Expected<double> {
        double start = now();
        for (int64_t i = 0; i != calls; ++i)
          call();
        return now() - start;
      },
      options, now));
}

} // namespace sched
