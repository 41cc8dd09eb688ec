//===- DeviceExecutor.h - Kernels on a GPU ----------------------*- C++ -*-===//
//
// The worker's GPU: opened when the first request needs it, kept with the
// uploaded operands of a task and the programs that were loaded. A kernel that
// faults takes the context with it, and this process, which the tuner replaces.
//
// Read next: Device/Device.h, Device/DeviceProgram.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_WORKER_DEVICEEXECUTOR_H
#define SCHEDOPT_TOOLS_SCHED_WORKER_DEVICEEXECUTOR_H

#include "Executor.h"
#include "SchedOpt/Device/DeviceProgram.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/StringMap.h"

namespace sched::worker {

class DeviceRunner {
public:
  /// The device, which is opened the first time.
  llvm::Expected<const Device *> open();

  /// The program in the file `path`, loaded the first time; `request` names its
  /// function and the target that it was built for.
  llvm::Expected<Executor *> load(llvm::StringRef path,
                                  const RunRequest &request);

  /// Forgets what was uploaded: other operands come.
  void releaseOperands();

private:
  friend class DeviceExecutor;
  /// Uploads the inputs and reserves the results, once for the same operands.
  llvm::Error provide(Operands &operands);

  std::unique_ptr<Device> device;
  /// In the order of the operands.
  std::vector<DeviceBuffer> buffers;
  llvm::SmallVector<Driver::Address> addresses;
  llvm::StringMap<std::unique_ptr<Executor>> programs;
};

/// An error of the device as one of the request: its kind is a kind of
/// MeasureResult.h. Any other error stays as it is.
llvm::Error describeDeviceError(llvm::Error error, llvm::StringRef stage);

} // namespace sched::worker

#endif // SCHEDOPT_TOOLS_SCHED_WORKER_DEVICEEXECUTOR_H
