//===- KernelCosts.h - What a kernel costs ----------------------*- C++ -*-===//
//
// Adds up what the blocks of a kernel need: KernelTiles.cpp does so for a tiled
// contraction, KernelStages.cpp for all other code, of which KernelReuse.cpp
// says what is computed, loaded and kept; KernelFeatures.cpp makes cycles of
// it. The bounds are those of a roofline with one roof a
// resource (Williams et al. 2009; Volkov, "Understanding Latency Hiding on
// GPUs", 2016). What the machine's description does not have is written here:
// figures of microbenchmarks that hold for sm_80 to sm_90 (Jia et al.,
// "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018;
// Luo et al., "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture",
// 2024).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_MODEL_KERNELCOSTS_H
#define SCHEDOPT_LIB_MODEL_KERNELCOSTS_H

#include "SchedOpt/Model/KernelFeatures.h"
#include "SchedOpt/Support/KernelNumbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace sched {

/// Instructions of warps that a multiprocessor starts a cycle.
constexpr double kSchedulers = 4;
/// Bytes a cycle of shared memory and the first level, and of one
/// multiprocessor's share of the second level (docs/Rationale.md); bytes of a
/// sector.
constexpr double kSharedBytesPerCycle = 128, kSectorBytesPerCycle = 27;
constexpr int64_t kSectorBytes = 32;
/// Cycles until data is there: from memory, from the second level, and from
/// shared memory; of a barrier, and of an exchange between the lanes of a warp.
constexpr double kMemoryLatency = 500, kSectorLatency = 270,
                 kSharedLatency = 30;
constexpr double kBarrierCycles = 30, kExchangeCycles = 25;

class KernelCosts {
public:
  KernelCosts(const LoopNestPlan &nest, const KernelPlan &kernel,
              const Target &target, llvm::ArrayRef<int64_t> registers)
      : nest(nest), kernel(kernel), target(target), gpu(target.gpu),
        registers(registers) {}

  KernelFeatureVector run();

private:
  using Feature = KernelFeature;
  using ExtentFn = llvm::function_ref<int64_t(uint8_t)>;

  void addTiled(const StagePlan &stage, size_t position);
  void addStage(const StagePlan &stage, size_t position);
  /// Decides what each stage computes and loads, and what stays in registers:
  /// before any addStage.
  void planReuse();
  /// Threads that share loop `i` of a stage with threads of its own.
  int64_t getThreads(const StagePlan &stage, unsigned i) const {
    return i < stage.threads.size() ? getCount(stage.threads[i], 1) : 1;
  }
  unsigned getAlong(const StagePlan &stage) const {
    return get(stage.along, int64_t(nest.blocks[stage.block].dims.size()) - 1);
  }
  /// Elements of loop `i` that a thread has.
  int64_t countOwn(const StagePlan &stage, unsigned i) const;
  /// Points of all loops of a stage that a thread has; of an access, elements.
  int64_t countOwn(const StagePlan &stage,
                   const AccessPlan *access = nullptr) const;
  /// Elements that are written out, and kept (Codegen/StageLayout.h).
  int64_t getUnrollLimit() const {
    return blockThreads <= 256 ? 64 : blockThreads <= 512 ? 48 : 24;
  }
  bool reduces(const StagePlan &stage) const;
  /// Bytes in which the threads of a reduction that are not in one warp meet.
  int64_t countMeetingBytes(const StagePlan &stage, bool inRegisters) const;
  /// Operations and bytes of a stage, whatever its threads do.
  void addWork(const BlockPlan &block, size_t position);
  /// Makes cycles of the sums.
  void finish();

  int64_t get(Reg reg, int64_t otherwise) const {
    return reg == kNoReg ? otherwise : registers[reg];
  }
  /// At least 1.
  int64_t getCount(Reg reg, int64_t otherwise) const {
    return std::max<int64_t>(get(reg, otherwise), 1);
  }
  int64_t getWhole(uint8_t dim) const { return registers[nest.extents[dim]]; }
  int64_t getTile(uint8_t dim) const {
    const int64_t size = get(kernel.tiles[dim], 0), whole = getWhole(dim);
    return size > 0 ? std::min(size, whole) : whole;
  }
  int64_t getStep(uint8_t dim) const {
    const int64_t size = get(kernel.steps[dim], 0), tile = getTile(dim);
    return size > 0 ? std::min(size, tile) : tile;
  }
  int64_t countBlocks() const;

