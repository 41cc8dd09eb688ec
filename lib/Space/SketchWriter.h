//===- SketchWriter.h - Pieces that sketches are written from ---*- C++ -*-===//
//
// The decisions and actions that the contraction sketches share. Which sizes a
// decision offers, and its default, come from the target's parameters:
// registers and vector width bound the register tile, L2 the cache block (Low
// et al. 2016, section 4).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_SKETCHWRITER_H
#define SCHEDOPT_LIB_SPACE_SKETCHWRITER_H

#include "SchedOpt/Support/DotProduct.h"
#include "SketchText.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallSet.h"
#include <array>
#include <optional>
#include <string>

namespace sched {

/// Below this much work a thread, forking costs more than it saves.
constexpr double kFlopsPerThread = 4.0e5;

/// An instruction that takes several steps of a reduction at once.
struct StepGroup {
  DotForm form = DotForm::Lanes;
  /// Steps side by side, which divide the reduction.
  int64_t steps = 1;
  /// Registers for the right-hand side a vector of columns: two for groups of
  /// 64 bits.
  int64_t columnRegisters = 1;
  /// What a group adds up to is added to the sums by another instruction, or by
  /// one that LLVM takes apart where that shortens a chain (`vpdpwssd`). Of
  /// several groups in a turn LLVM adds these up first, and spills what has to
  /// be at hand for it.
  bool addsApart = false;
};

class SketchWriter : SketchText {
public:
  /// `packed`: the right-hand side is read from panels. A group of more than
  /// one step only if packed; %k and all sizes along it then count groups.
  SketchWriter(const Task &task, const Target &target, bool packed,
               StepGroup group = {});

  /// The whole sketch of a product in register tiles. `blocked`: the reduction
  /// is cut into blocks, and the accumulators live in memory between them.
  std::string product(llvm::StringRef name, bool blocked);

