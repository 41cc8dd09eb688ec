//===- ModuleScript.h - One script for all tasks of a module ----*- C++ -*-===//
//
// Joins the scripts of a module's tasks into one named sequence.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_MODULESCRIPT_H
#define SCHEDOPT_LIB_PIPELINES_MODULESCRIPT_H

#include "SchedOpt/Space/Task.h"
#include "llvm/Support/Error.h"

namespace sched {

/// The script of a task, and the functions that the task occurs in.
struct TaskScript {
  TaskScript(const Task &task, mlir::OwningOpRef<mlir::ModuleOp> script);

  llvm::SmallVector<std::string> functions;
  mlir::OwningOpRef<mlir::ModuleOp> script;
};

/// Lets each op below `root` that looks for a function by its name look for
/// `name`.
void renameMatchedFunction(mlir::Operation *root, mlir::StringAttr name);

/// A module with one `__transform_main` that does what each of `scripts` does,
/// once for each of its functions.
mlir::OwningOpRef<mlir::ModuleOp>
joinScripts(mlir::MLIRContext *context, llvm::ArrayRef<TaskScript> scripts);

/// Moves the sequence of `script` to the end of `module`, and says there what
/// it is for.
void attachScript(mlir::ModuleOp module, mlir::ModuleOp script,
                  llvm::StringRef target, int threads);

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_MODULESCRIPT_H
