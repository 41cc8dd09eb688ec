//===- CheapProducers.h - Computed again instead of stored ------*- C++ -*-===//
//
// What several ops read is stored by the one that computes it. Where that takes
// an addition or two, as the centred values of a layer norm, reading what it is
// made of and computing it again is no slower, and nothing is stored.
//
// A step of OutlineTasks.h, before tasks are cut.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_CHEAPPRODUCERS_H
#define SCHEDOPT_LIB_SPACE_CHEAPPRODUCERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace sched {

/// Gives each reader of `op` a copy of its own and erases `op`, if that takes
/// an addition or two and is read as said above. Returns whether it was.
bool copyIfCheap(mlir::linalg::LinalgOp op);

/// Gives each reader of such an op in `function` a copy of its own. Returns
/// whether there are any.
bool copyCheapProducers(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_CHEAPPRODUCERS_H
