//===- History.cpp - Compiling from records -------------------------------===//

#include "SchedOpt/Pipelines/History.h"
#include "ConvolutionForms.h"
#include "GivenSpaces.h"
#include "LocatedError.h"
#include "ModuleScript.h"
#include "SchedOpt/Database/Database.h"
#include "SchedOpt/Pipelines/AutoSchedule.h"
#include "SchedOpt/Pipelines/TaskSpace.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "ScriptBeginning.h"
#include "WholeCheck.h"

using namespace mlir;
using namespace sched;

namespace {
/// A task with what is searched for it, and the best record of that.
struct Tuned {
  const Task *task;
  std::unique_ptr<TaskSpace> space;
  /// Of the target in records.
  std::string key;
  const Record *best = nullptr;
};
} // namespace

llvm::Expected<OwningOpRef<ModuleOp>>
sched::loadBestScript(ModuleOp module, const Target &target,
                      llvm::StringRef workDir, const FormOptions &forms,
                      llvm::StringRef spaceFile) {
  if (workDir.empty())
    return llvm::createStringError(
        "no directory of records; give one with work-dir=DIR");
  Database database;
  if (llvm::Error error = database.load(
          RecordFile::pathIn(workDir), [&](const llvm::Twine &warning) {
            emitWarning(module.getLoc()) << warning;
          }))
    return std::move(error);
  SmallVector<int64_t> chosen;
  if (forms.tile != 0)
    chosen.push_back(forms.tile);
  else if (forms.chooses() && !hasSpaces(module, spaceFile))
    for (const ConvolutionTask &task :
         collectConvolutionTasks(module, target, forms))
      chosen.push_back(
          findConvolutionForm(database, task, target).value_or(kDirectForm));
  WholeCheck whole(module, target);
  applyConvolutionForms(module, chosen, target, forms, whole.rewritten);
  auto spaces = GivenSpaces::create(module, spaceFile);
  if (!spaces)
    return spaces.takeError();
  if (llvm::Error error =
          outlineTasks(module, &whole.rewritten, OutlineOptions::of(target)))
    return markEmitted(std::move(error));
  llvm::Expected<std::vector<Task>> tasks = extractTasks(module);
  if (!tasks)
    return markEmitted(tasks.takeError());
  if (llvm::Error error = spaces->assign(*tasks, target))
    return std::move(error);
  const std::string toolchain = TaskSpace::getToolchain();
  std::vector<Tuned> all;
  for (const Task &task : *tasks) {
    const Target own = task.getTarget(target);
    schedule::SpaceOp given = spaces->get(task);
    auto space = TaskSpace::create(task, own, given);
    if (!space)
      return locate(space.takeError(),
                    given ? given.getLoc() : task.getFunction().getLoc());
    if (!*space)
      continue;
    Tuned &tuned = all.emplace_back();
    tuned.task = &task;
    tuned.space = std::move(*space);
    tuned.key = TaskSpace::getTargetKey(own);
    tuned.best = database.best(
        task.hash, tuned.key, toolchain, [&](const Record &record) {
          return record.sketch == Record::kUnscheduledSketch ||
                 tuned.space->findRecorded(record.sketch, record.trace)
                     .has_value();
        });
  }
  // A task that the trials did not reach has no records, beside others that do.
  const bool isTuned = llvm::any_of(
      all, [](const Tuned &tuned) { return tuned.best != nullptr; });
  std::vector<TaskScript> scripts;
  for (const auto &[task, space, key, best] : all) {
    // No schedule was as fast.
    if (best && best->sketch == Record::kUnscheduledSketch)
      continue;
    const Location loc = task->getFunction().getLoc();
    const Record *elsewhere =
        best ? nullptr : database.best(task->hash, key, toolchain);
    llvm::Expected<OwningOpRef<ModuleOp>> taskScript(nullptr);
    std::optional<Candidate> candidate;
    if (best) {
      candidate = space->findRecorded(best->sketch, best->trace);
    } else if (isTuned && !elsewhere) {
      candidate = space->makeSearchTask().getDefault();
      if (candidate)
        emitWarning(loc)
            << "there is no record of " << task->text << " in '" << workDir
            << "'; its default schedule is used: tune with more trials";
    }
    if (candidate)
      taskScript = space->makeScript(*candidate);
    else if (elsewhere)
      taskScript = llvm::createStringError(
          "the records of " + task->text +
          " are of another space: of sketches or decisions that the task does "
          "not have here (the best: " +
          elsewhere->trace +
          "); tune again with --auto-schedule, or give the module the space "
          "that they are of");
    else
      taskScript = llvm::createStringError(
          database.explainMiss(task->hash, task->text, key, toolchain));
    if (!taskScript)
      return locate(taskScript.takeError(), loc);
    scripts.emplace_back(*task, std::move(*taskScript));
  }
  spaces->warnOfUnused();
  whole.recall(module, scripts, database);
  return joinScripts(module.getContext(), scripts);
}

llvm::Expected<std::string> sched::findBestScript(ModuleOp module,
                                                  const Target &target,
                                                  llvm::StringRef workDir,
                                                  llvm::StringRef winograd,
                                                  llvm::StringRef spaceFile) {
  auto forms = FormOptions::parse(winograd, "auto", target);
  if (!forms)
    return forms.takeError();
  auto script = loadBestScript(module, target, workDir, *forms, spaceFile);
  if (!script)
    return script.takeError();
  prependRewriting(**script, module, target, target.str());
  std::string text;
  llvm::raw_string_ostream os(text);
  (*script)->print(os, OpPrintingFlags().enableDebugInfo(false));
  return text;
}
