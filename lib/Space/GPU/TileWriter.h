//===- TileWriter.h - Sketches of tiled contractions ------------*- C++ -*-===//
//
// A block of threads computes a tile of rows and columns of the result. Step by
// step of the reduction it brings a tile of each operand to shared memory, in
// several buffers in turn, and multiplies from there. Rows and columns are all
// loops of one operand and of the result together (a convolution's images,
// lines and pixels): an implicit product of matrices. Batches are tiles of one.
//
// The rules are ThreadTiles.cpp and MatrixTiles.cpp; what the requirements say
// of registers and shared memory is what Model/KernelTiles.cpp says.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_GPU_TILEWRITER_H
#define SCHEDOPT_LIB_SPACE_GPU_TILEWRITER_H

#include "KernelWriter.h"

namespace sched {

class TileWriter : KernelWriter {
public:
  /// `isMatrix`: with matrix instructions.
  TileWriter(const Task &task, const Target &target, bool isMatrix);

  std::string write(llvm::StringRef name);

private:
  enum class Side { Rows, Columns, Batch, Steps };
  /// A loop of the contraction.
  struct Axis {
    /// Among ContractionShape::loops.
    unsigned position;
    int64_t extent;
    Side side;
    /// Decision of its tile.
    std::string size;
    /// The parameter that says how many tiles there are; "" before it is asked
    /// for.
    std::string tiles = "";
  };

  /// \name Sections, in the order of a sketch
  /// @{
  /// The tile of a block: %rows and %columns.
  void blockTile();
  /// The reduction of a step: %depth.
  void stepTile();
  /// %tm and %tn, the tile of a thread, of which it has %vy x %vx; so %ty x %tx
  /// %threads.
  void threadTile();
  /// %wy, %wx; the tile of a warp, %wm and %wn; %threads.
  void warpTile();
  /// %slices: warps that share the steps of a tile. Each has one at least.
  void slices();
  /// Buffers, and what fills them.
  void pipeline();
  /// %registers and %shared, and that they fit.
  void resources();
  /// What a thread holds of the operands; the parameter's name.
  std::string fragments();
  /// %shared: the buffers, or, where they are more, the sums of slices.
  void sharedMemory();
  /// %max_registers, with which a multiprocessor holds one block more, if that
  /// is decided and may work.
  void residents();
  /// Entries of the annotation for the order of the blocks, %row_group rows at
  /// a time; "" where the second level has all operands in any order.
  std::string rasterEntry();
  /// @}

  /// Sizes of the tile by default: the best of some by what the busiest
  /// multiprocessor computes and reads.
  void chooseTile();
  int64_t countAll(Side side) const;
  /// How many tiles an axis has, as a parameter of the sketch.
  const std::string &countTiles(Axis &axis);
  /// `%name`: the product of the sizes of that side.
  void multiplySizes(llvm::StringRef name, Side side);
  /// Whether the operand of that side is contiguous along its own loops, not
  /// along the reduction.
  bool isContiguousAlong(Side side) const;
  int64_t bytesOf(Side side) const;
  int64_t sumBytes() const;
  /// Whether matrix instructions round operands of f32.
  bool isRounded() const;
  /// Elements of that side's operand that a thread may fetch at once.
  llvm::SmallVector<int64_t> listFetches(Side side) const;
  /// Whether copies of 4 bytes at least can go to shared memory by themselves.
  bool canCopy() const;
  /// Whether tiles of 256 x 128 with the steps of four matrix instructions,
  /// three of them at a time, suit the target.
  bool hasDeepTiles() const;
  std::string sizeOf(const Axis &axis) const { return "%" + axis.size; }
  unsigned rootDim(const Axis &axis) const;

  bool isMatrix;
  const ContractionShape &shape;
  llvm::SmallVector<Axis> axes;
  /// By default: rows and columns of a block, and those that its sizes make.
  int64_t wantedRows = 64, wantedColumns = 64, rows = 1, columns = 1;
  int64_t depth = 1, mostDepth = 1;
  /// There is a choice of slices.
  bool isSliced = false;
};

/// Steps of the reduction that a matrix instruction takes of such operands: 32
/// bytes of each row.
int64_t countMatrixSteps(mlir::Type type);

/// Whether a contraction can be tiled so: it has rows and columns, and what
/// goes with it can be computed in the tiles or where it is read.
bool isTiledContraction(const Task &task);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_GPU_TILEWRITER_H
