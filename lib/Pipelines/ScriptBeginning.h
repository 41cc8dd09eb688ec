//===- ScriptBeginning.h - What a script begins with ------------*- C++ -*-===//
//
// A search rewrites functions before their tasks are cut, and puts some back as
// they were. A script for the module as it was before all that begins with the
// same: with attributes for what is left as it is, and with passes of ours.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_SCRIPTBEGINNING_H
#define SCHEDOPT_LIB_PIPELINES_SCRIPTBEGINNING_H

#include "SchedOpt/Support/Target.h"
#include "mlir/IR/BuiltinOps.h"

namespace sched {

struct OutlineOptions;

/// Lets `script` begin with schedule-outline-tasks.
void prependOutlining(mlir::ModuleOp script, const OutlineOptions &outlining);

/// Lets `script`, which is for what the rewritings noted on `module` and
/// schedule-outline-tasks make of a module, begin with these passes. Returns
/// false where there are none. `spec`: what the passes' options call `target`.
bool prependForms(mlir::ModuleOp script, mlir::ModuleOp module,
                  const Target &target, llvm::StringRef spec);

/// As prependRewriting of AutoSchedule.h, with the same `spec`.
bool prependRewriting(mlir::ModuleOp script, mlir::ModuleOp module,
                      const Target &target, llvm::StringRef spec);

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_SCRIPTBEGINNING_H
