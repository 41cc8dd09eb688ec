//===- StridedRows.h - Rows that a stride takes apart -----------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_STRIDEDROWS_H
#define SCHEDOPT_LIB_SPACE_STRIDEDROWS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Rewrites the narrow products of `function` whose rows are pixels that a
/// stride takes apart; whether there was one.
bool gatherStridedRows(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_STRIDEDROWS_H
