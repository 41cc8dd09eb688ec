//===- TileFetch.h - Tiles of a contraction's operands in shared memory *- C++
//-*-===//
//
// All threads of a block move a tile together, vector by vector: without
// registers where the elements are in global memory as they are (cp.async),
// else through registers, with whatever computes them inlined. What is outside
// of the reduction is zero; rows and columns outside of the result are
// anything, as their sums are.
//
// Read next: ContractionEmitter.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_TILEFETCH_H
#define SCHEDOPT_LIB_CODEGEN_TILEFETCH_H

#include "ContractionLoops.h"
#include "ElementReader.h"
#include "SimtOptions.h"

namespace sched {

/// Loops of a contraction that count as one: M, N or K. The tile's part of each
/// has a bound, and a size that may be smaller at the edges.
struct TileAxis {
  llvm::SmallVector<unsigned> loops;
  llvm::SmallVector<int64_t> bounds;
  llvm::SmallVector<mlir::Value> sizes;
  /// Product of the bounds.
  int64_t extent = 1;

  /// Places of the axis's loops at `place` + `ahead`, and whether they are
  /// inside.
  llvm::SmallVector<mlir::Value> split(mlir::Value place, IndexMath &index,
                                       int64_t ahead = 0) const {
    return index.delinearize(place, bounds, ahead);
  }
  mlir::Value within(mlir::ValueRange places, IndexMath &index) const;
  /// The nearest places inside, with `width` lanes along the innermost loop.
  llvm::SmallVector<mlir::Value> clamp(mlir::ValueRange places, int64_t width,
                                       IndexMath &index) const;
  /// The innermost loop of more than one iteration: its position here.
  std::optional<unsigned> getInnermost() const;
  /// Lanes at places that are multiples of the result, at most `limit`, are in
  /// the same row of the innermost loop, and all inside or all outside.
  int64_t getWidth(int64_t limit, const IndexMath &index) const;
};

/// What the emitters of one contraction share.
struct ContractionTile {
  ContractionNest nest;
  KernelState &state;
  ElementReader &reader;
  SimtOptions options;
  /// M, N; and K, of which the sizes are those of the current step.
  TileAxis outer[2], k;
  /// Which of M and N are the columns of `sched.simt`.
  unsigned columns = 1;

  /// The entry of a side in the pairs of `sched.simt`.
  unsigned getEntry(unsigned side) const { return side == columns ? 1 : 0; }

  /// Where the result's element of places along M and N is.
  llvm::SmallVector<mlir::Value> getResultPlace(mlir::ValueRange m,
                                                mlir::ValueRange n) const;
  /// What all elements of a tensor are filled with; null if it is another one.
  mlir::Value getFillValue(mlir::Value init) const;
  /// The result's dimension of the innermost loop of M or N; -1 if none.
  int64_t getResultDim(unsigned side) const;
};

/// A tile of an operand in shared memory, once for each stage.
struct SharedTile {
  mlir::Value memory;
  /// Whether elements of successive K are next to each other.
  bool isKInner = true;
  /// Elements from a row to the next, and from a stage to the next.
  int64_t row = 0, stage = 0;

  mlir::Value getPosition(IndexMath &index, mlir::Value slot, mlir::Value outer,
                          mlir::Value k) const;
};

class TileFetch {
public:
  /// `side`: 0 is the left-hand side.
  TileFetch(ContractionTile &tile, unsigned side) : tile(tile), side(side) {}

  /// Decides how the tile is moved and laid out, and allocates it. Rows up to
  /// `covered` may be read, and are zero beyond the tile.
  mlir::LogicalResult plan(int64_t stages, int64_t covered);

  bool isAsync() const { return async; }
  /// Elements go to shared memory at once: copied without registers, or too
  /// many for them. Otherwise they may be loaded first and stored later.
  bool isDirect() const { return async || rolled; }
  const SharedTile &getShared() const { return shared; }

  /// Starts copying the tile of the current step, or moves it.
  mlir::LogicalResult copy(mlir::Value slot) { return copy(slot, {}, 0, 1); }
  /// Of a tile that is copied without registers, part `part` of so many. Where
  /// `wanted` is given and does not hold nothing is read, and zeros take the
  /// tile's place.
  mlir::LogicalResult copy(mlir::Value slot, mlir::Value wanted, int64_t part,
                           int64_t parts);
  /// The current step's elements of this thread, and what stores them. Not of
  /// tiles that are moved directly.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> load();
  void store(mlir::ValueRange elements, mlir::Value slot);
  /// Types of what `load` returns.
  llvm::SmallVector<mlir::Type> getLoadedTypes() const;

private:
  /// What a thread moves at once: places in the tile, and whether these are
  /// any of it, and inside of the operand.
  struct Round {
    mlir::Value outer, k, active, inside;
    llvm::SmallVector<mlir::Value> outerPlaces, kPlaces;
  };
  /// The axis that vectors are along, and the other one.
  const TileAxis &getAlong() const {
    return alongK ? tile.k : tile.outer[side];
  }
  const TileAxis &getAcross() const {
    return alongK ? tile.outer[side] : tile.k;
  }
  int64_t countRounds() const;
  /// Decides `rowsOfRound`.
  void dealOut();
  /// Whether a thread is to have rows next to each other.
  bool isRowByRow() const;
  /// Places of round `number`.
  Round makeRound(mlir::Value number);
  void makeRounds();
  void chooseAxis();
  /// Calls `body` for rounds from `first` to `last` of those that are written
  /// out; what it emits is done by the threads that have one.
  mlir::LogicalResult
  forEachRound(unsigned first, unsigned last,
               llvm::function_ref<mlir::LogicalResult(unsigned)> body);
  mlir::LogicalResult copyRound(const Round &round, mlir::Value slot,
                                mlir::Value start, mlir::Value wanted);
  mlir::Value loadRound(const Round &round, mlir::Value start);
  void storeRound(const Round &round, mlir::Value elements, mlir::Value slot);
  /// Zeros in the rows from the tile's extent up to `covered`, of all stages.
  void clearSurplus(int64_t stages, int64_t covered);
  /// Whether the axis's loops together go through memory without gaps: vectors
  /// may then cross from a row of one to the next, as in a filter's window.
  bool isGapless() const;
  int64_t getWidest(int64_t limit);
  /// Finds `strides`, where places of the tile are sums of products in memory.
  void findStrides();
  llvm::SmallVector<mlir::Value> getPlace(const Round &round) const;
  /// Where the tile begins in memory; null if it has no strides. The same for
  /// all threads, and all that differs from step to step.
  mlir::Value findStart();
  std::optional<ElementReader::Place> findPlace(const Round &round,
                                                mlir::Value start);
  mlir::Value getInside(const Round &round) const;
  mlir::Value getTensor() const;

  ContractionTile &tile;
  unsigned side;
  SharedTile shared;
  /// Vectors are along K, of the operand's dimension `lanes.dim`.
  bool alongK = true;
  Lanes lanes;
  /// Rows of such vectors that a round moves; 0: vectors are dealt out to
  /// threads one after another. And which threads have one then.
  int64_t rowsOfRound = 0;
  mlir::Value dealt;
  /// Rows of a thread that are next to each other, in as many rounds.
  int64_t adjacent = 1;
  bool gapless = false;
  /// Of the operand's dimensions, in memory; none if it is computed.
  llvm::SmallVector<int64_t> strides;
  bool async = false;
  /// Rounds are a loop; else they are written out, and `rounds` has them.
  bool rolled = false;
  llvm::SmallVector<Round> rounds;
};

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_TILEFETCH_H
