//===- FlattenBranches.h - Selects in place of branches ---------*- C++ -*-===//
//
// A step before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_FLATTENBRANCHES_H
#define SCHEDOPT_LIB_SPACE_FLATTENBRANCHES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Replaces each `scf.if` in the bodies of the linalg ops of `function` whose
/// two sides may both be computed; returns whether there was one.
bool flattenBranches(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_FLATTENBRANCHES_H
