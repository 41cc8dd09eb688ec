//===- FindDevice.h - The GPU of this machine -------------------*- C++ -*-===//
//
// A worker process asks the driver: it starts threads and maps more memory than
// the machine has, and what goes wrong in it is not to be the tuner's end.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MEASURE_FINDDEVICE_H
#define SCHEDOPT_MEASURE_FINDDEVICE_H

#include "SchedOpt/Support/DeviceProperties.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <string>

namespace sched {

struct Outcome;

/// Bound on the answer: the first process after a machine's start waits for the
/// GPU itself.
constexpr double kDeviceTimeoutS = 60;

/// What the answer of a worker to "device" says: the GPU, or why there is none.
llvm::Expected<DeviceProperties> readDevice(const Outcome &outcome);

/// Starts a worker and asks it. `workerPath` as in MeasureOptions; `stop`,
/// where given, ends the wait.
llvm::Expected<DeviceProperties>
findDevice(llvm::StringRef workerPath = "",
           const std::atomic<bool> *stop = nullptr);

/// A target spec that stands for the same everywhere: `nvvm:native` becomes the
/// GPU of this machine, which is looked for; any other spec stays as it is.
/// `allowTF32`: with the feature that lets a GPU round products of f32
/// (Support/TensorFloat.h); an error for a CPU.
llvm::Expected<std::string> resolveTarget(llvm::StringRef spec,
                                          bool allowTF32 = false);

} // namespace sched

#endif // SCHEDOPT_MEASURE_FINDDEVICE_H
