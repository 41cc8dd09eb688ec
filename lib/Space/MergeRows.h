//===- MergeRows.h - Rows of several dimensions are one ---------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_MERGEROWS_H
#define SCHEDOPT_LIB_SPACE_MERGEROWS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Merges the dimensions of rows of the products in `function` that lie side by
/// side in memory, those of their columns and those of their steps, each with
/// the elementwise ops around them, and those that transposes leave side by
/// side; whether there were any.
bool mergeRows(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_MERGEROWS_H
