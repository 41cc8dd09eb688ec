//===- Session.h - Checks and times a kernel --------------------*- C++ -*-===//
//
// Runs the scheduled kernel beside the unscheduled one: first the results are
// compared, then both are timed in turns, so that a machine whose speed drifts
// treats them alike.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_RUN_SESSION_H
#define SCHEDOPT_TOOLS_SCHED_RUN_SESSION_H

#include "Kernel.h"

namespace sched::run {

struct SessionOptions {
  /// A repeat makes as many calls as it takes to last this long.
  double minRepeatS = 0.1;
  int repeats = 7;
  /// Of the inputs.
  uint64_t seed = 0;
};

struct SessionResult {
  /// Seconds a call, one entry a repeat. `scheduledS` is empty without a
  /// schedule, and where the result was wrong; `unscheduledS` may be shorter
  /// than asked for, as that code may take seconds a call.
  std::vector<double> scheduledS, unscheduledS;
  /// Seconds to pack the arguments that are packed beforehand, once.
  double packS = 0;
  /// Of the check: the largest error and the tolerance, both relative to
  /// rms(expected) + |expected| (SchedOpt/Measure/Checker.h), and what is wrong
  /// ("" when nothing is).
  double maxError = 0, tolerance = 0;
  std::string wrong;
};

/// Runs both kernels; `scheduled` may be null.
/// `widened`, if any, is the unscheduled code with sums of f32 (WidenSums.h),
/// which results are compared with.
SessionResult runSession(const FunctionInfo &info, Kernel &unscheduled,
                         Kernel *widened, Kernel *scheduled,
                         const SessionOptions &options);

/// Inputs filled from the seed, and results that hold poison.
std::vector<GuardedTensor> makeTensors(const FunctionInfo &info, uint64_t seed);

/// Replaces what the unscheduled code computed by what `widened` does, which
/// may be null, and returns the tensors with what the unscheduled code deviates
/// by.
std::vector<TensorSpec> widenExpected(const FunctionInfo &info, Kernel *widened,
                                      uint64_t seed,
                                      std::vector<GuardedTensor> &expected);

/// Fills in what the result says of the check; what is wrong already stays.
void compareTensors(llvm::ArrayRef<TensorSpec> specs,
                    llvm::ArrayRef<GuardedTensor> expected,
                    llvm::ArrayRef<GuardedTensor> tensors,
                    SessionResult &result);

/// Of a list that is not empty.
double medianOf(std::vector<double> values);

} // namespace sched::run

#endif // SCHEDOPT_TOOLS_SCHED_RUN_SESSION_H
