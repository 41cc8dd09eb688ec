//===- SplitResults.h - A reduction for each result -------------*- C++ -*-===//
//
// A step before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_SPLITRESULTS_H
#define SCHEDOPT_LIB_SPACE_SPLITRESULTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Makes an op for each result of those reductions of `function` that have
/// several, where none depends on another and rules know each; returns whether
/// there were any.
/// No upstream op does it in a script, so tasks of `function` get functions of
/// their own.
bool splitResults(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_SPLITRESULTS_H
