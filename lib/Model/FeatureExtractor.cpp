//===- FeatureExtractor.cpp - Features of a candidate ---------------------===//
//
// One visitor of the nest. Cycles are summed over every block, tails included;
// cache traffic is computed once, at the anchor's main tile: for each cache,
// the outermost loop level whose data fit is found, and each operand is counted
// as often as a loop outside of that level changes it (the reuse analysis of
// Bondhugula et al. and of Halide's Adams 2019, on closed forms). A task
// without a contraction moves its tensors once: it costs that, or its vector
// work.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Model/FeatureExtractor.h"
#include "CacheFootprint.h"
#include "FeatureCosts.h"
#include "SchedOpt/Model/LaneTile.h"
#include "SchedOpt/Model/NestWalker.h"
#include "SchedOpt/Model/RegisterTile.h"
#include "SchedOpt/Support/DotProduct.h"
#include "TailCosts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace sched;

namespace {

constexpr unsigned kMaxLevels = kMaxLoops + 1;

class Extractor {
public:
  Extractor(const LoopNestPlan &nest, const Target &target,
            llvm::ArrayRef<int64_t> registers, FeatureVector &features)
      : nest(nest), target(target), registers(registers), features(features) {
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

  void block(const BlockPlan &block, const WalkState &state) {
    if (nest.isStaged)
      return stage(block, state);
    switch (block.kind) {
    case BlockKind::Contraction:
      return contraction(block, state);
    case BlockKind::Reduction:
      return stage(block, state);
    case BlockKind::Fill:
    case BlockKind::Elementwise:
      return elementwise(block, state);
    case BlockKind::Pack:
      return pack(block, state);
    case BlockKind::CacheRead:
      return cacheRead(block, state);
    }
  }

  void finish(double flops) {
    const double lanes = countLanes(target, elementBytes);
    const double flopsPerCycle =
        lanes * std::max(1, target.fmaPorts) * (target.hasFMA ? 2 : 1);
    auto &threadsUsed = features[Feature::Threads];
    threadsUsed = std::max(threadsUsed, 1.0f);
    if (nest.isStaged)
      streams();
    auto &farBytes = features[Feature::L2Bytes];
    farBytes = std::max<float>(0, farBytes - nearBytes);
    features[Feature::Flops] = flops;
    features[Feature::IdealCycles] = flops / (threadsUsed * flopsPerCycle);
    features[Feature::ComputeCycles] = cycles;
    features[Feature::SerialCycles] = serialCycles;
    features[Feature::TailCycles] = tailCycles;
    features[Feature::VectorWaste] =
        usefulPoints > 0 ? lanePoints / usefulPoints : 1.0;
    features[Feature::VectorBytes] = target.vectorBytes;
    features[Feature::VectorRegisters] = target.vectorRegisters;
    features[Feature::L1Size] = target.l1Bytes;
    features[Feature::L2Size] = target.l2Bytes;
    features[Feature::L3Size] = target.l3Bytes;
    features[Feature::Cores] = target.cores;
  }

private:
  void addCycles(double amount, const WalkState &state) {
    cycles += amount;
    if (threads == 1)
      serialCycles += amount;
    if (state.inTail)
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

  //===--------------------------------------------------------------------===//
  // Contractions
  //===--------------------------------------------------------------------===//

  /// Trips of the innermost loops that do not index the result: over these the
  /// accumulators stay in registers.
  int64_t reductionTrips(const AccessPlan &result,
                         const WalkState &state) const {
    int64_t trips = 1;
    for (unsigned i = state.depth; i-- > 0;) {
      // Each thread that shares the reduction has a result of its own.
      if (state.loops[i].isForall ||
          llvm::is_contained(result.dims, state.loops[i].dim))
        break;
      trips *= state.loops[i].trips;
    }
    return trips;
  }

  void contraction(const BlockPlan &block, const WalkState &state) {
    if (keepsPartials(block))
      return laneReduction(block, state);
    const AccessPlan &result = block.accesses.back();
    // The innermost of more than one element: unit dimensions fold away.
    uint8_t vectorDim = result.dims.back();
    for (uint8_t dim : result.dims)
      if (levelExtents[0][dim] > 1 && !llvm::is_contained(block.points, dim))
        vectorDim = dim;
    RegisterTile tile{1, state.extents[vectorDim], 1, result.elementBytes};
    for (uint8_t dim : block.dims) {
      if (dim == vectorDim)
        continue;
      (llvm::is_contained(result.dims, dim) ? tile.m : tile.unroll) *=
          state.extents[dim];
    }
    tile.unroll = llvm::divideCeil(tile.unroll, block.stepsAtOnce);
    tile.inTiles = nest.hasTiles && block.stepsAtOnce > 1 &&
                   usesTiles(tile.m, tile.n, tile.unroll);
    // Lanes that have windows of their own: each accumulator loads a vector.
    bool isWindowed = false;
    int64_t allLoads = 0;
    for (const AccessPlan &access :
         llvm::ArrayRef(block.accesses).drop_back()) {
      int64_t loads = 1, rows = 1;
      for (uint8_t dim : access.dims)
        if (dim == vectorDim)
          loads *= tile.vectors(target);
        else if (llvm::is_contained(result.dims, dim))
          rows *= state.extents[dim];
      isWindowed |= rows > 1 && llvm::is_contained(access.dims, vectorDim);
      allLoads += loads * rows;
    }
    if (isWindowed)
      tile.loads = allLoads;
    const int64_t reductionTrips = this->reductionTrips(result, state);
    const double trips = levelTrips[state.depth];
    const double tiles = trips / reductionTrips;
    addCycles(tiles * (tile.cycles(target, reductionTrips * tile.unroll) +
                       tile.entryExitCycles(target)) +
                  trips * transposeCycles(block, vectorDim, state) +
                  getFillCycles(block, tiles * tile.m, state, levelTrips),
              state);

    elementBytes = result.elementBytes;
    const double lanes = countLanes(target, elementBytes);
    const double executed = trips * threads * tile.m * tile.unroll;
    lanePoints += executed * tile.vectors(target) * lanes;
    usefulPoints += executed * tile.n;
    if (mainTileSeen)
      return;
    mainTileSeen = true;

    features[Feature::TileM] = tile.m;
    features[Feature::TileN] = tile.vectors(target);
    features[Feature::TileK] = tile.unroll;
    features[Feature::Accumulators] = tile.m * tile.vectors(target);
    features[Feature::RegisterPressure] =
        static_cast<float>(tile.registers(target)) / target.vectorRegisters;
    features[Feature::LoopDepth] = state.depth;
    double reductionExtent = 1,
           reductionInside = reductionTrips * tile.unroll *
                             static_cast<double>(block.stepsAtOnce);
    for (uint8_t dim : block.dims)
      if (!llvm::is_contained(result.dims, dim))
        reductionExtent *= levelExtents[0][dim];
    features[Feature::ReductionBlocks] =
        std::max(1.0, reductionExtent / reductionInside);
    features[Feature::AccumulatorSpills] =
        2.0 * tiles * (features[Feature::ReductionBlocks] > 1 ? 1 : 0);
    caches(block, state);
    // Rows of tiles are whole lines.
    if (tile.inTiles)
      features[Feature::ConflictRows] = 0;
  }

  bool keepsPartials(const BlockPlan &block) const {
    return block.keepsPartials != kNoReg && registers[block.keepsPartials] != 0;
  }

  /// Vectors along the reduction, each with partial sums of its own.
  void laneReduction(const BlockPlan &block, const WalkState &state) {
    const AccessPlan &result = block.accesses.back();
    LaneTile tile{1, 1, 1, result.elementBytes};
    for (uint8_t dim : block.dims)
      (!llvm::is_contained(result.dims, dim)                  ? tile.width
       : llvm::is_contained(block.accesses.front().dims, dim) ? tile.lhsRows
                                                              : tile.rhsRows) *=
          state.extents[dim];
    const double trips = levelTrips[state.depth];
    addCycles(trips * tile.stepCycles(target) +
                  trips / reductionTrips(result, state) *
                      tile.endCycles(target),
              state);

    elementBytes = result.elementBytes;
    const double executed = trips * threads * tile.lhsRows * tile.rhsRows;
    lanePoints += executed * tile.vectors(target) * tile.lanes(target);
    usefulPoints += executed * tile.width;
    if (mainTileSeen)
      return;
    mainTileSeen = true;
    features[Feature::TileM] = tile.lhsRows * tile.rhsRows;
    features[Feature::TileN] = tile.vectors(target);
    features[Feature::TileK] = 1;
    features[Feature::Accumulators] = tile.accumulators(target);
    features[Feature::RegisterPressure] =
        static_cast<float>(tile.registers(target)) / target.vectorRegisters;
    features[Feature::LoopDepth] = state.depth;
    features[Feature::ReductionBlocks] = 1;
    caches(block, state);
    // Lines are used up before the next ones take their places.
    features[Feature::ConflictRows] = 0;
  }

  /// Cycles of a tile to read by rows what its vectors, along `vectorDim`, want
  /// by columns.
  double transposeCycles(const BlockPlan &block, uint8_t vectorDim,
                         const WalkState &state) const {
    // The steps of one instruction stand side by side.
    if (state.extents[vectorDim] == 1 || block.stepsAtOnce > 1)
      return 0;
    double cycles = 0;
    const int64_t lanes =
        countLanes(target, block.accesses.back().elementBytes);
    for (const AccessPlan &access : llvm::drop_end(block.accesses)) {
      const auto *dim = llvm::find(access.dims, vectorDim);
      if (dim == access.dims.end() ||
          registers[access.strides[dim - access.dims.begin()]] == 1)
        continue;
      double vectors = 1.0 / lanes;
      for (uint8_t other : access.dims)
        vectors *= state.extents[other];
      cycles += vectors * getMoveCycles(access, vectorDim, lanes, state);
    }
    return cycles;
  }

  double footprint(const AccessPlan &access,
                   const std::array<int64_t, kMaxDims> &extents,
                   int64_t cacheBytes, double *conflict = nullptr) const {
    return getFootprint(access, registers, extents, target, cacheBytes,
                        conflict);
  }

  double traffic(const BlockPlan &block, const WalkState &state,
                 int64_t cacheBytes, bool shared, double &fill,
                 unsigned &level) const {
    const double budget = 0.9 * cacheBytes;
    double sum = 0;
    for (level = 0; level <= state.depth; ++level) {
      sum = 0;
      for (const AccessPlan &access : block.accesses)
        sum += footprint(access, extentsAt(level, state), cacheBytes) *
               (shared ? threads : 1);
      if (sum <= budget)
        break;
    }
    level = std::min(level, state.depth);
    fill = sum / cacheBytes;
    double bytes = 0;
    for (const AccessPlan &access : block.accesses) {
      double executions = levelTrips[level];
      if (shared)
        for (unsigned i = 0; i != level; ++i)
          if (state.loops[i].isForall)
            executions *= state.loops[i].trips;
      for (unsigned i = level; i-- > 0;) {
        if (llvm::is_contained(access.dims, state.loops[i].dim))
          break;
        if (!state.loops[i].isForall || shared)
          executions /= state.loops[i].trips;
      }
      bytes += std::max(1.0, executions) *
               countBytes(access, extentsAt(level, state)) *
               (access.isWrite ? 2 : 1);
    }
    return bytes;
  }

  const std::array<int64_t, kMaxDims> &extentsAt(unsigned level,
                                                 const WalkState &state) const {
    return level == state.depth ? state.extents : levelExtents[level];
  }

  void caches(const BlockPlan &block, const WalkState &state) {
    double fill = 0;
    unsigned level = 0;
    features[Feature::L1Bytes] =
        traffic(block, state, target.l1Bytes, false, fill, level);
    features[Feature::L1Fill] = fill;
    features[Feature::L2Bytes] =
        traffic(block, state, target.l2Bytes, false, fill, level);
    features[Feature::L2Fill] = fill;
    const AccessPlan &result = block.accesses.back();
    const auto &extents = extentsAt(level, state);
    features[Feature::BlockN] = extents[result.dims.back()];
    double rows = 1;
    for (uint8_t dim : llvm::ArrayRef(result.dims).drop_back())
      rows *= extents[dim];
    features[Feature::BlockM] = rows;
    features[Feature::L3Bytes] =
        traffic(block, state, target.l3Bytes, true, fill, level);

    // One sweep of a register tile over its reduction.
    unsigned sweep = state.depth;
    while (sweep > 0 &&
           !llvm::is_contained(result.dims, state.loops[sweep - 1].dim))
      --sweep;
    double conflict = 0, pages = 0;
    for (const AccessPlan &access : block.accesses) {
      footprint(access, extentsAt(sweep, state), target.l1Bytes, &conflict);
      double rowsTouched = 1, smallest = 1e18;
      double bytes = access.elementBytes;
      for (unsigned i = 0, e = access.dims.size(); i != e; ++i) {
        const int64_t extent = extentsAt(sweep, state)[access.dims[i]];
        bytes *= extent;
        const double stride =
            double(registers[access.strides[i]]) * access.elementBytes;
        if (stride > access.elementBytes && extent > 1) {
          rowsTouched *= extent;
          smallest = std::min(smallest, stride);
        }
      }
      pages += smallest >= 4096 ? rowsTouched : bytes / 4096;
    }
    features[Feature::ConflictRows] = conflict;
    features[Feature::PagesPerTile] = pages;
  }

  //===--------------------------------------------------------------------===//
  // Stages of a task without a contraction
  //===--------------------------------------------------------------------===//

  /// Cycles to load or store a vector of `access` along `vectorDim`.
  double getMoveCycles(const AccessPlan &access, uint8_t vectorDim,
                       int64_t lanes, const WalkState &state) const {
    double cycles = kBroadcastCycles;
    bool isTransposed = false;
    int64_t contiguous = 1;
    for (auto [dim, stride] : llvm::zip_equal(access.dims, access.strides)) {
      if (registers[stride] == 1)
        contiguous = state.extents[dim];
      if (dim != vectorDim)
        continue;
      cycles = kMoveCycles;
      isTransposed = registers[stride] != 1;
    }
    if (!isTransposed || state.extents[vectorDim] == 1)
      return cycles;
    // One square of elements is transposed by few shuffles, larger tiles by
    // more, the rest element by element.
    if (contiguous < lanes || state.extents[vectorDim] < lanes)
      return double(lanes);
    return contiguous == lanes && state.extents[vectorDim] == lanes
               ? kTransposeCycles
               : 2 * kTransposeCycles;
  }

  void stage(const BlockPlan &block, const WalkState &state) {
    const std::optional<uint8_t> vectorDim = block.getVectorDim();
    if (!vectorDim)
      return;
    const AccessPlan &result = block.accesses.back();
    const RegisterTile row{1, state.extents[*vectorDim], 1,
                           result.elementBytes};
    const int64_t lanes = countLanes(target, result.elementBytes);
    const double rows = double(points(block, state)) / row.n;
    const double vectors = rows * row.vectors(target);
    double moves = 0;
    for (const AccessPlan &access : block.accesses)
      moves += getMoveCycles(access, *vectorDim, lanes, state);
    const double arithmetic =
        0.5 * (block.flopsPerPoint - block.callsPerPoint) +
        kCallCycles * block.callsPerPoint;
    double tile = vectors * std::max(moves, arithmetic) + kControlCycles;
    const double trips = levelTrips[state.depth];
    if (block.callsPerPoint > 0) {
      // A function is one long dependence, and holds several registers for each
      // vector in flight.
      const double excess =
          vectors - double(target.vectorRegisters) / kRegistersPerCall;
      tile = std::max(tile, kCallLatency) +
             std::max(0.0, excess) * kCallSpillCycles * block.callsPerPoint;
    }
    double ends = 0;
    if (block.kind == BlockKind::Reduction &&
        !llvm::is_contained(result.dims, *vectorDim)) {
      // The next step waits for the sums of this one; at the end they meet.
      const double steps = reductionTrips(result, state);
      if (steps > 1 && block.keepsPartials != kNoReg && !keepsPartials(block))
        tile += rows * kFoldCycles * llvm::Log2_64_Ceil(lanes);
      tile = std::max<double>(tile, target.fmaLatency);
      ends = trips / steps;
      ends *= vectors + target.fmaLatency * llvm::Log2_64_Ceil(lanes);
    }
    addCycles(trips * tile + ends +
                  getFillCycles(block, trips * rows, state, levelTrips),
              state);
    if (!state.inTail)
      for (const AccessPlan &access : block.accesses)
        wastedBytes += countWaste(block, access, *vectorDim, state);

    elementBytes = result.elementBytes;
    lanePoints += trips * threads * vectors * lanes;
    usefulPoints += trips * threads * rows * row.n;
    if (block.isExtra)
      return;
    features[Feature::TileM] = rows;
    features[Feature::TileN] = row.vectors(target);
    features[Feature::TileK] = 1;
    features[Feature::LoopDepth] = state.depth;
  }

  /// Bytes that fetching lines and pages of `access` again costs: of what
  /// vectors read across, where the loops that fit in L2 use a part of a row.
  double countWaste(const BlockPlan &block, const AccessPlan &access,
                    uint8_t vectorDim, const WalkState &state) const {
    std::optional<uint8_t> along;
    double rowBytes = 0;
    for (auto [dim, stride] : llvm::zip_equal(access.dims, access.strides)) {
      if (registers[stride] == 1)
        along = dim;
      else if (dim == vectorDim)
        rowBytes = double(registers[stride]) * access.elementBytes;
    }
    if (!along || rowBytes == 0 || levelExtents[0][vectorDim] == 1)
      return 0;
    unsigned level = 0;
    for (; level < state.depth; ++level) {
      double sum = 0;
      for (const AccessPlan &other : block.accesses)
        sum += countBytes(other, levelExtents[level]);
      if (sum <= 0.9 * target.l2Bytes)
        break;
    }
    if (level == 0)
      return 0;
    const int64_t used = extentsAt(level, state)[*along] * access.elementBytes;
    return countBytes(access, levelExtents[0]) *
           getWaste(used, rowBytes, target);
  }

  /// What comes from outside passes every cache that does not hold all of it.
  void streams() {
    const double bytes = nest.externalBytes + wastedBytes;
    const double share = bytes / std::max(1.0f, features[Feature::Threads]);
    features[Feature::L1Bytes] = share;
    if (share > target.l2Bytes)
      features[Feature::L2Bytes] = share;
    if (bytes > target.l3Bytes)
      features[Feature::L3Bytes] = bytes;
  }

  //===--------------------------------------------------------------------===//
  // The rest
  //===--------------------------------------------------------------------===//

  void elementwise(const BlockPlan &block, const WalkState &state) {
    const int64_t size = points(block, state);
    const unsigned bytes = block.accesses.back().elementBytes;
    const double lanes = countLanes(target, bytes);
    const double trips = levelTrips[state.depth];
    const double reads = block.accesses.size() - 1;
    const double vectors = trips * size / lanes;
    if (block.feeds)
      produce(block, state);
    // A block no larger than the register file is fused into the register tile:
    // its result of the anchor is at hand, and a fill costs nothing.
    if (size * bytes <= getSumsBytes(target, nest.hasTiles)) {
      if (block.kind == BlockKind::Elementwise)
        addCycles(vectors * std::max(1.0, reads * 0.75), state);
      return;
    }
    addCycles(vectors * (reads + 1) * 0.75, state);
    features[Feature::EpilogueBytes] += trips * size * bytes * (reads + 1);
  }

  /// What the contraction reads of `block` has been in L2 since it was
  /// computed, or goes further out and comes back.
  void produce(const BlockPlan &block, const WalkState &state) {
    const double bytes = levelTrips[state.depth] * tileBytes(block, state);
    // Outside of its own loops stands the buffer.
    unsigned level = state.depth;
    while (level > 0 &&
           state.loops[level - 1].action == state.loops[state.depth - 1].action)
      --level;
    double buffer = block.accesses.back().elementBytes;
    for (uint8_t dim : block.dims)
      buffer *= extentsAt(level, state)[dim];
    if (buffer <= kShareOfL2 * target.l2Bytes)
      nearBytes += bytes;
    else
      features[Feature::PackCycles] += bytes / kFarBytesPerCycle;
  }

  void pack(const BlockPlan &block, const WalkState &state) {
    if (block.isFree)
      return;
    const double bytes =
        2.0 * levelTrips[state.depth] * tileBytes(block, state);
    features[Feature::PackBytes] += bytes * threads;
    // Its own loops are the innermost ones; outside of them stands the buffer.
    unsigned level = state.depth;
    for (uint8_t dim : llvm::reverse(block.dims))
      if (level > 0 && state.loops[level - 1].dim == dim)
        --level;
    double buffer = block.accesses.back().elementBytes;
    for (uint8_t dim : block.dims)
      buffer *= extentsAt(level, state)[dim];
    // Panels that fit in L2 are neither written to memory nor read from there.
    features[Feature::PackCycles] +=
        bytes / (buffer <= target.l2Bytes ? kPackBytesInL2 : kPackBytes);
  }

  void cacheRead(const BlockPlan &block, const WalkState &state) {
    const double bytes =
        2.0 * levelTrips[state.depth] * tileBytes(block, state);
    features[Feature::CacheReadBytes] += bytes;
    addCycles(bytes / 16.0, state);
  }

  const LoopNestPlan &nest;
  const Target &target;
  llvm::ArrayRef<int64_t> registers;
  FeatureVector &features;
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
  double lanePoints = 0, usefulPoints = 0;
};

} // namespace

void sched::extractFeatures(const LoopNestPlan &nest, const Target &target,
                            double flops, llvm::ArrayRef<int64_t> registers,
                            FeatureVector &features) {
  features.values.fill(0);
  Extractor extractor(nest, target, registers, features);
  NestWalker<Extractor> walker(nest, registers, extractor);
  walker.walk();
  extractor.finish(flops);
}
