//===- CacheFootprint.cpp - What an access takes of a cache ---------------===//

#include "CacheFootprint.h"
#include "FeatureCosts.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace sched;

double sched::countBytes(const AccessPlan &access,
                         const std::array<int64_t, kMaxDims> &extents) {
  double bytes = access.elementBytes;
  for (uint8_t dim : access.dims)
    bytes *= extents[dim];
  return bytes;
}

double sched::getFootprint(const AccessPlan &access,
                           llvm::ArrayRef<int64_t> registers,
                           const std::array<int64_t, kMaxDims> &extents,
                           const Target &target, int64_t cacheBytes,
                           double *conflict) {
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
    // There is a power of two of sets: 48 KiB are 12 ways of 4.
    const int64_t period =
        llvm::bit_floor<uint64_t>(std::max<int64_t>(cacheBytes / kWays, line));
    const int64_t ways = std::max<int64_t>(cacheBytes / period, 1);
    const int64_t step =
        std::gcd(rowStride * int64_t(access.elementBytes), period);
    const double capacity =
        ways * std::max(1.0, period / std::max<double>(step, runBytes));
    if (conflict)
      *conflict = std::max(*conflict, rows / capacity);
    if (rows > capacity)
      bytes = std::max(bytes, cacheBytes * rows / capacity);
  }
  return bytes;
}

double sched::getWaste(double used, double rowBytes, const Target &target) {
  const double line = std::max(0.0, target.cacheLineBytes - used),
               page = rowBytes >= kPageBytes ? kPageCost : 0;
  return (line + page) / used;
}
