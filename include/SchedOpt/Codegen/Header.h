//===- Header.h - The C header of an object ---------------------*- C++ -*-===//
//
// Declares to C and C++ what an object of Compile.h defines, or how the kernels
// of NVVM.h are launched.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CODEGEN_HEADER_H
#define SCHEDOPT_CODEGEN_HEADER_H

#include "SchedOpt/Codegen/LaunchPlan.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <string>

namespace sched {

/// Checks the public functions with a body below `module` for a header: C has a
/// type for the elements of each tensor. Emits an error at the
/// argument, or the function of the result.
llvm::LogicalResult checkHeaderTypes(mlir::Operation *module);

/// The header for `module` (functions on tensors, after sched-outline-packing).
/// `fileName` gives the include guard, `threads` the comment on threading.
/// Fails on a type that C has no name for.
llvm::Expected<std::string> emitCHeader(mlir::ModuleOp module,
                                        llvm::StringRef fileName, int threads);

/// The header of a plan whose functions have names that are identifiers of C:
/// for each function the sizes of its buffers and its launches.
std::string emitLaunchHeader(const LaunchPlan &plan, llvm::StringRef fileName);

/// The macro that keeps a header of that name from being read twice.
std::string getIncludeGuard(llvm::StringRef fileName);

} // namespace sched

#endif // SCHEDOPT_CODEGEN_HEADER_H
