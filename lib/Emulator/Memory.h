//===- Memory.h - What kernels read and write, checked ----------*- C++ -*-===//
//
// The address spaces of a launch. A pointer is 64 bits: in the generic, global
// and constant space the number of a region and a byte in it; in the shared and
// local space a byte of the block's or thread's window. A pointer that leaves
// its region is thus known for what it is.
//
// Each granule of memory that can be written has a cell that remembers who
// wrote and read it last and when. Time is a counter that steps at each barrier
// of a block, at each block and at each launch; so one comparison tells memory
// that nobody wrote, an access by another thread without a barrier between, and
// one by another block of the same launch.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_EMULATOR_MEMORY_H
#define SCHEDOPT_LIB_EMULATOR_MEMORY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sched::emulator {

/// NVPTX's numbers of address spaces.
enum AddressSpace : uint8_t {
  kGeneric = 0,
  kGlobal = 1,
  kShared = 3,
  kConstant = 4,
  kLocal = 5
};

/// Where the number of a region starts in an address.
constexpr unsigned kRegionShift = 40;
constexpr uint64_t kOffsetMask = (uint64_t(1) << kRegionShift) - 1;
/// Regions that generic pointers to shared and local memory name; buffers and
/// global variables follow.
constexpr unsigned kSharedRegion = 1, kLocalRegion = 2, kFirstBuffer = 3;

struct Cell {
  uint32_t writeTime = 0, readTime = 0;
  /// Threads of the block, or one of the special values below.
  uint16_t writer = 0, reader = 0;
  /// How often the thread's warp had synchronised.
  uint16_t writeStep = 0, readStep = 0;
};
/// Several threads; threads that went through atomic operations.
constexpr uint16_t kSeveral = 0xffff, kAtomic = 0xfffe;
/// In place of the time of writing: an asynchronous copy is on its way.
constexpr uint32_t kOnItsWay = 0xffffffff;

struct Region {
  enum class Kind : uint8_t { Input, Output, Scratch, Constant, Shared, Local };
  Kind kind = Kind::Input;
  /// In words, for errors.
  std::string name;
  uint8_t *data = nullptr;
  /// Address of the first byte in the region's window: as aligned as the buffer
  /// is said to be, and no more.
  uint64_t base = 0, size = 0;
  /// Whether it can be read before it was written.
  bool initialised = true;
  /// One a granule, where it can be written.
  std::vector<Cell> cells;
};

/// Pointers to shared memory may be of 32 bits, and sums of them wrap around.
inline uint64_t getSharedOffset(uint64_t address) {
  return uint64_t(int64_t(int32_t(address)));
}

/// Who accesses.
struct Thread {
  uint16_t number;
  uint16_t step;
};

enum class Intent : uint8_t { Read, Write, Atomic };

class Memory {
public:
  std::vector<Region> regions{kFirstBuffer};
  unsigned granule = 16;
  /// When it is, when the block and when the launch began.
  uint32_t now = 1, blockStart = 1, launchStart = 1;
  std::array<uint32_t, 3> block = {1, 1, 1};
  /// What is wrong with the access that was refused last, in words.
  std::string problem;
  uint64_t localBytes = 0;
  /// Whether shared memory that no thread wrote may be read, whether that was
  /// done, and what is called the first time.
  bool allowUnwritten = false, readUnwritten = false;
  std::function<void(Thread thread, llvm::StringRef what)> onUnwritten;

  /// Adds a region and returns the address of its first byte. `initialised`
  /// memory can be read at once.
  uint64_t addBuffer(Region::Kind kind, llvm::StringRef name, uint8_t *data,
                     uint64_t size, uint64_t alignment, bool initialised);
  /// Makes the cells of all buffers, once `granule` is known.
  void makeCells();
  /// Sets the shared memory of the blocks of a launch, and makes its cells.
  void setShared(uint8_t *data, uint64_t size);

