//===- AnalyticModel.cpp - Seconds from closed forms ----------------------===//
//
// The constants are physical, and tuned within reason to how random candidates
// rank: 800 of six products (128^3 to 1024^3, one and two threads) on an AVX2
// machine, then 64 of each of 32 operators on one of AVX-512, one thread.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/CostModel/AnalyticModel.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace sched;

namespace {
/// Sustained bytes a cycle into L1, one core; into L2 as the target says.
/// Prefetching hides most of the rest, so traffic counts fully only where it
/// exceeds compute, and by `kExposed` of its time otherwise.
constexpr double kL2BytesPerCycle = 32;
constexpr double kExposed = 0.05;
/// What prefetchers lose where they have to find the next row takes as long as
/// to move so many bytes more: columns of 3 to 8 vectors of a matrix in L3 came
/// in 2.5 to 1.5 times as long in its rows as in panels (AVX-512).
constexpr double kRowBytesOfL2 = 32, kRowBytesOfL3 = 320;
/// An access to a page that the first-level TLB has lost; walks overlap.
constexpr double kPageMissCycles = 2;
/// A line that comes from L2 for every element read of it: where more rows of a
/// tile are in the same sets of L1 than these have ways, each step evicts what
/// the next one needs.
constexpr double kConflictCycles = 1;
/// What moves no more than this part of a cache is in there when a function is
/// called again, as it is in a measurement; of more, the less is the closer it
/// comes to all of it.
constexpr double kStayingShare = 0.5;
/// Storing an accumulator and loading it again between reduction blocks.
constexpr double kSpillCycles = 1.5;
constexpr double kTlbEntries = 64;
/// Fork and join of a team that spins, measured on two machines.
constexpr double kForkJoinSeconds = 2.0e-6;
} // namespace

/// The part of `bytes`, all that is moved into a cache, that it does not hold
/// any more when the function is called again.
static double getLostPart(double bytes, int64_t cacheBytes) {
  const double part = bytes / std::max<double>(1, cacheBytes);
  return std::clamp((part - kStayingShare) / (1 - kStayingShare), 0.0, 1.0);
}

double AnalyticModel::seconds(const FeatureVector &f) const {
  const double hz = std::max(0.1, target.clockGHz) * 1e9;
  // Kernels run one after another, and their cycles say all.
  if (target.kind == Target::Kind::NVVM)
    return f[Feature::ComputeCycles] / hz;
  const double l3BytesPerCycle = std::max(1.0, target.l3BytesPerCycle);
  const double threads = std::max(1.0f, f[Feature::Threads]);
  double compute = f[Feature::ComputeCycles];

  // A step takes a cycle for each FMA port's worth of the tile's vectors, and
  // misses once a row.
  if (f[Feature::ConflictRows] > 1)
    compute *= 1.0 + std::max(1, target.fmaPorts) * kConflictCycles /
                         std::max(1.0f, f[Feature::TileN]);
  const double rowTiles = f[Feature::ComputeCycles] > 0 ? 1.0 : 0.0;
  const double pageMisses =
      std::max(0.0, f[Feature::PagesPerTile] - kTlbEntries) * rowTiles;
  const double sweepCycles =
      std::max(1.0f, f[Feature::PagesPerTile]) * f[Feature::Accumulators] / 2;
  compute *= 1.0 + std::min(0.5, pageMisses * kPageMissCycles /
                                     std::max(1.0, sweepCycles * 16));

  const double l2 = (f[Feature::L1Bytes] + kRowBytesOfL2 * f[Feature::L1Rows]) /
                    kL2BytesPerCycle;
  const double l3 = getLostPart(f[Feature::L2Bytes], target.l2Bytes) *
                    (f[Feature::L2Bytes] + kRowBytesOfL3 * f[Feature::L2Rows]) /
                    l3BytesPerCycle;
  const double memory = getLostPart(f[Feature::L3Bytes], target.l3Bytes) *
                        f[Feature::L3Bytes] /
                        (std::max(1.0, target.memoryGBs) * 1e9) * hz;
  const double slowest = std::max({compute, l2, l3, memory});
  double cycles = slowest + kExposed * (compute + l2 + l3 + memory - slowest);
  cycles +=
      f[Feature::AccumulatorSpills] * f[Feature::Accumulators] * kSpillCycles;
  cycles += f[Feature::EpilogueBytes] / l3BytesPerCycle;
  cycles += f[Feature::PackCycles];
  double time = cycles / hz;
  time += f[Feature::ParallelRegions] * kForkJoinSeconds *
          (1.0 + 0.1 * (threads - 2));
  return time;
}

void AnalyticModel::predict(const FeatureBatch &batch,
                            llvm::MutableArrayRef<double> scores) const {
  for (auto [feature, score] : llvm::zip_equal(batch.getPrograms(), scores))
    score = 1.0 / std::max(1e-12, seconds(feature));
}
