//===- DeviceSession.h - Runs, checks and times on a GPU --------*- C++ -*-===//
//
// What the tuner does with a candidate, for one function: a worker process
// builds it, compares its results with those of the CPU, and times it by
// events.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_RUN_DEVICESESSION_H
#define SCHEDOPT_TOOLS_SCHED_RUN_DEVICESESSION_H

#include "Payload.h"
#include "SchedOpt/Measure/MeasureResult.h"
#include "SchedOpt/Support/DeviceProperties.h"

namespace sched::run {

struct DeviceRequest {
  /// A target spec that names the chip.
  std::string target;
  /// Of the inputs.
  uint64_t seed = 0;
  double minRepeatMs = 300;
  int repeats = 7;
};

struct DeviceRun {
  DeviceProperties device;
  MeasureResult result;
};

/// Runs `scheduled`, which is `payload` or what a script made of it, on the GPU
/// of this machine. A kernel that is wrong or fails is a result; an error says
/// that there is no such GPU, or that `payload` cannot run on the CPU.
llvm::Expected<DeviceRun> runOnDevice(mlir::ModuleOp payload,
                                      mlir::ModuleOp scheduled,
                                      const RunInfo &info,
                                      const DeviceRequest &request);

} // namespace sched::run

#endif // SCHEDOPT_TOOLS_SCHED_RUN_DEVICESESSION_H
