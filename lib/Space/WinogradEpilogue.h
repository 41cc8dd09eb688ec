//===- WinogradEpilogue.h - What is done with results at once ---*- C++ -*-===//
//
// Elementwise consumers of a convolution, as a bias and a relu, computed on the
// vectors that the last transform of Winograd.cpp makes.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_WINOGRADEPILOGUE_H
#define SCHEDOPT_LIB_SPACE_WINOGRADEPILOGUE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace sched::winograd {

/// The elementwise ops that use the result of `convolution`, one after the
/// other, and nothing else does, as far as each can be computed on vectors of
/// channels.
llvm::SmallVector<mlir::linalg::LinalgOp>
collectEpilogue(mlir::linalg::LinalgOp convolution);

/// The vector at `place`, an index a dimension of the result, of what `op`
/// computes, where `vector` is that of its operand `produced`.
mlir::Value applyEpilogue(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                          mlir::Value produced, mlir::Value vector,
                          llvm::ArrayRef<mlir::Value> place);

} // namespace sched::winograd

#endif // SCHEDOPT_LIB_SPACE_WINOGRADEPILOGUE_H
