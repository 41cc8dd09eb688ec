//===- SingleLines.h - Windows along one line -------------------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_SINGLELINES_H
#define SCHEDOPT_LIB_SPACE_SINGLELINES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Gives windows that slide along a single line, in `function`, a dimension of
/// lines, if a rule takes them then; whether there was one.
bool addLines(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_SINGLELINES_H
