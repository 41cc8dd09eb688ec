//===- TileShape.h - Shapes of tile registers -------------------*- C++ -*-===//
//
// LLVM gives a tile register one shape in all of a function. So the operands of
// its products have one shape each, where that is less than a whole tile.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_TILESHAPE_H
#define SCHEDOPT_LIB_CODEGEN_TILESHAPE_H

#include "NarrowContraction.h"

namespace sched {

/// Rows of the left-hand side, and groups of steps of both.
struct TileShape {
  int64_t rows = kTileEdge, groups = kTileEdge;

  bool operator==(const TileShape &other) const {
    return rows == other.rows && groups == other.groups;
  }
};

/// The products in `root` that tiles compute, with what `dots` has.
llvm::SmallVector<NarrowContraction>
collectTileProducts(mlir::Operation *root, const DotProducts &dots);

/// As few as `products`, of one function, take if all of them agree; else whole
/// tiles, into which what is less is copied. None of fewer groups if the sums
/// and operands of a block would not have registers of their own.
TileShape chooseTileShape(llvm::ArrayRef<NarrowContraction> products);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_TILESHAPE_H
