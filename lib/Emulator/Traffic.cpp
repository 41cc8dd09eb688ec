//===- Traffic.cpp - How the accesses of a warp use memory ----------------===//
//
// Shared memory has 32 banks of 4 bytes; lanes that want different words of one
// bank take turns, and of wide accesses so many lanes go at a time as make 128
// bytes. Global memory is moved in sectors of 32 bytes. (CUDA C++ Programming
// Guide, "Shared Memory" and "Global Memory".)
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include <algorithm>

using namespace llvm;

namespace sched::emulator {

/// Turns that the lanes of `mask` take, for words of so many bytes: the most
/// words that one bank has.
static unsigned countTurns(ArrayRef<uint64_t> addresses, LaneMask mask,
                           unsigned bytes) {
  std::array<std::array<uint64_t, kLanes>, 32> words;
  std::array<uint8_t, 32> counts{};
  unsigned turns = 0;
  for (; mask; mask &= mask - 1) {
    const uint64_t first = addresses[llvm::countr_zero(mask)] / 4;
    for (uint64_t word = first; word != first + (bytes + 3) / 4; ++word) {
      auto &bank = words[word % 32];
      uint8_t &count = counts[word % 32];
      if (std::find(bank.begin(), bank.begin() + count, word) ==
          bank.begin() + count) {
        bank[count++] = word;
        turns = std::max<unsigned>(turns, count);
      }
    }
  }
  return turns;
}

void Machine::countAccess(const uint64_t *places, int64_t offset, uint8_t space,
                          unsigned bytes, LaneMask lanes) {
  std::array<uint64_t, kLanes> addresses{};
  bool isShared = space == kShared;
  for (LaneMask rest = lanes; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    addresses[lane] = places[lane] + uint64_t(offset);
    if (space == kGeneric)
      isShared = addresses[lane] >> kRegionShift == kSharedRegion;
  }
  if (isShared) {
    const unsigned together = bytes <= 4 ? kLanes : std::max(128 / bytes, 1u);
    for (unsigned first = 0; first < kLanes; first += together) {
      const LaneMask some =
          together == kLanes
              ? lanes
              : lanes & (((LaneMask(1) << together) - 1) << first);
      if (!some)
        continue;
      ++traffic->sharedAccesses;
      traffic->sharedTurns += countTurns(addresses, some, bytes);
    }
    return;
  }
  SmallVector<uint64_t, 64> sectors;
  for (LaneMask rest = lanes; rest; rest &= rest - 1) {
    const uint64_t address = addresses[llvm::countr_zero(rest)];
    // Buffers begin at sectors, whatever their addresses here.
    const uint64_t number = address >> kRegionShift;
    if (number >= memory.regions.size())
      return;
    const uint64_t byte = (address & kOffsetMask) - memory.regions[number].base;
    for (uint64_t each = byte / 32; each <= (byte + bytes - 1) / 32; ++each) {
      // Most often that of the lane before.
      const uint64_t sector = number << kRegionShift | each;
      if (std::find(sectors.rbegin(), sectors.rend(), sector) == sectors.rend())
        sectors.push_back(sector);
    }
    traffic->globalBytes += bytes;
  }
  traffic->globalSectors += sectors.size();
}

} // namespace sched::emulator
