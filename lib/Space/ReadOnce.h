//===- ReadOnce.h - Operands of which each element is read once -*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_READONCE_H
#define SCHEDOPT_LIB_SPACE_READONCE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Computes, in the products of `function` themselves, operands of which a
/// product reads each element once; whether there was one.
bool fuseReadOnce(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_READONCE_H
