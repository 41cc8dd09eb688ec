//===- TaskPads.h - Pads of what a task reads -------------------*- C++ -*-===//
//
// A pad is not scheduled: upstream's fusion would slice it into dynamic sizes,
// so it stays outside of the task's function. But what codegen makes of a pad
// that one op alone reads depends on how that op is scheduled
// (lib/Codegen/ReadUnpadded.cpp), so the two are timed together. So are rows
// that were put side by side (StridedRows.cpp), windows of few channels
// (JoinTaps.cpp) and lines that were joined (JoinLines.cpp): views, but of a
// padded image that one thread writes and others read. And so are slices of one
// tensor, which take less memory than as many tensors would, and lie in it as
// no tensor does.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_TASKPADS_H
#define SCHEDOPT_LIB_SPACE_TASKPADS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sched {

/// What becomes of a tensor before a task reads it.
struct TaskPad {
  /// The tensor; null where nothing becomes of it.
  mlir::Value source;
  /// Null where rows are those of the tensor as it is.
  mlir::tensor::PadOp pad;
  /// Ops that put rows side by side or reshape what is padded, in program
  /// order. The last one's result is what the task reads.
  llvm::SmallVector<mlir::Operation *> moves;

  explicit operator bool() const { return bool(source); }
};

/// One entry an argument of a task.
using TaskPads = llvm::SmallVector<TaskPad>;

/// The pads of `arguments`, what the task is given, that are of static shape
/// and constant value and read by none but those for which `isReader` holds;
/// and moves of rows a stride apart, or of what is padded; and slices of a
/// tensor that another argument is, or is a slice of.
TaskPads collectPads(mlir::ValueRange arguments,
                     llvm::function_ref<bool(mlir::Operation *)> isReader);

/// The same, of the first call of `task`, which outlineTasks made; none where
/// nothing calls it.
TaskPads collectCallPads(mlir::func::FuncOp task, mlir::ModuleOp module);

/// Workload key of a task together with its pads.
std::string hashWithPads(mlir::func::FuncOp task, const TaskPads &pads);

/// Says on the arguments of `task` how they are padded (kBorderAttrName).
void markBorders(mlir::func::FuncOp task, const TaskPads &pads);

/// Bytes that `task` with its pads cannot avoid to move (countTrafficBytes).
int64_t countTrafficBytes(mlir::func::FuncOp task, const TaskPads &pads);

/// What is timed: a module with `task` as a private function, and a public one
/// `name` that pads and calls it. Null where there is no pad.
mlir::OwningOpRef<mlir::ModuleOp> makePaddedModule(mlir::func::FuncOp task,
                                                   const TaskPads &pads,
                                                   llvm::StringRef name);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_TASKPADS_H
