//===- ContractionFeatures.cpp - Cycles and traffic of products -----------===//
//
// Cycles of register tiles, and cache traffic, which is computed at the
// anchor's main tile, and for L1 at those of its tails, too: for each cache,
// the outermost loop level whose data fit is found, and each operand is counted
// as often as a loop outside of that level changes it (the reuse analysis of
// Bondhugula et al. and of Halide's Adams 2019, on closed forms).
//
//===----------------------------------------------------------------------===//

#include "CacheFootprint.h"
#include "FeatureCosts.h"
#include "FeatureVisitor.h"
#include "SchedOpt/Model/LaneTile.h"
#include "SchedOpt/Model/RegisterTile.h"
#include "SchedOpt/Support/ImageBorder.h"
#include "TailCosts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace sched;

int64_t FeatureVisitor::reductionTrips(const AccessPlan &result,
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

double FeatureVisitor::countSharedLoads(const BlockPlan &block,
                                        const RegisterTile &tile,
                                        uint8_t vectorDim,
                                        const WalkState &state) const {
  const AccessPlan &image = block.accesses.front(),
                   &result = block.accesses.back();
  if (target.byElement || block.isInteger || tile.elementBytes < 4 ||
      block.stepsAtOnce > 1 || tile.unroll == 1 || tile.vectors(target) != 1 ||
      !llvm::all_of(block.accesses, [&](const AccessPlan &access) {
        return access.elementBytes == tile.elementBytes;
      }))
    return 0;
  // One loop over channels, and one over columns around it.
  llvm::SmallVector<const WalkLoop *, 2> inner;
  for (unsigned i = state.depth; i-- > 0 && inner.size() != 2;)
    if (state.loops[i].trips > 1)
      inner.push_back(&state.loops[i]);
  if (inner.size() != 2 ||
      llvm::is_contained(result.dims, inner.front()->dim) ||
      llvm::is_contained(result.dims, inner.back()->dim))
    return 0;
  const uint8_t column = inner.back()->dim;
  const int64_t columns = inner.back()->trips;
  if (state.extents[column] != 1 ||
      columns + tile.m + 1 > target.vectorRegisters)
    return 0;
  auto getStride = [&](unsigned i) { return registers[image.strides[i]]; };
  for (unsigned i = 0; i + 1 < image.dims.size(); ++i)
    for (auto [own, row] : {std::pair(i, i + 1), std::pair(i + 1, i)}) {
      const uint8_t rowDim = image.dims[row];
      if (!(image.overlaps >> i & 1) || image.dims[own] != column ||
          rowDim == vectorDim || state.extents[rowDim] != tile.m ||
          getStride(row) <= 0 || getStride(own) % getStride(row) != 0)
        continue;
      // Further apart than rows are many, columns share nothing.
      const int64_t apart = getStride(own) / getStride(row);
      return apart < tile.m ? double(tile.m + (columns - 1) * apart + columns) /
                                  double(columns)
                            : 0;
    }
  return 0;
}

int64_t FeatureVisitor::countLines(const BlockPlan &block,
                                   const RegisterTile &tile, uint8_t vectorDim,
                                   const WalkState &state) const {
  const AccessPlan &result = block.accesses.back();
  const unsigned sweep = getSweepDepth(result, state);
  if (!tile.inTiles || tile.copiesRows || sweep == 0 ||
      reductionTrips(result, state) == 1)
    return 1;
  const WalkLoop &loop = state.loops[sweep - 1];
  const bool sharesColumns =
      llvm::any_of(llvm::ArrayRef(block.accesses).drop_back(),
                   [&](const AccessPlan &access) {
                     return llvm::is_contained(access.dims, vectorDim) &&
                            !llvm::is_contained(access.dims, loop.dim);
                   });
  return loop.isForall || !sharesColumns
             ? 1
             : std::min(loop.trips, countPairedLines(tile.m, tile.n));
}

double FeatureVisitor::tileCycles(const BlockPlan &block,
                                  const RegisterTile &tile, uint8_t vectorDim,
                                  int64_t steps, const WalkState &state) const {
  const double whole = tile.cycles(target, steps);
  // The tile holds a part of the line as its rows, and the taps come one by
  // one.
  const auto *border =
      llvm::find_if(block.borders, [&](const BorderPlan &plan) {
        return plan.rows != vectorDim && state.extents[plan.rows] > 1 &&
               state.extents[plan.taps] == 1;
      });
  if (border == block.borders.end())
    return whole;
  const int64_t line = levelExtents[0][border->rows],
                rows = state.extents[border->rows];
  const bool isTail = state.tail && state.tail->dim == border->rows;
  const int64_t tiles = isTail ? 1 : line / rows,
                all = tiles * int64_t(border->inside.size());
  if (tiles > kMostTaps)
    return whole;
  int64_t skipped = 0;
  double cycles = 0;
  for (int64_t i = 0; i != tiles; ++i)
    for (const BorderPlan::Range &range : border->inside) {
      const int64_t inside =
          range.countIn(isTail ? line - rows : i * rows, rows);
      skipped += rows - inside;
      RegisterTile part = tile;
      part.m = tile.m / rows * inside;
      cycles += inside == rows ? whole : part.cycles(target, steps);
    }
  return isWorthSkipping(skipped, all * rows) ? cycles / double(all) : whole;
}

bool FeatureVisitor::hasWindowsOfLanes(const BlockPlan &block,
                                       uint8_t vectorDim) const {
  const AccessPlan &result = block.accesses.back();
  auto isRow = [&](uint8_t dim) {
    return dim != vectorDim && levelExtents[0][dim] > 1 &&
           llvm::is_contained(result.dims, dim);
  };
  return llvm::any_of(llvm::ArrayRef(block.accesses).drop_back(),
                      [&](const AccessPlan &access) {
                        return llvm::is_contained(access.dims, vectorDim) &&
                               llvm::any_of(access.dims, isRow);
                      });
}

double FeatureVisitor::splitRowCycles(const AccessPlan &result,
                                      const WalkState &state) const {
  const auto loops = llvm::ArrayRef(state.loops).take_front(state.depth);
  const auto *forall =
      llvm::find_if(loops, [](const WalkLoop &loop) { return loop.isForall; });
  if (forall == loops.end())
    return 0;
  const unsigned level = forall - loops.begin();
  const auto &own = extentsAt(level + 1, state);
  double bytes = result.elementBytes, rows = levelTrips[level];
  bool isSplit = false;
  for (uint8_t dim : llvm::reverse(result.dims)) {
    (isSplit ? rows : bytes) *= double(own[dim]);
    isSplit |= dim == forall->dim;
  }
  // Prefetchers stay in a page.
  return isSplit && bytes < kPageBytes ? rows * kSplitRowCycles : 0;
}

void FeatureVisitor::contraction(const BlockPlan &block,
                                 const WalkState &state) {
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
  // Lower tiles are those of a function in which all are as low.
  tile.copiesRows = mainTileSeen && tile.m < kTileEdge &&
                    tile.m != int64_t(features[Feature::TileM]);
  tile.copiesSteps = mainTileSeen && tile.unroll < kTileEdge &&
                     tile.unroll != int64_t(features[Feature::TileK]);
  if (block.stepsAtOnce > 1) {
    tile.equalMultiplyAdds = nest.equalMultiplyAdds;
    tile.hasBroadcasts = !tile.inTiles;
    // Where rows are copied, they are changed there (Codegen/UnsignedRows.cpp).
    const Reg copied = block.accesses.front().copied;
    if (nest.changesRows && (copied == kNoReg || registers[copied] == 0))
      tile.casts += tile.m;
  }
  // Lanes that have windows of their own: each accumulator loads a vector.
  bool isWindowed = false;
  int64_t allLoads = 0;
  for (const AccessPlan &access : llvm::ArrayRef(block.accesses).drop_back()) {
    int64_t loads = 1, rows = 1;
    for (uint8_t dim : access.dims)
      if (dim == vectorDim)
        loads *= tile.vectors(target);
      else if (llvm::is_contained(result.dims, dim))
        rows *= state.extents[dim];
    isWindowed |= rows > 1 && llvm::is_contained(access.dims, vectorDim);
    allLoads += loads * rows;
    if (block.stepsAtOnce == 1 && access.elementBytes < result.elementBytes)
      tile.casts += loads * rows;
  }
  tile.loads = isWindowed ? double(allLoads)
                          : countSharedLoads(block, tile, vectorDim, state);
  tile.lines = countLines(block, tile, vectorDim, state);
  const int64_t reductionTrips = this->reductionTrips(result, state);
  const double trips = levelTrips[state.depth];
  const double tiles = trips / reductionTrips;
  const int64_t steps = reductionTrips * tile.unroll;
  const double cycles = isWindowed
                            ? tile.cycles(target, steps)
                            : tileCycles(block, tile, vectorDim, steps, state);
  addCycles(tiles * (cycles + tile.entryExitCycles(target)) +
                trips * transposeCycles(block, vectorDim, state) +
                getFillCycles(block, tiles * tile.m, state, levelTrips),
            state);

  elementBytes = result.elementBytes;
  const double lanes = countLanes(target, elementBytes);
  const double executed = trips * threads * tile.m * tile.unroll;
  lanePoints += executed * tile.vectors(target) * lanes;
  usefulPoints += executed * tile.n;
  if (mainTileSeen)
    return leftOver(block, state);
  mainTileSeen = true;
  // Products compute for long between one result and the next; windows that
  // each lane has for itself do not.
  if (hasWindowsOfLanes(block, vectorDim))
    addCycles(splitRowCycles(result, state), state);

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
  caches(block, state, tile.lines);
  // Rows of tiles and vectors of windows are whole lines, each read at once.
  if (!tile.inTiles && !isWindowed)
    features[Feature::ConflictRows] = countConflicts(block, vectorDim, state);
}

/// Whether `dim` is the pixels or the taps of windows.
static bool isWindow(const AccessPlan &access, uint8_t dim,
                     llvm::ArrayRef<int64_t> extents) {
  for (unsigned i = 0; i + 1 < access.dims.size(); ++i) {
    const uint8_t outer = access.dims[i], inner = access.dims[i + 1];
    if (access.overlaps >> i & 1 && (dim == outer || dim == inner) &&
        extents[outer] > 1 && extents[inner] > 1)
      return true;
  }
  return false;
}

bool FeatureVisitor::comesWithMainPart(const BlockPlan &block,
                                       const WalkState &state) const {
  const std::optional<WalkTail> &tail = state.tail;
  std::array<int64_t, kMaxDims> extents = levelExtents[tail ? tail->depth : 0];
  if (tail) {
    extents[tail->dim] = tail->extent;
    if (llvm::any_of(block.accesses, [&](const AccessPlan &access) {
          return isWindow(access, tail->dim, levelExtents[0]);
        }))
      return true;
  }
  return footprint(block, extents, target.l1Bytes) <=
         kCacheShare * target.l1Bytes;
}

void FeatureVisitor::leftOver(const BlockPlan &block, const WalkState &state) {
  const double threadsUsed = features[Feature::Threads];
  const bool isAlone = threads == 1 && threadsUsed > 1;
  if (!isAlone && comesWithMainPart(block, state))
    return;
  const Traffic intoL1 = traffic(block, state, target.l1Bytes, false);
  features[Feature::L1Bytes] += intoL1.bytes;
  features[Feature::L1Rows] += intoL1.rows;
  if (!isAlone)
    return;
  const Traffic intoL2 = traffic(block, state, target.l2Bytes, false);
  features[Feature::L2Bytes] += intoL2.bytes;
  features[Feature::L2Rows] += intoL2.rows;
  features[Feature::L3Bytes] +=
      traffic(block, state, target.l3Bytes, true).bytes *
      std::min(threadsUsed, kCoresThatShareMemory);
}

bool FeatureVisitor::keepsPartials(const BlockPlan &block) const {
  return block.keepsPartials != kNoReg && registers[block.keepsPartials] != 0;
}

void FeatureVisitor::laneReduction(const BlockPlan &block,
                                   const WalkState &state) {
  const AccessPlan &result = block.accesses.back();
  LaneTile tile{1, 1, 1, result.elementBytes};
  for (uint8_t dim : block.dims)
    (!llvm::is_contained(result.dims, dim)                  ? tile.width
     : llvm::is_contained(block.accesses.front().dims, dim) ? tile.lhsRows
                                                            : tile.rhsRows) *=
        state.extents[dim];
  const double trips = levelTrips[state.depth];
  double stepCycles = tile.stepCycles(target);
  for (const AccessPlan &access : llvm::drop_end(block.accesses))
    stepCycles += evictionCycles(access, state);
  addCycles(trips * stepCycles +
                trips / reductionTrips(result, state) * tile.endCycles(target),
            state);

  elementBytes = result.elementBytes;
  const double executed = trips * threads * tile.lhsRows * tile.rhsRows;
  lanePoints += executed * tile.vectors(target) * tile.lanes(target);
  usefulPoints += executed * tile.width;
  if (mainTileSeen)
    return leftOver(block, state);
  mainTileSeen = true;
  features[Feature::TileM] = tile.lhsRows * tile.rhsRows;
  features[Feature::TileN] = tile.vectors(target);
  features[Feature::TileK] = 1;
  features[Feature::Accumulators] = tile.accumulators(target);
  features[Feature::RegisterPressure] =
      static_cast<float>(tile.registers(target)) / target.vectorRegisters;
  features[Feature::LoopDepth] = state.depth;
  features[Feature::ReductionBlocks] = 1;
  // Lines are used up before the next ones take their places: no conflicts.
  caches(block, state);
}

double FeatureVisitor::evictionCycles(const AccessPlan &access,
                                      const WalkState &state) const {
  const auto &extents = extentsAt(state.depth, state);
  double conflict = 0;
  footprint(access, extents, target.l1Bytes, &conflict);
  if (conflict <= 1)
    return 0;
  const Rows rows = countRows(access, registers, extents);
  const int64_t lines = llvm::divideCeil(
      rows.run * int64_t(access.elementBytes), target.cacheLineBytes);
  return double(rows.rows * lines) * kEvictedLineCycles;
}

double FeatureVisitor::transposeCycles(const BlockPlan &block,
                                       uint8_t vectorDim,
                                       const WalkState &state) const {
  // The steps of one instruction stand side by side.
  if (state.extents[vectorDim] == 1 || block.stepsAtOnce > 1)
    return 0;
  double cycles = 0;
  const int64_t lanes = countLanes(target, block.accesses.back().elementBytes);
  for (const AccessPlan &access : llvm::drop_end(block.accesses)) {
    const auto *dim = llvm::find(access.dims, vectorDim);
    if (dim == access.dims.end() ||
        registers[access.strides[dim - access.dims.begin()]] == 1)
      continue;
    double vectors = 1.0 / lanes;
    for (uint8_t other : access.dims)
      vectors *= state.extents[other];
    cycles += vectors * getMoveCycles(access, vectorDim, lanes, state) +
              evictionCycles(access, state);
  }
  return cycles;
}

double FeatureVisitor::footprint(const AccessPlan &access,
                                 const std::array<int64_t, kMaxDims> &extents,
                                 int64_t cacheBytes, double *conflict) const {
  return getFootprint(access, registers, extents, target, cacheBytes, conflict);
}

double FeatureVisitor::footprint(const BlockPlan &block,
                                 const std::array<int64_t, kMaxDims> &extents,
                                 int64_t cacheBytes) const {
  double sum = 0;
  for (const AccessPlan &access : block.accesses)
    sum += footprint(access, extents, cacheBytes);
  return sum;
}

FeatureVisitor::Traffic FeatureVisitor::traffic(const BlockPlan &block,
                                                const WalkState &state,
                                                int64_t cacheBytes, bool shared,
                                                int64_t lines) const {
  Traffic result;
  unsigned &level = result.level;
  double sum = 0;
  for (; level <= state.depth; ++level) {
    sum = footprint(block, extentsAt(level, state), cacheBytes) *
          (shared ? threads : 1);
    if (sum <= kCacheShare * cacheBytes)
      break;
  }
  level = std::min(level, state.depth);
  result.fill = sum / cacheBytes;
  const unsigned sweepDepth = getSweepDepth(block.accesses.back(), state);
  const auto &sweep = extentsAt(sweepDepth, state);
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
    if (lines > 1 && level > sweepDepth &&
        !llvm::is_contained(access.dims, state.loops[sweepDepth - 1].dim))
      executions /= double(lines);
    const double bytes = std::max(1.0, executions) *
                         countBytes(access, registers, extentsAt(level, state));
    result.bytes += bytes * (access.isWrite ? 2 : 1);
    // Rows of windows are those of the tiles beside it, too.
    if (access.isWrite || access.overlaps)
      continue;
    const Rows rows = countRows(access, registers, sweep);
    if (rows.rows > 1)
      result.rows += bytes / (double(rows.run) * access.elementBytes);
  }
  return result;
}

