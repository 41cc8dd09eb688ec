//===- ExpandBatches.h - Reshapes inside of attention -----------*- C++ -*-===//
//
// A step before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_EXPANDBATCHES_H
#define SCHEDOPT_LIB_SPACE_EXPANDBATCHES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Takes the reshapes of `function` that lie between two products with a
/// reduction in between into the products; whether there was one.
bool expandBatches(mlir::func::FuncOp function);

/// Takes the reshape behind `operand` into the product that makes it or, if the
/// operand is the product's, reads it; whether it went.
bool expandAt(mlir::OpOperand &operand);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_EXPANDBATCHES_H
