//===- DeviceBuilder.h - A payload as kernels of a GPU ----------*- C++ -*-===//
//
// What Builder does for a GPU once the script has been applied. Where there is
// no assembler the program has PTX alone, and the driver assembles it when it
// is loaded.
//
// Read next: Device/DeviceProgram.h; the compiler itself is Codegen's.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_WORKER_DEVICEBUILDER_H
#define SCHEDOPT_TOOLS_SCHED_WORKER_DEVICEBUILDER_H

#include "Channel.h"
#include "SchedOpt/Device/DeviceProgram.h"
#include "SchedOpt/Support/Target.h"
#include "mlir/IR/BuiltinOps.h"

namespace sched::worker {

struct DeviceBuild {
  DeviceProgram program;
  /// As the assembler says; empty where there is none.
  std::vector<KernelUsage> kernels;
};

/// Compiles `function` of `module`, which is consumed. Fails with a
/// RequestError; also where a kernel spills, or needs more than a block has.
llvm::Expected<DeviceBuild> buildForDevice(mlir::ModuleOp module,
                                           llvm::StringRef function,
                                           const Target &target, int optLevel,
                                           Channel &channel);

} // namespace sched::worker

#endif // SCHEDOPT_TOOLS_SCHED_WORKER_DEVICEBUILDER_H