unsigned FeatureVisitor::getSweepDepth(const AccessPlan &result,
                                       const WalkState &state) {
  unsigned depth = state.depth;
  while (depth > 0 &&
         !llvm::is_contained(result.dims, state.loops[depth - 1].dim))
    --depth;
  return depth;
}

void FeatureVisitor::caches(const BlockPlan &block, const WalkState &state,
                            int64_t lines) {
  const Traffic intoL1 = traffic(block, state, target.l1Bytes, false, lines);
  features[Feature::L1Bytes] = intoL1.bytes;
  features[Feature::L1Rows] = intoL1.rows;
  features[Feature::L1Fill] = intoL1.fill;
  const Traffic intoL2 = traffic(block, state, target.l2Bytes, false, lines);
  features[Feature::L2Bytes] = intoL2.bytes;
  features[Feature::L2Rows] = intoL2.rows;
  features[Feature::L2Fill] = intoL2.fill;
  const AccessPlan &result = block.accesses.back();
  const auto &extents = extentsAt(intoL2.level, state);
  features[Feature::BlockN] = extents[result.dims.back()];
  double rows = 1;
  for (uint8_t dim : llvm::ArrayRef(result.dims).drop_back())
    rows *= extents[dim];
  features[Feature::BlockM] = rows;
  features[Feature::L3Bytes] =
      traffic(block, state, target.l3Bytes, true, lines).bytes;

  const unsigned sweep = getSweepDepth(result, state);
  double pages = 0;
  for (const AccessPlan &access : block.accesses) {
    const Rows rows = countRows(access, registers, extentsAt(sweep, state));
    const double bytes = access.elementBytes;
    pages += double(rows.rowStride) * bytes >= kPageBytes
                 ? double(rows.rows)
                 : double(rows.rows) * double(rows.run) * bytes / kPageBytes;
  }
  features[Feature::PagesPerTile] = pages;
}

double FeatureVisitor::countConflicts(const BlockPlan &block, uint8_t vectorDim,
                                      const WalkState &state) const {
  double conflict = 0;
  for (const AccessPlan &access : llvm::drop_end(block.accesses))
    if (!llvm::is_contained(access.dims, vectorDim))
      footprint(access, state.extents, target.l1Bytes, &conflict);
  return conflict;
}
