//===- KernelWriter.h - Pieces that sketches for GPUs have ------*- C++ -*-===//
//
// Names, grids, annotations and limits of the sketches in this folder. A sketch
// cuts the result into tiles, a block of threads each, and says in an attribute
// how the threads of a block share a tile.
//
// Read next: ThreadTiles.cpp, ThreadRows.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_GPU_KERNELWRITER_H
#define SCHEDOPT_LIB_SPACE_GPU_KERNELWRITER_H

#include "../SketchText.h"
#include "llvm/ADT/SmallVector.h"

namespace sched {

class KernelWriter : protected SketchText {
public:
  KernelWriter(const Task &task, const Target &target);

protected:
  using Extents = llvm::SmallVector<int64_t, 4>;

  /// A loop of a tile: its position in the root's loops, its extent, and the
  /// parameter with its size.
  struct TileLoop {
    unsigned dim;
    int64_t extent;
    std::string size;
  };

  void begin(llvm::StringRef name);
  /// `%name`, the result of an algebra op of `operands`.
  void compute(llvm::StringRef name, llvm::StringRef op,
               llvm::ArrayRef<std::string> operands);
  /// Requires `%condition`, which compares `left` and `right` by `predicate`.
  void require(llvm::StringRef condition, llvm::StringRef predicate,
               llvm::StringRef left, llvm::StringRef right,
               llvm::StringRef reason);
  /// Makes generic ops where that helps and names the blocks.
  void nameBlocks();
  /// What other blocks read where they need it: `producers` of a contraction
  /// may be kernels of their own instead, if decided so.
  void inlineProducers();
  /// Tiles of the root, blocks of threads each, with all that goes with it.
  void tileGrid(llvm::ArrayRef<TileLoop> loops, bool stages);
  void annotate(llvm::StringRef block, const llvm::Twine &entries);
  /// Requires that `%threads` threads, `%registers` registers each and
  /// `%shared` bytes fit. A name that is "" has no limit.
  void limits(llvm::StringRef threads, llvm::StringRef registers,
              llvm::StringRef shared);
  std::string end();

  /// Name of the block at a position of the task's blocks.
  const std::string &nameOf(unsigned position) const { return names[position]; }
  const Extents &extentsOf(unsigned position) const {
    return task.blocks.extents[position];
  }
  /// The extents of the root's loops.
  const Extents &extents() const { return extentsOf(root); }
  bool hasEpilogue() const;

  /// Position of the block that is tiled, and of the contraction if there is
  /// one.
  unsigned root = 0, anchor = 0;
  llvm::SmallVector<std::string> names;
  /// The handle that actions take.
  std::string function;
};

/// Powers of two from `first` to `last`, up to the first that is at least
/// `extent`.
llvm::SmallVector<int64_t> listPowers(int64_t first, int64_t last,
                                      int64_t extent);
/// Sizes of tiles of `extent`, at most `most`: powers of two, divisors, and all
/// of it.
llvm::SmallVector<int64_t> listTiles(int64_t extent, int64_t most);
/// The largest of `values`, in increasing order, that is at most `wanted`; the
/// first if none is.
int64_t pickAtMost(llvm::ArrayRef<int64_t> values, int64_t wanted);
/// Elements of `bytes` that a thread may move at once: powers of two.
llvm::SmallVector<int64_t> listVectors(int64_t bytes, int64_t extent);
/// Bytes of an element.
int64_t countElementBytes(mlir::Type type);

/// Whether there is a result of more than one element to make a grid of.
bool hasGrid(llvm::ArrayRef<int64_t> extents);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_GPU_KERNELWRITER_H
