//===- FeatureExtractor.cpp - Features of a candidate ---------------------===//
//
// One visitor of the nest. Cycles are summed over every block, tails included.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Model/FeatureExtractor.h"
#include "FeatureCosts.h"
#include "FeatureVisitor.h"
#include "SchedOpt/Model/KernelFeatures.h"
#include "SchedOpt/Model/RegisterTile.h"
#include "llvm/ADT/STLExtras.h"

using namespace sched;

void FeatureVisitor::block(const BlockPlan &block, const WalkState &state) {
  if (block.kind != BlockKind::Fill) {
    ++places;
    seen |= uint64_t(1) << (&block - nest.blocks.data()) % 64;
  }
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
  case BlockKind::CacheCopy:
    return cacheCopy(block, state);
  }
}

void FeatureVisitor::finish(double flops) {
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

void FeatureVisitor::elementwise(const BlockPlan &block,
                                 const WalkState &state) {
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

void FeatureVisitor::produce(const BlockPlan &block, const WalkState &state) {
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

void FeatureVisitor::pack(const BlockPlan &block, const WalkState &state) {
  if (block.isFree)
    return;
  const double bytes = 2.0 * levelTrips[state.depth] * tileBytes(block, state);
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

void FeatureVisitor::cacheCopy(const BlockPlan &block, const WalkState &state) {
  const double bytes = 2.0 * levelTrips[state.depth] * tileBytes(block, state);
  features[Feature::CacheReadBytes] += bytes;
  addCycles(bytes / 16.0, state);
}

double sched::extractFeatures(const LoopNestPlan &nest, const Target &target,
                              double flops, llvm::ArrayRef<int64_t> registers,
                              FeatureVector &features) {
  features.values.fill(0);
  if (target.kind == Target::Kind::NVVM) {
    summarizeKernels(nest, target, flops, registers, features);
    return 1;
  }
  FeatureVisitor visitor(nest, target, registers, features);
  NestWalker<FeatureVisitor> walker(nest, registers, visitor);
  walker.walk();
  visitor.finish(flops);
  return visitor.countCopies();
}
