//===- Memory.cpp - What kernels read and write, checked ------------------===//

#include "Memory.h"
#include "llvm/ADT/StringExtras.h"
#include <cassert>
#include <cstring>

using namespace llvm;

namespace sched::emulator {

uint64_t Memory::addBuffer(Region::Kind kind, StringRef name, uint8_t *data,
                           uint64_t size, uint64_t alignment,
                           bool initialised) {
  const uint64_t number = regions.size();
  Region &region = regions.emplace_back();
  region.kind = kind;
  region.name = name.str();
  region.data = data;
  region.size = size;
  region.base = alignment;
  region.initialised = initialised;
  return (number << kRegionShift) + alignment;
}

void Memory::makeCells() {
  for (Region &region : regions) {
    if (region.kind != Region::Kind::Output &&
        region.kind != Region::Kind::Scratch)
      continue;
    region.cells.resize((region.size + granule - 1) / granule);
    if (region.initialised)
      for (Cell &cell : region.cells)
        cell.writeTime = 1;
  }
}

void Memory::setShared(uint8_t *data, uint64_t size) {
  Region &region = regions[kSharedRegion];
  region.kind = Region::Kind::Shared;
  region.name = "shared memory";
  region.data = data;
  region.size = size;
  region.cells.assign((size + granule - 1) / granule, Cell());
}

std::string Memory::describeThread(unsigned number) const {
  return ("(" + Twine(number % block[0]) + ", " +
          Twine(number / block[0] % block[1]) + ", " +
          Twine(number / block[0] / block[1]) + ")")
      .str();
}

static std::string describeBytes(uint64_t offset, unsigned bytes,
                                 const Region &region) {
  return (Twine(bytes) + (bytes == 1 ? " byte" : " bytes") + " at byte " +
          Twine(int64_t(offset)) + " of " + region.name)
      .str();
}

bool Memory::refuse(Intent intent, uint64_t address, const Region &region,
                    uint64_t offset, unsigned bytes, unsigned alignment) {
  const std::string verb = intent == Intent::Read    ? "reads "
                           : intent == Intent::Write ? "writes "
                                                     : "changes ";
  const Region *meant = &region;
  // Of what lies before its start, an address bears the previous number.
  if (&region >= &regions[kFirstBuffer - 1] &&
      offset > (uint64_t(1) << (kRegionShift - 1)) && int64_t(offset) > 0 &&
      &region != &regions.back()) {
    meant = &region + 1;
    offset =
        (address & kOffsetMask) - (uint64_t(1) << kRegionShift) - meant->base;
  }
  if (meant == &regions[0])
    return say(verb + Twine(bytes) + " bytes at address 0x" +
               utohexstr(address) + ", which is in no buffer of the launch");
  const std::string what = verb + describeBytes(offset, bytes, *meant);
  if (offset > meant->size || meant->size - offset < bytes)
    return say(what + ", which has " + Twine(meant->size) + " bytes");
  if (address & (alignment - 1))
    return say(what + ", which is aligned to " +
               Twine(address & (~address + 1)) +
               "; the instruction demands an alignment of " + Twine(alignment));
  return say(what + ", which must not be written");
}

bool Memory::mayRead(const Region &region, const Cell &cell, uint64_t offset,
                     unsigned bytes, Thread thread) {
  auto what = [&] { return "reads " + describeBytes(offset, bytes, region); };
  if (cell.writeTime == kOnItsWay)
    return say(
        what() + ", where an asynchronous copy of " +
        (cell.writer == thread.number
             ? std::string("its own has not been waited for")
             : "thread " + describeThread(cell.writer) + " is on its way"));
  const bool isShared = region.kind == Region::Kind::Shared;
  if (cell.writeTime == 0 || (isShared && cell.writeTime < blockStart)) {
    if (!isShared || !allowUnwritten)
      return say(what() + ", which no thread wrote");
    if (!readUnwritten)
      onUnwritten(thread, what() + ", which no thread wrote");
    readUnwritten = true;
    return true;
  }
  if (cell.writeTime < launchStart || cell.writer == kAtomic)
    return true;
  if (cell.writeTime < blockStart)
    return say(what() + ", which another block of the launch wrote: a race");
  if (cell.writeTime == now && cell.writer != thread.number &&
      !isOrdered(cell.writer, cell.writeStep, thread))
    return say(what() + ", which thread " + describeThread(cell.writer) +
               " wrote with no barrier between: a race");
  return true;
}

bool Memory::mayWrite(const Region &region, const Cell &cell, uint64_t offset,
                      unsigned bytes, Thread thread, bool atomic) {
  auto what = [&] {
    return (atomic ? "changes " : "writes ") +
           describeBytes(offset, bytes, region);
  };
  if (cell.writeTime == kOnItsWay)
    return say(what() + ", where an asynchronous copy of thread " +
               describeThread(cell.writer) + " is on its way");
  const bool isShared = region.kind == Region::Kind::Shared;
  if (atomic &&
      (cell.writeTime == 0 || (isShared && cell.writeTime < blockStart)))
    return say(what() + ", which no thread wrote");
  if (cell.writeTime >= launchStart && !(atomic && cell.writer == kAtomic)) {
    if (cell.writeTime < blockStart && !isShared)
      return say(what() + ", which another block of the launch wrote: a race");
    if (cell.writeTime == now && cell.writer != thread.number &&
        !isOrdered(cell.writer, cell.writeStep, thread))
      return say(what() + ", which " +
                 (cell.writer < kAtomic
                      ? "thread " + describeThread(cell.writer)
                      : std::string("another thread")) +
                 " wrote with no barrier between: a race");
  }
  if (cell.readTime >= launchStart) {
    if (cell.readTime < blockStart && !isShared)
      return say(what() + ", which another block of the launch read: a race");
    if (cell.readTime == now && cell.reader != thread.number &&
        !isOrdered(cell.reader, cell.readStep, thread))
      return say(what() + ", which " +
                 (cell.reader < kAtomic
                      ? "thread " + describeThread(cell.reader)
                      : std::string("other threads")) +
                 " read with no barrier between: a race");
  }
  return true;
}

bool Memory::startCopy(uint64_t address, unsigned bytes, Thread thread) {
  if (!access(Intent::Write, address, kShared, bytes, bytes, thread))
    return false;
  Cell *cells = &regions[kSharedRegion].cells[address / granule];
  for (unsigned i = 0, e = bytes / granule; i != e; ++i)
    cells[i].writeTime = kOnItsWay;
  return true;
}

void Memory::finishCopy(uint64_t address, unsigned bytes, const uint8_t *data,
                        Thread thread) {
  Region &shared = regions[kSharedRegion];
  std::memcpy(shared.data + address, data, bytes);
  Cell *cells = &shared.cells[address / granule];
  for (unsigned i = 0, e = bytes / granule; i != e; ++i) {
    cells[i].writeTime = now;
    cells[i].writer = thread.number;
    cells[i].writeStep = thread.step;
  }
}

void Memory::dropCopy(uint64_t address, unsigned bytes) {
  Cell *cells = &regions[kSharedRegion].cells[address / granule];
  for (unsigned i = 0, e = bytes / granule; i != e; ++i)
    cells[i].writeTime = 0;
}

uint64_t Memory::findUnwritten(const Region &region) const {
  for (size_t i = 0, e = region.cells.size(); i != e; ++i)
    if (region.cells[i].writeTime == 0)
      return i * granule;
  return region.size;
}

} // namespace sched::emulator
