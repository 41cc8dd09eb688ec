//===- Emulation.h - Runs kernels of a GPU in the emulator ------*- C++ -*-===//
//
// Lowers a payload (scheduled or not) to kernels, or takes kernels from files,
// runs them in the emulator and compares the results with those of the
// unscheduled payload, which runs on this machine.
//
// Read next: SchedOpt/Emulator/Emulator.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_RUN_EMULATION_H
#define SCHEDOPT_TOOLS_SCHED_RUN_EMULATION_H

#include "Kernel.h"
#include "Payload.h"
#include "SchedOpt/Emulator/Emulator.h"
#include "Session.h"
#include <optional>

namespace sched::run {

struct EmulationRequest {
  /// Of the inputs.
  uint64_t seed = 0;
  /// Files of LLVM IR and of its launch plan; "" for both: compile the payload.
  std::string kernels, launch;
};

struct EmulatedRun {
  /// Seconds of lowering, where that was done.
  std::optional<double> compileS;
  unsigned launches = 0;
  EmulationReport report;
  /// What it says of the check.
  SessionResult check;
};

/// `payload`, which is consumed, is the scheduled one. `unscheduled` and
/// `widened`, which may be null, are what the results are compared with. An
/// error says what could not be lowered, or which access was wrong.
llvm::Expected<EmulatedRun> runEmulated(mlir::ModuleOp payload,
                                        const RunInfo &info,
                                        const Target &target,
                                        Kernel &unscheduled, Kernel *widened,
                                        const EmulationRequest &request);

} // namespace sched::run

#endif // SCHEDOPT_TOOLS_SCHED_RUN_EMULATION_H
