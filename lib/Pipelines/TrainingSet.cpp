//===- TrainingSet.cpp - Records as a cost model learns them --------------===//

#include "SchedOpt/Pipelines/TrainingSet.h"
#include "ConvolutionForms.h"
#include "SchedOpt/Database/PayloadFile.h"
#include "SchedOpt/Pipelines/AutoSchedule.h"
#include "SchedOpt/Pipelines/TaskSpace.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Tuning/TrialLog.h"
#include "WholeCheck.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace sched;

/// Runs `use`, which reads the payload at `path`. Of what it emits the first
/// error becomes the one that is returned: one message says what is wrong, and
/// where.
static llvm::Error usePayload(llvm::StringRef path, MLIRContext *context,
                              llvm::function_ref<llvm::Error()> use) {
  std::string first;
  llvm::raw_string_ostream os(first);
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return mlir::failure();
    if (!first.empty())
      return success();
    if (auto at = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
      os << at.getLine() << ":" << at.getColumn() << ": ";
    os << diagnostic;
    return success();
  });
  llvm::Error error = use();
  if (!error || first.empty())
    return error;
  llvm::consumeError(std::move(error));
  return llvm::createStringError("cannot use the payload '" + path +
                                 "': " + first);
}

static llvm::Expected<OwningOpRef<ModuleOp>> parse(llvm::StringRef path,
                                                   MLIRContext *context) {
  std::string problem;
  auto file = openInputFile(path, &problem);
  if (!file)
    return llvm::createStringError("payload: " + problem);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  auto module = parseSourceFile<ModuleOp>(sources, ParserConfig(context));
  if (!module)
    return llvm::createStringError("'" + path +
                                   "' is not MLIR that can be read here");
  return module;
}

llvm::Error Payloads::add(ModuleOp module) {
  auto extracted = extractTasks(module, {/*remarks=*/false});
  if (!extracted)
    return extracted.takeError();
  for (Task &task : *extracted) {
    std::unique_ptr<Task> &known = tasks[task.hash];
    if (!known)
      known = std::make_unique<Task>(std::move(task));
  }
  return llvm::Error::success();
}

llvm::Error Payloads::addModule(llvm::StringRef path) {
  return usePayload(path, context, [&] { return addForms(path); });
}

llvm::Error Payloads::addForms(llvm::StringRef path) {
  auto module = parse(path, context);
  if (!module)
    return module.takeError();
  mlir::PassManager lowering(context);
  lowering.addPass(createScheduleLowerTosa());
  if (failed(lowering.run(**module)))
    return llvm::createStringError("the TOSA of '" + path +
                                   "' cannot be lowered");
  auto target = Target::parse("native");
  if (!target)
    return target.takeError();
  auto addTasks = [&](ModuleOp cut, const OutlineOptions &options) {
    llvm::Error error = outlineTasks(cut, /*rewritten=*/nullptr, options);
    return error ? std::move(error) : add(cut);
  };
  // Each form of a convolution has tasks of its own.
  const std::pair<llvm::StringRef, llvm::StringRef> forms[] = {
      {"off", "off"}, {"2", "off"}, {"4", "off"}, {"off", "on"}};
  for (auto [winograd, columns] : forms) {
    auto form = FormOptions::parse(winograd, columns, *target);
    if (!form)
      return form.takeError();
    OwningOpRef<ModuleOp> copy((*module)->clone());
    llvm::StringSet<> rewritten;
    applyConvolutionForms(*copy, form->tile, *target, *form, rewritten);
    if ((form->tile != 0 || form->takesColumns) && rewritten.empty())
      continue;
    if (llvm::Error error = addTasks(*copy, {}))
      return error;
  }
  // Tasks of processors with tiles, without arithmetic on f16 or dot products
  // of bytes, and of a GPU.
  for (const OutlineOptions &options :
       {OutlineOptions{Target::Kind::CPU, /*tiles=*/true},
        OutlineOptions{Target::Kind::CPU, /*tiles=*/false,
                       /*widenHalf=*/true},
        OutlineOptions{Target::Kind::CPU, /*tiles=*/false,
                       /*widenHalf=*/true, /*widenBytes=*/true,
                       /*widenUnsigned=*/true}}) {
    OwningOpRef<ModuleOp> copy((*module)->clone());
    if (llvm::Error error = addTasks(*copy, options))
      return error;
  }
  return addTasks(**module, {Target::Kind::NVVM, /*tiles=*/false});
}

