//===- DeviceSearch.cpp - What a search for a GPU needs besides -----------===//

#include "DeviceSearch.h"
#include "SchedOpt/Codegen/Toolkit.h"
#include "SchedOpt/Measure/FindDevice.h"

using namespace sched;

bool sched::canRunHere(const Target &target, const std::atomic<bool> *stop,
                       ProgressReporter &reporter) {
  if (target.kind != Target::Kind::NVVM)
    return true;
  llvm::Expected<DeviceProperties> device = findDevice(/*workerPath=*/"", stop);
  llvm::Error problem =
      device ? checkRunsOn(target, *device) : device.takeError();
  if (!problem)
    return true;
  reporter.warn("nothing is measured: " + llvm::toString(std::move(problem)) +
                (hasAssembler()
                     ? "; schedules are ranked by the analytic model and by "
                       "what the compiler says of registers and memory"
                     : "; schedules are ranked by the analytic model alone, as "
                       "there is no CUDA toolkit that would say which of them "
                       "spill registers: set CUDA_HOME where one is"));
  return false;
}
