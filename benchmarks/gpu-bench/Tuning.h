//===- Tuning.h - A case as kernels of ours ---------------------*- C++ -*-===//

#ifndef SCHEDOPT_BENCHMARKS_GPUBENCH_TUNING_H
#define SCHEDOPT_BENCHMARKS_GPUBENCH_TUNING_H

#include "Case.h"
#include "SchedOpt/Device/DeviceProgram.h"

namespace sched::bench {

struct TuningSettings {
  /// The program sched-opt, and a folder for what it writes.
  std::string schedOpt, folder;
  std::string target = "nvvm:native";
  unsigned trials = 64;
  uint64_t seed = 0;
};

struct TunedCase {
  DeviceProgram program;
  double seconds = 0;
};

/// Tunes the case from nothing, and reads what became of it. The tuner says on
/// stderr how it goes; its records stay in the folder.
llvm::Expected<TunedCase> tune(const Case &task,
                               const TuningSettings &settings);

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_GPUBENCH_TUNING_H
