//===- TimeBatch.cpp - Times what a batch has built -----------------------===//
//
// One candidate after the other with all of its repeats, or by turns (Turns.h).
//
//===----------------------------------------------------------------------===//

#include "BuildQueue.h"
#include "SchedOpt/Measure/FindDevice.h"
#include "SchedOpt/Measure/Rounds.h"
#include "SchedOpt/Measure/Timer.h"
#include "SchedOpt/Support/Core.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace sched {

/// Most milliseconds of a contender's turn on a GPU: one behind the other, they
/// find a clock that has settled, and there are rounds enough.
static constexpr double kDeviceRoundMs = 100;

/// Of a candidate this many times as slow as what is dropped, one turn is
/// enough: nothing that disturbs explains that.
static constexpr double kFarBehind = 2;

/// Turns that last this many times what all of them have to are enough.
static constexpr double kEnough = 5;

/// Passes of a batch, as a multiple of the turns that a candidate may take on a
/// quiet machine.
static constexpr size_t kMostPasses = 2;

/// An anchor's calls are no longer than this many repeats have to be: it is
/// called more often than any candidate.
static constexpr double kLongestAnchor = 2;

bool Measurer::isKnown(const Task &task, const MeasureInput &input,
                       const MeasureResult &built) const {
  return input.fault.empty() && task.results.contains(built.objectHash);
}

void Measurer::keep(Task &task, const MeasureInput &input,
                    const MeasureResult &result) {
  // What a test made go wrong says nothing about the object.
  if (input.fault.empty())
    task.results[result.objectHash] = result;
  if (!result.succeeded() || !result.verified || result.dropped)
    return;
  const double cost = getMedian(result.costsS);
  if (task.bestS <= 0 || cost < task.bestS)
    task.bestS = cost;
}

/// The result of a candidate whose machine code has one.
static MeasureResult repeatResult(const MeasureResult &known, double compileS) {
  MeasureResult result = known;
  result.duplicate = true;
  result.compileS = compileS;
  result.checkS = result.runS = 0;
  return result;
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
    const Build &built = builds.get(i);
    if (!built.done || stopped())
      return Error::success();
    MeasureResult result = built.outcome;
    if (!result.error.empty()) {
      // Nothing to run.
    } else if (isKnown(task, inputs[i], result)) {
      result = repeatResult(task.results[result.objectHash], result.compileS);
    } else {
      RunMode mode;
      mode.repeats = options.repeats;
      mode.minRepeatMs = options.minRepeatMs;
      mode.dropAboveS = options.dropFactor * task.bestS;
      mode.isAlone = onDevice && options.isolate;
      Expected<std::optional<MeasureResult>> outcome =
          run(task, built, inputs[i], mode, overlaps ? &builds : nullptr);
      if (!outcome)
        return outcome.takeError();
      if (!*outcome)
        return Error::success();
      result = std::move(**outcome);
      keep(task, inputs[i], result);
    }
    count(result);
    sink(i, result);
  }
  return Error::success();
}

