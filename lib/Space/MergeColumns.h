//===- MergeColumns.h - Two short dimensions of columns are one -*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_MERGECOLUMNS_H
#define SCHEDOPT_LIB_SPACE_MERGECOLUMNS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Merges the two innermost dimensions of products' results in `function`,
/// where the last is shorter than vectors are; whether there was one.
bool mergeColumns(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_MERGECOLUMNS_H
