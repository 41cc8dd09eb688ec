//===- ScaleTerms.h - Means of columns in one pass --------------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_SCALETERMS_H
#define SCHEDOPT_LIB_SPACE_SCALETERMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Multiplies the terms of sums of columns in `function` by what their results
/// are multiplied by, or divided; whether there was one.
bool scaleTermsOfColumns(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_SCALETERMS_H
