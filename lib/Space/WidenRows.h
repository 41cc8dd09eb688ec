//===- WidenRows.h - Rows of bytes in 16 bits -------------------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_WIDENROWS_H
#define SCHEDOPT_LIB_SPACE_WIDENROWS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Gives the products of bytes in `function` left-hand sides of 16 bits, or,
/// with `onlyUnsigned`, those whose operands both are unsigned; whether there
/// was one.
bool widenRows(mlir::func::FuncOp function, bool onlyUnsigned);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_WIDENROWS_H
