//===- LoopNest.h - The loop-nest model of a scheduled payload --*- C++ -*-===//
//
// What the abstract interpreter builds instead of IR: an ordered tree of loops
// and blocks. Sizes are registers of the Program, so that one tree stands for
// all candidates of a sketch. A loop whose step is 0 or not smaller than the
// extent that is left makes no loop; a loop that does not divide runs its
// children once more with the remainder (a peeled tail).
//
// Read next: ProgramBuilder.h (how actions change the tree), NestWalker.h (how
// a candidate's concrete nest is enumerated).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_LOOPNEST_H
#define SCHEDOPT_MODEL_LOOPNEST_H

#include "SchedOpt/Support/DotProduct.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sched {

/// A register of a Program.
using Reg = uint16_t;
constexpr Reg kNoReg = 0xffff;

/// Loop dimensions a nest may have; bounds the walker's stack arrays.
constexpr unsigned kMaxDims = 24;
/// Loops around a block, those counted that some candidate lacks; bounds the
/// stack arrays as well.
constexpr unsigned kMaxLoops = 64;

/// What a block computes; decides its cost formula.
enum class BlockKind : uint8_t {
  Contraction,
  Fill,
  Elementwise,
  Reduction, ///< any other than a contraction
  Pack,      ///< layout change of a whole operand
  CacheCopy, ///< copy of a tile into a local buffer, or out of one
};

/// Of an access whose tensor no other block touches.
constexpr uint16_t kNoBuffer = 0xffff;

/// How a block touches one tensor. `dims[i]` is a dimension of the nest and
/// `strides[i]` its distance in elements.
struct AccessPlan {
  llvm::SmallVector<uint8_t, 4> dims;
  llvm::SmallVector<Reg, 4> strides;
  /// Bit i: `dims[i]` and `dims[i + 1]` are terms of one index, as the pixels
  /// and the taps of a convolution are.
  uint32_t overlaps = 0;
  unsigned elementBytes = 4;
  /// Whether the elements are narrow ones that some instruction multiplies.
  std::optional<NarrowType> narrow;
  bool isWrite = false;
  /// A register: whether the elements are in a buffer that the function fills
  /// by copies, such as a block of an operand or a padded image. kNoReg: they
  /// are not.
  Reg copied = kNoReg;
  /// Which tensor it is: accesses of several blocks to one, or to copies of it
  /// in another layout, have the same number.
  uint16_t buffer = kNoBuffer;
};

/// Zeros around an image that a convolution reads, along one of its dimensions.
/// Tiles of results along it leave out the products with these
/// (Support/ImageBorder.h).
struct BorderPlan {
  /// Rows from `begin` to before `end`.
  struct Range {
    int64_t begin, end;

    /// How many of them are of a tile of `rows` rows, the first of them `at`.
    int64_t countIn(int64_t at, int64_t rows) const {
      return std::max<int64_t>(0,
                               std::min(end, at + rows) - std::max(begin, at));
    }
    friend bool operator==(const Range &a, const Range &b) {
      return a.begin == b.begin && a.end == b.end;
    }
  };

  /// Dimensions of the nest: results along the image, and taps of the window.
  uint8_t rows, taps;
  /// Of each tap, the rows that it has a pixel for.
  llvm::SmallVector<Range, 3> inside;
  /// What is read is widened first; as signed bytes, whose columns are packed.
  bool isWidened = false, isSigned = false;
};

/// Operations at a point of a block's iteration space, by what they cost. A
/// product that is added to something counts once, as a MulAdd; so the sum may
/// be less than BlockPlan::flopsPerPoint.
struct PointOps {
  uint16_t mulAdds = 0, addSubs = 0, muls = 0, divs = 0;
  /// Comparisons, extremes, selects and operations on bits.
  uint16_t compares = 0;
  /// Of elements from one type to another.
  uint16_t casts = 0;
};

/// Tails of `dim` are computed as the next multiple of `multiple`, where
/// register `enable` is not 0: on copies, or by masked vectors.
struct TailFill {
  uint8_t dim;
  int64_t multiple;
  Reg enable;
  bool isMasked;
};

/// What the script says of how the threads of a GPU share a block's tile: one
/// key of an annotation (`schedule.annotate`).
struct Annotation {
  std::string key;
  llvm::SmallVector<Reg, 2> values;
  /// Where it has no value; or the words that a value chooses one of.
  llvm::SmallVector<std::string, 1> words;
};

