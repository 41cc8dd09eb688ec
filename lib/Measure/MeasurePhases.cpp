//===- MeasurePhases.cpp - Building in parallel, running alone ------------===//
//
// The two phases of a batch (Measurer.h): waiting for builders, and one request
// at a time to the runner. On a GPU the first goes on during the second.
//
//===----------------------------------------------------------------------===//

#include "BuildQueue.h"
#include "SchedOpt/Measure/Timer.h"
#include "SchedOpt/Support/Core.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cassert>
#include <thread>
#include <utility>

using namespace llvm;

namespace sched {

/// So many calls of a default schedule a candidate may take; most take fewer
/// than ten.
constexpr double kScheduledCalls = 40;

/// Milliseconds of warm-up of the first candidate in a process.
constexpr double kFirstWarmupMs = 50;

/// Bound on a worker's coming up; generous, for a machine under load.
constexpr double kStartTimeoutS = 60;

StringRef faultFor(StringRef fault, StringRef phase) {
  return fault.consume_front(phase) && fault.consume_front(":") ? fault
                                                                : StringRef();
}

MeasureResult describeFailure(const Outcome &outcome, StringRef timeoutKind,
                              StringRef crashKind, double timeoutS) {
  MeasureResult result;
  result.stage = outcome.stage;
  raw_string_ostream message(result.message);
  switch (outcome.kind) {
  case Outcome::Kind::TimedOut:
    result.error = timeoutKind.str();
    message << "no end after " << format("%.3g", timeoutS) << " s";
    break;
  case Outcome::Kind::Died:
    result.error = crashKind.str();
    message << outcome.detail;
    break;
  case Outcome::Kind::Answered: {
    Expected<FailureAnswer> answer = decode<FailureAnswer>(outcome.answer);
    if (answer) {
      result.error = answer->kind;
      result.stage = answer->stage;
      result.kernels = std::move(answer->kernels);
      message << answer->message;
    } else {
      result.error = failure::kRuntime;
      message << toString(answer.takeError());
    }
    break;
  }
  case Outcome::Kind::Stopped:
    message << "stopped";
    break;
  }
  return result;
}

bool isSuccess(const Outcome &outcome) {
  return outcome.kind == Outcome::Kind::Answered &&
         outcome.answer.getAsObject()->getBoolean("ok") == true;
}

Error Measurer::build(BuildQueue &queue, std::optional<unsigned> wanted) {
  const double begin = monotonicSeconds();
  while (true) {
    if (Error error = queue.collect())
      return error;
    if (stopped() || (wanted && queue.get(*wanted).done))
      break;
    if (Error error = queue.fill(builders.size()))
      return error;
    const SmallVector<WorkerProcess *> busy = queue.getBusy();
    if (busy.empty())
      break;
    WorkerProcess::waitForAny(busy);
  }
  stats.buildS += monotonicSeconds() - begin;
  return Error::success();
}

unsigned Measurer::countBuildersBeside() const {
  return std::min(options.jobs,
                  std::max(1u, std::thread::hardware_concurrency()) - 1);
}

Error Measurer::renewRunner() {
  // Planned, this is no trouble that counts.
  if (runnerUses != 0) {
    runner = std::move(nextRunner);
    runnerUses = 0;
    if (!runner)
      if (Error error = replace(runner))
        return error;
  }
  return nextRunner ? Error::success() : replace(nextRunner);
}

Expected<Outcome> Measurer::askRunner(const json::Object &request,
                                      double timeoutS, BuildQueue *meanwhile,
                                      std::optional<unsigned> boundTo) {
  while (true) {
    if (!runner->checkAlive()) {
      if (Error error = replace(runner))
        return std::move(error);
      runnerUses = 0;
    }
    // Coming up must not fall into the time of the kernel.
    if (!runner->awaitReady(kStartTimeoutS, options.stop)) {
      Outcome outcome;
      outcome.kind = Outcome::Kind::Stopped;
      if (stopped())
        return outcome;
      if (++failedStarts >= kMaxFailedStarts)
        return createStringError("sched-worker does not start");
      runner->kill();
      continue;
    }
    failedStarts = 0;
    assert(!(meanwhile && boundTo) && "builders may use all cores");
    if (!boundTo && std::exchange(runnerIsBound, false))
      freeFromCore(runner->getPid());
    runnerIsBound |= boundTo.has_value();
    const CoreBinding binding(runner->getPid(), boundTo);
    if (!meanwhile)
      return runner->ask(json::Object(request), timeoutS, options.stop);
    break;
  }
  runner->start(json::Object(request), timeoutS);
  while (true) {
    if (std::optional<Outcome> outcome = runner->poll())
      return *outcome;
    if (stopped()) {
      runner->kill();
      Outcome outcome;
      outcome.kind = Outcome::Kind::Stopped;
      return outcome;
    }
    Error error = meanwhile->collect();
    if (!error)
      error = meanwhile->fill(countBuildersBeside());
    if (error) {
      runner->kill();
      return std::move(error);
    }
    SmallVector<WorkerProcess *> busy = meanwhile->getBusy();
    busy.push_back(runner.get());
    WorkerProcess::waitForAny(busy);
  }
}

Expected<std::optional<MeasureResult>>
Measurer::run(Task &task, const Build &build, const MeasureInput &input,
              const RunMode &mode, BuildQueue *meanwhile) {
  const bool onDevice = isGraphicsProcessor(task.spec.target);
  RunRequest request;
  request.object = build.object;
  request.function = task.reference.function;
  request.target = task.spec.target;
  request.tensors = task.reference.tensors;
  request.seed = task.spec.seed;
  request.reference = task.referencePath;
  request.tolerance = task.spec.tolerance;
  request.mayFlip = task.spec.mayFlip;
  request.minRepeatMs = mode.minRepeatMs;
  request.warmupMs = options.warmupMs;
  // Threads, pages and the clock of a process that has run nothing yet are not
  // what the next candidates find: the default, which is the first, took 1.6
  // times as long as later in one of ten searches.
  if (!onDevice && runnerUses == 0 && options.warmupMs > 0)
    request.warmupMs = std::max(options.warmupMs, kFirstWarmupMs);
  request.repeats = mode.repeats;
  request.dropAboveS = mode.dropAboveS;
  request.expectedS = mode.expectedS;
  request.agreement = options.agreement;
  request.skipCheck = mode.skipCheck;
  // A driver maps more than the machine has.
  request.memoryLimit = onDevice ? 0 : options.memoryLimit;
  request.fault = faultFor(input.fault, "run").str();
  const ReferenceAnswer &reference = task.reference;
  double timeoutS = std::max(options.runTimeoutS,
                             reference.seconds > 0 ? 4 * reference.seconds
                             : onDevice ? 0
                                        : kScheduledCalls * reference.callS);
  if (mode.mostS > 0)
    timeoutS = std::min(timeoutS, mode.mostS);

  double begin = monotonicSeconds();
  if (mode.isAlone)
    if (Error error = renewRunner())
      return std::move(error);
  Outcome outcome;
  while (true) {
    Expected<Outcome> asked = askRunner(
        toJSON(request), timeoutS, meanwhile,
        !onDevice && task.spec.threads == 1 ? task.core : std::nullopt);
    if (!asked)
      return asked.takeError();
    outcome = std::move(*asked);
    if (outcome.kind == Outcome::Kind::Stopped)
      return std::nullopt;
    // A kernel that ran before may have left the process damaged: only death
    // in a fresh one is held against this kernel.
    bool wasFresh = runnerUses++ == 0;
    bool isCrash =
        outcome.kind == Outcome::Kind::Died ||
        (onDevice && outcome.kind == Outcome::Kind::Answered &&
         outcome.answer.getAsObject()->getString("kind") == failure::kCrash);
    if (!isCrash || wasFresh)
      break;
    runner->kill();
  }

  double elapsed = monotonicSeconds() - begin;
  MeasureResult result;
  if (isSuccess(outcome)) {
    Expected<RunAnswer> answer = decode<RunAnswer>(outcome.answer);
    if (!answer)
      return answer.takeError();
    result.costsS = std::move(answer->costsS);
    result.dropped = answer->dropped;
    result.verified = true;
    result.checkS = answer->checkS;
    result.runS = answer->runS;
    result.kernels = std::move(answer->kernels);
  } else {
    result =
        describeFailure(outcome, failure::kTimeout, failure::kCrash, timeoutS);
    (result.stage == stage::kRun ? result.runS : result.checkS) = elapsed;
    // Whatever went wrong may have hit more than the results.
    runner->kill();
    if (onDevice)
      if (Error error = checkDevice(result))
        return std::move(error);
  }
  stats.measureS += result.runS;
  stats.checkS += elapsed - result.runS;
  result.compileS = build.outcome.compileS;
  result.objectHash = build.outcome.objectHash;
  // What the assembler says comes before what the driver does.
  if (!build.outcome.kernels.empty())
    result.kernels = build.outcome.kernels;
  return std::optional<MeasureResult>(std::move(result));
}

Error Measurer::checkDevice(const MeasureResult &failed) {
  auto lost = [&](const Twine &reason) {
    return createStringError(
        "the GPU cannot be measured on any more: " + reason +
        "; what was measured before is kept, and a run "
        "with the same work-dir goes on from there");
  };
  if (failed.error == failure::kDevice)
    return lost(failed.message);
  // A wrong result is the kernel's own; what ended it may have been the end of
  // the device.
  if (failed.error != failure::kCrash && failed.error != failure::kTimeout &&
      failed.error != failure::kRuntime)
    return Error::success();
  Expected<DeviceProperties> device = findDevice();
  if (device || stopped()) {
    consumeError(device.takeError());
    return Error::success();
  }
  return lost(toString(device.takeError()));
}

} // namespace sched
