//===- Accesses.cpp - Loads, stores, atomics, asynchronous copies ---------===//

#include "Handlers.h"
#include "Machine.h"
#include "SmallFloat.h"
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace llvm;

namespace sched::emulator {

template <typename Element, typename Lane>
static bool runLoad(Machine &machine, const Step &step) {
  const uint64_t *addresses = machine.at<uint64_t>(step.a);
  const Lane ones = Lane(~uint64_t(0) >> (64 - step.bits));
  if (machine.traffic)
    machine.countAccess(addresses, step.immediate, step.space, step.bytes,
                        machine.mask);
  // Neighbours often read one place; the third one changes no cell any more.
  const bool canRepeat = step.space != kLocal && step.space != kGeneric;
  uint64_t last = ~uint64_t(0);
  unsigned count = 0;
  const uint8_t *data = nullptr;
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    const uint64_t address = addresses[lane] + uint64_t(step.immediate);
    count = address == last ? count + 1 : 1;
    last = address;
    if (count < 3 || !canRepeat)
      data =
          machine.memory.access(Intent::Read, address, step.space, step.bytes,
                                step.alignment, machine.thread(lane));
    if (!data)
      return machine.fail(step, lane, machine.memory.problem);
    for (unsigned i = 0; i != step.numResults; ++i) {
      Element element;
      std::memcpy(&element, data + i * sizeof(Element), sizeof(Element));
      machine.at<Lane>(step.places[i])[lane] = Lane(element) & ones;
    }
  }
  return true;
}

Operation getLoad(Scalar type) {
  switch (type.bytes()) {
  case 1:
    return {runLoad<uint8_t, uint32_t>};
  case 2:
    return {runLoad<uint16_t, uint32_t>};
  case 4:
    return {runLoad<uint32_t, uint32_t>};
  default:
    return {runLoad<uint64_t, uint64_t>};
  }
}

/// The address is the first operand.
template <typename Element, typename Lane>
static bool runStore(Machine &machine, const Step &step) {
  const uint64_t *addresses = machine.at<uint64_t>(step.a);
  if (machine.traffic)
    machine.countAccess(addresses, step.immediate, step.space, step.bytes,
                        machine.mask);
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    uint8_t *data = machine.memory.access(
        Intent::Write, addresses[lane] + uint64_t(step.immediate), step.space,
        step.bytes, step.alignment, machine.thread(lane));
    if (!data)
      return machine.fail(step, lane, machine.memory.problem);
    for (unsigned i = 1; i != step.numOperands; ++i) {
      const Element element = Element(machine.at<Lane>(step.places[i])[lane]);
      std::memcpy(data + (i - 1) * sizeof(Element), &element, sizeof(Element));
    }
  }
  return true;
}

Operation getStore(Scalar type) {
  switch (type.bytes()) {
  case 1:
    return {runStore<uint8_t, uint32_t>};
  case 2:
    return {runStore<uint16_t, uint32_t>};
  case 4:
    return {runStore<uint32_t, uint32_t>};
  default:
    return {runStore<uint64_t, uint64_t>};
  }
}

