//===- WholeCheck.cpp - Functions that were rewritten as a whole ----------===//

#include "WholeCheck.h"
#include "ConvolutionForms.h"
#include "OutlinedNames.h"
#include "SchedOpt/Pipelines/AutoSchedule.h"
#include "SchedOpt/Pipelines/TaskSpace.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/WorkloadHash.h"
#include "SchedOpt/Support/ModuleText.h"
#include "SchedOpt/Tuning/MeasuredRecord.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace sched;

/// Follows the workload of a function in a record.
static constexpr llvm::StringLiteral kWholeSuffix = "-whole";
/// In the place of a sketch's hash.
static constexpr llvm::StringLiteral kWholeSketch = "whole";

/// A whole that takes longer than the function as it was by more than this has
/// to be as fast in turns with it: the two were measured apart.
static constexpr double kDoubtfulRatio = 1.1;
/// How often both are timed by turns; the least median of each counts.
static constexpr unsigned kTurns = 2, kCallsOfTurn = 3;

bool sched::isWholeRecord(const Record &record) {
  return llvm::StringRef(record.workload).ends_with(kWholeSuffix);
}

/// `function` and what it calls, each once.
static SmallVector<func::FuncOp> collectCalled(func::FuncOp function) {
  SmallVector<func::FuncOp> parts = {function};
  for (size_t i = 0; i != parts.size(); ++i)
    parts[i].walk([&](func::CallOp call) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      if (callee && !callee.isExternal() && !llvm::is_contained(parts, callee))
        parts.push_back(callee);
    });
  return parts;
}

/// Whether `function`, or what it calls, calls more than one task, or one more
/// than once, or one with slices, which LLVM may see through if it has no
/// schedule.
static bool callsTasks(func::FuncOp function) {
  unsigned calls = 0;
  for (func::FuncOp part : collectCalled(function))
    part.walk([&](func::CallOp call) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      if (callee && isOutlinedTask(callee))
        calls += call->getParentOp() == part &&
                         llvm::none_of(
                             call.getOperands(),
                             [](Value operand) {
                               return operand
                                   .getDefiningOp<tensor::ExtractSliceOp>();
                             })
                     ? 1
                     : 2;
    });
  return calls > 1;
}

WholeCheck::WholeCheck(ModuleOp module, const Target &target)
    : target(target), original(module.clone()) {
  dropSpaces(*original);
}

std::vector<WholeCheck::Whole>
WholeCheck::collect(ModuleOp module, ArrayRef<TaskScript> scripts) {
  std::vector<Whole> wholes;
  std::string trace;
  for (func::FuncOp function : original->getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    Whole whole{function, collectCalled(function), "", ""};
    whole.isRewritten = llvm::any_of(whole.parts, [&](func::FuncOp part) {
      return rewritten.contains(part.getName());
    });
    auto scheduled = module.lookupSymbol<func::FuncOp>(function.getName());
    if (!whole.isRewritten && !(scheduled && callsTasks(scheduled)))
      continue;
    std::string called;
    for (func::FuncOp part : ArrayRef(whole.parts).drop_front())
      called += writeWorkloadKey(part);
    whole.workload = hashWorkload(function, called) + kWholeSuffix.str();
    if (trace.empty())
      trace = llvm::utohexstr(
          llvm::xxh3_64bits(
              printForProcess(module) +
              printForProcess(*joinScripts(module.getContext(), scripts))),
          /*LowerCase=*/true);
    whole.trace = trace;
    wholes.push_back(std::move(whole));
  }
  return wholes;
}

llvm::SmallVector<const Record *> WholeCheck::query(const Database &records,
                                                    const Whole &whole) const {
  return records.query(whole.workload, TaskSpace::getTargetKey(target),
                       TaskSpace::getToolchain());
}

const Record *WholeCheck::find(const Database &records, const Whole &whole,
                               bool isSame) const {
  const Record *failed = nullptr;
  for (const Record *record : query(records, whole)) {
    if (record->sketch == Record::kUnscheduledSketch)
      continue;
    if (record->trace == whole.trace)
      return record;
    if (!record->error.empty())
      failed = record;
  }
  return isSame ? nullptr : failed;
}