struct BlockPlan {
  std::string name;
  BlockKind kind = BlockKind::Elementwise;
  /// Dimensions of the block's iteration space, outermost first.
  llvm::SmallVector<uint8_t, 4> dims;
  /// Those of them whose points are written one after another: no vector runs
  /// along them.
  llvm::SmallVector<uint8_t, 2> points;
  llvm::SmallVector<AccessPlan, 4> accesses;
  /// Arithmetic operations a point of the iteration space.
  unsigned flopsPerPoint = 0;
  /// Those of them that are math functions, each many instructions.
  unsigned callsPerPoint = 0;
  /// The rest of them, by kind.
  PointOps ops;
  /// The result's elements are integers.
  bool isInteger = false;
  /// Of a reduction that is split into steps: where this register is not 0,
  /// each adds to partial results, which meet after the last; where it is 0,
  /// each reduces its elements to one.
  Reg keepsPartials = kNoReg;
  /// Steps of a contraction's reduction that one multiply-add takes.
  unsigned stepsAtOnce = 1;
  /// Not part of the timed call (layout-free packing).
  bool isFree = false;
  /// Goes with a reduction that threads share, and is little work beside it.
  bool isExtra = false;
  /// Of which one at most is enabled.
  llvm::SmallVector<TailFill, 2> fills;
  /// Of the padded images that a contraction reads.
  llvm::SmallVector<BorderPlan, 1> borders;
  /// The operand of the contraction that it computes, if it does.
  std::optional<unsigned> feeds;
  std::vector<Annotation> annotations;

  /// The dimension that vectors of a stage run along: the innermost of what has
  /// the most dimensions.
  std::optional<uint8_t> getVectorDim() const {
    const AccessPlan *widest = &accesses.back();
    for (const AccessPlan &access : accesses)
      if (access.dims.size() > widest->dims.size())
        widest = &access;
    if (widest->dims.empty())
      return std::nullopt;
    return widest->dims.back();
  }
};

/// A node of the tree.
struct NestNode {
  /// Grid: a loop over tiles that are blocks of threads of a GPU; Steps: one
  /// that each of them runs. What these leave over is no tail of its own: the
  /// last tile is smaller.
  enum class Kind : uint8_t { Block, Loop, Forall, Grid, Steps };
  Kind kind = Kind::Block;
  uint8_t dim = 0;
  /// Loop, Grid, Steps: the step. Forall: the number of threads, which divides
  /// the extent.
  Reg size = kNoReg;
  /// The node exists only where this register is not 0 (kNoReg: always). A
  /// loop that does not exist still has its children.
  Reg enable = kNoReg;
  uint16_t block = 0;
  /// Number of the action that made the node.
  uint16_t action = 0;
  llvm::SmallVector<uint16_t, 4> children;
  /// What the remainder runs: `tail` where `ownTail`, else `children`.
  llvm::SmallVector<uint16_t, 4> tail;
  bool ownTail = false;
};

/// How the threads of a block share a tile of one block of code. Registers that
/// are kNoReg are left to the code generator. Pairs are for the rows and the
/// columns of a contraction.
struct StagePlan {
  using Pair = std::array<Reg, 2>;
  static constexpr Pair kNone = {kNoReg, kNoReg};
  uint16_t block = 0;
  /// A contraction in tiles of rows, columns and steps, in shared memory. Of
  /// all others, `threads` has one entry a loop.
  bool isTiled = false;
  llvm::SmallVector<Reg, 4> threads;
  Pair vthreads = kNone, tile = kNone, warps = kNone;
  Pair fetch = kNone, pad = kNone, transpose = kNone, raster = kNone;
  Reg stages = kNoReg, async = kNoReg, unroll = kNoReg, mma = kNoReg;
  Reg slices = kNoReg;
  Reg vector = kNoReg, along = kNoReg, keep = kNoReg, maxRegisters = kNoReg;
  /// Words of `keep`: its value chooses one, or the first.
  llvm::SmallVector<std::string, 3> places;
};

/// One kernel of a GPU: a grid of blocks of threads, each of which runs the
/// stages on its tile.
struct KernelPlan {
  /// Of each dimension of the nest: the tile of a block of threads, and the
  /// step of a loop in it; kNoReg for all there is.
  std::array<Reg, kMaxDims> tiles, steps;
  /// In program order.
  std::vector<StagePlan> stages;
};

/// The whole nest; `nodes[0]` is a root whose children run one after another.
struct LoopNestPlan {
  std::vector<NestNode> nodes;
  std::vector<BlockPlan> blocks;
  /// There is no contraction: every block is a stage of the same task.
  bool isStaged = false;
  /// Steps are taken several at once, and the target has tile registers for
  /// such operands.
  bool hasTiles = false;
  /// Of such steps: DotProducts::countEqualMultiplyAdds and changesRows, which
  /// goes for rows that are not copied anyway.
  double equalMultiplyAdds = 1;
  bool changesRows = false;
  /// Bytes that the task cannot avoid to read, and twice those of its result:
  /// a line is fetched before it is written.
  double externalBytes = 0;
  /// Extent of each dimension before any tiling.
  std::vector<Reg> extents;
  std::vector<std::string> dimNames;
  /// Parameters of ops that change no loop: the program depends on them too.
  std::vector<Reg> otherParams;
  /// Of a program for a GPU (KernelFeatures.h).
  std::vector<KernelPlan> kernels;
};

} // namespace sched

#endif // SCHEDOPT_MODEL_LOOPNEST_H
