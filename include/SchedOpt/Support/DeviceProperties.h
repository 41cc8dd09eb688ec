//===- DeviceProperties.h - What a driver says of a GPU ---------*- C++ -*-===//
//
// Support knows chips by their names and asks no driver: who wants the GPU of
// this machine brings what its driver said (Device/Device.h), and gets a target
// spec that stands for it everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SUPPORT_DEVICEPROPERTIES_H
#define SCHEDOPT_SUPPORT_DEVICEPROPERTIES_H

#include "SchedOpt/Support/Target.h"

namespace sched {

/// Bytes, and what Target::GPU counts; 0 where the driver does not say.
struct DeviceProperties {
  std::string name;
  /// Compute capability: 9 and 0 are sm_90.
  int major = 0, minor = 0;
  /// Newest CUDA that the driver knows: 12040 is 12.4.
  int driverVersion = 0;
  int multiprocessors = 0;
  int64_t registers = 0, sharedBytes = 0, maxBlockSharedBytes = 0;
  int maxThreads = 0, maxBlocks = 0, maxBlockThreads = 0;
  int64_t l2Bytes = 0, memoryBytes = 0;
  double clockGHz = 0, memoryGBs = 0;

  /// "sm_90"
  std::string getChip() const;
};

/// Whether a target spec is of a GPU.
bool isGraphicsProcessor(llvm::StringRef spec);

/// Whether `spec` asks for the GPU of this machine: `nvvm:native`, with or
/// without keys behind it.
bool isNativeGraphicsProcessor(llvm::StringRef spec);

/// `spec`, which is as above, with `device` for `native`. Fails where no chip
/// that is known runs on it.
llvm::Expected<std::string>
nameGraphicsProcessor(llvm::StringRef spec, const DeviceProperties &device);

/// Success where code for `target` runs on `device`. Code for sm_90a and the
/// like runs on that chip alone, other machine code also on later chips of the
/// same generation. The error names both.
llvm::Error checkRunsOn(const Target &target, const DeviceProperties &device);

} // namespace sched

#endif // SCHEDOPT_SUPPORT_DEVICEPROPERTIES_H
