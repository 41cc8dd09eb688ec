//===- InlineHelpers.h - Functions that others call -------------*- C++ -*-===//
//
// A step before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_INLINEHELPERS_H
#define SCHEDOPT_LIB_SPACE_INLINEHELPERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace sched {

/// Puts the body of a function in the place of `call`, if it has one block.
void inlineCall(mlir::func::CallOp call, mlir::func::FuncOp callee);

/// Puts the bodies of those of `functions`, which do not call themselves, in
/// the place of their calls by others of them, and erases private ones that
/// nothing calls then, from `functions`, too. Returns those that had calls.
/// What is marked `no_inline` stays, and so do functions with arguments that
/// are marked as free in their layout.
llvm::SmallPtrSet<mlir::Operation *, 8>
inlineHelpers(mlir::ModuleOp module,
              llvm::SmallVectorImpl<mlir::func::FuncOp> &functions);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_INLINEHELPERS_H
