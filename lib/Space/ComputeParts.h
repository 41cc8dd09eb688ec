//===- ComputeParts.h - Elementwise ops of what is joined -------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_COMPUTEPARTS_H
#define SCHEDOPT_LIB_SPACE_COMPUTEPARTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Replaces the elementwise ops of `function` that alone read a concatenation
/// by one for each of its parts, and products over one whose parts are computed
/// by sums of products; whether there were any.
bool computeParts(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_COMPUTEPARTS_H
