//===- BlockFunction.h - The function of a block ----------------*- C++ -*-===//
//
// What RowBlocks.cpp and StencilBlocks.cpp put into the body of their loops: a
// private function with the ops of a chain, cut to a block.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_BLOCKFUNCTION_H
#define SCHEDOPT_LIB_SPACE_BLOCKFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sched {

/// A private function `<parent>_rows`, with an empty body, that is called in a
/// parallel loop of `parent`'s.
mlir::func::FuncOp makeBlockFunction(mlir::func::FuncOp parent,
                                     mlir::Location loc,
                                     mlir::TypeRange arguments,
                                     mlir::TypeRange results);

/// A copy of `op`, whose result is of `type`: `getTensor` says what a block has
/// of each tensor that it reads or starts from. Numbers and constants are
/// copied along, once for all of `made`.
mlir::Value
cloneToBlock(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
             mlir::Type type, mlir::IRMapping &made,
             llvm::function_ref<mlir::Value(mlir::OpOperand &)> getTensor);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_BLOCKFUNCTION_H
