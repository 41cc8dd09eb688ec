//===- PackedBytes.h - Products with bytes packed beforehand ----*- C++ -*-===//
//
// Products of signed bytes on x86 take the left-hand side as unsigned ones, and
// begin with sums that lack what this adds: 128 times those of columns. Where a
// function of their own packs the columns, it sums them up, too (PackSums.cpp),
// so that there may be sums of any part of a window.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_PACKEDBYTES_H
#define SCHEDOPT_LIB_CODEGEN_PACKEDBYTES_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sched {

/// The tensor that `view` is a view of.
mlir::Value getViewed(mlir::Value view);

/// What `value`, signed bytes that are widened, is read from; null if it is
/// something else.
mlir::vector::TransferReadOp getSignedBytes(mlir::Value value);

/// Whether a product of what `read` reads, widened signed bytes, is with bytes
/// that a function of their own has packed.
bool isMultipliedByPacked(mlir::vector::TransferReadOp read);

/// Whether some of what `read` reads may be left out of products: not where
/// signed integers are widened for one whose columns are not packed so. Says
/// nothing of readers that do not widen it so.
bool mayBeLeftOut(mlir::vector::TransferReadOp read);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_PACKEDBYTES_H