  /// Bytes of the host for an access, or null where it is refused.
  uint8_t *access(Intent intent, uint64_t address, uint8_t space,
                  unsigned bytes, unsigned alignment, Thread thread) {
    Region *region;
    uint64_t offset;
    if (!locate(intent, address, space, bytes, alignment, thread, region,
                offset))
      return nullptr;
    uint8_t *data = region->data + offset;
    if (region->kind == Region::Kind::Local)
      return data + thread.number * localBytes;
    if (region->cells.empty())
      return data;
    if (intent == Intent::Read ? !noteRead(*region, offset, bytes, thread)
                               : !noteWrite(*region, offset, bytes, thread,
                                            intent == Intent::Atomic))
      return nullptr;
    return data;
  }

  /// An asynchronous copy into shared memory at `address` starts; its bytes
  /// come with `finishCopy`, or never with `dropCopy`.
  bool startCopy(uint64_t address, unsigned bytes, Thread thread);
  void finishCopy(uint64_t address, unsigned bytes, const uint8_t *data,
                  Thread thread);
  void dropCopy(uint64_t address, unsigned bytes);

  /// First byte of a region that no thread wrote; its size where all are.
  uint64_t findUnwritten(const Region &region) const;

  /// "(3, 0, 0)".
  std::string describeThread(unsigned number) const;

private:
  bool locate(Intent intent, uint64_t address, uint8_t space, unsigned bytes,
              unsigned alignment, Thread thread, Region *&region,
              uint64_t &offset) {
    if (space == kShared) {
      region = &regions[kSharedRegion];
      offset = getSharedOffset(address);
    } else if (space == kLocal) {
      region = &regions[kLocalRegion];
      offset = address;
    } else {
      const uint64_t number = address >> kRegionShift;
      region = &regions[number < regions.size() ? number : 0];
      offset = (address & kOffsetMask) - region->base;
    }
    if (offset > region->size || region->size - offset < bytes ||
        (address & (alignment - 1)) != 0 ||
        (intent != Intent::Read && (region->kind == Region::Kind::Input ||
                                    region->kind == Region::Kind::Constant)))
      return refuse(intent, address, *region, offset, bytes, alignment);
    return true;
  }
  bool noteRead(Region &region, uint64_t offset, unsigned bytes,
                Thread thread) {
    Cell *cell = &region.cells[offset / granule];
    for (Cell *end = cell + (bytes + granule - 1) / granule; cell != end;
         ++cell) {
      if (cell->writeTime >= now || cell->writeTime < blockStart)
        if (!mayRead(region, *cell, offset, bytes, thread))
          return false;
      if (cell->readTime == now && cell->reader != thread.number)
        cell->reader = kSeveral;
      else
        cell->reader = thread.number;
      cell->readTime = now;
      cell->readStep = thread.step;
    }
    return true;
  }
  bool noteWrite(Region &region, uint64_t offset, unsigned bytes, Thread thread,
                 bool atomic) {
    Cell *cell = &region.cells[offset / granule];
    for (Cell *end = cell + (bytes + granule - 1) / granule; cell != end;
         ++cell) {
      if (cell->writeTime >= launchStart || cell->readTime >= launchStart ||
          atomic)
        if (!mayWrite(region, *cell, offset, bytes, thread, atomic))
          return false;
      cell->writeTime = now;
      cell->writer = atomic ? kAtomic : thread.number;
      cell->writeStep = thread.step;
    }
    return true;
  }

  bool refuse(Intent intent, uint64_t address, const Region &region,
              uint64_t offset, unsigned bytes, unsigned alignment);
  bool mayRead(const Region &region, const Cell &cell, uint64_t offset,
               unsigned bytes, Thread thread);
  bool mayWrite(const Region &region, const Cell &cell, uint64_t offset,
                unsigned bytes, Thread thread, bool atomic);
  /// Whether two threads are of one warp that synchronised since.
  bool isOrdered(uint16_t other, uint16_t step, Thread thread) const {
    return other < kAtomic && other / 32 == thread.number / 32 &&
           step != thread.step;
  }
  bool say(const llvm::Twine &text) {
    problem = text.str();
    return false;
  }
};

} // namespace sched::emulator

#endif // SCHEDOPT_LIB_EMULATOR_MEMORY_H
