//===- FeatureVisitor.h - Adds up the features of a nest --------*- C++ -*-===//
//
// The visitor of NestWalker.h behind extractFeatures. What it does at a block
// is in a file for each kind: ContractionFeatures.cpp, StageFeatures.cpp, and
// FeatureExtractor.cpp for what only feeds these.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_MODEL_FEATUREVISITOR_H
#define SCHEDOPT_LIB_MODEL_FEATUREVISITOR_H

#include "SchedOpt/Model/Features.h"
#include "SchedOpt/Model/LoopNest.h"
#include "SchedOpt/Model/NestWalker.h"
#include "SchedOpt/Model/RegisterTile.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <array>

namespace sched {

class FeatureVisitor {
public:
  FeatureVisitor(const LoopNestPlan &nest, const Target &target,
                 llvm::ArrayRef<int64_t> registers, FeatureVector &features)
      : nest(nest), target(target), registers(registers), features(features),
        readsOnce(llvm::count_if(nest.blocks, [](const BlockPlan &block) {
                    return block.kind != BlockKind::Fill;
                  }) == 1) {
    for (unsigned i = 0, e = nest.extents.size(); i != e; ++i)
      levelExtents[0][i] = registers[nest.extents[i]];
    levelTrips[0] = 1;
  }

  void enterLoop(const WalkState &state) {
    const WalkLoop &loop = state.loops[state.depth - 1];
    levelExtents[state.depth] = state.extents;
    levelTrips[state.depth] =
        levelTrips[state.depth - 1] * (loop.isForall ? 1 : loop.trips);
    if (loop.isForall) {
      threads = loop.trips;
      features[Feature::ParallelRegions] += levelTrips[state.depth - 1];
      features[Feature::Threads] =
          std::max<float>(features[Feature::Threads], loop.trips);
    }
  }

  void exitLoop(const WalkState &state) {
    if (state.loops[state.depth - 1].isForall)
      threads = 1;
  }

  void block(const BlockPlan &block, const WalkState &state);

  /// Fills in what is known at the end of the walk.
  void finish(double flops);

  /// See Evaluation::copies.
  double countCopies() const {
    return std::max(1.0, double(places) / std::max(1, llvm::popcount(seen)));
  }

private:
  /// Takes the sums apart, block by block.
  friend class BlockVisitor;
  static constexpr unsigned kMaxLevels = kMaxLoops + 1;

  void addCycles(double amount, const WalkState &state) {
    cycles += amount;
    if (threads == 1)
      serialCycles += amount;
    if (state.tail)
      tailCycles += amount;
  }

  int64_t points(const BlockPlan &block, const WalkState &state) const {
    int64_t product = 1;
    for (uint8_t dim : block.dims)
      product *= state.extents[dim];
    return product;
  }

  /// Bytes of what one tile of `block` computes.
  double tileBytes(const BlockPlan &block, const WalkState &state) const {
    return double(points(block, state)) * block.accesses.back().elementBytes;
  }

  const std::array<int64_t, kMaxDims> &extentsAt(unsigned level,
                                                 const WalkState &state) const {
    return level == state.depth ? state.extents : levelExtents[level];
  }

