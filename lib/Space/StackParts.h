//===- StackParts.h - Elementwise ops beside each other ---------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_STACKPARTS_H
#define SCHEDOPT_LIB_SPACE_STACKPARTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Replaces tensors of `function` whose few elements along the innermost
/// dimension are computed one by one by elementwise ops by one such op for all
/// of them; whether there were any.
bool stackParts(mlir::func::FuncOp function);

/// In the body of an elementwise op, the one of `values`, at least one, that
/// the iteration of its loop `loop` counts.
mlir::Value selectPlace(mlir::OpBuilder &builder, mlir::Location loc,
                        unsigned loop, llvm::ArrayRef<mlir::Value> values);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_STACKPARTS_H
