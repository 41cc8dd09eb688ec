//===- ScalarOperands.h - Scalars as tensors of rank 0 ----------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_SCALAROPERANDS_H
#define SCHEDOPT_LIB_SPACE_SCALAROPERANDS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Makes scalars that the ops of `function` read in their bodies or as operands
/// and that are no constants operands of rank 0; whether there were any.
bool takeScalarsAsTensors(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_SCALAROPERANDS_H
