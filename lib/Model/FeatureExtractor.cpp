//===- FeatureExtractor.cpp - Features of a candidate ---------------------===//
//
// One visitor of the nest. Cycles are summed over every block, tails included;
// cache traffic is computed once, at the anchor's main tile: for each cache,
// the outermost loop level whose data fit is found, and each operand is counted
// as often as a loop outside of that level changes it (the reuse analysis of
// Bondhugula et al. and of Halide's Adams 2019, on closed forms).
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Model/FeatureExtractor.h"
#include "SchedOpt/Model/NestWalker.h"
#include "SchedOpt/Model/RegisterTile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace sched;

namespace {

constexpr unsigned kMaxLevels = kMaxLoops + 1;
/// Ways of the caches assumed for conflicts between rows.
constexpr int64_t kWays = 8;

class Extractor {
public:
  Extractor(const LoopNestPlan &nest, const Target &target,
            llvm::ArrayRef<int64_t> registers, FeatureVector &features)
      : target(target), registers(registers), features(features) {
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
    switch (block.kind) {
    case BlockKind::Contraction:
      return contraction(block, state);
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
    const double lanes =
        std::max<int64_t>(1, target.vectorBytes / int64_t(elementBytes));
    const double flopsPerCycle =
        lanes * std::max(1, target.fmaPorts) * (target.hasFMA ? 2 : 1);
    auto &threadsUsed = features[Feature::Threads];
    threadsUsed = std::max(threadsUsed, 1.0f);
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

  //===--------------------------------------------------------------------===//
  // Contractions
  //===--------------------------------------------------------------------===//

  void contraction(const BlockPlan &block, const WalkState &state) {
    const AccessPlan &result = block.accesses.back();
    const uint8_t vectorDim = result.dims.back();
    RegisterTile tile{1, state.extents[vectorDim], 1, result.elementBytes};
    for (uint8_t dim : block.dims) {
      if (dim == vectorDim)
        continue;
      (llvm::is_contained(result.dims, dim) ? tile.m : tile.unroll) *=
          state.extents[dim];
    }
    // The accumulators stay in registers over the innermost loops that do not
    // index the result.
    int64_t reductionTrips = 1;
    for (unsigned i = state.depth; i-- > 0;) {
      if (llvm::is_contained(result.dims, state.loops[i].dim))
        break;
      reductionTrips *= state.loops[i].trips;
    }
    const double trips = levelTrips[state.depth];
    const double tiles = trips / reductionTrips;
    addCycles(tiles * (tile.cycles(target, reductionTrips * tile.unroll) +
                       tile.entryExitCycles(target)),
              state);

    elementBytes = result.elementBytes;
    const double lanes = std::max<int64_t>(
        1, target.vectorBytes / static_cast<int64_t>(elementBytes));
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
    double reductionExtent = 1, reductionInside = reductionTrips * tile.unroll;
    for (uint8_t dim : block.dims)
      if (!llvm::is_contained(result.dims, dim))
        reductionExtent *= levelExtents[0][dim];
    features[Feature::ReductionBlocks] =
        std::max(1.0, reductionExtent / reductionInside);
    features[Feature::AccumulatorSpills] =
        2.0 * tiles * (features[Feature::ReductionBlocks] > 1 ? 1 : 0);
    caches(block, state);
  }

  /// Bytes of `access` at a level, raised to what does not fit where rows at a
  /// large power-of-two stride fall into the same sets.
  double footprint(const AccessPlan &access,
                   const std::array<int64_t, kMaxDims> &extents,
                   int64_t cacheBytes, double *conflict = nullptr) const {
    int64_t elements = 1, rows = 1, rowStride = 0, run = 1;
    // From the innermost dimension outwards: whole rows are one longer run.
    for (unsigned i = access.dims.size(); i-- > 0;) {
      const int64_t extent = extents[access.dims[i]];
      const int64_t stride = registers[access.strides[i]];
      elements *= extent;
      if (stride == run) {
        run *= extent;
        continue;
      }
      rows *= extent;
      if (extent > 1 && (rowStride == 0 || stride < rowStride))
        rowStride = stride;
    }
    const int64_t line = target.cacheLineBytes;
    const double runBytes =
        llvm::divideCeil(run * access.elementBytes, line) * line;
    double bytes = std::max<double>(elements * access.elementBytes,
                                    rows > 1 ? rows * runBytes : 0);
    if (rows > 1 && rowStride) {
      const int64_t period = std::max<int64_t>(cacheBytes / kWays, line);
      const int64_t step =
          std::gcd(rowStride * int64_t(access.elementBytes), period);
      const double capacity =
          kWays * std::max(1.0, period / std::max<double>(step, runBytes));
      if (conflict)
        *conflict = std::max(*conflict, rows / capacity);
      if (rows > capacity)
        bytes = std::max(bytes, cacheBytes * rows / capacity);
    }
    return bytes;
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
      double size = access.elementBytes;
      for (uint8_t dim : access.dims)
        size *= extentsAt(level, state)[dim];
      bytes += std::max(1.0, executions) * size * (access.isWrite ? 2 : 1);
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
  // The rest
  //===--------------------------------------------------------------------===//

  void elementwise(const BlockPlan &block, const WalkState &state) {
    const int64_t size = points(block, state);
    const unsigned bytes = block.accesses.back().elementBytes;
    const double lanes =
        std::max<int64_t>(1, target.vectorBytes / int64_t(bytes));
    const double trips = levelTrips[state.depth];
    const double reads = block.accesses.size() - 1;
    const double vectors = trips * size / lanes;
    // A block no larger than the register file is fused into the register tile:
    // its result of the anchor is at hand, and a fill costs nothing.
    if (size * bytes <= int64_t(target.vectorRegisters) * target.vectorBytes) {
      if (block.kind == BlockKind::Elementwise)
        addCycles(vectors * std::max(1.0, reads * 0.75), state);
      return;
    }
    addCycles(vectors * (reads + 1) * 0.75, state);
    features[Feature::EpilogueBytes] += trips * size * bytes * (reads + 1);
  }

  void pack(const BlockPlan &block, const WalkState &state) {
    if (block.isFree)
      return;
    const double bytes = 2.0 * levelTrips[state.depth] *
                         block.accesses.back().elementBytes *
                         points(block, state);
    features[Feature::PackBytes] += bytes * threads;
    // Its own loops are the innermost ones; outside of them stands the buffer.
    unsigned level = state.depth;
    for (uint8_t dim : {block.dims[1], block.dims[0]})
      if (level > 0 && state.loops[level - 1].dim == dim)
        --level;
    double buffer = block.accesses.back().elementBytes;
    for (uint8_t dim : block.dims)
      buffer *= extentsAt(level, state)[dim];
    // Panels that fit in L2 are neither written to memory nor read from there.
    features[Feature::PackCycles] +=
        bytes / (buffer <= target.l2Bytes ? 24.0 : 12.0);
  }

  void cacheRead(const BlockPlan &block, const WalkState &state) {
    const double bytes = 2.0 * levelTrips[state.depth] *
                         block.accesses.back().elementBytes *
                         points(block, state);
    features[Feature::CacheReadBytes] += bytes;
    addCycles(bytes / 16.0, state);
  }

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
