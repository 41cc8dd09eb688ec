//===- AnalyticModel.cpp - Seconds from closed forms ----------------------===//
//
// The constants are physical, and tuned within reason to how 800 random
// candidates of six products (128^3 to 1024^3, one and two threads) rank on an
// AVX2 machine.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/CostModel/AnalyticModel.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace sched;

namespace {
/// Sustained bytes a cycle between levels, one core. Prefetching hides most of
/// the rest, so traffic counts fully only where it exceeds compute, and by
/// `kExposed` of its time otherwise.
constexpr double kL2BytesPerCycle = 24;
constexpr double kL3BytesPerCycle = 10;
constexpr double kExposed = 0.15;
/// An access to a page that the first-level TLB has lost; walks overlap.
constexpr double kPageMissCycles = 2;
/// A line that comes from L2 for every element read of it: where more rows of a
/// tile are in the same sets of L1 than these have ways, each step evicts what
/// the next one needs.
constexpr double kConflictCycles = 3;
/// What moves no more than this part of the last cache is in there when a
/// function is called again, as it is in a measurement; of more, the less is
/// the closer it comes to all of it.
constexpr double kShareOfL3 = 0.5;
/// Storing an accumulator and loading it again between reduction blocks.
constexpr double kSpillCycles = 5.5;
constexpr double kTlbEntries = 64;
/// Fork and join of a team that spins, measured on two machines.
constexpr double kForkJoinSeconds = 2.0e-6;
} // namespace

double AnalyticModel::seconds(const FeatureVector &f) const {
  const double hz = std::max(0.1, target.clockGHz) * 1e9;
  // Kernels run one after another, and their cycles say all.
  if (target.kind == Target::Kind::NVVM)
    return f[Feature::ComputeCycles] / hz;
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

  const double l2 = f[Feature::L1Bytes] / kL2BytesPerCycle;
  const double l3 = f[Feature::L2Bytes] / kL3BytesPerCycle;
  const double part =
      f[Feature::L3Bytes] / std::max(1.0, double(target.l3Bytes));
  const double lost =
      std::clamp((part - kShareOfL3) / (1 - kShareOfL3), 0.0, 1.0);
  const double memory =
      lost * f[Feature::L3Bytes] / (std::max(1.0, target.memoryGBs) * 1e9) * hz;
  const double slowest = std::max({compute, l2, l3, memory});
  double cycles = slowest + kExposed * (compute + l2 + l3 + memory - slowest);
  cycles +=
      f[Feature::AccumulatorSpills] * f[Feature::Accumulators] * kSpillCycles;
  cycles += f[Feature::EpilogueBytes] / kL3BytesPerCycle;
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
