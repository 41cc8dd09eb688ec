//===- JoinReaders.h - One op for several readers of a product --*- C++ -*-===//
//
// A step before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_JOINREADERS_H
#define SCHEDOPT_LIB_SPACE_JOINREADERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Makes one op of elementwise ops of `function` where several read a product,
/// or what becomes of it; whether there were any.
bool joinReaders(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_JOINREADERS_H
