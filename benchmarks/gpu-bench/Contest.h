//===- Contest.h - Contenders on a GPU, taking turns ------------*- C++ -*-===//
//
// Ours, a library, a copy: each is something that can be asked for on a stream.
// They are timed in turns, by events, after a flush of the L2 cache, so that
// what moves the clock moves it for all.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_GPUBENCH_CONTEST_H
#define SCHEDOPT_BENCHMARKS_GPUBENCH_CONTEST_H

#include "SchedOpt/Device/Device.h"
#include <functional>
#include <string>
#include <vector>

namespace sched::bench {

struct Contender {
  std::string name;
  /// Asks for one call on the device's stream.
  std::function<llvm::Error()> call;
  /// Seconds a call, one entry a round; and what went wrong instead.
  std::vector<double> costsS;
  std::string problem;

  /// Median; infinity where there is none.
  double getSeconds() const;
};

/// Times all in turns. A round of each lasts at least `minRepeatS`. One that
/// fails is left out; the error is of a device that serves nobody any more.
llvm::Error compete(Device &device, std::vector<Contender> &contenders,
                    unsigned rounds, double minRepeatS);

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_GPUBENCH_CONTEST_H
