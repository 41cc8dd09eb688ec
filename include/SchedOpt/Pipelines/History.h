//===- History.h - Compiling from records -----------------------*- C++ -*-===//
//
// Finds the best schedule of each task of a module in a work directory, without
// any search.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_PIPELINES_HISTORY_H
#define SCHEDOPT_PIPELINES_HISTORY_H

#include "SchedOpt/Support/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace sched {
struct FormOptions;

/// The script that applies the best recorded schedules to `module`, which must
/// outlive it; convolutions of `module` are rewritten where their best form is
/// another (Winograd.h), its tasks are outlined (OutlineTasks.h) and its spaces
/// removed. `spaceFile`: more spaces (GivenSpaces.h). The best is that of the
/// records that are of the task's space. Warnings about records go to `module`
/// as remarks. An error where the records hold none for a task; it names what
/// is there instead. An error about the input has been emitted at its place.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
loadBestScript(mlir::ModuleOp module, const Target &target,
               llvm::StringRef workDir, const FormOptions &forms,
               llvm::StringRef spaceFile = "");

/// The same as text, for the module as it was: the forms of convolutions are
/// as the option `winograd` says, and the script makes them where need be.
llvm::Expected<std::string> findBestScript(mlir::ModuleOp module,
                                           const Target &target,
                                           llvm::StringRef workDir,
                                           llvm::StringRef winograd,
                                           llvm::StringRef spaceFile = "");

} // namespace sched

#endif // SCHEDOPT_PIPELINES_HISTORY_H
