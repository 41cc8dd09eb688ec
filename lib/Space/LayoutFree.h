//===- LayoutFree.h - Arguments whose layout is free ------------*- C++ -*-===//
//
// Used where a task is copied out of its function (TaskOutlining.h).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_LAYOUTFREE_H
#define SCHEDOPT_LIB_SPACE_LAYOUTFREE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

namespace sched {

/// The arguments that are marked, and whose layout really is the caller's to
/// choose and one op's to see, and what that op computes of them beforehand.
/// Remarks say why a mark does not count.
llvm::DenseSet<mlir::Value> collectLayoutFree(mlir::func::FuncOp function,
                                              mlir::ModuleOp module,
                                              bool remarks);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_LAYOUTFREE_H
