//===- WinogradFormulas.h - One dimension of the transforms -----*- C++ -*-===//
//
// F(m, 3): m results of a filter of 3 taps from m + 2 pixels by m + 2
// multiplications. The points are 0, 1, -1 and infinity for m = 2 (Lavin and
// Gray 2016, section 4.1), and 0, both roots of 1/2 and of 2, and infinity for
// m = 4: with 1 and 2 instead of the roots, as there, errors are two to five
// times as large (docs/Rationale.md).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_WINOGRADFORMULAS_H
#define SCHEDOPT_LIB_SPACE_WINOGRADFORMULAS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace sched::winograd {

constexpr int64_t kTaps = 3;

/// Pixels, and products, of a tile in one dimension.
inline int64_t getWindow(int64_t tile) { return tile + kTaps - 1; }

/// Row `row` of G, the transform of the filter: the weights of its three taps.
llvm::ArrayRef<double> getFilterRow(int64_t tile, int64_t row);

/// What is applied to one dimension of a tile.
using Transform = llvm::SmallVector<mlir::Value> (*)(
    mlir::OpBuilder &builder, mlir::Location loc,
    llvm::ArrayRef<mlir::Value> values);

/// B^T d and A^T m, as straight-line code on floats or vectors of them.
Transform getInputTransform(int64_t tile);
Transform getOutputTransform(int64_t tile);

/// `transform` of the rows of a matrix, then of its columns: from `size` x
/// `size` values, row by row, to a square of its results.
llvm::SmallVector<mlir::Value> transformSquare(mlir::OpBuilder &builder,
                                               mlir::Location loc,
                                               Transform transform,
                                               llvm::ArrayRef<mlir::Value> tile,
                                               int64_t size);

} // namespace sched::winograd

#endif // SCHEDOPT_LIB_SPACE_WINOGRADFORMULAS_H
