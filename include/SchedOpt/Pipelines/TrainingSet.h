//===- TrainingSet.h - Records as a cost model learns them ------*- C++ -*-===//
//
// A record says what a candidate took, and names the candidate by its sketch
// and decisions. With the payload of its task, the sketch can be written and
// compiled again, and the candidate's features follow. So features are never
// stored, and old records serve models that read new ones.
//
// Read next: Database/PayloadFile.h (where payloads come from), TaskSpace.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_PIPELINES_TRAININGSET_H
#define SCHEDOPT_PIPELINES_TRAININGSET_H

#include "SchedOpt/Database/Database.h"
#include "SchedOpt/Model/FeatureBatch.h"
#include "SchedOpt/Space/Task.h"
#include "SchedOpt/Support/Target.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <memory>
#include <string>
#include <vector>

namespace sched {

/// Tasks by the hash of their workload.
class Payloads {
public:
  /// `context` has the dialects of payloads and of sketches, and the loop
  /// models (registerLoopModels).
  explicit Payloads(mlir::MLIRContext *context) : context(context) {}

  /// Adds the tasks of a user's module, in all forms of its convolutions. An
  /// error where the file is no MLIR or has no tasks.
  llvm::Error addModule(llvm::StringRef path);

  /// Lets `find` look at what searches stored in `workDir`.
  void addWorkDir(llvm::StringRef workDir) {
    workDirs.push_back(workDir.str());
  }

  /// The task; null where it is in no module and no directory. An error where
  /// its file is not what it should be.
  llvm::Expected<const Task *> find(llvm::StringRef workload);

private:
  llvm::Error add(mlir::ModuleOp module);
  llvm::Error addForms(llvm::StringRef path);

  mlir::MLIRContext *context;
  llvm::SmallVector<std::string> workDirs;
  llvm::StringMap<std::unique_ptr<Task>> tasks;
};

/// The trials of one task on one target by one toolchain: what they took may be
/// compared.
struct TrainingTask {
  /// As in the records.
  std::string workload, text, target, toolchain;
  /// What `target` stands for.
  Target machine;
  /// One entry a candidate, with its blocks' rows; in the order of the records.
  FeatureBatch features;
  /// Median of the first record, seconds a call; +infinity where the candidate
  /// failed, or was wrong.
  std::vector<double> seconds;
  /// The position of each in its search.
  std::vector<int64_t> trials;
};

/// All trials of `records` whose payload is known and whose sketch is still
/// what the rules write, task by task in the order of first appearance. `warn`
/// hears of each task with others. Without sketches of the user's own
/// (schedule.space in a module).
llvm::Expected<std::vector<TrainingTask>>
makeTrainingSet(const Database &records, Payloads &payloads,
                WarningHandler warn);

} // namespace sched

#endif // SCHEDOPT_PIPELINES_TRAININGSET_H
