//===- MeasurerDetail.h - State behind Measurer -----------------*- C++ -*-===//
//
// What Measurer.cpp (life, tasks), BuildQueue.cpp (building), MeasurePhases.cpp
// (running), TimeBatch.cpp and TurnTaker.cpp (timing) share.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_MEASURE_MEASURERDETAIL_H
#define SCHEDOPT_LIB_MEASURE_MEASURERDETAIL_H

#include "SchedOpt/Measure/Measurer.h"
#include "SchedOpt/Measure/Turns.h"
#include "SchedOpt/Measure/WorkerProcess.h"
#include "llvm/ADT/StringMap.h"

namespace sched {

/// How building one candidate came out: an object, or a failure.
struct Measurer::Build {
  /// Set when the build ended (it does not when the stop flag is set).
  bool done = false;
  /// The failure, with an empty `error` when there is none.
  MeasureResult outcome;
  std::string object;
};

struct Measurer::Task {
  MeasureTask spec;
  ReferenceAnswer reference;
  std::string referencePath;
  double bestS = 0;
  /// Objects that were built, by script; and results, by the object's hash.
  llvm::StringMap<Build> built;
  llvm::StringMap<MeasureResult> results;
  /// The candidate whose times tell what the machine is like; none before the
  /// first batch was timed, and where calls are long.
  std::optional<Build> anchor;
  MachineState machine;
  /// Where kernels of one thread run (Support/Core.h); nullopt: not known yet.
  std::optional<unsigned> core;

  /// Whether an object has a result.
  bool knows(const MeasureInput &input, llvm::StringRef object) const;
  /// Keeps the result of an object.
  void keep(const MeasureInput &input, const MeasureResult &result);
  /// The result of a candidate that became an object that has one.
  MeasureResult repeat(const MeasureResult &built) const;
};

/// What differs between a first measurement and a round of a comparison.
struct Measurer::RunMode {
  int repeats = 5;
  double minRepeatMs = 0;
  double dropAboveS = 0;
  double expectedS = 0;
  bool skipCheck = false;
  /// In a process that has run nothing else.
  bool isAlone = false;
  /// Seconds that all of it may take at most, whatever the options say; 0:
  /// nothing but what they say.
  double mostS = 0;
};

/// After this many workers in a row that die before they are ready, measuring
/// is given up.
constexpr unsigned kMaxFailedStarts = 3;

/// The failure of a request that a worker did not answer well: it died, ran out
/// of time, or said no. `timeoutKind` and `crashKind` are the phase's names.
MeasureResult describeFailure(const Outcome &outcome,
                              llvm::StringRef timeoutKind,
                              llvm::StringRef crashKind, double timeoutS);

/// Whether the worker answered, and did what it was asked for.
bool isSuccess(const Outcome &outcome);

/// `fault` without its phase, or "" when it belongs to another phase.
llvm::StringRef faultFor(llvm::StringRef fault, llvm::StringRef phase);

} // namespace sched

#endif // SCHEDOPT_LIB_MEASURE_MEASURERDETAIL_H
