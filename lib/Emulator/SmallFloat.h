//===- SmallFloat.h - f16, bf16 and exact sums of products ------*- C++ -*-===//
//
// How the emulator converts the narrow floating-point types, rounding to the
// nearest even as the hardware does, and a product with an addition that is
// rounded once whatever the machine beneath can do.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_EMULATOR_SMALLFLOAT_H
#define SCHEDOPT_LIB_EMULATOR_SMALLFLOAT_H

#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstdint>

namespace sched::emulator {

inline float halfToFloat(uint32_t half) {
  const uint32_t sign = (half & 0x8000u) << 16;
  const uint32_t rest = half & 0x7fffu;
  // The multiplication corrects the exponent and normalises small numbers.
  const float scaled = llvm::bit_cast<float>(rest << 13) * 0x1p112f;
  uint32_t bits = llvm::bit_cast<uint32_t>(scaled);
  bits = rest >= 0x7c00u ? (rest << 13) | 0x7f800000u : bits;
  return llvm::bit_cast<float>(bits | sign);
}

inline uint32_t floatToHalf(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  bits &= 0x7fffffffu;
  if (bits > 0x7f800000u)
    return 0x7fffu;
  // 65520 and above round to infinity.
  if (bits >= 0x477ff000u)
    return sign | 0x7c00u;
  // The unit in the last place of 0.5 is the smallest number of f16.
  if (bits < 0x38800000u)
    return sign |
           (llvm::bit_cast<uint32_t>(llvm::bit_cast<float>(bits) + 0.5f) -
            0x3f000000u);
  bits += 0xfffu + ((bits >> 13) & 1);
  return sign | ((bits - 0x38000000u) >> 13);
}

inline float bfloatToFloat(uint32_t bfloat) {
  return llvm::bit_cast<float>(bfloat << 16);
}

inline uint32_t floatToBFloat(float value) {
  const uint32_t bits = llvm::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return 0x7fffu;
  return (bits + 0x7fffu + ((bits >> 16) & 1)) >> 16;
}

/// The nearest float with an odd last bit where `value` is none: rounding that
/// once more gives what rounding `value` would.
inline float roundToOdd(double value) {
  float nearest = float(value);
  if (double(nearest) == value || std::isnan(value) || std::isinf(nearest))
    return nearest;
  uint32_t bits = llvm::bit_cast<uint32_t>(nearest);
  if (std::fabs(double(nearest)) > std::fabs(value))
    --bits;
  return llvm::bit_cast<float>(bits | 1);
}

/// a * b + c, rounded once.
inline float fusedMultiplyAdd(float a, float b, float c) {
  const double product = double(a) * double(b);
  const double sum = product + c;
  // What the sum lost; its last bit then says that there is more.
  const double part = sum - product;
  const double lost = (product - (sum - part)) + (double(c) - part);
  uint64_t bits = llvm::bit_cast<uint64_t>(sum);
  const bool up = (lost > 0) == (sum > 0);
  const bool inexact = lost < 0 || lost > 0;
  const uint64_t odd = (bits & 1) ? bits : up ? bits + 1 : bits - 1;
  bits = inexact ? odd : bits;
  return float(llvm::bit_cast<double>(bits));
}

} // namespace sched::emulator

#endif // SCHEDOPT_LIB_EMULATOR_SMALLFLOAT_H
