//===- CacheFootprint.cpp - What an access takes of a cache ---------------===//

#include "CacheFootprint.h"
#include "FeatureCosts.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

using namespace sched;

namespace {
/// `count` elements, `stride` elements apart.
struct Steps {
  int64_t stride, count;
};
} // namespace

/// The elements of both as elements of one stride; none where the coarser step
/// goes farther than the finer ones reach.
static std::optional<Steps> join(Steps fine, Steps coarse) {
  if (coarse.stride < fine.stride)
    std::swap(fine, coarse);
  const int64_t ratio = coarse.stride / fine.stride;
  if (coarse.stride % fine.stride != 0 || fine.count < ratio)
    return std::nullopt;
  return Steps{fine.stride, fine.count + ratio * (coarse.count - 1)};
}

Rows sched::countRows(const AccessPlan &access,
                      llvm::ArrayRef<int64_t> registers,
                      const std::array<int64_t, kMaxDims> &extents) {
  Rows touched;
  auto add = [&](Steps steps) {
    if (steps.count == 1)
      return;
    if (steps.stride == touched.run) {
      touched.run *= steps.count;
      return;
    }
    touched.rows *= steps.count;
    if (touched.rowStride == 0 || steps.stride < touched.rowStride)
      touched.rowStride = steps.stride;
  };
  auto at = [&](unsigned i) {
    return Steps{registers[access.strides[i]], extents[access.dims[i]]};
  };
  // From the innermost dimension outwards: whole rows are one longer run.
  for (unsigned i = access.dims.size(); i-- > 0;) {
    Steps steps = at(i);
    for (; i > 0 && access.overlaps >> (i - 1) & 1; --i) {
      const Steps next = at(i - 1);
      if (const std::optional<Steps> both = join(steps, next))
        steps = *both;
      else
        add(std::exchange(steps, next));
    }
    add(steps);
  }
  return touched;
}

double sched::countBytes(const AccessPlan &access,
                         llvm::ArrayRef<int64_t> registers,
                         const std::array<int64_t, kMaxDims> &extents) {
  const Rows rows = countRows(access, registers, extents);
  return double(rows.rows) * double(rows.run) * access.elementBytes;
}

double sched::getFootprint(const AccessPlan &access,
                           llvm::ArrayRef<int64_t> registers,
                           const std::array<int64_t, kMaxDims> &extents,
                           const Target &target, int64_t cacheBytes,
                           double *conflict) {
  const auto [rows, run, rowStride] = countRows(access, registers, extents);
  const int64_t line = target.cacheLineBytes;
  const double runBytes =
      llvm::divideCeil(run * access.elementBytes, line) * line;
  double bytes = rows > 1 ? rows * runBytes : run * double(access.elementBytes);
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

double sched::getWaste(double used, double rowBytes, bool isWritten,
                       const Target &target) {
  const double line = std::max(0.0, target.cacheLineBytes - used),
               page = rowBytes < kPageBytes ? 0
                      : isWritten           ? kWrittenPageCost
                                            : kReadPageCost;
  return (line + page) / used;
}