  /// \name Sections, in the order of a sketch
  /// @{
  void begin(llvm::StringRef name);
  /// Register tile: %mr, %nr (columns), %ku, and the requirements that keep the
  /// accumulators in registers; %unit, what m is shared by.
  void registerTile();
  /// The same for tiles of rows, columns and groups.
  void matrixTile(bool blocked);
  /// Whether all taps of a step come before the next step: decided where there
  /// are both. Such steps have a loop of their own now, else they get one
  /// later.
  void orderSteps();
  /// Groups of a step of these.
  int64_t stepUnit() const;
  /// Fuses elementwise chains, names the blocks, computes what the operands
  /// need before anything else, and packs if asked to. What the left-hand side
  /// needs may wait for a place inside of the reduction's blocks if there are
  /// some: `inBlocks`.
  void blocks(bool inBlocks);
  /// %t threads over one of the result's dimensions.
  void parallel();
  /// The batches one by one, unless they can move and it is decided that they
  /// come later.
  void batches(bool canMove);
  /// Loops over cache blocks %mc x %nc around `root`.
  void cacheBlocks();
  /// Fills the panels inside of the cache blocks, if decided so, and lets
  /// blocks of %mi rows share them.
  void latePanels();
  /// Gives the sums of a cache block a buffer, if decided so, where they would
  /// wait in the rows of a result that are far apart.
  void cacheSums();
  /// Splits the reduction into blocks of %kc, takes outer reductions one by
  /// one, computes what waits for it in them, and splits the rows in each of
  /// them into blocks of %mi.
  void reductionBlocks();
  /// Copies the left-hand side's block into a buffer, if decided so; not where
  /// blocks overlap.
  void cacheLhs();
  /// Register tiles; with `fuse`, init and epilogue are computed in registers,
  /// and outer reductions run inside.
  void registerTiles(bool fuse);
  /// The unrolled reduction inside of a register tile, and vectors that the
  /// last columns fill if decided so.
  void unrollReduction();
  /// In place of registerTile, for vectors along the reduction: %mr and %nr
  /// rows of the two operands, and %width partial sums of each pair. Candidates
  /// for %nr and for the vectors of %width, of which k holds `minSteps`.
  void laneTile(llvm::ArrayRef<int64_t> rows, llvm::ArrayRef<int64_t> partials,
                int64_t minSteps);
  /// The tiles of it, with the whole reduction and what is fused.
  void laneReduction();
  /// In place of all from blocks to the unrolled reduction: threads share the
  /// reduction (SharedReduction.cpp).
  void sharedReduction();
  /// Tiles init and epilogues that were left outside of the register tile.
  void tileOutside();
  std::string end();
  /// @}

private:
  /// Sets what the last columns may become.
  void findTails();
  bool fillsTails() const { return !tailChoices.empty(); }
  /// Decides %tails, if there is a choice.
  void decideTails();
  /// The last columns of `block` fill vectors, if decided so.
  void fillTails(llvm::StringRef block, bool masked, llvm::StringRef init = "");
  /// Fuses what has to be, and names the blocks; returns the function's handle.
  std::string nameBlocks();
  /// Loops by what they are to the product: indices into the positions of
  /// ContractionShape.
  enum Axis : unsigned { kM, kN, kK, kOuter = ContractionShape::kFirstOuter };
  struct TiledLoop {
    unsigned axis;
    const char *size;
  };
  /// A `schedule.tile` of `block`: the anchor, or an op on its result.
  void tile(llvm::StringRef block, bool fuse, llvm::ArrayRef<TiledLoop> loops,
            llvm::StringRef order = "");
  /// The same with the text that says what is fused.
  void tileFusing(llvm::StringRef block, const std::string &fused,
                  llvm::ArrayRef<TiledLoop> loops, llvm::StringRef order = "");
  void tileByOne(llvm::StringRef block, bool fuse,
                 llvm::ArrayRef<unsigned> axes);
  void tileBySizes(llvm::StringRef block, bool fuse,
                   llvm::ArrayRef<unsigned> axes,
                   llvm::ArrayRef<std::string> sizes);
  /// Axes of the outer loops of that kind.
  llvm::SmallVector<unsigned> outerLoops(bool reductions) const;
  /// How many of the batches come inside by default.
  int64_t chooseInnerBatches() const;
  /// The batches one by one where `block` stands now, those that were decided
  /// to.
  void innerBatches(llvm::StringRef block, bool fuse);
  /// Axes of the batches of more than one element.
  llvm::SmallVector<unsigned> movableBatches() const;
  /// Whether batches have something in common that a place inside of the loops
  /// over cache blocks keeps in the caches: an operand, as a convolution's
  /// lines have the weights, or the memory that they interleave in, as groups
  /// have.
  bool sharesInBatches() const;
  /// Whether there are outer reductions of more than one step.
  bool hasTaps() const;
  /// Bytes of the right-hand side, for one of the batches.
  int64_t countWeightBytes() const;
  /// Whether half of L2 holds `columns` of it.
  bool holdsWeights(int64_t columns) const {
    return double(columns) / n * countWeightBytes() <= target.l2Bytes / 2.0;
  }
  /// Axes that threads can share.
  llvm::SmallVector<unsigned> parallelLoops() const;
  /// Pieces of the axis that threads share by default: register tiles, or
  /// points.
  int64_t sharesOf(unsigned axis) const;
  /// What threads share an axis in pieces of.
  const char *unitOf(unsigned axis) const;
  /// `%` and the name of an axis's extent.
  std::string extentOf(unsigned axis) const;
  unsigned rootDim(unsigned axis) const {
    const ContractionShape &shape = *task.blocks.shape;
    return (hasEpilogue() ? shape.resultDims : shape.loops)[axis];
  }
  bool hasEpilogue() const { return epilogues > 0; }
  void tileRows(llvm::StringRef block);
  /// How many units a block of rows may have; the last is all of m.
  llvm::SmallVector<int64_t> rowBlocks() const;
  /// `%name`: `%count` units of rows, at least a register tile.
  void rowBlock(llvm::StringRef name, llvm::StringRef count);
  /// Requires `%name` rows to divide a thread's rows unless it is whole
  /// register tiles.
  void evenBlocks(llvm::StringRef name);
  /// Requires that threads which share one of `axes` leave nothing of it over
  /// if `decision` is not 0: that may be smaller than a cache block, and has no
  /// slice of its own there, so the model would have to place its copy apart.
  void requireEvenShares(llvm::StringRef decision,
                         llvm::ArrayRef<unsigned> axes);
  /// Whether threads leave nothing of `axis` over, the loop number `number` of
  /// those that they may share: a value, written once.
  std::string sharesEvenly(unsigned number, unsigned axis);
  /// Row by row, in vectors, over threads; tiled before the rest, so that
  /// greedy fusion finds loops and stops there.
  void producers(llvm::StringRef function);
  /// The tiling of producer number `number`, now called `name`, row by row.
  void tileProducer(llvm::StringRef function, unsigned number,
                    const std::string &name, llvm::StringRef one,
                    llvm::StringRef width);
  /// Decides the place of the left-hand side's producer, and its width.
  void placeProducer(bool inBlocks);
  /// What the place inside of the reduction's blocks needs.
  void requireSlices();
  /// Name of the block that waits, in quotes.
  std::string lateProducer() const;
  bool producerWaits() const { return late.has_value(); }
  /// Packing inside of the loops must not be repeated by other rows.
  void requirePackOnce();
  /// Tiles the panels that are filled inside of the loops, where they are now.
  void tileLatePack();
  /// What packing needs to know of a contraction that is no plain product of
  /// matrices.
  std::string panelLoops() const;
  std::string fuseList() const;
  std::string root() const { return hasEpilogue() ? "epilogue" : "anchor"; }
  unsigned resultRank() const;
  unsigned anchorRank() const;
  unsigned rootRank() const {
    return hasEpilogue() ? resultRank() : anchorRank();
  }

  bool packed, packsLhs, init = false;
  /// There is a decision on whether taps come inside of the steps.
  bool ordersSteps = false;
  /// Axes of the batches whose place is a decision, %inner_batches: how many of
  /// them, innermost loops of the op, come inside of the cache blocks.
  llvm::SmallVector<unsigned> movedBatches;
  /// Whether the panels may still be given a place inside of the loops, which
  /// is a decision, %pack_at: 0 before all loops, 1 inside of those over cache
  /// blocks and over blocks of the reduction.
  bool packWaits = false;
  /// The producer, by its number, that a decision, %producer_at, puts before
  /// all loops (0) or into the blocks of the reduction (1).
  std::optional<unsigned> late;
  /// Extents of the producers' loops.
  llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 2> producerExtents;
  unsigned epilogues = 0;
  /// How the last columns may be computed, where whole vectors leave some, and
  /// what pads each operand.
  llvm::SmallVector<int64_t, 3> tailChoices;
  std::string tailZeros;
  bool startsFromFill = false;
  /// Of which it is known whether threads share them evenly.
  llvm::SmallSet<unsigned, 4> evenAxes;
  StepGroup steps;
  int64_t m, n, k, lanes, group;
  /// Rows and columns of the default register tile, and the default of %t.
  std::array<int64_t, 2> defaultTile = {1, 1};
  int64_t defaultThreads = 1;
};

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_SKETCHWRITER_H
