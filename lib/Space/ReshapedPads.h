//===- ReshapedPads.h - Pads behind the reshape of an image -----*- C++ -*-===//

#ifndef SCHEDOPT_LIB_SPACE_RESHAPEDPADS_H
#define SCHEDOPT_LIB_SPACE_RESHAPEDPADS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Expands images before they are padded, where they are afterwards and the
/// expanded dimensions are not padded. Returns whether there were any.
bool padReshapedImages(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_RESHAPEDPADS_H
