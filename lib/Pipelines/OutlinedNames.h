//===- OutlinedNames.h - What outlined tasks are called ---------*- C++ -*-===//
//
// A task is called after the first function that has it. Where that one is put
// back as it was, schedule-outline-tasks will call it after another one, and a
// script, which looks for tasks by name, has to follow.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_OUTLINEDNAMES_H
#define SCHEDOPT_LIB_PIPELINES_OUTLINEDNAMES_H

#include "ModuleScript.h"

namespace sched {

/// Gives the outlined tasks of `module`, and `scripts` that are for them, the
/// names that they have in `again`, the same module outlined once more, but for
/// functions that are marked with kLeftToDefaultAttrName.
void takeOutlinedNames(mlir::ModuleOp module, mlir::ModuleOp again,
                       llvm::MutableArrayRef<TaskScript> scripts);

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_OUTLINEDNAMES_H
