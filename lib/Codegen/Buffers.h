//===- Buffers.h - Buffers behind views, and their sizes --------*- C++ -*-===//
//
// What passes on buffers ask before they move a read or a write: whether it is
// of the same buffer as another one, and how large that is. Two roots may still
// be the same memory, if both are arguments that may overlap.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_BUFFERS_H
#define SCHEDOPT_LIB_CODEGEN_BUFFERS_H

#include "mlir/Interfaces/ViewLikeInterface.h"

namespace sched {

/// Of a line of the caches.
constexpr int64_t kLineBytes = 64;

/// The buffer that `buffer` is a view of, or itself.
inline mlir::Value getRoot(mlir::Value buffer) {
  while (auto view = buffer.getDefiningOp<mlir::ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// Bytes of a vector, tensor or buffer of static shape, whose elements are
/// numbers of whole bytes.
inline int64_t countBytes(mlir::ShapedType type) {
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_BUFFERS_H
