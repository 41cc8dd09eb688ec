//===- MeasureResult.h - What measuring a candidate yields -----*- C++ -*-===//
//
// The Measure layer builds, checks and times candidates in child processes; it
// is the only layer that starts processes. This file is what comes out of it:
// plain values, used by Tuning, which turns them into records.
//
// Read next: Measurer.h (who makes them).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MEASURE_MEASURERESULT_H
#define SCHEDOPT_MEASURE_MEASURERESULT_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sched {

/// The kinds of failure: `MeasureResult::error`, and the "error" of a record.
namespace failure {
/// The script failed, or what it made cannot be lowered or compiled.
inline constexpr char kBuildError[] = "build-error";
/// The compiler did not come to an end in time.
inline constexpr char kBuildTimeout[] = "build-timeout";
/// The compiler died of a signal or exited.
inline constexpr char kBuildCrash[] = "build-crash";
/// Building or running needed more memory than allowed.
inline constexpr char kMemory[] = "memory";
/// The kernel died of a signal or ended the process.
inline constexpr char kCrash[] = "crash";
/// The kernel did not come to an end in time.
inline constexpr char kTimeout[] = "timeout";
/// The results differ from those of the unscheduled payload.
inline constexpr char kWrongResult[] = "wrong-result";
/// Memory around a tensor, or an input, was written to.
inline constexpr char kOutOfBounds[] = "out-of-bounds";
/// The object could not be loaded, or the worker did not understand.
inline constexpr char kRuntime[] = "runtime";
/// Kernels keep values in the GPU's memory for want of registers: they are not
/// worth a measurement.
inline constexpr char kSpill[] = "spill";
/// A kernel needs more registers, shared memory or threads than a block may
/// have on the target.
inline constexpr char kOverLimit[] = "over-limit";
/// There is no GPU, or it no longer answers, or its driver does not know the
/// code: no fault of the candidate.
inline constexpr char kDevice[] = "device";
} // namespace failure

/// The stages a candidate goes through, in order: `MeasureResult::stage` names
/// the one that failed. Optimising LLVM IR belongs to "lower".
namespace stage {
inline constexpr char kInstantiate[] = "instantiate";
inline constexpr char kLower[] = "lower";
inline constexpr char kCodegen[] = "codegen";
inline constexpr char kLoad[] = "load";
inline constexpr char kCheck[] = "check";
inline constexpr char kRun[] = "run";
} // namespace stage

/// What a kernel takes of a GPU, as the compiler or the driver says.
struct KernelUsage {
  std::string kernel;
  /// Of a thread: registers, and bytes of local memory, of which spills of
  /// registers are a part.
  int64_t registers = 0, localBytes = 0, spillBytes = 0;
  /// Of a block: threads, and bytes of shared memory.
  int64_t threads = 0, sharedBytes = 0;
  /// Of the grid.
  int64_t blocks = 0;
};

/// The outcome of one candidate.
struct MeasureResult {
  /// Seconds a call, one entry a repeat that counts, and what it would have
  /// been had the machine been as fast as it is otherwise (Turns.h); none when
  /// there is an error.
  std::vector<double> costsS;
  /// "" or one of `failure::`, the stage it came up in, and the first
  /// diagnostic (one line).
  std::string error, stage, message;
  /// The results agreed with the unscheduled payload's.
  bool verified = false;
  /// Clearly slower than the best so far: timed once or twice, then left.
  bool dropped = false;
  /// The same machine code was measured before for this task: costs or error
  /// are those of that time, and nothing ran.
  bool duplicate = false;
  /// Wall seconds: of building, of checking (generating the data, the check
  /// run and the comparison), and of warming up and timing.
  double compileS = 0, checkS = 0, runS = 0;
  /// Hash of the object file; "" when it was not built.
  std::string objectHash;
  /// Of a GPU's kernels, in the order of their launches.
  std::vector<KernelUsage> kernels;

  bool succeeded() const { return error.empty() && !costsS.empty(); }
};

/// Totals over the life of a Measurer.
struct MeasureStats {
  /// Wall seconds of the tuner spent waiting for builds (parallel builds count
  /// once), for reference results and checks, and for timing.
  double buildS = 0, checkS = 0, measureS = 0;
  int64_t measured = 0, dropped = 0, duplicates = 0;
  /// Turns of candidates where a batch is timed by turns, failed ones among
  /// them; not those of anchors.
  int64_t turns = 0;
  /// Workers started again after trouble.
  int64_t respawns = 0;
  /// Number of failures by kind; ordered, so that it prints the same always.
  std::map<std::string, int64_t> failures;
};

} // namespace sched

#endif // SCHEDOPT_MEASURE_MEASURERESULT_H
