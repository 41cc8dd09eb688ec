//===- JoinEpilogues.h - Epilogues behind a reshape -------------*- C++ -*-===//
//
// A rewriting that computes a product with fewer loops than its result has
// dimensions gives the result its dimensions back. Elementwise ops behind that
// would be no part of the product's task.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_JOINEPILOGUES_H
#define SCHEDOPT_LIB_SPACE_JOINEPILOGUES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace sched {

/// The start value of such a product: `start` with `groups` of its dimensions
/// merged, or a fill of its own where it is one.
mlir::Value collapseStart(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value start,
                          llvm::ArrayRef<mlir::ReassociationIndices> groups);

/// Moves the elementwise ops that follow `expand`, one after another, before
/// it, where their loops allow that; whether there was one.
bool joinEpilogues(mlir::tensor::ExpandShapeOp expand);

/// Does so behind each product of `function`.
bool joinEpilogues(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_JOINEPILOGUES_H