/// `kind` of a number in the lower half of `packed`, the operation above it.
static uint64_t combine(int64_t packed, unsigned bits, uint64_t old,
                        uint64_t value) {
  const auto kind = Scalar::Kind(packed & 255);
  const unsigned shift = 64 - bits;
  const int64_t signedOld = int64_t(old << shift) >> shift;
  const int64_t signedValue = int64_t(value << shift) >> shift;
  auto number = [&](uint64_t lane) -> double {
    switch (kind) {
    case Scalar::Kind::Double:
      return bit_cast<double>(lane);
    case Scalar::Kind::Float:
      return bit_cast<float>(uint32_t(lane));
    case Scalar::Kind::Half:
      return halfToFloat(uint32_t(lane));
    default:
      return bfloatToFloat(uint32_t(lane));
    }
  };
  auto lane = [&](double result) -> uint64_t {
    switch (kind) {
    case Scalar::Kind::Double:
      return bit_cast<uint64_t>(result);
    case Scalar::Kind::Float:
      return bit_cast<uint32_t>(float(result));
    case Scalar::Kind::Half:
      return floatToHalf(roundToOdd(result));
    default:
      return floatToBFloat(roundToOdd(result));
    }
  };
  switch (AtomicRMWInst::BinOp(packed >> 8)) {
  case AtomicRMWInst::Xchg:
    return value;
  case AtomicRMWInst::Add:
    return old + value;
  case AtomicRMWInst::Sub:
    return old - value;
  case AtomicRMWInst::And:
    return old & value;
  case AtomicRMWInst::Or:
    return old | value;
  case AtomicRMWInst::Xor:
    return old ^ value;
  case AtomicRMWInst::Max:
    return signedOld > signedValue ? old : value;
  case AtomicRMWInst::Min:
    return signedOld < signedValue ? old : value;
  case AtomicRMWInst::UMax:
    return std::max(old, value);
  case AtomicRMWInst::UMin:
    return std::min(old, value);
  case AtomicRMWInst::FAdd:
    return lane(number(old) + number(value));
  case AtomicRMWInst::FSub:
    return lane(number(old) - number(value));
  case AtomicRMWInst::FMax:
    return lane(std::fmax(number(old), number(value)));
  default:
    return lane(std::fmin(number(old), number(value)));
  }
}

template <typename Element, typename Lane>
static bool runAtomic(Machine &machine, const Step &step) {
  const uint64_t *addresses = machine.at<uint64_t>(step.a);
  const Lane *values = machine.at<Lane>(step.b);
  Lane *result = machine.at<Lane>(step.result);
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    uint8_t *data =
        machine.memory.access(Intent::Atomic, addresses[lane], step.space,
                              step.bytes, step.alignment, machine.thread(lane));
    if (!data)
      return machine.fail(step, lane, machine.memory.problem);
    Element old;
    std::memcpy(&old, data, sizeof(Element));
    const Element next =
        Element(combine(step.immediate, step.bits, old, values[lane]));
    std::memcpy(data, &next, sizeof(Element));
    result[lane] = old;
  }
  return true;
}

Operation getAtomic(AtomicRMWInst::BinOp operation, Scalar type) {
  switch (operation) {
  case AtomicRMWInst::Xchg:
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::FSub:
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin:
    break;
  default:
    return {};
  }
  const int64_t packed = int64_t(type.kind) | int64_t(operation) << 8;
  switch (type.bytes()) {
  case 2:
    return {runAtomic<uint16_t, uint32_t>, packed};
  case 4:
    return {runAtomic<uint32_t, uint32_t>, packed};
  case 8:
    return {runAtomic<uint64_t, uint64_t>, packed};
  default:
    return {};
  }
}

template <typename Element>
static bool runCompareExchange(Machine &machine, const Step &step) {
  const uint64_t *addresses = machine.at<uint64_t>(step.a);
  const Element *expected = machine.at<Element>(step.b);
  const Element *next = machine.at<Element>(step.c);
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    uint8_t *data =
        machine.memory.access(Intent::Atomic, addresses[lane], step.space,
                              step.bytes, step.alignment, machine.thread(lane));
    if (!data)
      return machine.fail(step, lane, machine.memory.problem);
    Element old;
    std::memcpy(&old, data, sizeof(Element));
    const bool equal = old == expected[lane];
    if (equal)
      std::memcpy(data, &next[lane], sizeof(Element));
    machine.at<Element>(step.places[0])[lane] = old;
    machine.at<uint32_t>(step.places[1])[lane] = equal;
  }
  return true;
}

Operation getCompareExchange(Scalar type) {
  if (type.bytes() == 4)
    return {runCompareExchange<uint32_t>};
  if (type.bytes() == 8)
    return {runCompareExchange<uint64_t>};
  return {};
}

