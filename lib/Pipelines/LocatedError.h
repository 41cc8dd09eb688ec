//===- LocatedError.h - Errors with their place in the input ----*- C++ -*-===//
//
// What a pass reports at the op that it is about, on its way through functions
// that return llvm::Error.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_LOCATEDERROR_H
#define SCHEDOPT_LIB_PIPELINES_LOCATEDERROR_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace sched {

/// `error` as one about what is at `loc`.
llvm::Error locate(llvm::Error error, mlir::Location loc);

/// `error` as one that has been emitted as a diagnostic.
llvm::Error markEmitted(llvm::Error error);

/// Emits `error` at its place, at `module` if it has none, unless that has
/// happened.
void emitOnce(mlir::ModuleOp module, llvm::Error error);

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_LOCATEDERROR_H
