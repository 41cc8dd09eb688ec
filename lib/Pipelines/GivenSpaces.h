//===- GivenSpaces.h - Search spaces that come with a module ----*- C++ -*-===//
//
// schedule-generate-space writes spaces into a module, where people edit them.
// A search takes those instead of what the rules would make.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_GIVENSPACES_H
#define SCHEDOPT_LIB_PIPELINES_GIVENSPACES_H

#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "SchedOpt/Space/Task.h"
#include "SchedOpt/Support/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"

namespace sched {

/// Whether `space` is for `target`; one without a target is for any.
bool isForTarget(mlir::schedule::SpaceOp space, const Target &target);

class GivenSpaces {
public:
  /// Takes the spaces out of `module`: their names may be those of functions
  /// that are outlined, and nothing that follows a search knows them.
  explicit GivenSpaces(mlir::ModuleOp module);

  /// The first space of `task`'s workload for `target`, or for any; null if
  /// there is none.
  mlir::schedule::SpaceOp find(const Task &task, const Target &target);

  /// A warning at each space that `find` never returned; it says why.
  void warnOfUnused();

private:
  /// What became of a space.
  enum class Use { NoTask, OtherTarget, Repeats, Searched };

  mlir::OwningOpRef<mlir::ModuleOp> spaces;
  llvm::DenseMap<mlir::Operation *, Use> uses;
};

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_GIVENSPACES_H
