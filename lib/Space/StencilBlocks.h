//===- StencilBlocks.h - Stencils computed block by block -------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_STENCILBLOCKS_H
#define SCHEDOPT_LIB_SPACE_STENCILBLOCKS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SmallVector.h"

namespace sched {

/// Rewrites the chains of stencils of `function` as loops over blocks of rows.
/// Returns the functions of their bodies, which are put beside it.
llvm::SmallVector<mlir::func::FuncOp> blockStencils(mlir::func::FuncOp function,
                                                    mlir::SymbolTable &symbols);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_STENCILBLOCKS_H
