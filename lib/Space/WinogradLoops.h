//===- WinogradLoops.h - Loops over the tiles of an image -------*- C++ -*-===//
//
// Both transforms walk the tiles of an image and, innermost, its channels by
// vectors. Tiles at a border take or give fewer pixels, which is known when the
// code is written: ranges of tiles that are alike get loops of their own, so
// that no pixel is looked up by a condition and no image is padded.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_WINOGRADLOOPS_H
#define SCHEDOPT_LIB_SPACE_WINOGRADLOOPS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace sched::winograd {

/// Tiles [begin, end) of one dimension, of which pixels [first, last) are
/// there.
struct TileRange {
  int64_t begin, end;
  int64_t first, last;

  int64_t count() const { return last - first; }
  bool contains(int64_t pixel) const { return first <= pixel && pixel < last; }
};

/// Tiles of a dimension whose pixel p is the element tile * step + p - low of
/// `extent`, for p below `window`.
llvm::SmallVector<TileRange> cutRanges(int64_t tiles, int64_t step,
                                       int64_t window, int64_t low,
                                       int64_t extent);

/// Where a body of the loops is: image, tile, first channel, all as indices,
/// and what is there of the tile.
struct TilePlace {
  mlir::Value image, row, column, channel;
  /// The same counted from the first channel of this thread's.
  mlir::Value ownChannel;
  TileRange rows, columns;

  /// The element of pixel `p` of a tile, as for cutRanges.
  static mlir::Value getElement(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Value tile, int64_t step, int64_t offset);
};

/// Writes to `dest`, a tensor whose last dimension is that of the channels,
/// and returns what it becomes.
using TileBody = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &builder, mlir::Value dest, const TilePlace &place)>;

/// Loops over images, tiles and vectors of channels, for as many of `threads`
/// as can share the channels by whole vectors. The last `dest`.
mlir::Value buildTileLoops(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value dest, int64_t images,
                           llvm::ArrayRef<TileRange> rows,
                           llvm::ArrayRef<TileRange> columns, int64_t lanes,
                           int64_t threads, TileBody body);

} // namespace sched::winograd

#endif // SCHEDOPT_LIB_SPACE_WINOGRADLOOPS_H
