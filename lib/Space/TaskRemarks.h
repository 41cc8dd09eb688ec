//===- TaskRemarks.h - What is in no task, and why --------------*- C++ -*-===//
//
// A step of TaskExtraction.h, after ops are grouped: nothing is left to the
// default schedule in silence.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_TASKREMARKS_H
#define SCHEDOPT_LIB_SPACE_TASKREMARKS_H

#include "TaskGrouping.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Emits a remark on `function` if none of its `ops`, which are all of its
/// LinalgOps, is in one of `groups`, and else one on each op that is in none.
void remarkOnRest(mlir::func::FuncOp function,
                  llvm::ArrayRef<mlir::linalg::LinalgOp> ops,
                  llvm::ArrayRef<TaskGroup> groups);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_TASKREMARKS_H
