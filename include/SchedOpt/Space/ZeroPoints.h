//===- ZeroPoints.h - Products of quantised numbers -------------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut, and of lowering TOSA: see the
// top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SPACE_ZEROPOINTS_H
#define SCHEDOPT_SPACE_ZEROPOINTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {
/// Takes constant zero points out of matrix products and convolutions of whole
/// numbers: the product is that of the numbers as they are stored, and what the
/// zero points change is subtracted from the result afterwards, with sums of
/// the other operand's elements. The sums wrap as those of the product do. A
/// zero point of the weights of a convolution stays if it is not 0: it would
/// take sums over windows. Whether there was one.
bool splitOffZeroPoints(mlir::func::FuncOp function);
} // namespace sched

#endif // SCHEDOPT_SPACE_ZEROPOINTS_H
