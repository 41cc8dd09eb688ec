//===- Measurer.cpp - Builds, checks and times candidates -----------------===//
//
// Life of the workers and tasks. A batch is in TimeBatch.cpp, its two phases
// are in BuildQueue.cpp and MeasurePhases.cpp.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Measure/Measurer.h"
#include "BuildQueue.h"
#include "FindWorker.h"
#include "SchedOpt/Measure/FindDevice.h"
#include "SchedOpt/Measure/Timer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <thread>

using namespace llvm;

namespace sched {

Measurer::Measurer(MeasureOptions options) : options(std::move(options)) {}

Expected<std::unique_ptr<Measurer>> Measurer::create(MeasureOptions options) {
  std::unique_ptr<Measurer> measurer(new Measurer(std::move(options)));
  Expected<std::string> worker = findWorker(measurer->options.workerPath);
  if (!worker)
    return worker.takeError();
  measurer->workerPath = std::move(*worker);

  SmallString<128> prefix(measurer->options.scratchDir);
  if (prefix.empty())
    sys::path::system_temp_directory(/*ErasedOnReboot=*/true, prefix);
  SmallString<128> scratch;
  std::error_code code = sys::fs::create_directories(prefix);
  if (!code) {
    SmallString<128> stem(prefix);
    sys::path::append(stem, "sched-scratch");
    code = sys::fs::createUniqueDirectory(stem, scratch);
  }
  if (code)
    return createStringError(code, "cannot make a scratch directory in '" +
                                       prefix + "': " + code.message() +
                                       "; choose a place that can be written");
  measurer->scratch = scratch.str().str();

  unsigned jobs = measurer->options.jobs;
  if (jobs == 0)
    jobs = std::max(1u, std::thread::hardware_concurrency());
  measurer->options.jobs = jobs;
  measurer->builders.resize(jobs);
  // Started now, they come up while the caller makes its first candidates.
  for (std::unique_ptr<WorkerProcess> &builder : measurer->builders)
    if (Error error = measurer->replace(builder))
      return std::move(error);
  if (Error error = measurer->replace(measurer->runner))
    return std::move(error);
  return measurer;
}

Measurer::~Measurer() {
  builders.clear();
  runner.reset();
  nextRunner.reset();
  if (!scratch.empty())
    sys::fs::remove_directories(scratch);
}

Error Measurer::replace(std::unique_ptr<WorkerProcess> &worker) {
  if (worker)
    ++stats.respawns;
  worker.reset();
  Expected<std::unique_ptr<WorkerProcess>> started =
      WorkerProcess::spawn(workerPath, scratch);
  if (!started)
    return started.takeError();
  worker = std::move(*started);
  return Error::success();
}

const ReferenceAnswer &Measurer::getReference(TaskId task) const {
  return tasks[task].reference;
}

double Measurer::getBestS(TaskId task) const { return tasks[task].bestS; }

void Measurer::recall(TaskId task, const MeasureResult &result) {
  if (!result.objectHash.empty())
    tasks[task].results.try_emplace(result.objectHash, result);
}

Expected<Measurer::TaskId> Measurer::prepare(const MeasureTask &spec) {
  double begin = monotonicSeconds();
  Task task;
  task.spec = spec;
  task.bestS = spec.bestS;
  SmallString<128> path(scratch);
  sys::path::append(path, "task" + Twine(tasks.size()) + ".ref");
  task.referencePath = path.str().str();

  ReferenceRequest request;
  request.payload = spec.payload;
  request.function = spec.function;
  request.target = spec.target;
  request.script = spec.referenceScript;
  request.threads = spec.referenceThreads;
  request.share = spec.referenceShare;
  request.seed = spec.seed;
  request.reference = task.referencePath;
  request.memoryLimit = options.memoryLimit;
  std::unique_ptr<WorkerProcess> &worker = builders.front();
  if (!worker->checkAlive())
    if (Error error = replace(worker))
      return std::move(error);
  Outcome outcome =
      worker->ask(toJSON(request), options.referenceTimeoutS, options.stop);
  stats.checkS += monotonicSeconds() - begin;
  if (outcome.kind == Outcome::Kind::Stopped)
    return createStringError(
        std::make_error_code(std::errc::operation_canceled),
        "stopped before the unscheduled function ran");
  if (outcome.kind == Outcome::Kind::Died && outcome.beforeReady)
    return createStringError("sched-worker does not start: " + outcome.detail);
  if (isSuccess(outcome)) {
    Expected<ReferenceAnswer> answer = decode<ReferenceAnswer>(outcome.answer);
    if (!answer)
      return answer.takeError();
    task.reference = std::move(*answer);
    tasks.push_back(std::move(task));
    return static_cast<TaskId>(tasks.size() - 1);
  }
  // One that is out of memory answers and ends itself; start afresh.
  worker->kill();
  MeasureResult failed = describeFailure(
      outcome, failure::kTimeout, failure::kCrash, options.referenceTimeoutS);
  // The schedule may be at fault, and the payload is not.
  if (!spec.referenceScript.empty() && !isGraphicsProcessor(spec.target)) {
    MeasureTask plain = spec;
    plain.referenceScript.clear();
    plain.referenceThreads = 1;
    return prepare(plain);
  }
  const std::string reason =
      "the unscheduled function cannot be measured: " + failed.error +
      (failed.stage.empty() ? "" : " at " + failed.stage) + ": " +
      failed.message;
  if (failed.error == failure::kTimeout)
    return createStringError(std::make_error_code(std::errc::timed_out),
                             reason);
  return createStringError(reason);
}

Expected<DeviceProperties> Measurer::findDevice() {
  Expected<Outcome> outcome =
      askRunner(json::Object{{"op", "device"}}, kDeviceTimeoutS,
                /*meanwhile=*/nullptr);
  if (!outcome)
    return outcome.takeError();
  Expected<DeviceProperties> device = readDevice(*outcome);
  if (!device)
    runner->kill();
  return device;
}

Error Measurer::buildOnly(const MeasureTask &spec,
                          ArrayRef<MeasureInput> inputs, Sink sink) {
  Task task;
  task.spec = spec;
  task.reference.function = spec.function;
  BuildQueue builds(*this, task, inputs);
  if (Error error = build(builds, std::nullopt))
    return error;
  for (unsigned i = 0; i != inputs.size(); ++i) {
    const Build &build = builds.get(i);
    if (!build.done)
      break;
    count(build.outcome);
    sink(i, build.outcome);
  }
  return Error::success();
}

void Measurer::count(const MeasureResult &result) {
  ++stats.measured;
  if (result.dropped)
    ++stats.dropped;
  if (result.duplicate)
    ++stats.duplicates;
  if (!result.error.empty())
    ++stats.failures[result.error];
}

} // namespace sched
