//===- BlockVisitor.cpp - Fills a row for each block of a nest ------------===//

#include "BlockVisitor.h"
#include "FeatureCosts.h"
#include "SchedOpt/Model/LaneTile.h"
#include "SchedOpt/Model/RegisterTile.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace sched;

/// The features of a slot follow each other in the order of BUFFER.
static BlockFeature ofSlot(unsigned slot, BlockFeature first) {
  constexpr unsigned kStep = static_cast<unsigned>(BlockFeature::Buffer1Bytes) -
                             static_cast<unsigned>(BlockFeature::Buffer0Bytes);
  return static_cast<BlockFeature>(static_cast<unsigned>(first) + slot * kStep);
}

void BlockVisitor::block(const BlockPlan &block, const WalkState &state) {
  BlockState &own = states[&block - nest.blocks.data()];
  const bool isMain = own.row == kNoRow;
  if (isMain) {
    own.row = rows.size();
    rows.emplace_back();
    own.vectorDim = getVectorDim(block);
  }
  BlockFeatureVector &f = rows[own.row];

  const double cyclesBefore = inner.cycles, serialBefore = inner.serialCycles,
               tailBefore = inner.tailCycles, lanesBefore = inner.lanePoints,
               neededBefore = inner.usefulPoints,
               packBefore = program[Feature::PackCycles];
  const bool hadAnchor = inner.mainTileSeen;
  inner.block(block, state);
  const double packing = program[Feature::PackCycles] - packBefore;
  f[BlockFeature::Cycles] += inner.cycles - cyclesBefore + packing;
  f[BlockFeature::SerialCycles] += inner.serialCycles - serialBefore;
  f[BlockFeature::TailCycles] += inner.tailCycles - tailBefore;
  own.lanes += inner.lanePoints - lanesBefore;
  own.lanesNeeded += inner.usefulPoints - neededBefore;
  if (inner.mainTileSeen && !hadAnchor) {
    f[BlockFeature::ConflictRows] = program[Feature::ConflictRows];
    f[BlockFeature::PagesPerTile] = program[Feature::PagesPerTile];
  }

  const double points = double(inner.points(block, state)) *
                        inner.levelTrips[state.depth] * double(inner.threads);
  f[BlockFeature::Points] += points;
  if (state.tail)
    f[BlockFeature::TailPoints] += points;
  f[BlockFeature::Places] += 1;
  if (isMain)
    describe(block, state, own, f);
  addMoves(block, state, own, f);
  for (const AccessPlan &access : block.accesses)
    if (access.buffer != kNoBuffer)
      touch(access.buffer, state);
}

uint8_t BlockVisitor::getVectorDim(const BlockPlan &block) const {
  const AccessPlan &result = block.accesses.back();
  if (block.kind == BlockKind::Contraction) {
    // In lanes of the reduction, or along the innermost of more than one
    // element (ContractionFeatures.cpp).
    if (inner.keepsPartials(block) && !block.accesses.front().dims.empty())
      return block.accesses.front().dims.back();
    for (uint8_t dim : llvm::reverse(result.dims))
      if (inner.levelExtents[0][dim] > 1 &&
          !llvm::is_contained(block.points, dim))
        return dim;
  }
  if (std::optional<uint8_t> dim = block.getVectorDim())
    return *dim;
  return block.dims.empty() ? 0 : block.dims.back();
}

