//===- BufferRoot.h - The buffer behind views -------------------*- C++ -*-===//

#ifndef SCHEDOPT_LIB_CODEGEN_BUFFERROOT_H
#define SCHEDOPT_LIB_CODEGEN_BUFFERROOT_H

#include "mlir/Interfaces/ViewLikeInterface.h"

namespace sched {

/// The buffer that `buffer` is a view of, or itself.
inline mlir::Value getRoot(mlir::Value buffer) {
  while (auto view = buffer.getDefiningOp<mlir::ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_BUFFERROOT_H
