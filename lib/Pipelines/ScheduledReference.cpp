//===- ScheduledReference.cpp - What large results are compared with ------===//

#include "ScheduledReference.h"
#include "SchedOpt/Pipelines/TaskSpace.h"

using namespace sched;

/// A payload as it is runs at 0.5 to 1.5 GFLOP/s on a core. More than this
/// takes seconds, which a search on a GPU has fewer to spare for: its kernels
/// are compared with what another machine computes anyway.
static constexpr double kPlainFlops = 1e9, kPlainFlopsOnCPU = 2e9;
/// What is computed as it is of a payload that has more: up to a second.
static constexpr double kSampleFlops = 5e8;

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

void sched::scheduleReference(const Task &task, const Target &target,
                              MeasureTask &measure) {
  const bool onDevice = target.kind == Target::Kind::NVVM;
  if (task.flops <= (onDevice ? kPlainFlops : kPlainFlopsOnCPU))
    return;
  Target own = target;
  if (onDevice) {
    llvm::Expected<Target> host = Target::parse("native");
    if (!host)
      return llvm::consumeError(host.takeError());
    own = task.getTarget(*host);
  }
  llvm::Expected<std::string> script = makeHostScript(task, own);
  if (!script)
    return llvm::consumeError(script.takeError());
  measure.referenceScript = std::move(*script);
  measure.referenceThreads = own.threads;
  measure.referenceShare = kSampleFlops / task.flops;
}
