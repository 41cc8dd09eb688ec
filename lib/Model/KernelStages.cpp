//===- KernelStages.cpp - What code without tiles costs -------------------===//
//
// Elementwise code, reductions, and contractions that have no use for tiles:
// the threads of a block share the loops of the stage, along the innermost in
// vectors, and those along a reduction exchange their sums. What follows a
// tiled contraction is computed where its sums are.
//
//===----------------------------------------------------------------------===//

#include "KernelCosts.h"
#include <cmath>

using namespace sched;

namespace {
/// Instructions of a quotient, and of a math function; what of the latter goes
/// to the units for functions, which have a quarter of the lanes at most.
constexpr double kDivision = 8, kCall = 16, kCallsOfUnit = 2;
constexpr double kUnitLanes = 16;
/// Loads of a thread that are on their way at the same time.
constexpr double kLoadsInFlight = 8;
} // namespace

void KernelCosts::addStage(const StagePlan &stage, size_t position) {
  const BlockPlan &block = nest.blocks[stage.block];
  const AccessPlan &result = block.accesses.back();
  auto isReduced = [&](uint8_t dim) {
    return !llvm::is_contained(result.dims, dim);
  };
  auto extent = [&](uint8_t dim) { return getTile(dim); };
  // Without threads of its own, it is computed by those of the others, or that
  // have the sums.
  const int64_t others =
      features[Feature::IsTiled] > 0 ? threads : blockThreads;
  const bool isEpilogue = stage.threads.empty() && others != 0;

  // Loops of all dimensions, and what a thread has of them.
  const int64_t vector = getCount(stage.vector, 1);
  const unsigned rank = block.dims.size();
  const unsigned innerAt = get(stage.along, int64_t(rank) - 1);
  int64_t stageThreads = 1, ofReduction = 1;
  double iterations = 1, useful = 1, ownResults = 1, points = 1, ownInner = 1;
  for (unsigned i = 0; i != rank; ++i) {
    const uint8_t dim = block.dims[i];
    const int64_t tile = getTile(dim);
    const bool isInner = i == innerAt;
    int64_t share = i < stage.threads.size() ? getCount(stage.threads[i], 1)
                    : stage.threads.empty() && isInner && !isEpilogue
                        ? std::min<int64_t>(256, llvm::PowerOf2Ceil(tile))
                        : 1;
    if (!isEpilogue)
      stageThreads *= share;
    const int64_t width = isInner ? vector : 1;
    const double own = double(llvm::divideCeil(tile, share * width)) * width;
    useful *= double(getWhole(dim)) /
              (double(tile) * llvm::divideCeil(getWhole(dim), tile));
    points *= tile;
    iterations *= own;
    if (isInner)
      ownInner = own;
    if (isReduced(dim))
      ofReduction *= share;
    else
      ownResults *= own;
  }
  if (isEpilogue) {
    stageThreads = others;
    iterations = ownResults = std::ceil(points / others);
  }
  const double warps = llvm::divideCeil(stageThreads, gpu.warp);
  const double computed = iterations * stageThreads;

  const StageReuse &own = reuse[position];
  const double times = own.times;

  const PointOps &ops = block.ops;
  const double operations = ops.mulAdds + ops.addSubs + ops.muls +
                            ops.compares + ops.casts + kDivision * ops.divs +
                            kCall * block.callsPerPoint;
  const double wide = result.elementBytes > 4 ? 2 : 1;
  arithmetic += times * computed *
                (operations * wide / gpu.floatLanes +
                 kCallsOfUnit * block.callsPerPoint / kUnitLanes);

  // Accesses: of a vector along the innermost loop, one; of what does not
  // depend on that loop, one for all of it.
  double loads = 0, requests = 0;
  bool readsMemory = false;
  const uint8_t inner = innerAt < rank ? block.dims[innerAt] : kMaxDims;
  for (auto [number, access] : llvm::enumerate(block.accesses)) {
    const bool isWrite = access.isWrite;
    if (isWrite ? !isResult(position) : !isExternal(access, position)) {
      if (!isInShared(access, position))
        continue;
      // A vector of each lane is as many turns as it has words.
      const double count = times * iterations / vector;
      loads += count;
      requests += count * std::max<double>(1, double(gpu.warp * vector) *
                                                  access.elementBytes /
                                                  kSharedBytesPerCycle);
      continue;
    }
    const double repeats = isWrite ? 1 : own.loads[number];
    if (repeats == 0)
      continue;
    readsMemory = true;
    const int64_t run = countRun(access, extent);
    const double coalescing = getCoalescing(access, run);
    sectorBytes += repeats * double(countElements(access, extent)) *
                   access.elementBytes / coalescing;
    // What a warp's lanes read at once: stretches of neighbours where they
    // share the dimension that is contiguous.
    int64_t lanes = isEpilogue ? gpu.warp : 1, next = 0;
    for (auto [dim, stride] : llvm::zip_equal(access.dims, access.strides)) {
      if (dim == inner)
        next = registers[stride];
      const size_t index = llvm::find(block.dims, dim) - block.dims.begin();
      if (registers[stride] == 1 && getWhole(dim) > 1 &&
          index < stage.threads.size())
        lanes = std::min<int64_t>(getCount(stage.threads[index], 1), gpu.warp);
    }
    const int64_t widest =
        std::max<int64_t>(kWidestBytes / access.elementBytes, 1);
    const int64_t width =
        next == 1 ? proveWidth(access, countRun(access, extent), /*inside=*/1,
                               getPowerDividing(vector, widest))
                  : 1;
    // One that does not depend on the innermost loop is for all of it.
    const double repeated =
        inner != kMaxDims && !llvm::is_contained(access.dims, inner) ? ownInner
                                                                     : width;
    const double count =
        repeats *
        std::max(1.0, (isWrite ? ownResults : iterations) /
                          (isWrite && inner != kMaxDims && isReduced(inner)
                               ? 1.0
                               : repeated));
    const double stretch = std::min<double>(run, double(lanes) * width);
    const double lines =
        std::clamp(gpu.warp * width / std::max(stretch, 1.0),
                   std::max(1.0, gpu.warp * width * access.elementBytes /
                                     kSharedBytesPerCycle),
                   double(gpu.warp));
    requests += count * lines;
    loads += count;
    if (isWrite)
      features[Feature::CoalescingResult] = coalescing;
    else
      features[Feature::CoalescingColumns] = coalescing;
  }
  issue +=
      warps * (times * iterations * (operations + 1) + 3 * loads) / kSchedulers;
  shared += warps * requests;

  // Lanes exchange sums in steps; warps meet in shared memory. Results of rows
  // that are too many for registers are there, too.
  double exchange = 0;
  const bool isReduction = !isEpilogue && reduces(stage);
  const bool inRegisters =
      own.place == Place::Registers && ownResults <= getUnrollLimit() / 2;
  if (ofReduction > 1) {
    const double inWarp = std::log2(std::min<double>(ofReduction, gpu.warp));
    exchange = inWarp * kExchangeCycles;
    issue += warps * ownResults * 2 * inWarp / kSchedulers;
    if (ofReduction > gpu.warp) {
      exchange += 2 * kBarrierCycles + 2 * kSharedLatency;
      barriers += 2;
    }
    exchange *= std::max(1.0, ownResults / 4);
  }
  const double alone = warps * iterations * operations * wide * gpu.warp /
                       gpu.floatLanes / std::min(1.0, warps / kSchedulers);
  latency +=
      std::max(times * alone,
               readsMemory ? std::ceil(loads / kLoadsInFlight) * kMemoryLatency
                           : times * kSharedLatency) +
      exchange;

  int64_t stageRegisters = vector * int64_t(block.accesses.size()) *
                           llvm::divideCeil(int64_t(result.elementBytes), 4);
  const int64_t kept = static_cast<int64_t>(ownResults) *
                       llvm::divideCeil(int64_t(result.elementBytes), 4);
  if (isReduction) {
    sharedBytes += countMeetingBytes(stage, inRegisters);
    if (inRegisters && !isResult(position))
      keptRegisters += kept;
  }
  if (!isEpilogue &&
      (isReduction ? !inRegisters : own.place == Place::Shared)) {
    int64_t bytes = result.elementBytes;
    for (uint8_t dim : result.dims)
      bytes *= getTile(dim);
    sharedBytes += llvm::alignTo(bytes, 16);
    ++barriers;
    latency += kBarrierCycles;
  }
  threads = std::max(threads, stageThreads);
  threadRegisters =
      std::max(threadRegisters, stageRegisters + kAddressRegisters);
  independent = std::max<double>(independent, std::min(iterations, 4.0));
  if (!isEpilogue) {
    computedPoints += computed;
    usefulPoints += useful * points;
  }
  if (features[Feature::IsTiled] > 0)
    return;
  features[Feature::TileColumns] =
      std::max<float>(features[Feature::TileColumns], points);
  features[Feature::TileRows] = 1;
  features[Feature::ThreadColumns] =
      std::max<float>(features[Feature::ThreadColumns], iterations);
  features[Feature::Vector] =
      std::max<float>(features[Feature::Vector], vector);
}
