//===- FeatureCosts.h - What work costs, in cycles --------------*- C++ -*-===//
//
// Constants of FeatureExtractor.cpp, but for those of register tiles
// (SchedOpt/Model/RegisterTile.h). Estimates from measurements on AVX2
// machines.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_FEATURECOSTS_H
#define SCHEDOPT_MODEL_FEATURECOSTS_H

#include "SchedOpt/Support/PageOffset.h"
#include "SchedOpt/Support/Target.h"
#include <algorithm>
#include <cstdint>

namespace sched {

/// Ways of a cache of a power of two of bytes, for conflicts between rows.
inline constexpr int64_t kWays = 8;
/// Cycles of a vector in a stage: to load or store it, to broadcast one
/// element, to transpose one of a square, and for one math function.
inline constexpr double kMoveCycles = 0.5, kBroadcastCycles = 0.1,
                        kTransposeCycles = 3, kCallCycles = 10;
/// Of a math function: cycles from its argument to its result, the registers
/// that a vector in flight takes, and what one too many costs.
inline constexpr double kCallLatency = 40, kRegistersPerCall = 4,
                        kCallSpillCycles = 5;
/// Bytes a cycle that packing reads and writes, of panels that stay in L2 and
/// of others: a quarter and a third of what the caches move by themselves
/// (CostModel/AnalyticModel.cpp), as random candidates rank best with.
inline constexpr double kPackBytesInL2 = 8, kPackBytes = 4;
/// To reduce a vector to half its lanes while other work hides the latency: a
/// shuffle and the arithmetic.
inline constexpr double kFoldCycles = 1;
/// Of a line that was evicted before all of it was read: what each of 16 rows,
/// 4 or 8 KiB apart, took longer than each of 4 rows (AVX-512, 32 MiB of L3).
inline constexpr double kEvictedLineCycles = 4;
/// Of a loop around a tile.
inline constexpr double kControlCycles = 1;
/// The part of a cache that the data of a nest fill before it is another's
/// turn.
inline constexpr double kCacheShare = 0.9;
/// A buffer of this part of L2 stays there while the rest passes through; what
/// is larger is written at about the rate of the next one (AnalyticModel.cpp).
inline constexpr double kShareOfL2 = 0.5, kFarBytesPerCycle = 10;

/// Where a row's next bytes are in a page that was left meanwhile, to look it
/// up takes as long as to fetch so many bytes: what is read waits for it, and
/// begins before the processor foresees the next lines; what is written goes on
/// its way. 16 transposes of 1024x1024 took 5.5 ms where all of a row is read
/// before the next one and 128 bytes of each are written at a time, 7.2 by 64
/// bytes; and 8.2, 10.2, 9.2 where 512, 256 and 128 bytes of each are read at a
/// time, and all of a row is written (AVX-512).
inline constexpr double kReadPageCost = 256, kWrittenPageCost = 32;

/// What memory takes longer for each doubling of the vectors of a tile: they
/// are moved in the order that registers suit, not in that of addresses, which
/// is what processors foresee. Max with 0 of 64 MiB took 2.6 ms by single
/// vectors, 3.4 by 8, 4.1 by 2 x 16; sums of squares of 256 MiB 7.0 ms by
/// 4, 11.6 by 16 (AVX-512).
inline constexpr double kTileOrderCost = 0.1;

/// A thread's wait for each row of a result that threads split: where what one
/// writes ends and what the next one writes begins, a core's prefetcher takes
/// lines of the other one's. Of depthwise convolutions of 56x56x144 and
/// 28x28x192, of which two threads had half of the channels, a pixel took 62
/// and 50 cycles longer than where they had half of the lines (AVX-512).
inline constexpr double kSplitRowCycles = 50;

/// So many cores draw all of the bandwidth of memory, each the same part.
inline constexpr double kCoresThatShareMemory = 4;

/// Elements of so many bytes in a vector, at least 1.
inline int64_t countLanes(const Target &target, unsigned bytes) {
  return std::max<int64_t>(1, target.vectorBytes / int64_t(bytes));
}

} // namespace sched

#endif // SCHEDOPT_MODEL_FEATURECOSTS_H