const Record *WholeCheck::findUnscheduled(const Database &records,
                                          const Whole &whole,
                                          llvm::StringRef trace) const {
  for (const Record *record : query(records, whole))
    if (record->sketch == Record::kUnscheduledSketch && record->trace == trace)
      return record;
  return nullptr;
}

const Record *WholeCheck::findLatest(const Database &records,
                                     const Whole &whole) const {
  const Record *latest = nullptr;
  for (const Record *record : query(records, whole))
    if (record->sketch != Record::kUnscheduledSketch &&
        (!latest || record->time >= latest->time))
      latest = record;
  return latest;
}

Record WholeCheck::makeRecord(const Whole &whole,
                              const MeasureResult &result) const {
  Record record = makeMeasuredRecord(result);
  record.workload = whole.workload;
  record.workloadText =
      "the whole of @" + func::FuncOp(whole.function).getName().str();
  record.target = TaskSpace::getTargetKey(target);
  record.toolchain = TaskSpace::getToolchain();
  record.sketch = kWholeSketch.str();
  record.trace = whole.trace;
  return record;
}

/// Whether `result` says nothing of the code: it was not run to its end.
static bool isInconclusive(const MeasureResult &result) {
  return result.error == failure::kBuildTimeout ||
         result.error == failure::kMemory;
}

static std::string describe(llvm::StringRef error, llvm::StringRef stage,
                            llvm::StringRef message) {
  return (error + " at " + stage + ": " + message).str();
}

void WholeCheck::warnOfUnknown(const Whole &whole, const llvm::Twine &reason) {
  // Each task of the others was compared, and nothing is between them.
  if (!whole.isRewritten)
    return;
  func::FuncOp function = whole.function;
  emitWarning(function.getLoc())
      << "the scheduled code of @" << function.getName()
      << ", which was rewritten before its tasks were cut, was not compared "
         "with the function as a whole, but only task by task: "
      << reason.str();
}

/// Times some calls of `script`, after which `least` is the fastest of its
/// turns.
static llvm::Error timeTurn(WorkerMeasurer &measurer, const std::string &script,
                            std::optional<MeasureResult> &least) {
  return measurer.measureInterleaved(
      {script}, {kCallsOfTurn, kCallsOfTurn},
      [&](unsigned, const MeasureResult &result) {
        if (result.error.empty() && !result.costsS.empty() &&
            (!least || median(result.costsS) < median(least->costsS)))
          least = result;
      });
}

llvm::Error WholeCheck::takeTurns(Comparison &comparison,
                                  WorkerMeasurer &scheduled,
                                  const std::string &script, WorkerPool &pool,
                                  MeasureTask measure) {
  measure.rewritten.clear();
  WorkerMeasurer plain(pool, measure);
  std::optional<MeasureResult> best, bestPlain;
  if (llvm::Error error = plain.prepare(/*bestS=*/0)) {
    // It was stopped, or takes too long by now.
    llvm::consumeError(std::move(error));
    return llvm::Error::success();
  }
  for (unsigned turn = 0; turn != kTurns; ++turn) {
    if (llvm::Error error = timeTurn(scheduled, script, best))
      return error;
    if (llvm::Error error = timeTurn(plain, "", bestPlain))
      return error;
  }
  if (best && bestPlain) {
    comparison.scheduled.costsS = best->costsS;
    comparison.unscheduledS = median(bestPlain->costsS);
    comparison.plain = std::move(bestPlain);
  }
  return llvm::Error::success();
}

