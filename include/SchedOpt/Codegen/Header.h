//===- Header.h - The C header of an object ---------------------*- C++ -*-===//
//
// Declares to C and C++ what an object of Compile.h defines.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CODEGEN_HEADER_H
#define SCHEDOPT_CODEGEN_HEADER_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <string>

namespace sched {

/// The header for `module` (functions on tensors, after sched-outline-packing).
/// `fileName` gives the include guard, `threads` the comment on threading.
/// Fails on an element type that C has no name for.
llvm::Expected<std::string> emitCHeader(mlir::ModuleOp module,
                                        llvm::StringRef fileName, int threads);

} // namespace sched

#endif // SCHEDOPT_CODEGEN_HEADER_H