  /// Elements of an access, each once, where its dimensions have these extents.
  int64_t countElements(const AccessPlan &access, ExtentFn extent) const;
  /// How many of them are next to each other in memory.
  int64_t countRun(const AccessPlan &access, ExtentFn extent) const;
  /// The most elements, `wanted` or half of it and so on, that an access may
  /// take at once of `run` that are next to each other: all places where it
  /// does are aligned so. It may go from a row to the next where rows are less
  /// than `inside` apart.
  int64_t proveWidth(const AccessPlan &access, int64_t run, int64_t inside,
                     int64_t wanted) const;
  /// Addresses that a thread needs for `rounds` copies of the widest kind, of
  /// which a row has `groups`; `across` says the extents of rows, and is 1 for
  /// all others. Rows that are close share some (Codegen/TileFetch.cpp).
  double countAddresses(const AccessPlan &access, ExtentFn across,
                        int64_t groups, int64_t threads, double rounds) const;
  /// Bytes of elements in runs / bytes of the sectors that these touch.
  double getCoalescing(const AccessPlan &access, int64_t run) const;
  /// Whether the stage reads the tensor from memory.
  bool isExternal(const AccessPlan &access, size_t position) const;
  /// Whether what the stage at `position` reads or makes there is kept in
  /// shared memory.
  bool isInShared(const AccessPlan &access, size_t position) const {
    for (size_t other = 0; other <= position; ++other)
      if (nest.blocks[kernel.stages[other].block].accesses.back().buffer ==
          access.buffer)
        return reuse[other].place == Place::Shared;
    return false;
  }
  /// Whether the result is what the kernel writes.
  bool isResult(size_t position) const {
    return position + 1 == kernel.stages.size();
  }

  /// Where the result of a stage is.
  enum class Place { Registers, Shared, Recompute };
  struct StageReuse {
    Place place = Place::Registers;
    /// Its threads go through its elements, on their own or to store them; all
    /// others are computed where one of these asks for them.
    bool isWalk = false;
    /// Such loops are written out: what was computed in them is in registers.
    bool isWrittenOut = false;
    /// How often it is computed, and each of its accesses loaded.
    unsigned times = 1;
    llvm::SmallVector<uint8_t, 4> loads;
  };
  /// One a stage.
  llvm::SmallVector<StageReuse, 6> reuse;
  /// The most that a stage asks for; 0: none does.
  int64_t blockThreads = 0;

  KernelFeatureVector features;
  /// Of a block.
  int64_t threads = 1, threadRegisters = 0, keptRegisters = 0, sharedBytes = 0;
  double arithmetic = 0, issue = 0, shared = 0, sectorBytes = 0, latency = 0;
  double barriers = 0, computedPoints = 0, usefulPoints = 0;
  /// Sums that a thread adds to in turn.
  double independent = 1;
  /// Of the tiled contraction: rows and columns of its grid, and the bytes of
  /// an operand's row and column, with all of the reduction.
  double gridRows = 1, gridColumns = 1, rowBytes = 0, columnBytes = 0;
  double tileRows = 0, tileColumns = 0;
  /// Registers of a thread, as decided; 0: as many as it wants.
  int64_t registerLimit = 0;
  /// Rows of the grid that are taken together.
  double rowGroup = 1;
  double uniqueBytes = 0;
  /// Of which tensors these are.
  llvm::SmallVector<uint16_t, 8> buffers;

  const LoopNestPlan &nest;
  const KernelPlan &kernel;
  const Target &target;
  const Target::GPU &gpu;
  llvm::ArrayRef<int64_t> registers;
};

/// Blocks that fit on a multiprocessor, 0 if none does.
int64_t countResidentBlocks(const Target::GPU &gpu, int64_t threads,
                            int64_t registers, int64_t sharedBytes);

/// How often a load of `width` bytes by each of `lanes` lanes, `stride` bytes
/// apart, goes to the 32 banks of 4 bytes: 1, where every bank is asked once by
/// those that are served together.
double countConflicts(int64_t lanes, int64_t stride, int64_t width);

/// The largest power of two that divides `value`, which is positive, and is at
/// most `most`, a power of two.
inline int64_t getPowerDividing(int64_t value, int64_t most) {
  return std::min<int64_t>(most, value & -value);
}

} // namespace sched

#endif // SCHEDOPT_LIB_MODEL_KERNELCOSTS_H
