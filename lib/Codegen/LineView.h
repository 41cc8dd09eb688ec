//===- LineView.h - A part of memory as one line ----------------*- C++ -*-===//
//
// What moves whole vectors looks at the memory of a buffer, whatever dimensions
// and strides that has.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_LINEVIEW_H
#define SCHEDOPT_LIB_CODEGEN_LINEVIEW_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace sched {

/// `count` elements, side by side in the memory that `buffer` is in, from the
/// one on that is at `indices` times `strides`, one each. Needs the memref and
/// affine dialects.
mlir::Value viewLine(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value buffer, mlir::ValueRange indices,
                     llvm::ArrayRef<int64_t> strides, int64_t count);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_LINEVIEW_H
