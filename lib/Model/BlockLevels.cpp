//===- BlockLevels.cpp - What a block touches at each loop level ----------===//

#include "BlockLevels.h"
#include "CacheFootprint.h"
#include "FeatureCosts.h"
#include <algorithm>
#include <cmath>

using namespace sched;

Touched sched::countTouched(const AccessPlan &access,
                            llvm::ArrayRef<int64_t> registers,
                            const Extents &extents, const Target &target) {
  const Rows touched = countRows(access, registers, extents);
  const int64_t runBytes = touched.run * int64_t(access.elementBytes);
  const int64_t line = target.cacheLineBytes;
  const double lines = double((runBytes + line - 1) / line);
  return {double(touched.rows) * double(runBytes),
          double(touched.rows) * lines};
}

CacheTraffic sched::countTraffic(const BlockLevels &levels,
                                 const BlockPlan &block, const WalkState &state,
                                 llvm::ArrayRef<double> trips,
                                 int64_t cacheBytes, bool shared,
                                 int64_t threads) {
  const double users = shared ? double(threads) : 1;
  unsigned level = 0;
  while (level != levels.depth &&
         levels.total[level] * users > kCacheShare * double(cacheBytes))
    ++level;
  double around = trips[level];
  if (shared)
    for (unsigned i = 0; i != level; ++i)
      if (state.loops[i].isForall)
        around *= double(state.loops[i].trips);
  double bytes = 0;
  for (unsigned a = 0; a != levels.count; ++a) {
    double executions = around;
    for (unsigned i = level; i-- > 0;) {
      const WalkLoop &loop = state.loops[i];
      if (levels.masks[a] >> loop.dim & 1)
        break;
      if (!loop.isForall || shared)
        executions /= double(loop.trips);
    }
    bytes += std::max(1.0, executions) * levels.touched[level][a].bytes *
             (BlockLevels::getAccess(block, a).isWrite ? 2 : 1);
  }
  return {bytes, levels.total[level] * users / double(cacheBytes)};
}

void sched::sampleIntensity(const BlockLevels &levels, double flopsPerPoint,
                            llvm::MutableArrayRef<float> samples) {
  auto getIntensity = [&](unsigned level) {
    return levels.points[level] * flopsPerPoint /
           std::max(1.0, levels.total[level]);
  };
  unsigned inner = levels.depth;
  double innerLog = std::log2(levels.points[inner]),
         innerValue = getIntensity(inner);
  const double first = innerLog, step = (std::log2(levels.points[0]) - first) /
                                        double(samples.size() - 1);
  double outerLog = innerLog, outerValue = innerValue;
  for (unsigned i = 0, e = samples.size(); i != e; ++i) {
    const double wanted = first + step * i;
    while (outerLog < wanted && inner != 0) {
      innerLog = outerLog;
      innerValue = outerValue;
      --inner;
      outerLog = std::log2(levels.points[inner]);
      outerValue = getIntensity(inner);
    }
    const double part =
        outerLog > innerLog
            ? std::min(1.0, (wanted - innerLog) / (outerLog - innerLog))
            : 1.0;
    samples[i] =
        static_cast<float>(innerValue + part * (outerValue - innerValue));
  }
}