  /// \name ContractionFeatures.cpp
  /// @{
  /// Trips of the innermost loops that do not index the result: over these the
  /// accumulators stay in registers.
  int64_t reductionTrips(const AccessPlan &result,
                         const WalkState &state) const;
  /// What a step of `tile` loads where columns of a window share pixels
  /// (Codegen/SharePixels.cpp); 0 where they do not.
  double countSharedLoads(const BlockPlan &block, const RegisterTile &tile,
                          uint8_t vectorDim, const WalkState &state) const;
  /// Cycles of `steps` steps of a contraction's tile, without those that leave
  /// out the zeros around an image.
  double tileCycles(const BlockPlan &block, const RegisterTile &tile,
                    uint8_t vectorDim, int64_t steps,
                    const WalkState &state) const;
  /// How many lines of low tiles of AMX, which is a loop around those of the
  /// reduction, are computed side by side (Codegen/PairLines.cpp). Fewer that
  /// are left over count as as many.
  int64_t countLines(const BlockPlan &block, const RegisterTile &tile,
                     uint8_t vectorDim, const WalkState &state) const;
  /// Whether an operand has elements of their own for each lane of a vector and
  /// each row of the result, as windows of a depthwise convolution do.
  bool hasWindowsOfLanes(const BlockPlan &block, uint8_t vectorDim) const;
  /// Cycles of a thread in which it waits for lines of `result` that a core
  /// beside it fetched, as threads split its rows.
  double splitRowCycles(const AccessPlan &result, const WalkState &state) const;
  void contraction(const BlockPlan &block, const WalkState &state);
  /// Traffic of tails into L1, where it does not come with that of their main
  /// part; and into all caches of what one thread computes after the others
  /// have shared the rest, such as rows that are left over: it goes through the
  /// operands again.
  void leftOver(const BlockPlan &block, const WalkState &state);
  /// Whether L1 holds what the innermost tail and its main part read together,
  /// or the tail is one of windows, of whose pixels others have read most.
  bool comesWithMainPart(const BlockPlan &block, const WalkState &state) const;
  /// ConflictRows: of what a step reads element by element, and the next ones
  /// go on with.
  double countConflicts(const BlockPlan &block, uint8_t vectorDim,
                        const WalkState &state) const;
  bool keepsPartials(const BlockPlan &block) const;
  /// Vectors along the reduction, each with partial sums of its own.
  void laneReduction(const BlockPlan &block, const WalkState &state);
  /// Cycles that a step waits for lines of a tile's rows that lie in the same
  /// sets of L1, more of them than these have ways: they are fetched ahead, and
  /// evict one another before they are read, or read on in.
  double evictionCycles(const AccessPlan &access, const WalkState &state) const;
  /// Cycles of a tile to read by rows what its vectors, along `vectorDim`, want
  /// by columns.
  double transposeCycles(const BlockPlan &block, uint8_t vectorDim,
                         const WalkState &state) const;
  double footprint(const AccessPlan &access,
                   const std::array<int64_t, kMaxDims> &extents,
                   int64_t cacheBytes, double *conflict = nullptr) const;
  /// Of all that a block touches.
  double footprint(const BlockPlan &block,
                   const std::array<int64_t, kMaxDims> &extents,
                   int64_t cacheBytes) const;
  /// The level at which a register tile goes through its reduction.
  static unsigned getSweepDepth(const AccessPlan &result,
                                const WalkState &state);
  /// What comes into a cache of so many bytes, one thread's or shared by all.
  struct Traffic {
    double bytes = 0;
    /// Parts of rows, where a sweep goes through several.
    double rows = 0;
    /// The outermost level whose data fit, and the part of the cache that they
    /// take.
    unsigned level = 0;
    double fill = 0;
  };
  /// Of `lines` that are computed side by side, what all read comes once.
  Traffic traffic(const BlockPlan &block, const WalkState &state,
                  int64_t cacheBytes, bool shared, int64_t lines = 1) const;
  void caches(const BlockPlan &block, const WalkState &state,
              int64_t lines = 1);
  /// @}

  /// \name StageFeatures.cpp
  /// @{
  /// Cycles to load or store a vector of `access` along `vectorDim`.
  double getMoveCycles(const AccessPlan &access, uint8_t vectorDim,
                       int64_t lanes, const WalkState &state) const;
  bool isTransposed(const AccessPlan &access, uint8_t vectorDim) const;
  void stage(const BlockPlan &block, const WalkState &state);
  /// Bytes that fetching lines and pages of `access` again costs, where vectors
  /// read something across and the loops that fit in L2 use a part of a row.
  double countWaste(const BlockPlan &block, const AccessPlan &access,
                    uint8_t vectorDim, const WalkState &state) const;
  /// What comes from outside passes every cache that does not hold all of it.
  void streams();
  /// @}

  /// \name FeatureExtractor.cpp
  /// @{
  void elementwise(const BlockPlan &block, const WalkState &state);
  /// What the contraction reads of `block` has been in L2 since it was
  /// computed, or goes further out and comes back.
  void produce(const BlockPlan &block, const WalkState &state);
  void pack(const BlockPlan &block, const WalkState &state);
  void cacheCopy(const BlockPlan &block, const WalkState &state);
  /// @}

  const LoopNestPlan &nest;
  const Target &target;
  llvm::ArrayRef<int64_t> registers;
  FeatureVector &features;
  /// There is one stage: none reads again, from a cache, what another has read.
  const bool readsOnce;
  /// At each depth: extents inside, and trips of the serial loops around.
  std::array<std::array<int64_t, kMaxDims>, kMaxLevels> levelExtents;
  std::array<double, kMaxLevels> levelTrips;
  int64_t threads = 1;
  unsigned elementBytes = 4;
  bool mainTileSeen = false;
  double cycles = 0, serialCycles = 0, tailCycles = 0;
  /// Read by the contraction where it was computed: in L2.
  double nearBytes = 0;
  /// Of lines that are fetched again.
  double wastedBytes = 0;
  /// Of a tile that reads and writes elements in the same order.
  double streamedVectors = 1;
  double lanePoints = 0, usefulPoints = 0;
  /// Visits of blocks that compute, and which (modulo 64) these are.
  unsigned places = 0;
  uint64_t seen = 0;
};

} // namespace sched

#endif // SCHEDOPT_LIB_MODEL_FEATUREVISITOR_H
