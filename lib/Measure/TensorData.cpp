//===- TensorData.cpp - Inputs, poison and guard bands --------------------===//

#include "SchedOpt/Measure/TensorData.h"
#include "SchedOpt/Support/PageOffset.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace llvm;

namespace sched {

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/// A float that is exact in half precision and not subnormal there.
static uint16_t toHalf(float value) {
  if (value == 0)
    return 0;
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  uint32_t exponent = ((bits >> 23) & 0xff) - 127 + 15;
  return static_cast<uint16_t>((bits >> 16 & 0x8000) | exponent << 10 |
                               (bits >> 13 & 0x3ff));
}

static double fromHalf(uint16_t half) {
  int exponent = half >> 10 & 0x1f;
  double fraction = half & 0x3ff;
  double magnitude;
  if (exponent == 0x1f)
    magnitude = fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                              : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, -24);
  else
    magnitude = std::ldexp(fraction + 1024, exponent - 25);
  return half & 0x8000 ? -magnitude : magnitude;
}

template <typename T, typename Make>
static void fill(const TensorSpec &spec, void *data, Make make) {
  T *elements = static_cast<T *>(data);
  for (int64_t i = 0, e = spec.numElements(); i != e; ++i)
    elements[i] = make(i);
}

/// Elements are places; `bits` are the random ones of an element.
static void fillPlaces(const TensorSpec &spec, void *data,
                       function_ref<uint64_t(int64_t)> bits) {
  auto fillAs = [&](auto type) {
    using T = decltype(type);
    const uint64_t below = std::min<uint64_t>(
        static_cast<uint64_t>(spec.below) - 1, std::numeric_limits<T>::max());
    fill<T>(spec, data,
            [&](int64_t i) { return static_cast<T>(bits(i) % (below + 1)); });
  };
  switch (spec.elementType) {
  case ElementType::I1:
    return fill<uint8_t>(spec, data, [&](int64_t i) {
      return spec.below == 1 ? 0 : bits(i) >> 63;
    });
  case ElementType::I8:
    return fillAs(int8_t());
  case ElementType::I16:
    return fillAs(int16_t());
  case ElementType::I32:
    return fillAs(int32_t());
  default:
    return fillAs(int64_t());
  }
}

void fillFromSeed(const TensorSpec &spec, unsigned position, uint64_t seed,
                  void *data) {
  uint64_t start = mix(seed) + (uint64_t(position) << 40);
  auto bits = [start](int64_t i) {
    return mix(start + (static_cast<uint64_t>(i) + 1) * 0x9e3779b97f4a7c15ull);
  };
  // The top p + 1 bits, read as a signed number, over 2^p.
  auto signedTop = [&](int64_t i, unsigned count) {
    return static_cast<int64_t>(bits(i)) >> (64 - count);
  };
  if (spec.oneOf > 1 && isFloat(spec.elementType)) {
    const int64_t last = spec.numElements() - 8;
    auto isOne = [&](int64_t i) {
      return i >= last || bits(i) % static_cast<uint64_t>(spec.oneOf) == 0;
    };
    switch (spec.elementType) {
    case ElementType::F16:
      return fill<uint16_t>(spec, data,
                            [&](int64_t i) { return isOne(i) ? 0x3c00 : 0; });
    case ElementType::BF16:
      return fill<uint16_t>(spec, data,
                            [&](int64_t i) { return isOne(i) ? 0x3f80 : 0; });
    case ElementType::F32:
      return fill<float>(spec, data, isOne);
    default:
      return fill<double>(spec, data, isOne);
    }
  }
  if (spec.below > 0 && !isFloat(spec.elementType))
    return fillPlaces(spec, data, bits);
  switch (spec.elementType) {
  case ElementType::F16:
    return fill<uint16_t>(spec, data, [&](int64_t i) {
      return toHalf(static_cast<float>(signedTop(i, 11)) * 0x1p-10f);
    });
  case ElementType::BF16:
    return fill<uint16_t>(spec, data, [&](int64_t i) {
      float value = static_cast<float>(signedTop(i, 8)) * 0x1p-7f;
      return static_cast<uint16_t>(llvm::bit_cast<uint32_t>(value) >> 16);
    });
  case ElementType::F32:
    return fill<float>(spec, data, [&](int64_t i) {
      return static_cast<float>(signedTop(i, 24)) * 0x1p-23f;
    });
  case ElementType::F64:
    return fill<double>(spec, data, [&](int64_t i) {
      return static_cast<double>(signedTop(i, 53)) * 0x1p-52;
    });
  case ElementType::I1:
    return fill<uint8_t>(spec, data, [&](int64_t i) { return bits(i) >> 63; });
  case ElementType::I8:
    return fill<int8_t>(spec, data, [&](int64_t i) { return signedTop(i, 4); });
  case ElementType::I16:
    return fill<int16_t>(spec, data,
                         [&](int64_t i) { return signedTop(i, 4); });
  case ElementType::I32:
    return fill<int32_t>(spec, data,
                         [&](int64_t i) { return signedTop(i, 4); });
  case ElementType::I64:
    return fill<int64_t>(spec, data,
                         [&](int64_t i) { return signedTop(i, 4); });
  case ElementType::Index:
    return fill<uint64_t>(spec, data, [&](int64_t i) { return bits(i) >> 61; });
  }
  llvm_unreachable("unknown element type");
}

