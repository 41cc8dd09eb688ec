//===- TimeBatch.cpp - Times what a batch has built -----------------------===//
//
// One candidate after the other with all of its repeats, or by turns (Turns.h).
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Measure/Rounds.h"
#include "SchedOpt/Measure/Timer.h"
#include "SchedOpt/Support/Core.h"
#include "TurnTaker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include <algorithm>

using namespace llvm;

namespace sched {

/// Most milliseconds of a contender's turn on a GPU: one behind the other, they
/// find a clock that has settled, and there are rounds enough.
static constexpr double kDeviceRoundMs = 100;

/// Seconds for which candidates are begun to be timed where a stop came while a
/// batch was built, and those that one of them may take: else a first batch
/// would leave nothing.
static constexpr double kLastS = 1, kMostLastS = 2;

bool Measurer::Task::knows(const MeasureInput &input, StringRef object) const {
  // What a test makes go wrong says nothing about the object.
  return input.fault.empty() && results.contains(object);
}

void Measurer::Task::keep(const MeasureInput &input,
                          const MeasureResult &result) {
  if (input.fault.empty())
    results[result.objectHash] = result;
  if (!result.succeeded() || !result.verified || result.dropped)
    return;
  const double cost = getMedian(result.costsS);
  if (bestS <= 0 || cost < bestS)
    bestS = cost;
}

MeasureResult Measurer::Task::repeat(const MeasureResult &built) const {
  MeasureResult result = results.lookup(built.objectHash);
  result.duplicate = true;
  result.compileS = built.compileS;
  result.checkS = result.runS = 0;
  return result;
}

Expected<std::optional<MeasureResult>>
Measurer::timeOne(Task &task, const Build &built, const MeasureInput &input,
                  BuildQueue *meanwhile, double mostS) {
  if (!built.outcome.error.empty())
    return built.outcome;
  if (task.knows(input, built.outcome.objectHash))
    return task.repeat(built.outcome);
  RunMode mode;
  mode.repeats = options.repeats;
  mode.minRepeatMs = options.minRepeatMs;
  mode.dropAboveS = options.dropFactor * task.bestS;
  mode.isAlone = isGraphicsProcessor(task.spec.target) && options.isolate;
  mode.mostS = mostS;
  Expected<std::optional<MeasureResult>> outcome =
      run(task, built, input, mode, meanwhile);
  if (!outcome || !*outcome)
    return outcome;
  // With more time it might have ended.
  if (mostS > 0 && (*outcome)->error == failure::kTimeout)
    return std::nullopt;
  task.keep(input, **outcome);
  return outcome;
}

Error Measurer::timeLast(Task &task, BuildQueue &builds,
                         ArrayRef<MeasureInput> inputs, Sink sink) {
  // The stop has been seen; what runs now may come to its end.
  const llvm::scope_exit restore(
      [this, stop = std::exchange(options.stop, nullptr)] {
        options.stop = stop;
      });
  const double begin = monotonicSeconds();
  for (unsigned i = 0; i != inputs.size(); ++i) {
    const Build &built = builds.get(i);
    if (!built.done || monotonicSeconds() - begin > kLastS)
      break;
    Expected<std::optional<MeasureResult>> result =
        timeOne(task, built, inputs[i], /*meanwhile=*/nullptr, kMostLastS);
    if (!result)
      return result.takeError();
    if (!*result)
      break;
    count(**result);
    sink(i, **result);
  }
  return Error::success();
}

Error Measurer::timeInOrder(Task &task, BuildQueue &builds,
                            ArrayRef<MeasureInput> inputs, Sink sink) {
  const bool onDevice = isGraphicsProcessor(task.spec.target),
             overlaps = onDevice && countBuildersBeside() > 0;
  for (unsigned i = 0; i != inputs.size(); ++i) {
    if (i == 0 || overlaps)
      if (Error error =
              build(builds, overlaps ? std::optional(i) : std::nullopt))
        return error;
    if (i == 0 && !overlaps && stopped())
      return timeLast(task, builds, inputs, sink);
    const Build &built = builds.get(i);
    if (!built.done || stopped())
      return Error::success();
    Expected<std::optional<MeasureResult>> result =
        timeOne(task, built, inputs[i], overlaps ? &builds : nullptr,
                /*mostS=*/0);
    if (!result)
      return result.takeError();
    if (!*result)
      return Error::success();
    count(**result);
    sink(i, **result);
  }
  return Error::success();
}

Expected<bool> Measurer::takeTurn(Task &task, const Build &build,
                                  const MeasureInput &input,
                                  MeasureResult &result) {
  RunMode mode;
  mode.repeats = 1;
  const bool onDevice = isGraphicsProcessor(task.spec.target);
  mode.minRepeatMs = onDevice ? std::min(options.minRepeatMs, kDeviceRoundMs)
                              : options.minRepeatMs;
  mode.isAlone = onDevice && options.isolate;
  mode.skipCheck = result.verified;
  if (!result.costsS.empty())
    mode.expectedS = result.costsS.back();
  Expected<std::optional<MeasureResult>> outcome =
      run(task, build, input, mode, /*meanwhile=*/nullptr);
  if (!outcome)
    return outcome.takeError();
  if (!*outcome)
    return false;
  MeasureResult &once = **outcome;
  if (once.error.empty())
    once.costsS.insert(once.costsS.begin(), result.costsS.begin(),
                       result.costsS.end());
  once.checkS += result.checkS;
  once.runS += result.runS;
  result = std::move(once);
  return true;
}

Expected<double> Measurer::timeAnchor(Task &task) {
  if (!task.anchor || stopped())
    return 0;
  MeasureResult result;
  result.verified = true;
  Expected<bool> taken = takeTurn(task, *task.anchor, MeasureInput(), result);
  if (!taken)
    return taken.takeError();
  if (!*taken)
    return 0;
  if (!result.succeeded()) {
    // It ran before, and no longer does: the next batch has another one.
    task.anchor.reset();
    task.machine = MachineState();
    return 0;
  }
  task.machine.add(result.costsS.front());
  return result.costsS.front();
}

Expected<double> Measurer::awaitQuiet(Task &task, double nowS,
                                      double patienceS) {
  const double begin = monotonicSeconds();
  Expected<double> now = nowS > 0 ? nowS : timeAnchor(task);
  while (now && !task.machine.isQuiet(*now)) {
    if (monotonicSeconds() - begin > patienceS) {
      task.machine.settle(*now);
      // Another core may have less to do.
      task.core = getCurrentCore();
      break;
    }
    now = timeAnchor(task);
  }
  return now;
}

Error Measurer::measure(TaskId id, ArrayRef<MeasureInput> inputs, Sink sink) {
  Task &task = tasks[id];
  BuildQueue builds(*this, task, inputs);
  if (!options.takesTurns || isGraphicsProcessor(task.spec.target))
    return timeInOrder(task, builds, inputs, sink);
  if (Error error = build(builds, std::nullopt))
    return error;
  if (stopped())
    return timeLast(task, builds, inputs, sink);
  return TurnTaker(*this, task, builds, inputs, sink).run();
}

/// Whether the rounds tell contenders apart (Rounds.h). What failed has no more
/// to tell.
static bool areToldApart(ArrayRef<MeasureResult> results, double precision) {
  SmallVector<ArrayRef<double>> costs;
  for (const MeasureResult &result : results)
    if (result.error.empty())
      costs.push_back(result.costsS);
  return areToldApart(costs, precision);
}

Error Measurer::measureInterleaved(TaskId id, ArrayRef<MeasureInput> inputs,
                                   const InterleavedRounds &rounds, Sink sink) {
  Task &task = tasks[id];
  BuildQueue builds(*this, task, inputs);
  if (Error error = build(builds, std::nullopt))
    return error;
  if (!task.core)
    task.core = getCurrentCore();
  std::vector<MeasureResult> results;
  for (unsigned i = 0; i != inputs.size(); ++i)
    results.push_back(builds.get(i).outcome);
  if (Error error = awaitQuiet(task, /*nowS=*/0, rounds.patienceS).takeError())
    return error;
  const double begin = monotonicSeconds();
  for (unsigned round = 0; round != rounds.most; ++round) {
    if (round >= rounds.least && (monotonicSeconds() - begin > rounds.seconds ||
                                  areToldApart(results, rounds.precision)))
      break;
    for (unsigned i = 0; i != inputs.size(); ++i) {
      const Build &built = builds.get(i);
      if (!built.done || stopped())
        return Error::success();
      if (!results[i].error.empty())
        continue;
      Expected<bool> taken = takeTurn(task, built, inputs[i], results[i]);
      if (!taken)
        return taken.takeError();
      if (!*taken)
        return Error::success();
    }
  }
  for (unsigned i = 0; i != inputs.size(); ++i) {
    count(results[i]);
    sink(i, results[i]);
  }
  return Error::success();
}

} // namespace sched
