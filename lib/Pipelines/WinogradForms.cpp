//===- WinogradForms.cpp - Directly, or by Winograd's transforms ----------===//

#include "WinogradForms.h"
#include "SchedOpt/Pipelines/AutoSchedule.h"
#include "SchedOpt/Pipelines/TaskSpace.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Space/Winograd.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>

using namespace mlir;
using namespace sched;

/// Follows the workload of the direct form in a record.
static constexpr llvm::StringLiteral kFormSuffix = "-form";
/// In the place of a sketch's hash.
static constexpr llvm::StringLiteral kFormSketch = "winograd";
static constexpr llvm::StringLiteral kTracePrefix = "tile = ";

llvm::Expected<WinogradOption> WinogradOption::parse(llvm::StringRef text) {
  if (text == "auto")
    return WinogradOption{true, 0};
  if (text == "off")
    return WinogradOption{false, 0};
  int64_t tile = 0;
  if (!text.getAsInteger(10, tile) && isWinogradTile(tile))
    return WinogradOption{false, tile};
  return llvm::createStringError("winograd must be auto, off, 2 or 4; found '" +
                                 text + "'");
}

/// One function: what was outlined of it is put back.
static OwningOpRef<ModuleOp> makePayload(Task &task) {
  OwningOpRef<ModuleOp> payload(
      (task.padded ? task.padded : task.module)->clone());
  inlineTasks(*payload);
  return payload;
}

std::vector<WinogradTask> sched::collectWinogradTasks(ModuleOp module,
                                                      const Target &target) {
  std::vector<WinogradTask> result;
  if (collectWinogradConvolutions(module, target).empty())
    return result;
  // Extraction splits what ops start from.
  OwningOpRef<ModuleOp> copy(module.clone());
  std::vector<Task> tasks;
  {
    // What is wrong with the module is said once, of the module itself.
    ScopedDiagnosticHandler quiet(module.getContext(),
                                  [](Diagnostic &) { return success(); });
    auto extracted = extractTasks(*copy, {/*remarks=*/false});
    if (!extracted) {
      llvm::consumeError(extracted.takeError());
      return result;
    }
    tasks = std::move(*extracted);
  }
  for (linalg::LinalgOp op : collectWinogradConvolutions(*copy, target)) {
    auto function = op->getParentOfType<func::FuncOp>();
    unsigned position = 0, own = 0;
    function.walk<WalkOrder::PreOrder>([&](linalg::LinalgOp other) {
      if (other == op)
        own = position;
      ++position;
    });
    WinogradTask &entry =
        result.emplace_back(WinogradTask{"", "", 0, nullptr, op.getLoc(), 0});
    for (Task &task : tasks) {
      if (llvm::none_of(task.occurrences, [&](const TaskOccurrence &place) {
            return place.function == function.getName() &&
                   llvm::is_contained(place.opIndices, own);
          }))
        continue;
      entry.hash = task.hash;
      entry.text = task.text;
      entry.flops = task.flops;
      entry.payload = makePayload(task);
      if (collectWinogradConvolutions(*entry.payload, target).size() == 1)
        entry.suggested = suggestWinogradTile(op);
    }
  }
  return result;
}

std::optional<int64_t> sched::findWinogradForm(const Database &records,
                                               const WinogradTask &task,
                                               const Target &target) {
  if (task.hash.empty())
    return std::nullopt;
  const Record *best =
      records.best(task.hash + kFormSuffix.str(),
                   TaskSpace::getTargetKey(target), TaskSpace::getToolchain());
  llvm::StringRef trace = best ? best->trace : llvm::StringRef();
  int64_t tile = 0;
  if (!trace.consume_front(kTracePrefix) || trace.getAsInteger(10, tile) ||
      !(tile == 0 || isWinogradTile(tile)))
    return std::nullopt;
  return tile;
}

static Record makeRecord(const WinogradTask &task, const Target &target,
                         int64_t tile, const MeasureResult &checked,
                         const std::vector<double> &costsS, int64_t trial) {
  Record record;
  record.workload = task.hash + kFormSuffix.str();
  record.workloadText = task.text + " (form)";
  record.target = TaskSpace::getTargetKey(target);
  record.toolchain = TaskSpace::getToolchain();
  record.sketch = kFormSketch.str();
  record.trace = kTracePrefix.str() + std::to_string(tile);
  record.costsS = costsS;
  record.error = checked.error;
  record.stage = checked.stage;
  record.message = checked.message;
  record.verified = checked.verified;
  record.compileS = checked.compileS;
  record.runS = checked.checkS + checked.runS;
  record.trial = trial;
  record.time = std::chrono::duration<double>(
                    std::chrono::system_clock::now().time_since_epoch())
                    .count();
  return record;
}