void BlockVisitor::describe(const BlockPlan &block, const WalkState &state,
                            BlockState &own, BlockFeatureVector &f) {
  levels.fill(block, state, registers, target,
              [&](unsigned level) -> const Extents & {
                return inner.extentsAt(level, state);
              });
  f[BlockFeature::IsContraction] = block.kind == BlockKind::Contraction;
  f[BlockFeature::IsReduction] = block.kind == BlockKind::Reduction;
  f[BlockFeature::IsElementwise] = block.kind == BlockKind::Elementwise;
  f[BlockFeature::IsFill] = block.kind == BlockKind::Fill;
  f[BlockFeature::IsCopy] =
      block.kind == BlockKind::Pack || block.kind == BlockKind::CacheCopy;
  f[BlockFeature::IsInteger] = block.isInteger;
  f[BlockFeature::ElementBytes] = block.accesses.back().elementBytes;
  f[BlockFeature::Position] = own.row - firstRow;
  describeTile(block, state, own, f);
  describeLoops(block, state, f);
  describeBuffer(block, state, f);
  describeSlots(block, state, own, f);

  const llvm::ArrayRef<double> trips = inner.levelTrips;
  struct {
    int64_t size;
    BlockFeature bytes, fill;
    bool isShared;
  } const caches[] = {
      {target.l1Bytes, BlockFeature::L1Bytes, BlockFeature::L1Fill, false},
      {target.l2Bytes, BlockFeature::L2Bytes, BlockFeature::L2Fill, false},
      {target.l3Bytes, BlockFeature::L3Bytes, BlockFeature::L3Fill, true}};
  for (const auto &cache : caches) {
    const CacheTraffic traffic = countTraffic(
        levels, block, state, trips, cache.size, cache.isShared, inner.threads);
    f[cache.bytes] = traffic.bytes;
    f[cache.fill] = traffic.fill;
  }
  sampleIntensity(
      levels, block.flopsPerPoint,
      llvm::MutableArrayRef(&f[BlockFeature::Intensity0], kSamples));
}

void BlockVisitor::describeTile(const BlockPlan &block, const WalkState &state,
                                const BlockState &own, BlockFeatureVector &f) {
  const AccessPlan &result = block.accesses.back();
  const uint32_t resultDims = getDimMask(result.dims);
  RegisterTile tile{1, 1, 1, result.elementBytes};
  for (uint8_t dim : block.dims)
    (dim == own.vectorDim    ? tile.n
     : resultDims >> dim & 1 ? tile.m
                             : tile.unroll) *= state.extents[dim];
  const double vectors = tile.vectors(target);
  f[BlockFeature::VectorElements] = tile.n;
  f[BlockFeature::Vectors] = vectors;
  f[BlockFeature::TileRows] = tile.m;
  f[BlockFeature::TileSteps] = tile.unroll;
  f[BlockFeature::UnrolledVectors] =
      vectors * double(tile.m) * double(tile.unroll);
  double registersUsed = double(block.accesses.size());
  if (block.kind == BlockKind::Contraction && inner.keepsPartials(block)) {
    LaneTile lanes{1, 1, tile.n, result.elementBytes};
    for (uint8_t dim : result.dims)
      (llvm::is_contained(block.accesses.front().dims, dim) ? lanes.lhsRows
                                                            : lanes.rhsRows) *=
          state.extents[dim];
    f[BlockFeature::Accumulators] = lanes.accumulators(target);
    registersUsed = lanes.registers(target);
  } else if (block.kind == BlockKind::Contraction) {
    tile.inTiles = nest.hasTiles && block.stepsAtOnce > 1 &&
                   usesTiles(tile.m, tile.n,
                             llvm::divideCeil(tile.unroll, block.stepsAtOnce));
    f[BlockFeature::Accumulators] = vectors * double(tile.m);
    registersUsed = tile.registers(target);
  } else if (block.kind == BlockKind::Reduction) {
    f[BlockFeature::Accumulators] = vectors * double(tile.m);
    registersUsed += f[BlockFeature::Accumulators];
  }
  f[BlockFeature::RegisterPressure] = registersUsed / target.vectorRegisters;
  double contiguous = 0;
  for (const AccessPlan &access : block.accesses) {
    const auto *at = llvm::find(access.dims, own.vectorDim);
    contiguous += at == access.dims.end() ||
                  registers[access.strides[at - access.dims.begin()]] == 1;
  }
  f[BlockFeature::ContiguousShare] = contiguous / double(block.accesses.size());
}

