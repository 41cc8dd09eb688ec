//===- SymbolNames.h - Names of an object's functions -----------*- C++ -*-===//
//
// A function of an object has the name that it has in MLIR, where any text is a
// name. C is narrower, and some names are taken.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CODEGEN_SYMBOLNAMES_H
#define SCHEDOPT_CODEGEN_SYMBOLNAMES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace sched {

/// "F_pack_argN": the function that sched-outline-packing makes to pack
/// argument `position` of `function`; and the one that gives the buffer's size.
std::string getPackName(llvm::StringRef function, unsigned position);
std::string getPackSizeName(llvm::StringRef function, unsigned position);

/// Checks the public functions with a body below `module` for an object with a
/// C interface: names are identifiers of C and C++ and neither `main` nor in
/// the C library or OpenMP's, and none is in the way of the functions that pack
/// a layout-free argument. Emits one error a function, at its place.
llvm::LogicalResult checkSymbolNames(mlir::Operation *module);

} // namespace sched

#endif // SCHEDOPT_CODEGEN_SYMBOLNAMES_H
