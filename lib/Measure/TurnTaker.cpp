//===- TurnTaker.cpp - Times a batch by turns -----------------------------===//

#include "TurnTaker.h"
#include "SchedOpt/Measure/Timer.h"
#include "SchedOpt/Support/Core.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>

using namespace llvm;

namespace sched {

/// Of a candidate this many times as slow as what is dropped, one turn on a
/// quiet machine is enough.
static constexpr double kFarBehind = 2;

/// Turns that last this many times what all of them have to are enough.
static constexpr double kLongTurns = 5;

/// A candidate may take this many times as many turns as on a quiet machine.
static constexpr size_t kTurnsPerRepeat = 2;

/// An anchor's calls are no longer than this many repeats have to be: it is
/// called more often than any candidate.
static constexpr double kLongestAnchor = 2;

SmallVector<Turn> Measurer::TurnTaker::getTurns(const Item &item) const {
  SmallVector<Turn> turns;
  for (auto [cost, number] : llvm::zip_equal(item.result.costsS, item.passes)) {
    const Pass &pass = passes[number];
    // Where the anchor was timed on one side only, that counts.
    const double before = pass.beforeS > 0 ? pass.beforeS : pass.afterS,
                 after = pass.afterS > 0 ? pass.afterS : before;
    Turn &turn = turns.emplace_back();
    turn.costS = cost;
    turn.slowdown = task.machine.getSlowdown(std::min(before, after));
    // What was quiet then may turn out slow, but not the other way around.
    turn.isQuiet = pass.wasQuiet && task.machine.isQuiet(before) &&
                   task.machine.isQuiet(after);
  }
  return turns;
}

double Measurer::TurnTaker::getBestS() const {
  double best =
      task.bestS > 0 ? task.bestS : std::numeric_limits<double>::infinity();
  for (const Item &item : items)
    if (item.result.succeeded() && !item.result.duplicate)
      best = std::min(best, getLeastCost(getTurns(item)));
  return best;
}

bool Measurer::TurnTaker::needsTurn(const Item &item) const {
  const MeasureResult &result = item.result;
  if (!result.succeeded() || result.duplicate)
    return false;
  const size_t repeats = std::max(1, options.repeats);
  const double minRepeatS = options.minRepeatMs * 1e-3;
  double timedS = 0;
  for (double cost : result.costsS)
    timedS += std::max(cost, minRepeatS);
  if (timedS > kLongTurns * double(repeats) * minRepeatS ||
      item.passes.size() >= kTurnsPerRepeat * repeats)
    return false;
  const SmallVector<Turn> turns = getTurns(item);
  const size_t numQuiet =
      llvm::count_if(turns, [](const Turn &turn) { return turn.isQuiet; });
  if (result.dropped)
    return turns.size() < 2 &&
           (numQuiet == 0 ||
            getLeastCost(turns) < kFarBehind * options.dropFactor * getBestS());
  return numQuiet < repeats && !areConfirmed(turns, options.agreement);
}

Expected<bool> Measurer::TurnTaker::start(unsigned index) {
  const Build &built = builds.get(index);
  if (!built.done || measurer.stopped())
    return false;
  const MeasureInput &input = inputs[index];
  Item item{built.outcome, {}};
  MeasureResult &result = item.result;
  if (result.error.empty()) {
    const std::string object = result.objectHash;
    if (task.knows(input, object) ||
        (input.fault.empty() && timed.contains(object))) {
      result.duplicate = true;
    } else {
      Expected<bool> taken = measurer.takeTurn(task, built, input, result);
      if (!taken || !*taken)
        return taken;
      ++measurer.stats.turns;
      item.passes.assign(result.costsS.size(), passes.size() - 1);
      if (input.fault.empty())
        timed.insert(object);
    }
  }
  items.push_back(std::move(item));
  return true;
}

Expected<bool> Measurer::TurnTaker::startAll() {
  if (Error error = beginPass())
    return std::move(error);
  for (unsigned i = 0; i != inputs.size(); ++i) {
    Expected<bool> started = start(i);
    if (!started || !*started)
      return started;
  }
  chooseAnchor();
  if (Error error = endPass())
    return std::move(error);
  return !measurer.stopped();
}

Expected<bool> Measurer::TurnTaker::takeTurns() {
  if (Error error = beginPass())
    return std::move(error);
  for (unsigned i = numGiven; i != items.size(); ++i) {
    Item &item = items[i];
    if (!needsTurn(item))
      continue;
    Expected<bool> taken =
        measurer.takeTurn(task, builds.get(i), inputs[i], item.result);
    if (!taken || !*taken)
      return taken;
    ++measurer.stats.turns;
    // None where it failed.
    item.passes.resize(item.result.costsS.size(), passes.size() - 1);
  }
  if (Error error = endPass())
    return std::move(error);
  return !measurer.stopped();
}

Error Measurer::TurnTaker::beginPass() {
  Expected<double> before = awaitQuiet();
  if (!before)
    return before.takeError();
  passes.push_back({*before});
  return Error::success();
}

Error Measurer::TurnTaker::endPass() {
  Expected<double> after = measurer.timeAnchor(task);
  if (!after)
    return after.takeError();
  Pass &pass = passes.back();
  pass.afterS = *after;
  pass.wasQuiet =
      task.machine.isQuiet(pass.beforeS) && task.machine.isQuiet(pass.afterS);
  const double most = options.dropFactor > 0
                          ? options.dropFactor * getBestS()
                          : std::numeric_limits<double>::infinity();
  for (Item &item : llvm::drop_begin(items, numGiven))
    if (item.result.succeeded())
      item.result.dropped = getLeastCost(getTurns(item)) > most;
  return Error::success();
}

void Measurer::TurnTaker::chooseAnchor() {
  if (task.anchor)
    return;
  double least = kLongestAnchor * options.minRepeatMs * 1e-3;
  for (auto [i, item] : llvm::enumerate(items)) {
    const MeasureResult &result = item.result;
    if (!inputs[i].fault.empty() || !result.succeeded() || result.duplicate ||
        result.costsS.front() > least)
      continue;
    least = result.costsS.front();
    task.anchor = builds.get(i);
  }
  if (!task.anchor)
    return;
  // As if it had been timed before the pass.
  task.machine.add(least);
  passes.back().beforeS = least;
}

Expected<double> Measurer::TurnTaker::awaitQuiet() {
  const double begin = monotonicSeconds();
  Expected<double> now =
      measurer.awaitQuiet(task, passes.empty() ? 0 : passes.back().afterS,
                          std::max(0.0, options.patienceS - waitedS));
  waitedS += monotonicSeconds() - begin;
  return now;
}

void Measurer::TurnTaker::give(bool isAll) {
  for (; numGiven != items.size(); ++numGiven) {
    const Item &item = items[numGiven];
    if (!isAll && needsTurn(item))
      return;
    MeasureResult result = item.result;
    if (result.duplicate) {
      result = task.repeat(result);
    } else if (!result.objectHash.empty()) {
      // Of none, where it failed.
      result.costsS = selectCosts(getTurns(item), options.agreement);
      task.machine.keepPace();
      task.keep(inputs[numGiven], result);
    }
    measurer.count(result);
    sink(numGiven, result);
  }
}

Error Measurer::TurnTaker::run() {
  if (!task.core)
    task.core = getCurrentCore();
  Expected<bool> goesOn = startAll();
  while (goesOn && *goesOn) {
    give(/*isAll=*/false);
    if (numGiven == items.size())
      break;
    goesOn = takeTurns();
  }
  // What was stopped counts as far as it came.
  give(/*isAll=*/true);
  return goesOn.takeError();
}

} // namespace sched