/// Step::bits is the address space of the source, or whether it is a byte.
template <bool IsSet>
static bool runMemoryCopy(Machine &machine, const Step &step) {
  const uint64_t *to = machine.at<uint64_t>(step.a);
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    for (int64_t done = 0; done < step.immediate; done += step.bytes) {
      uint8_t bytes[16];
      if constexpr (IsSet) {
        std::memset(bytes, int(machine.at<uint32_t>(step.b)[lane]), step.bytes);
      } else {
        const uint8_t *source = machine.memory.access(
            Intent::Read, machine.at<uint64_t>(step.b)[lane] + uint64_t(done),
            step.bits, step.bytes, step.alignment, machine.thread(lane));
        if (!source)
          return machine.fail(step, lane, machine.memory.problem);
        std::memcpy(bytes, source, step.bytes);
      }
      uint8_t *data = machine.memory.access(
          Intent::Write, to[lane] + uint64_t(done), step.space, step.bytes,
          step.alignment, machine.thread(lane));
      if (!data)
        return machine.fail(step, lane, machine.memory.problem);
      std::memcpy(data, bytes, step.bytes);
    }
  }
  return true;
}

Handler getMemoryCopy(bool isSet) {
  return isSet ? runMemoryCopy<true> : runMemoryCopy<false>;
}

static bool runAsyncCopy(Machine &machine, const Step &step) {
  const uint64_t *to = machine.at<uint64_t>(step.a);
  const uint64_t *from = machine.at<uint64_t>(step.b);
  if (machine.traffic) {
    machine.countAccess(to, 0, kShared, step.bytes, machine.mask);
    LaneMask reading = machine.mask;
    for (unsigned lane = 0; lane != kLanes && step.numOperands > 2; ++lane)
      if (machine.at<uint32_t>(step.c)[lane] == 0)
        reading &= ~(LaneMask(1) << lane);
    machine.countAccess(from, 0, kGlobal, step.bytes, reading);
  }
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    Copy copy;
    copy.address = getSharedOffset(to[lane]);
    copy.bytes = step.bytes;
    copy.group = machine.warp->commits[lane];
    copy.data.fill(0);
    unsigned read = step.bytes;
    if (step.numOperands > 2) {
      read = machine.at<uint32_t>(step.c)[lane];
      if (read > step.bytes)
        return machine.fail(step, lane,
                            "copies " + Twine(read) + " bytes to a place of " +
                                Twine(unsigned(step.bytes)));
    }
    // The address must be aligned even if nothing is read from there.
    if (from[lane] % step.bytes)
      return machine.fail(step, lane,
                          "copies from an address that is not aligned to " +
                              Twine(unsigned(step.bytes)) + " bytes");
    if (read) {
      const uint8_t *source = machine.memory.access(
          Intent::Read, from[lane], kGlobal, read, 1, machine.thread(lane));
      if (!source)
        return machine.fail(step, lane, machine.memory.problem);
      std::memcpy(copy.data.data(), source, read);
    }
    if (!machine.memory.startCopy(copy.address, copy.bytes,
                                  machine.thread(lane)))
      return machine.fail(step, lane, machine.memory.problem);
    machine.warp->copies[lane].push_back(copy);
  }
  return true;
}

Handler getAsyncCopy() { return runAsyncCopy; }

static bool runAsyncCommit(Machine &machine, const Step &) {
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1)
    ++machine.warp->commits[llvm::countr_zero(rest)];
  return true;
}

Handler getAsyncCommit() { return runAsyncCommit; }

static bool runAsyncWait(Machine &machine, const Step &step) {
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    const int64_t first =
        step.immediate < 0
            ? std::numeric_limits<int64_t>::max()
            : int64_t(machine.warp->commits[lane]) - step.immediate;
    std::vector<Copy> &copies = machine.warp->copies[lane];
    auto arrived =
        std::find_if(copies.begin(), copies.end(), [&](const Copy &copy) {
          return int64_t(copy.group) >= first;
        });
    for (auto copy = copies.begin(); copy != arrived; ++copy)
      machine.memory.finishCopy(copy->address, copy->bytes, copy->data.data(),
                                machine.thread(lane));
    copies.erase(copies.begin(), arrived);
  }
  return true;
}

Handler getAsyncWait() { return runAsyncWait; }

} // namespace sched::emulator
