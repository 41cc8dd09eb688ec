//===- OrderLoops.h - Reductions in the order of their result ---*- C++ -*-===//
//
// A step before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_ORDERLOOPS_H
#define SCHEDOPT_LIB_SPACE_ORDERLOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Interchanges the loops of reductions in `function`, and of contractions with
/// a window for each channel; whether there was one to interchange.
bool orderLoops(mlir::func::FuncOp function);

/// The same for elementwise ops.
bool orderElementwiseLoops(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_ORDERLOOPS_H
