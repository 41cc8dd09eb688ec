//===- BlockLevels.h - What a block touches at each loop level --*- C++ -*-===//
//
// A table of one place of a block: for each loop level around it, what each of
// its accesses touches while the loops inside run once. Reuse, traffic and
// intensity are read off it. Level 0 is outside of all loops; the last one is
// the tile itself.
//
// Part of BlockFeatures.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_MODEL_BLOCKLEVELS_H
#define SCHEDOPT_LIB_MODEL_BLOCKLEVELS_H

#include "SchedOpt/Model/LoopNest.h"
#include "SchedOpt/Model/NestWalker.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>

namespace sched {

using Extents = std::array<int64_t, kMaxDims>;

/// What an access touches of a tensor.
struct Touched {
  double bytes, lines;
};
Touched countTouched(const AccessPlan &access,
                     llvm::ArrayRef<int64_t> registers, const Extents &extents,
                     const Target &target);

/// A bit for each dimension.
inline uint32_t getDimMask(llvm::ArrayRef<uint8_t> dims) {
  uint32_t mask = 0;
  for (uint8_t dim : dims)
    mask |= 1u << dim;
  return mask;
}

class BlockLevels {
public:
  /// Of a block with more accesses, the result and the first others count.
  static constexpr unsigned kMaxAccesses = 12;

  /// Fills the table. `getExtents(level)` is what is left there of each
  /// dimension.
  template <typename GetExtents>
  void fill(const BlockPlan &block, const WalkState &state,
            llvm::ArrayRef<int64_t> registers, const Target &target,
            GetExtents &&getExtents) {
    depth = state.depth;
    count = std::min<size_t>(block.accesses.size(), kMaxAccesses);
    for (unsigned a = 0; a != count; ++a)
      masks[a] = getDimMask(getAccess(block, a).dims);
    for (unsigned level = depth + 1; level-- > 0;) {
      const Extents &extents = getExtents(level);
      points[level] = 1;
      for (uint8_t dim : block.dims)
        points[level] *= double(extents[dim]);
      total[level] = 0;
      for (unsigned a = 0; a != count; ++a) {
        touched[level][a] =
            countTouched(getAccess(block, a), registers, extents, target);
        total[level] += touched[level][a].lines * target.cacheLineBytes;
      }
    }
  }

  /// Access `a` of the table: 0 is the result, the others follow in order.
  static const AccessPlan &getAccess(const BlockPlan &block, unsigned a) {
    return a == 0 ? block.accesses.back() : block.accesses[a - 1];
  }

  unsigned depth, count;
  std::array<uint32_t, kMaxAccesses> masks;
  std::array<std::array<Touched, kMaxAccesses>, kMaxLoops + 1> touched;
  /// Points of the block, and bytes of the lines that all accesses touch.
  std::array<double, kMaxLoops + 1> points, total;
};

/// Bytes that come into a cache, and the part of it that is in use.
struct CacheTraffic {
  double bytes, fill;
};
/// `trips` are those of the serial loops around each level. A `shared` cache
/// serves all `threads`.
CacheTraffic countTraffic(const BlockLevels &levels, const BlockPlan &block,
                          const WalkState &state, llvm::ArrayRef<double> trips,
                          int64_t cacheBytes, bool shared, int64_t threads);

/// Operations a byte, at each of `samples`.
void sampleIntensity(const BlockLevels &levels, double flopsPerPoint,
                     llvm::MutableArrayRef<float> samples);

} // namespace sched

#endif // SCHEDOPT_LIB_MODEL_BLOCKLEVELS_H