void fillWithPoison(const TensorSpec &spec, void *data) {
  switch (spec.elementType) {
  case ElementType::F16:
    return fill<uint16_t>(spec, data, [](int64_t) { return 0x7e00; });
  case ElementType::BF16:
    return fill<uint16_t>(spec, data, [](int64_t) { return 0x7fc0; });
  case ElementType::F32:
    return fill<float>(spec, data, [](int64_t) {
      return std::numeric_limits<float>::quiet_NaN();
    });
  case ElementType::F64:
    return fill<double>(spec, data, [](int64_t) {
      return std::numeric_limits<double>::quiet_NaN();
    });
  case ElementType::I1:
    std::memset(data, 1, spec.numBytes());
    return;
  default:
    std::memset(data, 0xa5, spec.numBytes());
    return;
  }
}

template <typename T> static T at(const void *data, int64_t index) {
  return static_cast<const T *>(data)[index];
}

double loadElement(const TensorSpec &spec, const void *data, int64_t index) {
  switch (spec.elementType) {
  case ElementType::F16:
    return fromHalf(at<uint16_t>(data, index));
  case ElementType::BF16:
    return llvm::bit_cast<float>(uint32_t(at<uint16_t>(data, index)) << 16);
  case ElementType::F32:
    return at<float>(data, index);
  case ElementType::F64:
    return at<double>(data, index);
  case ElementType::I1:
    return at<uint8_t>(data, index);
  case ElementType::I8:
    return at<int8_t>(data, index);
  case ElementType::I16:
    return at<int16_t>(data, index);
  case ElementType::I32:
    return at<int32_t>(data, index);
  case ElementType::I64:
    return static_cast<double>(at<int64_t>(data, index));
  case ElementType::Index:
    return static_cast<double>(at<uint64_t>(data, index));
  }
  llvm_unreachable("unknown element type");
}

/// A pattern no plausible store writes by chance over a whole element.
static uint8_t guardByte(uint64_t offset) {
  return static_cast<uint8_t>(0xc3 ^ (offset * 37));
}

void GuardedTensor::Free::operator()(void *pointer) const {
  std::free(pointer);
}

GuardedTensor::GuardedTensor(TensorSpec tensorSpec, unsigned position)
    : spec(std::move(tensorSpec)) {
  const uint64_t offset = getPageOffset(position);
  void *pointer = nullptr;
  if (::posix_memalign(&pointer, kPageBytes,
                       offset + spec.numBytes() + 2 * kGuardBytes) != 0)
    report_bad_alloc_error("no memory for a tensor");
  storage.reset(pointer);
  bytes = static_cast<uint8_t *>(pointer) + offset;
  armGuards();
}

void GuardedTensor::armGuards() {
  uint8_t *behind = bytes + kGuardBytes + size();
  for (uint64_t i = 0; i != kGuardBytes; ++i)
    bytes[i] = behind[i] = guardByte(i);
}

std::optional<int64_t> GuardedTensor::findTrespass() const {
  const uint8_t *behind = bytes + kGuardBytes + size();
  // Nearest to the data first: that is where an overrun starts.
  for (uint64_t i = 0; i != kGuardBytes; ++i)
    if (behind[i] != guardByte(i))
      return static_cast<int64_t>(size() + i);
  for (uint64_t i = kGuardBytes; i-- != 0;)
    if (bytes[i] != guardByte(i))
      return static_cast<int64_t>(i) - static_cast<int64_t>(kGuardBytes);
  return std::nullopt;
}

uint64_t GuardedTensor::hash() const {
  return xxh3_64bits(
      ArrayRef<uint8_t>(static_cast<const uint8_t *>(data()), size()));
}

} // namespace sched