void BlockVisitor::describeLoops(const BlockPlan &block, const WalkState &state,
                                 BlockFeatureVector &f) {
  const uint32_t resultDims = getDimMask(block.accesses.back().dims),
                 ownDims = getDimMask(block.dims);
  double reductionTrips = 1, reductionBlocks = 1, forkJoins = 0;
  bool isInside = true;
  for (unsigned i = state.depth; i-- > 0;) {
    const WalkLoop &loop = state.loops[i];
    const bool reduces = (ownDims & ~resultDims) >> loop.dim & 1;
    if (loop.isForall) {
      forkJoins = inner.levelTrips[i];
      f[BlockFeature::SharedReduction] = reduces;
    }
    isInside &= reduces && !loop.isForall;
    if (reduces && !loop.isForall)
      (isInside ? reductionTrips : reductionBlocks) *= double(loop.trips);
  }
  f[BlockFeature::Threads] = inner.threads;
  f[BlockFeature::ForkJoins] = forkJoins;
  f[BlockFeature::OuterTrips] =
      inner.levelTrips[state.depth] * double(inner.threads);
  f[BlockFeature::Depth] = state.depth;
  f[BlockFeature::InnerTrips] =
      state.depth ? state.loops[state.depth - 1].trips : 1;
  f[BlockFeature::ReductionTrips] = reductionTrips;
  f[BlockFeature::ReductionBlocks] = reductionBlocks;
}

void BlockVisitor::describeBuffer(const BlockPlan &block,
                                  const WalkState &state,
                                  BlockFeatureVector &f) {
  unsigned level = state.depth;
  if (block.kind == BlockKind::Pack) {
    // Its own loops are the innermost ones; outside of them stands the buffer.
    for (uint8_t dim : llvm::reverse(block.dims))
      if (level > 0 && state.loops[level - 1].dim == dim)
        --level;
  } else if (block.feeds) {
    while (level > 0 &&
           state.loops[level - 1].action == state.loops[state.depth - 1].action)
      --level;
  } else if (block.kind != BlockKind::CacheCopy) {
    return;
  }
  const double bytes =
      levels.points[level] * block.accesses.back().elementBytes;
  double fills = inner.levelTrips[level];
  for (unsigned i = 0; i != level; ++i)
    if (state.loops[i].isForall)
      fills *= double(state.loops[i].trips);
  f[BlockFeature::BufferBytes] = bytes;
  f[BlockFeature::BufferFills] = fills;
  f[BlockFeature::BufferShare] = bytes / double(target.l2Bytes);
}

void BlockVisitor::describeSlots(const BlockPlan &block, const WalkState &state,
                                 BlockState &own, BlockFeatureVector &f) {
  // By insertion: they are few, and equals keep their order.
  std::array<uint8_t, BlockLevels::kMaxAccesses> order;
  for (unsigned a = 0; a != levels.count; ++a) {
    unsigned place = a;
    for (; place > 1 && levels.touched[0][order[place - 1]].bytes <
                            levels.touched[0][a].bytes;
         --place)
      order[place] = order[place - 1];
    order[place] = a;
  }
  own.slots = std::min(kSlots, levels.count);
  for (unsigned slot = 0; slot != own.slots; ++slot) {
    const unsigned a = own.accesses[slot] = order[slot];
    const AccessPlan &access = BlockLevels::getAccess(block, a);
    auto at = [&](BlockFeature first) -> float & {
      return f[ofSlot(slot, first)];
    };
    at(BlockFeature::Buffer0UniqueBytes) = levels.touched[0][a].bytes;
    at(BlockFeature::Buffer0UniqueLines) = levels.touched[0][a].lines;
    const auto *dim = llvm::find(access.dims, own.vectorDim);
    if (dim != access.dims.end())
      at(BlockFeature::Buffer0Stride) =
          double(registers[access.strides[dim - access.dims.begin()]]) *
          access.elementBytes;
    // The innermost loop that touches the same again, with those around it that
    // do so too.
    unsigned level = state.depth;
    double count = 1;
    for (unsigned i = state.depth; i-- > 0;) {
      const WalkLoop &loop = state.loops[i];
      const bool changes = levels.masks[a] >> loop.dim & 1 || loop.isForall;
      if (changes && count > 1)
        break;
      if (changes)
        continue;
      if (count == 1)
        level = i + 1;
      count *= double(loop.trips);
    }
    if (count == 1) {
      auto touched = findTouch(access.buffer, state);
      if (!touched)
        continue;
      level = *touched;
    }
    at(BlockFeature::Buffer0ReuseCount) = count;
    at(BlockFeature::Buffer0ReusePoints) = levels.points[level];
    at(BlockFeature::Buffer0ReuseBytes) = levels.total[level];
  }
}

