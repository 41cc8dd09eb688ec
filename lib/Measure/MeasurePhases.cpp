//===- MeasurePhases.cpp - Building in parallel, running alone ------------===//
//
// The two phases of a batch (Measurer.h): an event loop over the builders, and
// one request at a time to the runner.
//
//===----------------------------------------------------------------------===//

#include "MeasurerDetail.h"
#include "SchedOpt/Measure/Timer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace sched {

/// After this many workers in a row that die before they are ready, measuring
/// is given up.
constexpr unsigned kMaxFailedStarts = 3;

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

Error Measurer::buildAll(Task &task, ArrayRef<MeasureInput> inputs,
                         std::vector<Build> &builds) {
  double begin = monotonicSeconds();
  builds.assign(inputs.size(), Build());
  // Equal scripts are built once; the later ones wait for the first.
  StringMap<unsigned> firstOf;
  SmallVector<unsigned> queue;
  for (unsigned i = 0; i != inputs.size(); ++i) {
    if (!faultFor(inputs[i].fault, "build").empty()) {
      queue.push_back(i);
      continue;
    }
    auto known = task.built.find(inputs[i].script);
    if (known != task.built.end())
      builds[i] = known->second;
    else if (firstOf.try_emplace(inputs[i].script, i).second)
      queue.push_back(i);
  }
  std::reverse(queue.begin(), queue.end());

  auto startBuild = [&](WorkerProcess &builder, unsigned i) {
    SmallString<128> path(scratch);
    sys::path::append(path, "object" + Twine(nextObject++) + ".o");
    builds[i].object = path.str().str();
    BuildRequest request;
    request.payload =
        task.spec.rewritten.empty() ? task.spec.payload : task.spec.rewritten;
    request.script = inputs[i].script;
    request.function = task.reference.function;
    request.target = task.spec.target;
    request.threads = task.spec.threads;
    request.optLevel = task.spec.optLevel;
    request.object = builds[i].object;
    request.memoryLimit = options.memoryLimit;
    request.fault = faultFor(inputs[i].fault, "build").str();
    builder.start(toJSON(request), options.buildTimeoutS);
  };
  auto finishBuild = [&](const Outcome &outcome, unsigned i) {
    Build &build = builds[i];
    build.done = true;
    if (isSuccess(outcome)) {
      Expected<BuildAnswer> answer = decode<BuildAnswer>(outcome.answer);
      if (answer) {
        build.outcome.compileS = answer->seconds;
        build.outcome.objectHash = answer->objectHash;
        build.outcome.kernels = std::move(answer->kernels);
        if (inputs[i].fault.empty())
          task.built[inputs[i].script] = build;
        return;
      }
      build.outcome.error = failure::kRuntime;
      build.outcome.message = toString(answer.takeError());
      return;
    }
    build.outcome =
        describeFailure(outcome, failure::kBuildTimeout, failure::kBuildCrash,
                        options.buildTimeoutS);
  };

  std::vector<unsigned> current(builders.size());
  std::vector<double> started(builders.size());
  SmallVector<WorkerProcess *> busy;
  do {
    busy.clear();
    for (size_t b = 0; b != builders.size(); ++b) {
      if (builders[b]->isBusy()) {
        if (std::optional<Outcome> outcome = builders[b]->poll()) {
          if (outcome->kind == Outcome::Kind::Died && outcome->beforeReady) {
            if (++failedStarts >= kMaxFailedStarts)
              return createStringError("sched-worker does not start: " +
                                       outcome->detail);
            queue.push_back(current[b]);
          } else {
            failedStarts = 0;
            finishBuild(*outcome, current[b]);
            MeasureResult &result = builds[current[b]].outcome;
            if (!isSuccess(*outcome))
              result.compileS = monotonicSeconds() - started[b];
            // A worker that is out of memory answers and ends itself.
            if (result.error == failure::kMemory)
              builders[b]->kill();
          }
        }
      }
      if (!builders[b]->isBusy() && !queue.empty() && !stopped()) {
        if (!builders[b]->checkAlive())
          if (Error error = replace(builders[b]))
            return error;
        current[b] = queue.pop_back_val();
        started[b] = monotonicSeconds();
        startBuild(*builders[b], current[b]);
      }
      if (builders[b]->isBusy())
        busy.push_back(builders[b].get());
    }
    if (stopped()) {
      for (WorkerProcess *builder : busy)
        builder->kill();
      break;
    }
    WorkerProcess::waitForAny(busy);
  } while (!busy.empty());

  for (unsigned i = 0; i != inputs.size(); ++i) {
    if (builds[i].done)
      continue;
    auto first = firstOf.find(inputs[i].script);
    if (first != firstOf.end())
      builds[i] = builds[first->second];
  }
  stats.buildS += monotonicSeconds() - begin;
  return Error::success();
}

Expected<Outcome> Measurer::askRunner(const json::Object &request,
                                      double timeoutS) {
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
    return runner->ask(json::Object(request), timeoutS, options.stop);
  }
}

Expected<std::optional<MeasureResult>> Measurer::run(Task &task,
                                                     const Build &build,
                                                     const MeasureInput &input,
                                                     const RunMode &mode) {
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
  request.repeats = mode.repeats;
  request.dropAboveS = mode.dropAboveS;
  request.skipCheck = mode.skipCheck;
  // A driver maps more than the machine has.
  request.memoryLimit = onDevice ? 0 : options.memoryLimit;
  request.fault = faultFor(input.fault, "run").str();
  double timeoutS = std::max(options.runTimeoutS, 4 * task.reference.seconds);

  double begin = monotonicSeconds();
  Outcome outcome;
  while (true) {
    Expected<Outcome> asked = askRunner(toJSON(request), timeoutS);
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
