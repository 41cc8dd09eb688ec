//===- PartialSums.h - Large sums in two tasks ------------------*- C++ -*-===//
//
// A step before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_PARTIALSUMS_H
#define SCHEDOPT_LIB_SPACE_PARTIALSUMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Takes large sums of `function` in two steps; returns whether there was one.
bool makePartialSums(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_PARTIALSUMS_H