Expected<bool> Measurer::takeTurn(Task &task, const Build &build,
                                  const MeasureInput &input,
                                  MeasureResult &result, double dropAboveS) {
  RunMode mode;
  mode.repeats = 1;
  const bool onDevice = isGraphicsProcessor(task.spec.target);
  mode.minRepeatMs = onDevice ? std::min(options.minRepeatMs, kDeviceRoundMs)
                              : options.minRepeatMs;
  mode.isAlone = onDevice && options.isolate;
  mode.skipCheck = result.verified;
  if (!result.costsS.empty())
    mode.expectedS = result.costsS.back();
  mode.dropAboveS = dropAboveS;
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

/// Times the candidates of one batch, all of which are built, by turns.
class Measurer::TurnTaker {
public:
  TurnTaker(Measurer &measurer, Task &task, BuildQueue &builds,
            ArrayRef<MeasureInput> inputs, Sink sink)
      : measurer(measurer), options(measurer.options), task(task),
        builds(builds), inputs(inputs), sink(sink) {}

  Error run();

private:
  /// What the anchor took before and after the turns of a pass; 0: it was not
  /// timed.
  struct Pass {
    double beforeS = 0, afterS = 0;
  };
  struct Item {
    /// With the costs of all turns, of the passes in `passes`.
    MeasureResult result;
    SmallVector<unsigned> passes;
  };

  /// The turns of an item, by what is known now of the machine.
  SmallVector<Turn> getTurns(const Item &item) const;
  bool needsTurn(const Item &item) const;
  /// One turn of each candidate that needs one. False where it was stopped.
  Expected<bool> makePass(bool isFirst);
  Expected<bool> start(unsigned i);
  /// Seconds a call of the anchor now; 0: there is none, or it was stopped.
  Expected<double> timeAnchor();
  /// The same once it is as fast as usual, or patience is out.
  Expected<double> awaitQuiet();
  /// Makes the fastest candidate the anchor, where there is none.
  void chooseAnchor();
  /// Gives away what comes first, as far as it needs no further turn; or all.
  void give(bool isAll);

  Measurer &measurer;
  const MeasureOptions &options;
  Task &task;
  BuildQueue &builds;
  ArrayRef<MeasureInput> inputs;
  Sink sink;
  std::vector<Item> items;
  SmallVector<Pass> passes;
  unsigned numGiven = 0;
  double waitedS = 0;
};

SmallVector<Turn> Measurer::TurnTaker::getTurns(const Item &item) const {
  SmallVector<Turn> turns;
  for (auto [cost, number] : llvm::zip_equal(item.result.costsS, item.passes)) {
    const Pass &pass = passes[number];
    Turn &turn = turns.emplace_back();
    turn.costS = cost;
    // Not timed after it yet, or not before it.
    const double before = pass.beforeS > 0 ? pass.beforeS : pass.afterS;
    const double after = pass.afterS > 0 ? pass.afterS : before;
    turn.slowdown =
        (task.machine.getSlowdown(before) + task.machine.getSlowdown(after)) /
        2;
    turn.isQuiet = task.machine.isQuiet(before) && task.machine.isQuiet(after);
  }
  return turns;
}

bool Measurer::TurnTaker::needsTurn(const Item &item) const {
  const MeasureResult &result = item.result;
  const size_t most = std::max(1, options.repeats);
  if (!result.succeeded() || result.duplicate ||
      item.passes.size() >= kMostPasses * most ||
      result.runS > kEnough * double(most) * options.minRepeatMs * 1e-3)
    return false;
  if (result.dropped)
    return item.passes.size() < 2 &&
           result.costsS.front() < kFarBehind * options.dropFactor * task.bestS;
  const SmallVector<Turn> turns = getTurns(item);
  return llvm::count_if(turns, [](const Turn &t) { return t.isQuiet; }) <
             ptrdiff_t(most) &&
         !areConfirmed(turns, options.agreement);
}

Expected<bool> Measurer::TurnTaker::start(unsigned i) {
  const Build &built = builds.get(i);
  if (!built.done || measurer.stopped())
    return false;
  Item item{built.outcome, {}};
  if (item.result.error.empty()) {
    if (measurer.isKnown(task, inputs[i], item.result)) {
      item.result.duplicate = true;
    } else {
      Expected<bool> taken = measurer.takeTurn(
          task, built, inputs[i], item.result, options.dropFactor * task.bestS);
      if (!taken || !*taken)
        return taken;
      item.passes.assign(item.result.costsS.size(), 0);
      measurer.keep(task, inputs[i], item.result);
    }
  }
  items.push_back(std::move(item));
  give(/*isAll=*/false);
  return true;
}

Expected<bool> Measurer::TurnTaker::makePass(bool isFirst) {
  Expected<double> before = awaitQuiet();
  if (!before)
    return before.takeError();
  passes.push_back({*before, 0});
  bool isStopped = false;
  for (unsigned i = isFirst ? 0 : numGiven;
       i != (isFirst ? inputs.size() : items.size()) && !isStopped; ++i) {
    if (!isFirst && !needsTurn(items[i]))
      continue;
    if (isFirst) {
      Expected<bool> started = start(i);
      if (!started)
        return started;
      isStopped = !*started;
      continue;
    }
    Item &item = items[i];
    const bool wasDropped = item.result.dropped;
    Expected<bool> taken =
        measurer.takeTurn(task, builds.get(i), inputs[i], item.result);
    if (!taken)
      return taken;
    isStopped = !*taken || measurer.stopped();
    if (!*taken)
      continue;
    if (!item.result.error.empty()) {
      item.passes.clear();
    } else {
      item.passes.push_back(passes.size() - 1);
      item.result.dropped =
          wasDropped && *llvm::min_element(item.result.costsS) >
                            options.dropFactor * task.bestS;
    }
    measurer.keep(task, inputs[i], item.result);
  }
  chooseAnchor();
  Expected<double> after = isStopped ? Expected<double>(0) : timeAnchor();
  if (!after)
    return after.takeError();
  passes.back().afterS = *after;
  return !isStopped;
}

Expected<double> Measurer::TurnTaker::timeAnchor() {
  if (!task.anchor || measurer.stopped())
    return 0;
  MeasureResult result;
  result.verified = true;
  Expected<bool> taken =
      measurer.takeTurn(task, *task.anchor, MeasureInput(), result);
  if (!taken)
    return taken.takeError();
  // It ran before, and no longer does.
  if (!*taken || !result.succeeded())
    return 0;
  task.machine.add(result.costsS.front());
  return result.costsS.front();
}

Expected<double> Measurer::TurnTaker::awaitQuiet() {
  const double begin = monotonicSeconds();
  Expected<double> now = passes.empty() || passes.back().afterS == 0
                             ? timeAnchor()
                             : passes.back().afterS;
  while (now && *now > 0 && !task.machine.isQuiet(*now)) {
    if (waitedS + (monotonicSeconds() - begin) > options.patienceS) {
      task.machine.settle(*now);
      break;
    }
    now = timeAnchor();
  }
  waitedS += monotonicSeconds() - begin;
  return now;
}

void Measurer::TurnTaker::chooseAnchor() {
  if (task.anchor)
    return;
  std::optional<unsigned> fastest;
  auto getCost = [&](unsigned i) { return items[i].result.costsS.front(); };
  for (unsigned i = 0; i != items.size(); ++i)
    if (const MeasureResult &result = items[i].result;
        inputs[i].fault.empty() && result.succeeded() && !result.duplicate &&
        (!fastest || getCost(i) < getCost(*fastest)))
      fastest = i;
  if (!fastest ||
      getCost(*fastest) > kLongestAnchor * options.minRepeatMs * 1e-3)
    return;
  task.anchor = builds.get(*fastest);
  // As if it had been timed before the pass.
  task.machine.add(getCost(*fastest));
  passes.back().beforeS = getCost(*fastest);
}

void Measurer::TurnTaker::give(bool isAll) {
  for (; numGiven != items.size(); ++numGiven) {
    MeasureResult &result = items[numGiven].result;
    if (!isAll && needsTurn(items[numGiven]))
      return;
    if (result.duplicate) {
      result = repeatResult(task.results[result.objectHash], result.compileS);
    } else if (result.succeeded()) {
      result.costsS = selectCosts(getTurns(items[numGiven]), options.agreement);
      items[numGiven].passes.resize(result.costsS.size());
      measurer.keep(task, inputs[numGiven], result);
    }
    measurer.count(result);
    sink(numGiven, result);
  }
}

Error Measurer::TurnTaker::run() {
  Expected<bool> goesOn = makePass(/*isFirst=*/true);
  while (goesOn && *goesOn) {
    give(/*isAll=*/false);
    if (numGiven == items.size())
      break;
    goesOn = makePass(/*isFirst=*/false);
  }
  // What was stopped counts as far as it came.
  give(/*isAll=*/true);
  return goesOn.takeError();
}

Error Measurer::measure(TaskId id, ArrayRef<MeasureInput> inputs, Sink sink) {
  Task &task = tasks[id];
  BuildQueue builds(*this, task, inputs);
  if (!options.takesTurns || isGraphicsProcessor(task.spec.target))
    return timeInOrder(task, builds, inputs, sink);
  if (Error error = build(builds, std::nullopt))
    return error;
  core = getCurrentCore();
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
  core = getCurrentCore();
  std::vector<MeasureResult> results;
  for (unsigned i = 0; i != inputs.size(); ++i)
    results.push_back(builds.get(i).outcome);
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
