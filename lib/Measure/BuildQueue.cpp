//===- BuildQueue.cpp - Builds of a batch that are under way --------------===//

#include "BuildQueue.h"
#include "SchedOpt/Measure/Timer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace llvm;

namespace sched {

Measurer::BuildQueue::BuildQueue(Measurer &measurer, Task &task,
                                 ArrayRef<MeasureInput> inputs)
    : measurer(measurer), task(task), inputs(inputs), builds(inputs.size()),
      current(measurer.builders.size()), started(measurer.builders.size()) {
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
}

Measurer::BuildQueue::~BuildQueue() {
  for (WorkerProcess *builder : getBusy())
    builder->kill();
}

SmallVector<WorkerProcess *> Measurer::BuildQueue::getBusy() const {
  SmallVector<WorkerProcess *> busy;
  for (const std::unique_ptr<WorkerProcess> &builder : measurer.builders)
    if (builder->isBusy())
      busy.push_back(builder.get());
  return busy;
}

const Measurer::Build &Measurer::BuildQueue::get(unsigned i) {
  if (!builds[i].done && faultFor(inputs[i].fault, "build").empty()) {
    auto first = firstOf.find(inputs[i].script);
    if (first != firstOf.end() && first->second != i)
      builds[i] = builds[first->second];
  }
  return builds[i];
}

void Measurer::BuildQueue::start(WorkerProcess &builder, unsigned i) {
  SmallString<128> path(measurer.scratch);
  sys::path::append(path, "object" + Twine(measurer.nextObject++) + ".o");
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
  request.memoryLimit = measurer.options.memoryLimit;
  request.fault = faultFor(inputs[i].fault, "build").str();
  builder.start(toJSON(request), measurer.options.buildTimeoutS);
}

void Measurer::BuildQueue::finish(const Outcome &outcome, unsigned i) {
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
                      measurer.options.buildTimeoutS);
}

Error Measurer::BuildQueue::collect() {
  for (size_t b = 0; b != measurer.builders.size(); ++b) {
    WorkerProcess &builder = *measurer.builders[b];
    if (!builder.isBusy())
      continue;
    std::optional<Outcome> outcome = builder.poll();
    if (!outcome)
      continue;
    if (outcome->kind == Outcome::Kind::Died && outcome->beforeReady) {
      if (++measurer.failedStarts >= kMaxFailedStarts)
        return createStringError("sched-worker does not start: " +
                                 outcome->detail);
      queue.push_back(current[b]);
      continue;
    }
    measurer.failedStarts = 0;
    finish(*outcome, current[b]);
    MeasureResult &result = builds[current[b]].outcome;
    if (!isSuccess(*outcome))
      result.compileS = monotonicSeconds() - started[b];
    // A worker that is out of memory answers and ends itself.
    if (result.error == failure::kMemory)
      builder.kill();
  }
  return Error::success();
}

Error Measurer::BuildQueue::fill(size_t most) {
  size_t busy = getBusy().size();
  for (size_t b = 0; b != measurer.builders.size(); ++b) {
    if (queue.empty() || measurer.stopped() || busy >= most)
      break;
    std::unique_ptr<WorkerProcess> &builder = measurer.builders[b];
    if (builder->isBusy())
      continue;
    if (!builder->checkAlive())
      if (Error error = measurer.replace(builder))
        return error;
    current[b] = queue.pop_back_val();
    started[b] = monotonicSeconds();
    start(*builder, current[b]);
    ++busy;
  }
  return Error::success();
}

} // namespace sched
