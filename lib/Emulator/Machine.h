//===- Machine.h - Runs the blocks of a launch ------------------*- C++ -*-===//
//
// The state that steps work on. The lanes of a warp run together while they are
// at the same place. Where they part, the lanes that are behind in the order of
// blocks (loops are contiguous in it) go first, until they reach the others:
// they meet again where paths join. A warp runs until all its lanes have ended
// or wait at a barrier of the block; then the next warp does.
//
// Read next: the handlers (Integers.cpp, Floats.cpp, Casts.cpp, Accesses.cpp,
// Collectives.cpp, Matrices.cpp, Control.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_EMULATOR_MACHINE_H
#define SCHEDOPT_LIB_EMULATOR_MACHINE_H

#include "Memory.h"
#include "Program.h"
#include "SchedOpt/Emulator/Emulator.h"
#include "llvm/ADT/bit.h"
#include <array>
#include <memory>

namespace sched::emulator {

/// Lanes that are at one place.
struct Group {
  enum class State : uint8_t { Ready, AtBarrier, AtCollective };
  LaneMask mask = 0;
  uint32_t pc = 0;
  State state = State::Ready;
};

/// An asynchronous copy that has not arrived.
struct Copy {
  uint64_t address = 0;
  /// Commits of the thread before it.
  uint32_t group = 0;
  uint32_t bytes = 0;
  std::array<uint8_t, 16> data;
};

struct Warp {
  unsigned number = 0;
  /// Lanes that the block has.
  LaneMask lanes = 0;
  /// Those that do not run now.
  llvm::SmallVector<Group, 4> groups;
  std::unique_ptr<uint64_t[]> registers;
  /// Times that the whole warp synchronised.
  uint16_t step = 0;
  std::array<std::vector<Copy>, kLanes> copies;
  std::array<uint32_t, kLanes> commits{};
};

class Machine {
public:
  Machine(const Program &program, Memory &memory, std::array<uint32_t, 3> grid,
          std::array<uint32_t, 3> block, llvm::ArrayRef<uint64_t> arguments);

  /// Runs the block. False on an error, which `describeError` words.
  bool runBlock(std::array<uint32_t, 3> position);
  std::string describeError() const;

  /// Steps use what follows.
  const Program &program;
  Memory &memory;
  Warp *warp = nullptr;
  /// Of the lanes that run, and where they are.
  LaneMask mask = 0;
  uint32_t pc = 0;
  /// Instructions that threads executed, and how many they may.
  uint64_t executed = 0, limit = UINT64_MAX;
  /// The first read of shared memory that no thread wrote, where that is
  /// allowed; in words.
  std::string firstUnwritten;
  /// Where it is counted.
  MemoryTraffic *traffic = nullptr;

  template <typename T> T *at(uint32_t place) {
    return reinterpret_cast<T *>(registers + place);
  }
  Thread thread(unsigned lane) const {
    return {uint16_t(warp->number * kLanes + lane), warp->step};
  }
  /// Counts an access of `bytes` a lane, at `places` and the offset.
  void countAccess(const uint64_t *places, int64_t offset, uint8_t space,
                   unsigned bytes, LaneMask lanes);
  /// Ends the run. Returns false.
  bool fail(const Step &step, unsigned lane, const llvm::Twine &problem);
  /// The lanes that run stop here, to go on at `pc`. Returns false.
  bool park(Group::State state);
  /// Whether the running lanes include `wanted`; otherwise they wait at `step`
  /// for those that are behind, and the handler returns false.
  bool gather(const Step &step, LaneMask wanted);

private:
  bool runWarp(Warp &warp);
  /// All threads that have not ended wait at barriers: checks that it is one
  /// barrier and lets them go on. False on an error or when all have ended.
  bool passBarrier();
  void bindBlock();
  const Step &stepOf(const Group &group) const;
  std::string describe(const Step &step, unsigned thread,
                       llvm::StringRef what) const;
  /// Where a lane that does not run is: " waits at ..." or " has ended".
  std::string describePlace(const Warp &other, unsigned lane) const;

  uint8_t *registers = nullptr;
  std::array<uint32_t, 3> block, position{};
  std::vector<Warp> warps;
  std::vector<uint8_t> local;
  std::string problem;
  const Step *failedStep = nullptr;
  unsigned failedThread = 0;
};

/// Calls `body` for each lane of `mask`; all lanes at once if the compiler can.
/// Operands may be where the result is, at the same lane.
template <typename Body> inline void forLanes(LaneMask mask, Body &&body) {
  if (mask == kAllLanes) {
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#endif
    for (unsigned lane = 0; lane < kLanes; ++lane)
      body(lane);
    return;
  }
  for (; mask; mask &= mask - 1)
    body(unsigned(llvm::countr_zero(mask)));
}

} // namespace sched::emulator

#endif // SCHEDOPT_LIB_EMULATOR_MACHINE_H
