//===- TileSizes.h - What is known of a tile's sizes ------------*- C++ -*-===//
//
// Of payloads before code is emitted: the tiles of a loop over blocks have
// sizes that are computed, where tiles do not divide a tensor.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_TILESIZES_H
#define SCHEDOPT_LIB_CODEGEN_TILESIZES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace sched {

/// The largest number that is known to divide an index.
int64_t getDivisor(mlir::OpFoldResult index);

/// The same of a dimension's size.
int64_t getSizeDivisor(mlir::Value tensor, int64_t dim);

/// An upper bound of a dimension, or -1.
int64_t getBound(mlir::Value tensor, int64_t dim);

/// The widest vector along the last dimension of `tensor` that is aligned
/// everywhere, as far as sizes and slices show: a power of two.
int64_t getAlignedWidth(mlir::Value tensor);
/// The same for a slice of a tensor, by the slice's last offset and size.
int64_t getAlignedWidth(mlir::RankedTensorType whole, mlir::OpFoldResult offset,
                        mlir::OpFoldResult size);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_TILESIZES_H
