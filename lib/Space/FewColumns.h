//===- FewColumns.h - Products with hardly any columns ----------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_FEWCOLUMNS_H
#define SCHEDOPT_LIB_SPACE_FEWCOLUMNS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Lays the right-hand sides of products with few columns out along the
/// reduction, in `function`; whether there was one.
bool transposeFewColumns(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_FEWCOLUMNS_H
