//===- DefaultTile.h - The register tile to begin with ----------*- C++ -*-===//
//
// Which register tiles a contraction's sketches offer, and which of them the
// default schedule has. Read next: SchedOpt/Model/RegisterTile.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SPACE_DEFAULTTILE_H
#define SCHEDOPT_SPACE_DEFAULTTILE_H

#include <cstdint>

namespace sched {
struct ContractionShape;
struct Target;

/// Tiles beyond this have no more reuse to gain on any vector unit.
inline constexpr int64_t kMaxTileRows = 14;
/// Those above are for 32 registers and tiles of one vector, which load as
/// often as they multiply, but for the vector of the right-hand side.
inline constexpr int64_t kTileRows[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,
                                        10, 11, 12, 13, 14, 16, 20, 24, 28};
/// Vectors of a row. Three: four rows of them fill the sixteen registers of
/// AVX2, where four or seven rows are all that a small image has. Five and
/// seven are for columns of so many vectors, or a multiple of them: threads
/// have five each of ten.
inline constexpr int64_t kTileVectors[] = {1, 2, 3, 4, 5, 7, 8, 16};

/// Windows read a vector for each accumulator, so that rows share nothing: more
/// accumulators than hide the latency only spread the accesses, and spill where
/// a tile is at a border of the image.
inline constexpr int64_t kWindowAccumulators = 8;

/// Whether tiles of `shape` may be so many vectors wide. Where lanes have
/// windows of their own only powers of two: LLVM takes other vectors apart
/// between taps. Where there are sixteen registers, three are for few rows, or
/// for columns that pairs leave a vector of: elsewhere 6 x 2 has as few idle
/// cycles, and seldom a rest of columns. Five and seven are for columns that
/// leave none, and 32 registers.
bool isTileWidth(const ContractionShape &shape, const Target &target,
                 int64_t vectors);

struct DefaultTile {
  int64_t rows = 1, vectors = 1;
};

/// What a form of product asks of a tile.
struct TileNeeds {
  /// Registers of the right-hand side a vector of columns.
  int64_t columnRegisters = 1;
  /// Divides the rows, where there are so many.
  int64_t rowStep = 1;
  /// Whether tiles leave no whole vector of columns over: the rest of panels of
  /// groups of steps is no such group, but widened products.
  bool allVectors = false;

  bool allows(int64_t vectors, const ContractionShape &shape,
              const Target &target) const;
};

/// The tile that covers all rows and columns in the fewest cycles, what is left
/// over of both included.
DefaultTile chooseDefaultTile(const ContractionShape &shape,
                              const Target &target, TileNeeds needs = {});

} // namespace sched

#endif // SCHEDOPT_SPACE_DEFAULTTILE_H
