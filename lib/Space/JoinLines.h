//===- JoinLines.h - Images as one line of pixels ---------------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_JOINLINES_H
#define SCHEDOPT_LIB_SPACE_JOINLINES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Rewrites the narrow products of `function` whose rows are the pixels of a
/// line to products whose rows are those of all lines; whether there was one.
bool joinLines(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_JOINLINES_H
