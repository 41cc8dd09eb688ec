//===- KeptDimensions.h - Results of reductions that keep dimensions *- C++
//-*-//
//
// A step before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_KEPTDIMENSIONS_H
#define SCHEDOPT_LIB_SPACE_KEPTDIMENSIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Drops the dimensions of one element that reductions of `function` leave in
/// their results, and from the elementwise ops that read these; whether there
/// was one to drop.
bool dropKeptDimensions(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_KEPTDIMENSIONS_H