llvm::Expected<FormComparison> sched::compareWinogradForms(
    const WinogradTask &task, const Target &target, WorkerPool &pool,
    MeasureTask measure,
    llvm::function_ref<llvm::Expected<OwningOpRef<ModuleOp>>(ModuleOp)>
        search) {
  FormComparison result;
  {
    llvm::raw_string_ostream os(measure.payload);
    const_cast<OwningOpRef<ModuleOp> &>(task.payload)
        ->print(os, OpPrintingFlags().useLocalScope().enableDebugInfo(false));
  }
  const std::string spec = measure.target;
  const int threads = measure.threads;
  WorkerMeasurer measurer(pool, std::move(measure));
  if (llvm::Error error = measurer.prepare(/*bestS=*/0)) {
    // The search for the direct form says so.
    llvm::consumeError(std::move(error));
    return result;
  }
  const int64_t tiles[] = {0, task.suggested};
  std::vector<std::string> scripts;
  for (int64_t tile : tiles) {
    OwningOpRef<ModuleOp> form(
        const_cast<OwningOpRef<ModuleOp> &>(task.payload)->clone());
    if (tile != 0)
      applyWinograd(*form, tile, target);
    auto script = search(*form);
    if (!script)
      return script.takeError();
    prependWinograd(**script, tile, spec, threads);
    llvm::raw_string_ostream os(scripts.emplace_back());
    (*script)->print(os,
                     OpPrintingFlags().useLocalScope().enableDebugInfo(false));
  }
  std::vector<std::optional<MeasureResult>> checked(scripts.size());
  if (llvm::Error error =
          measurer.measure(scripts, [&](unsigned i, const MeasureResult &got) {
            checked[i] = got;
          }))
    return std::move(error);
  if (!checked[0] || !checked[1])
    return result;
  std::vector<std::vector<double>> costsS(scripts.size());
  if (checked[0]->succeeded() && checked[1]->succeeded()) {
    InterleavedRounds rounds;
    rounds.least = 9;
    rounds.most = 101;
    rounds.seconds = 1;
    if (llvm::Error error = measurer.measureInterleaved(
            scripts, rounds, [&](unsigned i, const MeasureResult &got) {
              costsS[i] = got.costsS;
            }))
      return std::move(error);
    if (costsS[0].empty() || costsS[1].empty())
      return result;
  }
  for (unsigned i = 0; i != scripts.size(); ++i)
    result.records.push_back(
        makeRecord(task, target, tiles[i], *checked[i],
                   costsS[i].empty() ? checked[i]->costsS : costsS[i], i));
  result.directS = result.records[0].medianS();
  result.winogradS = result.records[1].medianS();
  if (!checked[1]->succeeded())
    result.problem = checked[1]->error + ": " + checked[1]->message;
  else if (result.winogradS < result.directS)
    result.tile = task.suggested;
  return result;
}

void sched::applyWinogradForms(ModuleOp module, ArrayRef<int64_t> tiles,
                               const Target &target) {
  if (tiles.empty() || applyWinograd(module, tiles, target) == 0)
    return;
  module->setAttr(kWinogradAttrName,
                  DenseI64ArrayAttr::get(module.getContext(), tiles));
}

bool sched::prependRewriting(ModuleOp script, ModuleOp module) {
  auto tiles = module->getAttrOfType<DenseI64ArrayAttr>(kWinogradAttrName);
  if (!tiles)
    return false;
  auto target = module->getAttrOfType<StringAttr>(kTargetAttrName);
  auto threads = module->getAttrOfType<IntegerAttr>(kThreadsAttrName);
  prependWinograd(script, tiles.asArrayRef(),
                  target ? target.getValue() : "native",
                  threads ? threads.getInt() : 1);
  return true;
}

void sched::prependWinograd(ModuleOp script, ArrayRef<int64_t> tiles,
                            llvm::StringRef target, int threads) {
  auto sequence = cast<transform::NamedSequenceOp>(script.lookupSymbol(
      transform::TransformDialect::kTransformEntryPointSymbolName));
  Block &body = sequence.getBody().front();
  Value root = body.getArgument(0);
  Builder attributes(script.getContext());
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  const Location loc = sequence.getLoc();
  auto options = attributes.getDictionaryAttr(
      {attributes.getNamedAttr("tile", attributes.getI64ArrayAttr(tiles)),
       attributes.getNamedAttr("target", attributes.getStringAttr(target)),
       attributes.getNamedAttr("threads",
                               attributes.getI64IntegerAttr(threads))});
  auto rewritten = transform::ApplyRegisteredPassOp::create(
      builder, loc, root.getType(), root,
      attributes.getStringAttr("schedule-winograd"), options, ValueRange());
  auto outlined = transform::ApplyRegisteredPassOp::create(
      builder, loc, root.getType(), rewritten.getResult(),
      attributes.getStringAttr("schedule-outline-tasks"),
      attributes.getDictionaryAttr({}), ValueRange());
  root.replaceAllUsesExcept(outlined.getResult(), rewritten);
  sequence.removeArgAttr(0, transform::TransformDialect::kArgReadOnlyAttrName);
  sequence.setArgAttr(0, transform::TransformDialect::kArgConsumedAttrName,
                      attributes.getUnitAttr());
}
