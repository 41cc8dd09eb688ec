//===- TakePlanes.h - Channels that are innermost, one by one ---*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_TAKEPLANES_H
#define SCHEDOPT_LIB_SPACE_TAKEPLANES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Replaces ops of `function` whose neighbouring results read every second,
/// third or fourth element of an operand: reductions over these elements by an
/// elementwise op that reads each as a slice, elementwise ops by one for each
/// slice. Whether there were any.
bool takePlanes(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_TAKEPLANES_H
