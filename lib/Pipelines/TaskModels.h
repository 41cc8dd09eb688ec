//===- TaskModels.h - Which cost model ranks which task ---------*- C++ -*-===//
//
// `cost-model` names one model for all tasks of a search, as what is learned of
// one helps the others. A model that was trained before does not know every
// kind of task (CostModel/TaskKind.h); those of other kinds get one that begins
// without trees; on a GPU, the analytic one from `cost-model=auto`. What was
// chosen is told once a search.
//
// Read next: CostModel/CostModelFactory.h, SearchPass.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_TASKMODELS_H
#define SCHEDOPT_LIB_PIPELINES_TASKMODELS_H

#include "SchedOpt/CostModel/CostModel.h"
#include "SchedOpt/Tuning/ProgressReporter.h"
#include "SchedOpt/Tuning/SearchTask.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include <map>
#include <optional>

namespace sched {

/// A plugin's cost model, or one that comes with the project: `warn` as in
/// CostModelFactory.h.
llvm::Expected<std::unique_ptr<CostModel>>
makeCostModel(mlir::MLIRContext *context, llvm::StringRef name,
              const Target &target, uint64_t seed,
              llvm::function_ref<void(const llvm::Twine &)> warn);

class TaskModels {
public:
  static llvm::Expected<TaskModels> create(mlir::MLIRContext *context,
                                           llvm::StringRef name,
                                           const Target &target, uint64_t seed);

  /// The model for `task`, which is at `loc`, on `machine`. It lives as long as
  /// this.
  CostModel &choose(const SearchTask &task, const Target &machine,
                    mlir::Location loc);

  /// Tells what `choose` chose, where the name does not say it: a line of
  /// `reporter` for `auto`, where something is missing or more than progress is
  /// told (`isTalkative`); else a remark, unless `quiet`.
  void report(ProgressReporter &reporter, bool quiet, bool isTalkative) const;

private:
  TaskModels(llvm::StringRef name, std::unique_ptr<CostModel> shared,
             std::string problem)
      : name(name.str()), shared(std::move(shared)),
        problem(std::move(problem)) {}
  /// What ranks tasks that `shared` does not know.
  CostModel &getOther(const Target &machine);
  std::string describeChoice() const;

  std::string name;
  std::unique_ptr<CostModel> shared;
  /// By threads, the one thing in which the machines of tasks differ.
  std::map<int, std::unique_ptr<CostModel>> others;
  /// Why the model that `auto` stands for is not there.
  std::string problem;
  unsigned numTasks = 0, numOthers = 0;
  /// Kinds of tasks that `shared` does not know, and where the first one is.
  std::vector<std::string> otherKinds;
  std::optional<mlir::Location> otherLoc;
};

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_TASKMODELS_H
