//===- ComposeTransposes.h - Transposes of transposes -----------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_COMPOSETRANSPOSES_H
#define SCHEDOPT_LIB_SPACE_COMPOSETRANSPOSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Makes one transpose of two that follow each other in `function`, or none;
/// whether there were any.
bool composeTransposes(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_COMPOSETRANSPOSES_H
