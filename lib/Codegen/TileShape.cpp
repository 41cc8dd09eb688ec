//===- TileShape.cpp - Shapes of tile registers ---------------------------===//

#include "TileShape.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

/// Rows of the tiles of a function: lower tiles beside whole ones would take
/// registers from these.
static int64_t chooseRows(ArrayRef<NarrowContraction> products) {
  const int64_t rows = products.front().rows;
  return rows > 1 && llvm::all_of(products,
                                  [&](const NarrowContraction &other) {
                                    return other.rows == rows;
                                  })
             ? std::min(rows, kTileEdge)
             : kTileEdge;
}

/// Whether the sums and operands of all products have registers of their own:
/// LLVM stores none of them while those of another shape are free.
static bool haveRegisters(ArrayRef<NarrowContraction> products) {
  llvm::SmallDenseMap<Block *, int64_t> rowsOf, sumsOf;
  int64_t sums = 0, operands = 0;
  for (NarrowContraction product : products) {
    const int64_t rows = llvm::divideCeil(product.rows, kTileEdge),
                  columns = product.columns / kTileEdge;
    Block *block = product.op->getBlock();
    // Sums that are begun in the block are stored before those of the next.
    const bool isCarried = product.op.getAcc().getParentBlock() != block ||
                           isa<BlockArgument>(product.op.getAcc());
    if (isCarried)
      sumsOf[block] += rows * columns;
    sums = std::max({sums, sumsOf[block], rows * columns});
    // Several rows of tiles keep all columns, and a row at a time.
    operands =
        std::max(operands, ((rowsOf[block] += rows) > 1 ? columns : 1) + 1);
  }
  return sums + operands <= kTileRegisters;
}

/// Groups of the tiles of a function.
static int64_t chooseGroups(ArrayRef<NarrowContraction> products) {
  const int64_t groups = countTileGroups(products.front().groups);
  return llvm::all_of(products,
                      [&](const NarrowContraction &other) {
                        return countTileGroups(other.groups) == groups;
                      }) &&
                 haveRegisters(products)
             ? groups
             : kTileEdge;
}

SmallVector<NarrowContraction>
sched::collectTileProducts(Operation *root, const DotProducts &dots) {
  SmallVector<NarrowContraction> products =
      collectNarrowContractions(root, DotForm::Tiles, dots);
  llvm::erase_if(products, [](const NarrowContraction &product) {
    return !usesTiles(product.rows, product.columns, product.groups);
  });
  return products;
}

TileShape sched::chooseTileShape(ArrayRef<NarrowContraction> products) {
  return {chooseRows(products), chooseGroups(products)};
}
