//===- History.cpp - Compiling from records -------------------------------===//

#include "SchedOpt/Pipelines/History.h"
#include "GivenSpaces.h"
#include "LocatedError.h"
#include "ModuleScript.h"
#include "SchedOpt/Database/Database.h"
#include "SchedOpt/Pipelines/TaskSpace.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/TaskExtraction.h"

using namespace mlir;
using namespace sched;

/// The best recorded schedule of one task as a script.
static llvm::Expected<OwningOpRef<ModuleOp>>
loadTaskScript(const Task &task, const TaskSpace &space, const Record &best) {
  auto trace = schedule::parseTrace(best.trace);
  if (!trace)
    return trace.takeError();
  std::optional<Candidate> candidate = space.getCandidate(*trace);
  if (!candidate || space.getSketchHash(candidate->sketch) != best.sketch)
    return llvm::createStringError("the best record of " + task.text +
                                   " is of a sketch that this version "
                                   "does not make (" +
                                   best.trace +
                                   "); tune again with --auto-schedule");
  return space.makeScript(*candidate);
}

llvm::Expected<OwningOpRef<ModuleOp>>
sched::loadBestScript(ModuleOp module, const Target &target,
                      llvm::StringRef workDir) {
  if (workDir.empty())
    return llvm::createStringError(
        "no directory of records; give one with work-dir=DIR");
  Database database;
  if (llvm::Error error = database.load(
          RecordFile::pathIn(workDir), [&](const llvm::Twine &warning) {
            emitWarning(module.getLoc()) << warning;
          }))
    return std::move(error);
  GivenSpaces spaces(module);
  if (llvm::Error error = outlineTasks(module))
    return markEmitted(std::move(error));
  llvm::Expected<std::vector<Task>> tasks = extractTasks(module);
  if (!tasks)
    return markEmitted(tasks.takeError());
  OwningOpRef<ModuleOp> script = createModuleScript(module.getContext());
  // A task that the trials did not reach has no records, beside others that do.
  const std::string key = TaskSpace::getTargetKey(target);
  const std::string toolchain = TaskSpace::getToolchain();
  SmallVector<const Record *> records =
      llvm::map_to_vector(*tasks, [&](const Task &task) {
        return database.best(task.hash, key, toolchain);
      });
  const bool isTuned = llvm::any_of(
      records, [](const Record *record) { return record != nullptr; });
  for (auto [task, best] : llvm::zip_equal(*tasks, records)) {
    const Location loc = task.getFunction().getLoc();
    auto space = TaskSpace::create(task, target, spaces.find(task, target));
    if (!space)
      return locate(space.takeError(), loc);
    if (!*space)
      continue;
    llvm::Expected<OwningOpRef<ModuleOp>> taskScript(nullptr);
    std::optional<Candidate> byDefault;
    if (isTuned && !best)
      byDefault = (*space)->makeSearchTask().getDefault();
    if (best) {
      taskScript = loadTaskScript(task, **space, *best);
    } else if (byDefault) {
      emitWarning(loc)
          << "there is no record of " << task.text << " in '" << workDir
          << "'; its default schedule is used: tune with more trials";
      taskScript = (*space)->makeScript(*byDefault);
    } else {
      taskScript = llvm::createStringError(
          database.explainMiss(task.hash, key, toolchain));
    }
    if (!taskScript)
      return locate(taskScript.takeError(), loc);
    appendTaskScript(*script, **taskScript, task);
  }
  spaces.warnOfUnused();
  return script;
}

llvm::Expected<std::string> sched::findBestScript(ModuleOp module,
                                                  const Target &target,
                                                  llvm::StringRef workDir) {
  auto script = loadBestScript(module, target, workDir);
  if (!script)
    return script.takeError();
  std::string text;
  llvm::raw_string_ostream os(text);
  (*script)->print(os, OpPrintingFlags().enableDebugInfo(false));
  return text;
}
