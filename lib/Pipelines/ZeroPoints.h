//===- ZeroPoints.h - Products of quantised numbers -------------*- C++ -*-===//

#ifndef SCHEDOPT_LIB_PIPELINES_ZEROPOINTS_H
#define SCHEDOPT_LIB_PIPELINES_ZEROPOINTS_H

#include "mlir/IR/BuiltinOps.h"

namespace sched {
/// Takes constant zero points out of matrix products and convolutions of whole
/// numbers: the product is that of the numbers as they are stored, and what the
/// zero points change is subtracted from the result afterwards, with sums of
/// the other operand's elements. The sums wrap as those of the product do. A
/// zero point of the weights of a convolution stays if it is not 0: it would
/// take sums over windows.
void splitOffZeroPoints(mlir::ModuleOp module);
} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_ZEROPOINTS_H
