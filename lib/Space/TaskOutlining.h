//===- TaskOutlining.h - A task in a module of its own ----------*- C++ -*-===//
//
// The last step of task extraction: copies a group of ops (TaskGrouping.h) into
// a function of its own.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_TASKOUTLINING_H
#define SCHEDOPT_LIB_SPACE_TASKOUTLINING_H

#include "TaskGrouping.h"
#include "TaskPads.h"

namespace sched {

/// Whether `function` computes and returns what `group` does and nothing else.
bool isWholeFunction(const TaskGroup &group, mlir::func::FuncOp function);

/// All ops of the group, in program order.
llvm::SmallVector<mlir::Operation *> collectOps(const TaskGroup &group);

/// The values that the group uses, does not compute and cannot copy, in the
/// order of their first use: the arguments of its function.
llvm::SmallVector<mlir::Value> collectArguments(const TaskGroup &group);

/// The pads of those that no op outside of the group reads.
TaskPads collectGroupPads(const TaskGroup &group);

/// A module with one public function `name` as described at Task::module.
/// `layoutFree` holds the arguments of the original function whose layout is
/// free; they keep the mark.
mlir::OwningOpRef<mlir::ModuleOp>
outlineTask(const TaskGroup &group, llvm::StringRef name,
            const llvm::DenseSet<mlir::Value> &layoutFree);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_TASKOUTLINING_H