llvm::Expected<std::optional<WholeCheck::Comparison>>
WholeCheck::measureWhole(const Whole &whole, const std::string &script,
                         WorkerPool &pool, MeasureTask measure) {
  measure.function = func::FuncOp(whole.function).getName().str();
  WorkerMeasurer measurer(pool, measure);
  // What can be known of the tasks is known by now.
  if (llvm::Error error = measurer.prepare(/*bestS=*/0)) {
    warnOfUnknown(whole, llvm::toString(std::move(error)));
    return std::nullopt;
  }
  std::optional<MeasureResult> result;
  if (llvm::Error error = measurer.measure(
          script, [&](unsigned, const MeasureResult &got) { result = got; }))
    return std::move(error);
  if (!result || isInconclusive(*result)) {
    warnOfUnknown(
        whole, result ? describe(result->error, result->stage, result->message)
                      : "it was stopped before");
    return std::nullopt;
  }
  Comparison comparison;
  comparison.unscheduledS = measurer.getReferenceSeconds();
  comparison.scheduled = std::move(*result);
  if (comparison.scheduled.error.empty() && comparison.unscheduledS > 0 &&
      median(comparison.scheduled.costsS) >
          kDoubtfulRatio * comparison.unscheduledS)
    if (llvm::Error error =
            takeTurns(comparison, measurer, script, pool, measure))
      return std::move(error);
  return comparison;
}

llvm::Error WholeCheck::compare(ModuleOp module,
                                std::vector<TaskScript> &scripts,
                                WorkerPool &pool, MeasureTask measure,
                                RecordFile *file, ProgressReporter &reporter) {
  const std::vector<Whole> wholes = collect(module, scripts);
  if (wholes.empty())
    return llvm::Error::success();
  Database records;
  if (file)
    if (llvm::Error error =
            records.load(file->getPath(), [](const llvm::Twine &) {
              // The tuner warns of it.
            }))
      return error;
  measure.payload = printForProcess(*original);
  measure.rewritten = printForProcess(module);
  measure.mayFlip = true;
  const std::string script =
      printForProcess(*joinScripts(module.getContext(), scripts));
  for (const Whole &whole : wholes) {
    if (const Record *known = find(records, whole, /*isSame=*/true)) {
      if (!putBackAs(whole, *known, records, module, scripts))
        reporter.summarizeWhole(func::FuncOp(whole.function).getName(),
                                known->medianS(), /*unscheduledSeconds=*/0);
      continue;
    }
    auto measured = measureWhole(whole, script, pool, measure);
    if (!measured)
      return measured.takeError();
    if (!*measured)
      continue;
    const Comparison &comparison = **measured;
    const Record record = makeRecord(whole, comparison.scheduled);
    records.add(record);
    if (file)
      if (llvm::Error error = file->append(record))
        return error;
    if (!record.error.empty()) {
      putBackWrong(whole, record, module, scripts);
      continue;
    }
    if (!comparison.plain ||
        record.medianS() <= kDoubtfulRatio * comparison.unscheduledS) {
      reporter.summarizeWhole(func::FuncOp(whole.function).getName(),
                              record.medianS(), comparison.unscheduledS);
      continue;
    }
    Record unscheduled = makeRecord(whole, *comparison.plain);
    unscheduled.sketch = Record::kUnscheduledSketch;
    records.add(unscheduled);
    if (file)
      if (llvm::Error error = file->append(unscheduled))
        return error;
    putBackSlow(whole, record, unscheduled, module, scripts);
  }
  nameAnew(module, scripts);
  return llvm::Error::success();
}

void WholeCheck::recall(ModuleOp module, std::vector<TaskScript> &scripts,
                        const Database &records) {
  for (const Whole &whole : collect(module, scripts)) {
    const Record *known = find(records, whole, /*isSame=*/false);
    // Tasks that no trial reached have other schedules here than in the search.
    if (!known)
      known = findLatest(records, whole);
    if (known)
      putBackAs(whole, *known, records, module, scripts);
  }
  nameAnew(module, scripts);
}

bool WholeCheck::putBackAs(const Whole &whole, const Record &known,
                           const Database &records, ModuleOp module,
                           std::vector<TaskScript> &scripts) {
  if (!known.error.empty())
    putBackWrong(whole, known, module, scripts);
  else if (const Record *faster = findUnscheduled(records, whole, known.trace))
    putBackSlow(whole, known, *faster, module, scripts);
  else
    return false;
  return true;
}

