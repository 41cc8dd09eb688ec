//===- CopyTransposed.h - Copies in another layout --------------*- C++ -*-===//
//
// For the steps before tasks are cut that change an operand's layout.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_COPYTRANSPOSED_H
#define SCHEDOPT_LIB_SPACE_COPYTRANSPOSED_H

#include "mlir/IR/Builders.h"

namespace sched {

/// `value`, a ranked tensor of static shape, with dimension `order[i]` as
/// dimension i: a constant, or a `linalg.transpose` that is a task of its own.
mlir::Value copyTransposed(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value value, llvm::ArrayRef<int64_t> order);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_COPYTRANSPOSED_H
