//===- StageFeatures.cpp - Stages of a task without a contraction ---------===//
//
// Such a task moves its tensors once: it costs that, or its vector work.
//
//===----------------------------------------------------------------------===//

#include "CacheFootprint.h"
#include "FeatureCosts.h"
#include "FeatureVisitor.h"
#include "SchedOpt/Model/RegisterTile.h"
#include "TailCosts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <optional>

using namespace sched;

bool FeatureVisitor::isTransposed(const AccessPlan &access,
                                  uint8_t vectorDim) const {
  return llvm::any_of(llvm::zip_equal(access.dims, access.strides),
                      [&](auto place) {
                        auto [dim, stride] = place;
                        return dim == vectorDim && registers[stride] != 1;
                      });
}

double FeatureVisitor::getMoveCycles(const AccessPlan &access,
                                     uint8_t vectorDim, int64_t lanes,
                                     const WalkState &state) const {
  double cycles = kBroadcastCycles;
  int64_t contiguous = 1;
  for (auto [dim, stride] : llvm::zip_equal(access.dims, access.strides)) {
    if (registers[stride] == 1)
      contiguous = state.extents[dim];
    if (dim == vectorDim)
      cycles = kMoveCycles;
  }
  if (!isTransposed(access, vectorDim) || state.extents[vectorDim] == 1)
    return cycles;
  // One square of elements is transposed by few shuffles, larger tiles by
  // more, the rest element by element.
  if (contiguous < lanes || state.extents[vectorDim] < lanes)
    return double(lanes);
  return contiguous == lanes && state.extents[vectorDim] == lanes
             ? kTransposeCycles
             : 2 * kTransposeCycles;
}

void FeatureVisitor::stage(const BlockPlan &block, const WalkState &state) {
  const std::optional<uint8_t> vectorDim = block.getVectorDim();
  if (!vectorDim)
    return;
  const AccessPlan &result = block.accesses.back();
  const RegisterTile row{1, state.extents[*vectorDim], 1, result.elementBytes};
  const int64_t lanes = countLanes(target, result.elementBytes);
  const double rows = double(points(block, state)) / row.n;
  const double vectors = rows * row.vectors(target);
  double moves = 0;
  for (const AccessPlan &access : block.accesses)
    moves += getMoveCycles(access, *vectorDim, lanes, state);
  const double arithmetic = 0.5 * (block.flopsPerPoint - block.callsPerPoint) +
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
  if (!state.tail) {
    if (block.kind != BlockKind::Fill)
      addCycles(splitRowCycles(result, state), state);
    for (const AccessPlan &access : block.accesses)
      wastedBytes += countWaste(block, access, *vectorDim, state);
  }

  elementBytes = result.elementBytes;
  lanePoints += trips * threads * vectors * lanes;
  usefulPoints += trips * threads * rows * row.n;
  if (readsOnce && llvm::none_of(block.accesses, [&](const AccessPlan &access) {
        return isTransposed(access, *vectorDim);
      }))
    streamedVectors = std::max(streamedVectors, vectors);
  if (block.isExtra)
    return;
  features[Feature::TileM] = rows;
  features[Feature::TileN] = row.vectors(target);
  features[Feature::TileK] = 1;
  features[Feature::LoopDepth] = state.depth;
}

double FeatureVisitor::countWaste(const BlockPlan &block,
                                  const AccessPlan &access, uint8_t vectorDim,
                                  const WalkState &state) const {
  auto getAlong = [&](const AccessPlan &other) -> std::optional<uint8_t> {
    for (auto [dim, stride] : llvm::zip_equal(other.dims, other.strides))
      if (registers[stride] == 1)
        return dim;
    return std::nullopt;
  };
  const std::optional<uint8_t> along = getAlong(access);
  // Of what is read across, vectors go from row to row; of the others, what is
  // read across does.
  std::optional<uint8_t> across = vectorDim;
  if (along == vectorDim) {
    const auto *read =
        llvm::find_if(block.accesses, [&](const AccessPlan &other) {
          return isTransposed(other, vectorDim);
        });
    if (read == block.accesses.end())
      return 0;
    across = getAlong(*read);
  }
  double rowBytes = 0;
  for (auto [dim, stride] : llvm::zip_equal(access.dims, access.strides))
    if (dim == across && dim != along)
      rowBytes = double(registers[stride]) * access.elementBytes;
  if (!along || rowBytes == 0 || levelExtents[0][vectorDim] == 1)
    return 0;
  unsigned level = 0;
  for (; level < state.depth; ++level) {
    double sum = 0;
    for (const AccessPlan &other : block.accesses)
      sum += countBytes(other, registers, levelExtents[level]);
    if (sum <= kCacheShare * target.l2Bytes)
      break;
  }
  if (level == 0)
    return 0;
  const int64_t used = extentsAt(level, state)[*along] * access.elementBytes;
  return countBytes(access, registers, levelExtents[0]) *
         getWaste(used, rowBytes, access.isWrite, target);
}

void FeatureVisitor::streams() {
  const double bytes = nest.externalBytes + wastedBytes;
  const double share = bytes / std::max(1.0f, features[Feature::Threads]);
  features[Feature::L1Bytes] = share;
  if (share > target.l2Bytes)
    features[Feature::L2Bytes] = share;
  if (bytes > target.l3Bytes)
    features[Feature::L3Bytes] =
        bytes * (1 + kTileOrderCost * std::log2(streamedVectors));
}
