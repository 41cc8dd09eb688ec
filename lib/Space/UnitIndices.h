//===- UnitIndices.h - Operands without dimensions of one element -*- C++ -*-=//
//
// A step before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_UNITINDICES_H
#define SCHEDOPT_LIB_SPACE_UNITINDICES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Drops the dimensions that elementwise ops of `function` index by zero from
/// what they read; whether there was one to drop.
bool dropUnitIndices(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_UNITINDICES_H
