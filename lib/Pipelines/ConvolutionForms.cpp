//===- ConvolutionForms.cpp - How convolutions are computed ---------------===//

#include "ConvolutionForms.h"
#include "SchedOpt/Pipelines/AutoSchedule.h"
#include "SchedOpt/Pipelines/TaskSpace.h"
#include "SchedOpt/Space/ImageColumns.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Space/Winograd.h"
#include "SchedOpt/Support/ModuleText.h"
#include "SchedOpt/Tuning/MeasuredRecord.h"
#include "ScriptBeginning.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace mlir;
using namespace sched;

/// Follows the workload of the direct form in a record.
static constexpr llvm::StringLiteral kFormSuffix = "-form";
/// In the place of a sketch's hash.
static constexpr llvm::StringLiteral kFormSketch = "winograd";
static constexpr llvm::StringLiteral kTracePrefix = "tile = ";
static constexpr llvm::StringLiteral kColumnsTrace = "columns";

/// Of forms that take turns: after nine, no more once they are known to 1 %, or
/// after a second.
static constexpr InterleavedRounds kRounds = {
    /*least=*/9, /*most=*/101, /*seconds=*/1, /*precision=*/0.01};

llvm::Expected<FormOptions> FormOptions::parse(llvm::StringRef winograd,
                                               llvm::StringRef columns,
                                               const Target &target) {
  FormOptions options;
  options.triesWinograd = winograd == "auto";
  if (!options.triesWinograd && winograd != "off" &&
      (winograd.getAsInteger(10, options.tile) ||
       !isWinogradTile(options.tile)))
    return llvm::createStringError(
        "winograd must be auto, off, 2 or 4; found '" + winograd + "'");
  options.triesColumns = columns == "auto";
  options.takesColumns = columns == "on";
  if (!options.triesColumns && !options.takesColumns && columns != "off")
    return llvm::createStringError("im2col must be off, auto or on; found '" +
                                   columns + "'");
  if (target.kind == Target::Kind::NVVM)
    options.triesWinograd = options.triesColumns = false;
  return options;
}

SmallVector<int64_t> ConvolutionTask::getForms() const {
  SmallVector<int64_t> forms = {kDirectForm};
  if (hasColumns)
    forms.push_back(kColumnsForm);
  if (suggested != 0)
    forms.push_back(suggested);
  return forms;
}

/// Those that `options` are about.
static SmallVector<linalg::LinalgOp>
collectConvolutions(ModuleOp module, const Target &target,
                    const FormOptions &options) {
  return options.triesColumns || options.takesColumns
             ? collectColumnConvolutions(module)
             : collectWinogradConvolutions(module, target);
}

/// One function: what was outlined of it is put back.
static OwningOpRef<ModuleOp> makePayload(Task &task) {
  OwningOpRef<ModuleOp> payload(
      (task.padded ? task.padded : task.module)->clone());
  [[maybe_unused]] LogicalResult inlined = inlineTasks(*payload);
  assert(succeeded(inlined) && "extraction checks for recursion");
  return payload;
}

std::vector<ConvolutionTask>
sched::collectConvolutionTasks(ModuleOp module, const Target &target,
                               const FormOptions &options) {
  std::vector<ConvolutionTask> result;
  // A GPU's sketches compute convolutions directly, as products whose columns
  // are read in place.
  if (target.kind == Target::Kind::NVVM ||
      collectConvolutions(module, target, options).empty())
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
  const SmallVector<linalg::LinalgOp> byTiles =
      collectWinogradConvolutions(*copy, target);
  for (linalg::LinalgOp op : collectConvolutions(*copy, target, options)) {
    auto function = op->getParentOfType<func::FuncOp>();
    unsigned position = 0, own = 0;
    function.walk<WalkOrder::PreOrder>([&](linalg::LinalgOp other) {
      if (other == op)
        own = position;
      ++position;
    });
    ConvolutionTask &entry = result.emplace_back(
        ConvolutionTask{"", "", 0, nullptr, op.getLoc(), 0});
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
      if (options.triesWinograd && llvm::is_contained(byTiles, op) &&
          collectWinogradConvolutions(*entry.payload, target).size() == 1)
        entry.suggested = suggestWinogradTile(op);
      entry.hasColumns = options.triesColumns &&
                         collectColumnConvolutions(*entry.payload).size() == 1;
    }
  }
  return result;
}

/// None where `trace` is of no form.
static std::optional<int64_t> parseTrace(llvm::StringRef trace) {
  if (trace == kColumnsTrace)
    return kColumnsForm;
  int64_t tile = 0;
  if (!trace.consume_front(kTracePrefix) || trace.getAsInteger(10, tile) ||
      !(tile == kDirectForm || isWinogradTile(tile)))
    return std::nullopt;
  return tile;
}

