//===- FewColumnSums.h - Sums of few columns --------------------*- C++ -*-===//
//
// A step before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_FEWCOLUMNSUMS_H
#define SCHEDOPT_LIB_SPACE_FEWCOLUMNSUMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Adds up columns of `function` that do not fill vectors in two steps; returns
/// whether there were any.
bool sumFewColumns(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_FEWCOLUMNSUMS_H