void WholeCheck::putBackWrong(const Whole &whole, const Record &record,
                              ModuleOp module,
                              std::vector<TaskScript> &scripts) {
  func::FuncOp function = whole.function;
  emitWarning(function.getLoc())
      << "the scheduled code of @" << function.getName()
      << " is wrong as a whole: "
      << describe(record.error, record.stage, record.message)
      << "; the function is compiled as it is, without a schedule. Unless its "
         "result depends on how numbers in between are rounded, this is a "
         "mistake in how sched-opt rewrites it before tasks are cut: please "
         "report it with the function and this message";
  putBack(whole, /*withCalled=*/true, module, scripts);
}

void WholeCheck::putBackSlow(const Whole &whole, const Record &scheduled,
                             const Record &unscheduled, ModuleOp module,
                             std::vector<TaskScript> &scripts) {
  func::FuncOp function = whole.function;
  emitRemark(function.getLoc())
      << "compiled as it is, without a schedule: @" << function.getName()
      << " as a whole takes "
      << ProgressReporter::formatSeconds(unscheduled.medianS())
      << " a call so, and "
      << ProgressReporter::formatSeconds(scheduled.medianS())
      << " with its tasks scheduled";
  putBack(whole, /*withCalled=*/false, module, scripts);
}

void WholeCheck::putBack(const Whole &whole, bool withCalled, ModuleOp module,
                         std::vector<TaskScript> &scripts) {
  SymbolTable symbols(module);
  llvm::StringSet<> gone;
  llvm::StringMap<func::FuncOp> copies;
  for (func::FuncOp part : whole.parts) {
    auto scheduled = symbols.lookup<func::FuncOp>(part.getName());
    auto copy = part.clone();
    copy->setAttr(kLeftToDefaultAttrName,
                  StringAttr::get(part.getContext(), part.getName()));
    if (!scheduled) {
      // It took the place of its calls.
      copy.setPrivate();
      symbols.insert(copy);
    } else if (withCalled || part == whole.function) {
      module.insert(scheduled, copy);
      symbols.erase(scheduled);
      symbols.insert(copy);
      gone.insert(part.getName());
    } else {
      // Others may call it as well.
      copy.setPrivate();
      symbols.insert(copy, std::next(Block::iterator(scheduled)));
    }
    copies[part.getName()] = copy;
  }
  for (auto &[name, copy] : copies)
    copy.walk([&](func::CallOp call) {
      if (auto callee = copies.find(call.getCallee()); callee != copies.end())
        call.setCallee(callee->second.getName());
    });
  // What nobody calls any more; a task of blocks calls others.
  for (bool changed = true; changed;) {
    changed = false;
    for (func::FuncOp function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if ((isOutlinedTask(function) ||
           (function.isPrivate() && copies.contains(function.getName()))) &&
          SymbolTable::symbolKnownUseEmpty(function, module)) {
        gone.insert(function.getName());
        symbols.erase(function);
        changed = true;
      }
  }
  for (TaskScript &task : scripts)
    llvm::erase_if(task.functions, [&](const std::string &function) {
      return gone.contains(function);
    });
  dropConvolutionForms(module, *original, gone, target);
  isPutBack = true;
}

void WholeCheck::nameAnew(ModuleOp module, std::vector<TaskScript> &scripts) {
  if (!isPutBack)
    return;
  OwningOpRef<ModuleOp> again = original->clone();
  applyNotedForms(*again, module, target);
  {
    // What can be said of it was said the first time.
    ScopedDiagnosticHandler quiet(module.getContext(),
                                  [](Diagnostic &) { return success(); });
    if (llvm::Error error = outlineTasks(*again, /*rewritten=*/nullptr,
                                         OutlineOptions::of(target))) {
      llvm::consumeError(std::move(error));
      return;
    }
  }
  takeOutlinedNames(module, *again, scripts);
}