void BlockVisitor::addMoves(const BlockPlan &block, const WalkState &state,
                            const BlockState &own, BlockFeatureVector &f) {
  const double trips = inner.levelTrips[state.depth] * double(inner.threads);
  for (unsigned slot = 0; slot != own.slots; ++slot) {
    const AccessPlan &access =
        BlockLevels::getAccess(block, own.accesses[slot]);
    const uint32_t dims = getDimMask(access.dims);
    double moves = trips;
    for (unsigned i = state.depth; i-- > 0;) {
      const WalkLoop &loop = state.loops[i];
      if (loop.isForall || dims >> loop.dim & 1)
        break;
      moves /= double(loop.trips);
    }
    const Touched touched =
        countTouched(access, registers, state.extents, target);
    f[ofSlot(slot, BlockFeature::Buffer0Bytes)] += moves * touched.bytes;
    f[ofSlot(slot, BlockFeature::Buffer0Lines)] += moves * touched.lines;
  }
}

std::optional<unsigned> BlockVisitor::findTouch(uint16_t buffer,
                                                const WalkState &state) const {
  for (const Touch &touch : touches) {
    if (touch.buffer != buffer || buffer == kNoBuffer)
      continue;
    unsigned level = 0;
    while (level != touch.depth && level != state.depth &&
           touch.path[level] == path[level])
      ++level;
    return level;
  }
  return std::nullopt;
}

void BlockVisitor::touch(uint16_t buffer, const WalkState &state) {
  auto *found = llvm::find_if(
      touches, [&](const Touch &touch) { return touch.buffer == buffer; });
  if (found == touches.end()) {
    touches.emplace_back();
    found = touches.end() - 1;
    found->buffer = buffer;
  }
  found->depth = state.depth;
  std::copy_n(path.begin(), state.depth, found->path.begin());
}

void BlockVisitor::finish() {
  const double count = double(rows.size() - firstRow);
  double cycles = 0;
  for (size_t row = firstRow; row != rows.size(); ++row)
    cycles += rows[row][BlockFeature::Cycles];
  for (auto [block, own] : llvm::zip_equal(nest.blocks, states)) {
    if (own.row == kNoRow)
      continue;
    BlockFeatureVector &f = rows[own.row];
    const double points = f[BlockFeature::Points];
    f[BlockFeature::Flops] = points * block.flopsPerPoint;
    f[BlockFeature::MulAdds] = points * block.ops.mulAdds;
    f[BlockFeature::AddSubs] = points * block.ops.addSubs;
    f[BlockFeature::Multiplies] = points * block.ops.muls;
    f[BlockFeature::Divisions] = points * block.ops.divs;
    f[BlockFeature::Comparisons] = points * block.ops.compares;
    f[BlockFeature::Casts] = points * block.ops.casts;
    f[BlockFeature::Calls] = points * block.callsPerPoint;
    const double lanes = countLanes(target, block.accesses.back().elementBytes);
    f[BlockFeature::IdealCycles] =
        f[BlockFeature::Flops] /
        (f[BlockFeature::Threads] * lanes * std::max(1, target.fmaPorts) *
         (target.hasFMA ? 2 : 1));
    if (cycles > 0)
      f[BlockFeature::CyclesShare] = f[BlockFeature::Cycles] / cycles;
    f[BlockFeature::VectorWaste] =
        own.lanesNeeded > 0 ? own.lanes / own.lanesNeeded : 1;
    f[BlockFeature::Position] /= count;
    f[BlockFeature::VectorBytes] = target.vectorBytes;
    f[BlockFeature::VectorRegisters] = target.vectorRegisters;
    f[BlockFeature::FmaPorts] = target.fmaPorts;
    f[BlockFeature::FmaLatency] = target.fmaLatency;
    f[BlockFeature::L1Size] = target.l1Bytes;
    f[BlockFeature::L2Size] = target.l2Bytes;
    f[BlockFeature::L3Size] = target.l3Bytes;
    f[BlockFeature::Cores] = target.cores;
    f[BlockFeature::ClockGHz] = target.clockGHz;
    f[BlockFeature::MemoryGBs] = target.memoryGBs;
  }
}
