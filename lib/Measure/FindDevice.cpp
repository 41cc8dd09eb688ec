//===- FindDevice.cpp - The GPU of this machine ---------------------------===//

#include "SchedOpt/Measure/FindDevice.h"
#include "FindWorker.h"
#include "MeasurerDetail.h"
#include "SchedOpt/Support/TensorFloat.h"

using namespace llvm;

namespace sched {

Expected<DeviceProperties> readDevice(const Outcome &outcome) {
  if (!isSuccess(outcome))
    return createStringError(describeFailure(outcome, failure::kDevice,
                                             failure::kDevice, kDeviceTimeoutS)
                                 .message);
  Expected<DeviceAnswer> answer = decode<DeviceAnswer>(outcome.answer);
  if (!answer)
    return answer.takeError();
  return std::move(answer->properties);
}

Expected<DeviceProperties> findDevice(StringRef workerPath,
                                      const std::atomic<bool> *stop) {
  Expected<std::string> path = findWorker(workerPath);
  if (!path)
    return path.takeError();
  Expected<std::unique_ptr<WorkerProcess>> worker =
      WorkerProcess::spawn(*path, /*scratch=*/"");
  if (!worker)
    return worker.takeError();
  return readDevice(
      (*worker)->ask(json::Object{{"op", "device"}}, kDeviceTimeoutS, stop));
}

/// Of a GPU that is called native, the chip with what differs from the usual.
static Expected<std::string> nameTarget(StringRef spec) {
  if (!isNativeGraphicsProcessor(spec))
    return spec.str();
  Expected<DeviceProperties> device = findDevice();
  if (!device)
    return createStringError(
        "target '" + spec + "' is the GPU of this machine: " +
        toString(device.takeError()) + "; or name the chip, as in nvvm:sm_90a");
  return nameGraphicsProcessor(spec, *device);
}

Expected<std::string> resolveTarget(StringRef spec, bool allowTF32) {
  Expected<std::string> name = nameTarget(spec);
  if (!name)
    return name.takeError();
  return allowTensorFloat(*name, allowTF32);
}

} // namespace sched
