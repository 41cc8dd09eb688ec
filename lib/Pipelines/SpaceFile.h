//===- SpaceFile.h - A file of search spaces --------------------*- C++ -*-===//
//
// What the option `space` names: a module with spaces, sketches, or transform
// scripts that have tunable ops of upstream's. Read next: GivenSpaces.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_SPACEFILE_H
#define SCHEDOPT_LIB_PIPELINES_SPACEFILE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace sched {

/// The name of the space that holds the sketches which are in none.
constexpr llvm::StringLiteral kLooseSketches = "sketches outside of a space";

/// Moves the spaces of `module` to the end of `spaces`; before that, its
/// scripts with knobs become sketches, and sketches outside of a space get one
/// without a name. Copies the matchers. What remains in `module` has nothing to
/// do with schedules. Errors have been emitted.
llvm::Error takeSpaces(mlir::ModuleOp module, mlir::ModuleOp spaces);

/// The same of the file `path`, of which a script `@__transform_main` is a
/// sketch even without a knob. An error, too, if the file cannot be read or
/// holds none.
llvm::Error readSpaces(llvm::StringRef path, mlir::ModuleOp spaces);

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_SPACEFILE_H
