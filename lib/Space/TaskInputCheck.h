//===- TaskInputCheck.h - Is this module schedulable ------------*- C++ -*-===//
//
// The first step of task extraction: refuses what the rest of the program could
// only fail on later, with one error at its location.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_TASKINPUTCHECK_H
#define SCHEDOPT_LIB_SPACE_TASKINPUTCHECK_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace sched {

/// The functions of `module` to cut into tasks, in program order: the public
/// ones, and the private ones that are on tensors of static shape and have no
/// side effects. The rules and errors are those of extractTasks; one error a
/// public function, but those of dynamic shapes are left out beside others.
/// With `remarks`, a remark on each private function left out, and a warning
/// on each public one.
llvm::Expected<llvm::SmallVector<mlir::func::FuncOp>>
checkTaskInput(mlir::ModuleOp module, bool remarks);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_TASKINPUTCHECK_H
