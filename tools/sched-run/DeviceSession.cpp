//===- DeviceSession.cpp - Runs, checks and times on a GPU ----------------===//

#include "DeviceSession.h"
#include "SchedOpt/Measure/FindDevice.h"
#include "SchedOpt/Measure/Measurer.h"
#include "SchedOpt/Support/ModuleText.h"

using namespace llvm;

namespace sched::run {

Expected<DeviceRun> runOnDevice(mlir::ModuleOp payload,
                                mlir::ModuleOp scheduled, const RunInfo &info,
                                const DeviceRequest &request) {
  Expected<Target> target = Target::parse(request.target);
  if (!target)
    return target.takeError();
  Expected<DeviceProperties> device = findDevice();
  Error missing = device ? checkRunsOn(*target, *device) : device.takeError();
  if (missing)
    return createStringError("found target '" + target->str() +
                             "', a GPU: expected --emulate, as its code cannot "
                             "run here: " +
                             toString(std::move(missing)));
  MeasureOptions options;
  options.jobs = 1;
  options.minRepeatMs = request.minRepeatMs;
  options.repeats = request.repeats;
  options.dropFactor = 0;
  // The time of a person who waits for the one run that was asked for.
  options.runTimeoutS = 120;
  Expected<std::unique_ptr<Measurer>> measurer =
      Measurer::create(std::move(options));
  if (!measurer)
    return measurer.takeError();
  MeasureTask task;
  task.payload = printForProcess(payload);
  task.rewritten = printForProcess(scheduled);
  task.function = info.name;
  task.target = request.target;
  task.seed = request.seed;
  Expected<Measurer::TaskId> id = (*measurer)->prepare(task);
  if (!id)
    return id.takeError();
  DeviceRun run;
  run.device = std::move(*device);
  if (Error error = (*measurer)->measure(
          *id, MeasureInput(),
          [&](unsigned, const MeasureResult &result) { run.result = result; }))
    return std::move(error);
  return run;
}

} // namespace sched::run
