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

/// An empty script: a module with an empty `__transform_main`.
mlir::OwningOpRef<mlir::ModuleOp>
createModuleScript(mlir::MLIRContext *context);

/// Lets each op below `root` that looks for a function by its name look for
/// `name`.
void renameMatchedFunction(mlir::Operation *root, mlir::StringAttr name);

/// Appends `taskScript`, the script of `task`, to `script`, once for each
/// function that the task occurs in.
void appendTaskScript(mlir::ModuleOp script, mlir::ModuleOp taskScript,
                      const Task &task);

/// Moves the sequence of `script` to the end of `module`, and says there what
/// it is for.
void attachScript(mlir::ModuleOp module, mlir::ModuleOp script,
                  llvm::StringRef target, int threads);

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_MODULESCRIPT_H
