//===- JoinPatches.h - Windows that touch, as rows of a matrix --*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_JOINPATCHES_H
#define SCHEDOPT_LIB_SPACE_JOINPATCHES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Rewrites the narrow convolutions of `function`, for a processor that
/// multiplies tiles, whose images have few channels and whose windows touch
/// along more than one dimension; whether there was one.
bool joinPatches(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_JOINPATCHES_H