std::optional<int64_t> sched::findConvolutionForm(const Database &records,
                                                  const ConvolutionTask &task,
                                                  const Target &target) {
  if (task.hash.empty())
    return std::nullopt;
  const std::string workload = task.hash + kFormSuffix.str(),
                    key = TaskSpace::getTargetKey(target);
  // Forms that are not asked for here may be known from another run.
  auto isAskedFor = [&](const Record &record) {
    const std::optional<int64_t> form = parseTrace(record.trace);
    return form &&
           (*form == kDirectForm ||
            (*form == kColumnsForm ? task.hasColumns : task.suggested != 0));
  };
  // A run may have ended between two records of a comparison.
  llvm::StringSet<> known;
  for (const Record *record :
       records.query(workload, key, TaskSpace::getToolchain()))
    if (isAskedFor(*record))
      known.insert(record->trace);
  if (known.size() < 2)
    return std::nullopt;
  const Record *best =
      records.best(workload, key, TaskSpace::getToolchain(), isAskedFor);
  return best ? parseTrace(best->trace) : std::nullopt;
}

bool sched::isFormRecord(const Record &record) {
  return llvm::StringRef(record.workload).ends_with(kFormSuffix);
}

static Record makeRecord(const ConvolutionTask &task, const Target &target,
                         int64_t form, const MeasureResult &compared,
                         int64_t trial) {
  Record record = makeMeasuredRecord(compared);
  record.workload = task.hash + kFormSuffix.str();
  record.workloadText = task.text + " (form)";
  record.target = TaskSpace::getTargetKey(target);
  record.toolchain = TaskSpace::getToolchain();
  record.sketch = kFormSketch.str();
  record.trace = form == kColumnsForm
                     ? kColumnsTrace.str()
                     : kTracePrefix.str() + std::to_string(form);
  record.trial = trial;
  return record;
}

static void rewriteColumns(ModuleOp module, ArrayRef<int64_t> which,
                           llvm::StringSet<> &rewritten) {
  const llvm::StringSet<> functions = applyImageColumns(module, which);
  rewritten.insert(functions.begin(), functions.end());
  if (!functions.empty())
    module->setAttr(kImageColumnsAttrName,
                    DenseI64ArrayAttr::get(module.getContext(), which));
}

static void rewriteTiles(ModuleOp module, ArrayRef<int64_t> tiles,
                         const Target &target, llvm::StringSet<> &rewritten) {
  const llvm::StringSet<> functions = applyWinograd(module, tiles, target);
  rewritten.insert(functions.begin(), functions.end());
  if (!functions.empty())
    module->setAttr(kWinogradAttrName,
                    DenseI64ArrayAttr::get(module.getContext(), tiles));
}

/// One form for all convolutions.
static void applyForm(ModuleOp module, int64_t form, const Target &target,
                      llvm::StringSet<> &rewritten) {
  if (form == kColumnsForm)
    rewriteColumns(module, 1, rewritten);
  else if (form != kDirectForm)
    rewriteTiles(module, form, target, rewritten);
}

std::string sched::describeForm(int64_t form) {
  if (form == kDirectForm)
    return "directly";
  if (form == kColumnsForm)
    return "with columns";
  return "with tiles of " + std::to_string(form);
}

llvm::Expected<FormComparison> sched::compareConvolutionForms(
    const ConvolutionTask &task, const Target &target, WorkerPool &pool,
    MeasureTask measure,
    llvm::function_ref<llvm::Expected<OwningOpRef<ModuleOp>>(ModuleOp)>
        search) {
  FormComparison result;
  measure.payload =
      printForProcess(const_cast<OwningOpRef<ModuleOp> &>(task.payload).get());
  const std::string spec = measure.target;
  WorkerMeasurer measurer(pool, std::move(measure));
  if (llvm::Error error = measurer.prepare(/*bestS=*/0)) {
    // The search for the direct form says so.
    llvm::consumeError(std::move(error));
    return result;
  }
  const SmallVector<int64_t> forms = task.getForms();
  std::vector<std::string> scripts;
  for (int64_t form : forms) {
    OwningOpRef<ModuleOp> payload(
        const_cast<OwningOpRef<ModuleOp> &>(task.payload)->clone());
    // Each form is checked as the candidates of a task are.
    llvm::StringSet<> rewritten;
    applyForm(*payload, form, target, rewritten);
    auto script = search(*payload);
    if (!script)
      return script.takeError();
    if (!prependForms(**script, *payload, target, spec))
      prependOutlining(**script, OutlineOptions::of(target));
    scripts.push_back(printForProcess(**script));
  }
  // Those that work take turns, until it is clear which is the fastest.
  std::vector<std::optional<MeasureResult>> compared(scripts.size());
  if (llvm::Error error = measurer.measureInterleaved(
          scripts, kRounds,
          [&](unsigned i, const MeasureResult &got) { compared[i] = got; }))
    return std::move(error);
  if (llvm::is_contained(compared, std::nullopt))
    return result;
  double least = std::numeric_limits<double>::infinity();
  for (auto [i, form] : llvm::enumerate(forms)) {
    const Record &record = result.records.emplace_back(
        makeRecord(task, target, form, *compared[i], i));
    if (!compared[i]->succeeded()) {
      if (form != kDirectForm)
        result.problem = "computing it " + describeForm(form) +
                         " failed: " + compared[i]->error + ": " +
                         compared[i]->message;
      continue;
    }
    result.seconds.push_back({form, record.medianS()});
    if (record.medianS() < least) {
      least = record.medianS();
      result.best = form;
    }
  }
  return result;
}

