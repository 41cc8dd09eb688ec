//===- RepeatAlong.h - Each element several times ---------------*- C++ -*-===//
//
// For the steps before tasks are cut that change an operand's layout.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_REPEATALONG_H
#define SCHEDOPT_LIB_SPACE_REPEATALONG_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace sched {

/// `image`, a ranked tensor of static shape, with each element `count` times,
/// one after the other along dimension `dim`. What is padded along others is
/// repeated first.
mlir::Value repeatAlong(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value image, int64_t dim, int64_t count);

/// `value`, the same, with all elements of dimension `dim` `count` times, one
/// time after the other.
mlir::Value repeatWhole(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, int64_t dim, int64_t count);

/// `value`, the same, with a new dimension of `count` at `place`, along which
/// all is alike.
mlir::Value broadcastAt(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, int64_t place, int64_t count);

/// All of `rank` dimensions as they are, but `dim` and the next as one.
llvm::SmallVector<mlir::ReassociationIndices> joinAt(int64_t rank, int64_t dim);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_REPEATALONG_H
