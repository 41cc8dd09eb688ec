//===- TaskGrouping.h - Which ops are one task ------------------*- C++ -*-===//
//
// The middle of task extraction: assigns the ops of a function to anchors.
// TaskInputCheck.h comes before it, TaskOutlining.h after.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_TASKGROUPING_H
#define SCHEDOPT_LIB_SPACE_TASKGROUPING_H

#include "SchedOpt/Space/Task.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"

namespace sched {

/// The ops of one task in the user's module.
struct TaskGroup {
  mlir::linalg::LinalgOp anchor;
  ContractionShape shape;
  /// In program order, the anchor among them.
  llvm::SmallVector<mlir::linalg::LinalgOp> ops;
  /// One an op.
  llvm::SmallVector<BlockRole> roles;
  /// The only value of the group that others use: the result of the last
  /// epilogue, or of the anchor.
  mlir::Value result;
};

/// All LinalgOps below `function`, in program order.
llvm::SmallVector<mlir::linalg::LinalgOp>
collectLinalgOps(mlir::func::FuncOp function);

/// The groups of `function`, in the order of their anchors. `ops` are its
/// LinalgOps.
std::vector<TaskGroup> groupTasks(llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

/// Whether `value` is a constant or an empty tensor: it belongs to whoever
/// uses it.
bool isFreelyCopied(mlir::Value value);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_TASKGROUPING_H