void sched::applyConvolutionForms(ModuleOp module, ArrayRef<int64_t> forms,
                                  const Target &target,
                                  const FormOptions &options,
                                  llvm::StringSet<> &rewritten) {
  if (options.takesColumns)
    return applyForm(module, kColumnsForm, target, rewritten);
  if (forms.empty() ||
      llvm::all_of(forms, [](int64_t form) { return form == kDirectForm; }))
    return;
  // Of each rewriting's own convolutions.
  SmallVector<int64_t> columns, tiles;
  const SmallVector<linalg::LinalgOp> byTiles =
      collectWinogradConvolutions(module, target);
  for (auto [i, op] :
       llvm::enumerate(collectConvolutions(module, target, options))) {
    const int64_t form = forms[std::min(i, forms.size() - 1)];
    columns.push_back(form == kColumnsForm);
    if (form != kColumnsForm && llvm::is_contained(byTiles, op))
      tiles.push_back(form);
  }
  if (llvm::is_contained(columns, 1))
    rewriteColumns(module, columns, rewritten);
  if (!llvm::all_of(tiles, [](int64_t tile) { return tile == 0; }))
    rewriteTiles(module, tiles, target, rewritten);
}

void sched::applyNotedForms(ModuleOp again, ModuleOp module,
                            const Target &target) {
  if (auto columns =
          module->getAttrOfType<DenseI64ArrayAttr>(kImageColumnsAttrName))
    applyImageColumns(again, columns);
  if (auto tiles = module->getAttrOfType<DenseI64ArrayAttr>(kWinogradAttrName))
    applyWinograd(again, tiles, target);
}

/// The entries of `noted` for those of `convolutions`, its attribute's own,
/// that are not in `functions`; null where no number of them asks for anything.
static DenseI64ArrayAttr
withoutFunctions(DenseI64ArrayAttr noted,
                 ArrayRef<linalg::LinalgOp> convolutions,
                 const llvm::StringSet<> &functions) {
  SmallVector<int64_t> kept;
  ArrayRef<int64_t> numbers = noted;
  for (auto [i, op] : llvm::enumerate(convolutions))
    if (!functions.contains(op->getParentOfType<func::FuncOp>().getName()))
      kept.push_back(numbers[std::min(i, numbers.size() - 1)]);
  return llvm::all_of(kept, [](int64_t number) { return number == 0; })
             ? DenseI64ArrayAttr()
             : DenseI64ArrayAttr::get(noted.getContext(), kept);
}

void sched::dropConvolutionForms(ModuleOp module, ModuleOp original,
                                 const llvm::StringSet<> &functions,
                                 const Target &target) {
  auto update = [&](llvm::StringRef name,
                    ArrayRef<linalg::LinalgOp> convolutions) {
    auto noted = module->getAttrOfType<DenseI64ArrayAttr>(name);
    if (DenseI64ArrayAttr kept =
            withoutFunctions(noted, convolutions, functions))
      module->setAttr(name, kept);
    else
      module->removeAttr(name);
  };
  // The second rewriting counts what the first one leaves.
  if (module->hasAttr(kWinogradAttrName)) {
    OwningOpRef<ModuleOp> input = original.clone();
    if (auto columns =
            module->getAttrOfType<DenseI64ArrayAttr>(kImageColumnsAttrName))
      applyImageColumns(*input, columns);
    update(kWinogradAttrName, collectWinogradConvolutions(*input, target));
  }
  if (module->hasAttr(kImageColumnsAttrName))
    update(kImageColumnsAttrName, collectColumnConvolutions(original));
  for (func::FuncOp function : original.getOps<func::FuncOp>())
    if (functions.contains(function.getName()))
      function->setAttr(kLeftToDefaultAttrName,
                        UnitAttr::get(function.getContext()));
}
