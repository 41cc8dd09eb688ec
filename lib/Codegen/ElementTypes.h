//===- ElementTypes.h - Elements that kernels have --------------*- C++ -*-===//
//
// Which types the elements of a kernel's tensors may have, and their sizes in
// memory. The passes of a GPU that start from tensors check them first.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_ELEMENTTYPES_H
#define SCHEDOPT_LIB_CODEGEN_ELEMENTTYPES_H

#include "mlir/IR/Operation.h"

namespace sched {

/// Bytes of an element in memory.
int64_t getElementBytes(mlir::Type element);

/// Elements that 16 bytes have as a vector, at least 1.
int64_t getWidestVector(mlir::Type element);

/// Fails, with an error at the op that has it, where a tensor in `root` has
/// elements that a kernel cannot compute with.
llvm::LogicalResult checkElementTypes(mlir::Operation *root);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_ELEMENTTYPES_H
