//===- GivenSpaces.h - Search spaces that a user gives ----------*- C++ -*-===//
//
// Spaces come with the module, where schedule-generate-space wrote them and
// people edited them, or in a file of their own (SpaceFile.h). A search takes
// those instead of what the rules would make. Which task a space is for is said
// by its workload, its name or a matcher, in this order.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_GIVENSPACES_H
#define SCHEDOPT_LIB_PIPELINES_GIVENSPACES_H

#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "SchedOpt/Space/Task.h"
#include "SchedOpt/Support/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

namespace sched {

/// Whether `space` is for `target`; one without a target is for any.
bool isForTarget(mlir::schedule::SpaceOp space, const Target &target);

/// Whether `module` or the file `path` has spaces: they are for tasks of the
/// module as it is.
bool hasSpaces(mlir::ModuleOp module, llvm::StringRef path);

class GivenSpaces {
public:
  /// Takes the spaces out of `module`: their names may be those of functions
  /// that are outlined, and nothing that follows a search knows them. Adds
  /// those of the file `path`, if it is not empty. Errors: see SpaceFile.h.
  static llvm::Expected<GivenSpaces> create(mlir::ModuleOp module,
                                            llvm::StringRef path);

  /// Finds the space of each task for `target`. The first one of the task's
  /// workload; otherwise the one with the name of one of its functions;
  /// otherwise the one of which the matcher accepts one of its ops; otherwise
  /// the sketches outside of a space, if there is one task. Errors: two spaces
  /// of a kind are for one task, a matcher is none, sketches are for more than
  /// one task, no space of the file is for a task. Remarks on tasks without a
  /// space where there is a file.
  llvm::Error assign(llvm::ArrayRef<Task> tasks, const Target &target);

  /// The space of `task`, one of those above; null if there is none.
  mlir::schedule::SpaceOp get(const Task &task) const {
    return assigned.lookup(&task);
  }

  /// A warning at each space that is for no task; it says why.
  void warnOfUnused();

private:
  /// How a space says what it is for; the first comes first.
  enum class Kind { Workload, Name, Matcher, Loose };
  /// What became of a space.
  enum class Use { NoTask, OtherTarget, Repeats, Searched };

  explicit GivenSpaces(mlir::ModuleOp module);
  static Kind getKind(mlir::schedule::SpaceOp space);
  llvm::Expected<bool> isFor(mlir::schedule::SpaceOp space, const Task &task);
  llvm::Expected<bool> matches(mlir::schedule::SpaceOp space, const Task &task);
  llvm::Error assign(const Task &task, const Target &target);
  llvm::Error checkLoose(llvm::ArrayRef<Task> tasks);
  std::string describeTasks() const;

  mlir::OwningOpRef<mlir::ModuleOp> spaces;
  std::string path;
  llvm::DenseMap<mlir::Operation *, Use> uses;
  llvm::DenseMap<const Task *, mlir::schedule::SpaceOp> assigned;
  /// Why a matcher accepted nothing, in its own words.
  llvm::DenseMap<mlir::Operation *, std::string> refusals;
  /// Names of the tasks' functions, for messages.
  std::vector<std::string> taskNames;
};

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_GIVENSPACES_H
