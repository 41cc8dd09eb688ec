//===- CacheFootprint.h - What an access takes of a cache -------*- C++ -*-===//
//
// Closed forms that the features of programs and blocks are made of, at each
// level of a nest.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_CACHEFOOTPRINT_H
#define SCHEDOPT_MODEL_CACHEFOOTPRINT_H

#include "SchedOpt/Model/LoopNest.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>

namespace sched {

/// The elements that an access touches, each counted once: `run` of them next
/// to each other, `rows` times, the nearest `rowStride` elements apart (0:
/// there is one row).
struct Rows {
  int64_t rows = 1, run = 1, rowStride = 0;
};

/// Of `access` over `extents`. Dimensions whose steps overlap, as pixels and
/// taps of a convolution, are one dimension of what they cover.
Rows countRows(const AccessPlan &access, llvm::ArrayRef<int64_t> registers,
               const std::array<int64_t, kMaxDims> &extents);

/// Bytes of the elements of `access` over `extents`.
double countBytes(const AccessPlan &access, llvm::ArrayRef<int64_t> registers,
                  const std::array<int64_t, kMaxDims> &extents);

/// Bytes of `access` over `extents`, raised to what does not fit into
/// `cacheBytes` where rows at a large power-of-two stride fall into the same
/// sets. `conflict` becomes at least the rows over those that fit.
double getFootprint(const AccessPlan &access, llvm::ArrayRef<int64_t> registers,
                    const std::array<int64_t, kMaxDims> &extents,
                    const Target &target, int64_t cacheBytes,
                    double *conflict = nullptr);

/// Where `used` contiguous bytes are read or written at a time, of rows
/// `rowBytes` apart of which the caches hold too few: what fetching the line,
/// and looking the page up, again costs a byte that is used, in bytes.
double getWaste(double used, double rowBytes, bool isWritten,
                const Target &target);

} // namespace sched

#endif // SCHEDOPT_MODEL_CACHEFOOTPRINT_H