llvm::Expected<const Task *> Payloads::find(llvm::StringRef workload) {
  auto found = tasks.find(workload);
  if (found != tasks.end())
    return found->second.get();
  for (const std::string &workDir : workDirs) {
    const std::string path = getPayloadPath(workDir, workload);
    if (!llvm::sys::fs::exists(path))
      continue;
    llvm::Error error = usePayload(path, context, [&]() -> llvm::Error {
      auto module = parse(path, context);
      // A task by itself: nothing is left to outline.
      return module ? add(**module) : module.takeError();
    });
    if (error)
      return std::move(error);
    found = tasks.find(workload);
    if (found != tasks.end())
      return found->second.get();
    return llvm::createStringError(
        "found no task of workload " + workload + " in '" + path +
        "'; another version of the search wrote it: remove it and its records, "
        "or tune again");
  }
  return nullptr;
}

/// Records of one workload, target and toolchain, in their order.
using Group = llvm::SmallVector<const Record *>;

static std::vector<Group> groupRecords(const Database &records) {
  std::vector<Group> groups;
  llvm::StringMap<size_t> known;
  for (const Record &record : records.getRecords()) {
    if (record.sketch == Record::kUnscheduledSketch || isFormRecord(record) ||
        isWholeRecord(record))
      continue;
    auto [at, isNew] = known.try_emplace(
        record.workload + "\n" + record.target + "\n" + record.toolchain,
        groups.size());
    if (isNew)
      groups.emplace_back();
    groups[at->second].push_back(&record);
  }
  return groups;
}

/// What `key`, of a record, stands for. Of this machine's kind, with what only
/// the machine itself says.
static llvm::Expected<Target> parseKey(llvm::StringRef key) {
  const auto [name, count] = splitThreads(key);
  unsigned threads;
  if (count.getAsInteger(10, threads))
    return llvm::createStringError("found target '" + key +
                                   "', expected ',threads=N' at its end");
  auto target = Target::parse(name, threads);
  if (!target)
    return target.takeError();
  auto native = Target::parse("native", threads);
  if (!native)
    return native.takeError();
  return TaskSpace::getTargetKey(*native) == key ? std::move(native)
                                                 : std::move(target);
}

/// Adds what `records` say of candidates of `space`; returns how many are of
/// others.
static unsigned addTrials(const TaskSpace &space,
                          llvm::ArrayRef<const Record *> records,
                          TrainingTask &result) {
  const SearchTask search = space.makeSearchTask();
  TrialLog log;
  unsigned misfits = 0;
  for (const Record *record : records) {
    if (record->isBuiltOnly())
      continue;
    std::optional<Candidate> candidate =
        search.parseTrace(record->sketch, record->trace);
    if (!candidate || !search.space.isLegal(*candidate)) {
      ++misfits;
      continue;
    }
    const size_t before = log.size();
    log.add(*candidate, *record);
    if (log.size() != before)
      result.trials.push_back(record->trial);
  }
  Evaluation evaluation;
  for (const Trial &trial : log.getTrials()) {
    const SketchView &sketch = search.space.getSketch(trial.candidate.sketch);
    sketch.evaluate(trial.candidate.choices, evaluation);
    sketch.describeBlocks(trial.candidate.choices, result.features.getRows());
    result.features.add(evaluation.features);
    result.seconds.push_back(trial.disqualified ? Measurement::kFailed
                                                : trial.firstSeconds);
  }
  return misfits;
}

llvm::Expected<std::vector<TrainingTask>>
sched::makeTrainingSet(const Database &records, Payloads &payloads,
                       WarningHandler warn) {
  std::vector<TrainingTask> result;
  for (const Group &group : groupRecords(records)) {
    const Record &first = *group.front();
    const std::string what =
        std::to_string(group.size()) + " records of " + first.workloadText;
    auto task = payloads.find(first.workload);
    if (!task)
      return task.takeError();
    if (!*task) {
      warn(what + " are not used: there is no payload of workload " +
           first.workload + "; give the module that was tuned");
      continue;
    }
    auto machine = parseKey(first.target);
    if (!machine) {
      warn(what + " are not used: " + llvm::toString(machine.takeError()));
      continue;
    }
    auto space = TaskSpace::create(**task, *machine);
    if (!space)
      return space.takeError();
    TrainingTask entry;
    entry.workload = first.workload;
    entry.text = first.workloadText;
    entry.target = first.target;
    entry.toolchain = first.toolchain;
    entry.machine = *machine;
    const unsigned misfits =
        *space ? addTrials(**space, group, entry) : group.size();
    if (misfits)
      warn(std::to_string(misfits) + " of the " + what +
           " are not used: they are of sketches or decisions that the rules "
           "do not make now");
    if (entry.features.size() != 0)
      result.push_back(std::move(entry));
  }
  return result;
}
