//===- StageWriter.h - Pieces of sketches without a contraction -*- C++ -*-===//
//
// The decisions and actions of the rules in StageRules.h. Defaults are those
// that were the fastest by hand (docs/Rationale.md).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_STAGEWRITER_H
#define SCHEDOPT_LIB_SPACE_STAGEWRITER_H

#include "SketchText.h"

namespace sched {

class StageWriter : SketchText {
public:
  /// `task` has blocks.staged.
  StageWriter(const Task &task, const Target &target);

  /// \name Sections, in the order of a sketch
  /// @{
  void begin(llvm::StringRef name);
  /// %width, the elements of a row, and %rows of a tile; all of it fits in the
  /// vector registers. A row has `transposedVectors` by default where the tile
  /// is transposed.
  void tiles(int64_t transposedVectors = 1);
  /// %width of elementwise stages, if there are; %reduce_width, the elements of
  /// a row that a reduction takes in a step, and %keep_partials, whether it
  /// keeps as many partial results.
  void widths();
  /// %lines of a row of several dimensions that a step reduces, where these are
  /// pages. Their partial results fit in registers. With `isShared`, threads
  /// may have shares of the dimension that lines are along.
  void linesAtOnce(bool isShared);
  /// %rows that are reduced side by side, where that has a meaning: each hides
  /// the latency of the others' sums, and their lanes are joined at once. Their
  /// partial results fit in registers.
  void rowsAtOnce();
  /// Makes generic ops, fuses chains and names the blocks.
  void blocks();
  /// Tiles the root over threads with all stages inside.
  void fuseTiles();
  /// Takes rows one by one, or %rows at once, over threads, with all stages
  /// inside.
  void fuseRows();
  /// Splits each stage's row.
  void stages();
  /// Tiles a reduction of columns, over threads, rows outermost.
  void columns();
  /// Tiles the root in blocks of squares (TransposedBlocks.cpp).
  void transposedBlocks();
  /// Shares the reduction over threads in place of its rows (SharedRows.cpp).
  void sharedRows();
  /// The same of columns (SharedColumns.cpp).
  void sharedColumns();
  std::string end();
  /// @}

private:
  using Extents = llvm::SmallVector<int64_t, 4>;
  const Extents &extents() const { return task.blocks.extents[root]; }
  const StagedShape::Stage &rootStage() const { return shape.stages[root]; }
  int64_t lanesOf(const StagedShape::Stage &stage) const;
  /// The loop of %rows; none if the root has no other than its vectors'.
  std::optional<unsigned> rowLoop() const;
  /// `%name`: so many whole vectors, at most `most`, if they fit in `extent`;
  /// how many there are by default.
  int64_t decideWidth(llvm::StringRef name, llvm::StringRef count,
                      int64_t extent, int64_t lanes, int64_t vectors,
                      int64_t most = 16);
  /// `%name`, "lines" or "rows", where there are several of `counts`: so many
  /// that their partial results fit in `room` registers, `standard` by default.
  /// Whether it decides.
  bool decideAtOnce(const std::string &name, llvm::ArrayRef<int64_t> counts,
                    int64_t standard, int64_t room);
  /// Decides %t and %parallel_dim, of the loops that `dims` lists; all but
  /// `last` are tried first.
  void threads(llvm::ArrayRef<unsigned> dims, unsigned last);
  /// Decides %t, at least two threads, each with an element of the least of
  /// `shared`; returns how many there may be.
  llvm::SmallVector<int64_t> decideShares(llvm::ArrayRef<int64_t> shared);
  /// Shares the reduction over `dim` of the stage at `position` among %t
  /// threads; whether some of `counts` leave something over.
  bool shareReduction(unsigned position, unsigned dim, bool buffered,
                      llvm::ArrayRef<int64_t> counts);
  /// Tiles what joins the results of threads, and what they start from, by one,
  /// in the last dimension by `last`.
  void tileJoin(unsigned position, llvm::StringRef last);
  /// The dimension of the stage at `position` that threads share.
  unsigned getSharedDim(unsigned position) const;
  /// Shares the rows of the reduction at `position`.
  void shareRow(unsigned position, llvm::ArrayRef<int64_t> counts);
  /// Distributes the rows of the elementwise stage at `position`.
  void spreadRow(unsigned position);
  /// Splits the row of `block`, whose stage is that at `position`; with
  /// `shares`, it has one of so many shares of the row.
  void splitRow(const std::string &block, unsigned position,
                llvm::StringRef shares = "");
  /// Tiles the root, or `block` in its place, rows of a reduction outermost.
  void tileColumns(const std::string &block);
  /// Tiles what the columns' sums start from, if there is an op.
  void tileInit();
  /// "dims [0, 1] extents(%d0, %d1)" for loops of the block at `position`; new
  /// constants precede.
  std::string dimensions(unsigned position, llvm::ArrayRef<unsigned> dims);
  /// Block names but the root's, consumers first.
  std::string stageList() const;

  const StagedShape &shape;
  /// Position of the root.
  unsigned root = 0;
  bool reducesRows = false;
  /// Vectors of partial results of a row by default.
  int64_t partials = 1;
  /// The parameter with the rows that a step takes.
  std::string rowsOfStep = "%one";
  /// What says how many lines of a row a step has; empty: one.
  std::string linesOfStep;
  /// The handle that actions take.
  std::string function;
  std::vector<std::string> names;
};

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_STAGEWRITER_H
