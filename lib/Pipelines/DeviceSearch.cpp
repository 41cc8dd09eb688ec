//===- DeviceSearch.cpp - What a search for a GPU needs besides -----------===//

#include "DeviceSearch.h"
#include "SchedOpt/Codegen/Toolkit.h"
#include "SchedOpt/Measure/FindDevice.h"
#include "SchedOpt/Pipelines/TaskSpace.h"

using namespace sched;

/// As it is, a payload runs at about 0.5 GFLOP/s on a core (docs/Rationale.md):
/// two seconds of the minute and a half that 64 trials have.
static constexpr double kPlainFlops = 1e9;
/// What is computed as it is of a payload that has more: a second.
static constexpr double kSampleFlops = 5e8;

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

/// The text of the default schedule for `host`; an error or "" where there is
/// none.
static llvm::Expected<std::string> makeHostScript(const Task &task,
                                                  const Target &host) {
  llvm::Expected<std::unique_ptr<TaskSpace>> space =
      TaskSpace::create(task, host);
  if (!space)
    return space.takeError();
  if (!*space)
    return "";
  const SearchTask search = (*space)->makeSearchTask();
  const std::optional<Candidate> candidate = search.getDefault();
  if (!candidate)
    return "";
  return search.makeScript(*candidate);
}

void sched::scheduleReference(const Task &task, MeasureTask &measure) {
  if (task.flops <= kPlainFlops)
    return;
  llvm::Expected<Target> host = Target::parse("native");
  if (!host)
    return llvm::consumeError(host.takeError());
  const Target own = task.getTarget(*host);
  llvm::Expected<std::string> script = makeHostScript(task, own);
  if (!script)
    return llvm::consumeError(script.takeError());
  measure.referenceScript = std::move(*script);
  measure.referenceThreads = own.threads;
  measure.referenceShare = kSampleFlops / task.flops;
}
