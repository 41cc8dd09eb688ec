//===- Contest.cpp - Contenders on a GPU, taking turns --------------------===//

#include "Contest.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace llvm;

namespace sched::bench {

double Contender::getSeconds() const {
  if (costsS.empty())
    return std::numeric_limits<double>::infinity();
  std::vector<double> sorted = costsS;
  std::sort(sorted.begin(), sorted.end());
  return sorted[sorted.size() / 2];
}

/// Seconds of so many calls.
static Expected<double> timeCalls(Device &device, const Contender &contender,
                                  int64_t calls) {
  return device.time([&]() -> Error {
    for (int64_t i = 0; i != calls; ++i)
      if (Error error = contender.call())
        return error;
    return Error::success();
  });
}

Error compete(Device &device, std::vector<Contender> &contenders,
              unsigned rounds, double minRepeatS) {
  std::vector<int64_t> calls(contenders.size(), 0);
  for (size_t i = 0; i != contenders.size(); ++i) {
    Contender &contender = contenders[i];
    if (!contender.problem.empty())
      continue;
    // The first call sets up what later ones find.
    double shortest = std::numeric_limits<double>::infinity();
    for (int turn = 0; turn != 3; ++turn) {
      Expected<double> seconds = timeCalls(device, contender, 1);
      if (!seconds) {
        contender.problem = toString(seconds.takeError());
        break;
      }
      shortest = std::min(shortest, *seconds);
    }
    calls[i] = static_cast<int64_t>(std::ceil(minRepeatS / shortest));
    if (Error error = device.synchronize("trying " + contender.name))
      return error;
  }
  for (unsigned round = 0; round != rounds; ++round)
    for (size_t i = 0; i != contenders.size(); ++i) {
      Contender &contender = contenders[i];
      if (!contender.problem.empty())
        continue;
      if (Error error = device.flushCache())
        return error;
      Expected<double> seconds = timeCalls(device, contender, calls[i]);
      if (!seconds)
        return seconds.takeError();
      contender.costsS.push_back(*seconds / static_cast<double>(calls[i]));
    }
  return Error::success();
}

} // namespace sched::bench
