//===- TileShape.cpp - Shapes of tile registers ---------------------------===//

#include "TileShape.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

/// Rows of the tiles of a function. LLVM gives a register one shape in all of
/// it, so lower tiles beside whole ones would take registers from these.
static int64_t chooseRows(ArrayRef<NarrowContraction> products) {
  const int64_t rows = products.front().rows;
  return rows > 1 && llvm::all_of(products,
                                  [&](const NarrowContraction &other) {
                                    return other.rows == rows;
                                  })
             ? std::min(rows, kTileEdge)
             : kTileEdge;
}

/// Whether sums and operands of the products of each block have registers of
/// their own: LLVM stores none of them while those of another shape are free.
static bool haveRegisters(ArrayRef<NarrowContraction> products) {
  struct Tiles {
    int64_t sums = 0, rows = 0, columns = 0;
  };
  llvm::SmallDenseMap<Block *, Tiles> blocks;
  for (NarrowContraction product : products) {
    const int64_t rows = llvm::divideCeil(product.rows, kTileEdge),
                  columns = product.columns / kTileEdge;
    Block *block = product.op->getBlock();
    Tiles &tiles = blocks[block];
    // Sums that are begun in the block are stored before those of the next.
    const bool isCarried = product.op.getAcc().getParentBlock() != block ||
                           isa<BlockArgument>(product.op.getAcc());
    tiles.sums = isCarried ? tiles.sums + rows * columns
                           : std::max(tiles.sums, rows * columns);
    tiles.rows += rows;
    tiles.columns = std::max(tiles.columns, columns);
  }
  return llvm::all_of(blocks, [](const auto &entry) {
    const Tiles &tiles = entry.second;
    return tiles.sums + (tiles.rows > 1 ? tiles.columns : 1) + 1 <=
           kTileRegisters;
  });
}

/// Groups of the tiles of a function, of which LLVM takes one shape likewise.
static int64_t chooseGroups(ArrayRef<NarrowContraction> products) {
  const int64_t groups = countTileGroups(products.front().groups);
  return haveRegisters(products) &&
                 llvm::all_of(products,
                              [&](const NarrowContraction &other) {
                                return other.groups % groups == 0;
                              })
             ? groups
             : kTileEdge;
}

TileShape sched::chooseTileShape(ArrayRef<NarrowContraction> products) {
  return {chooseRows(products), chooseGroups(products)};
}
