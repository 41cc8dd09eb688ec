//===- Casts.cpp - Conversions between types ------------------------------===//

#include "Handlers.h"
#include "Machine.h"
#include "SmallFloat.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace sched::emulator {

template <typename From, typename To>
static bool runCut(Machine &machine, const Step &step) {
  const From *a = machine.at<From>(step.a);
  To *result = machine.at<To>(step.result);
  // Of the narrower type.
  const uint64_t ones = ~uint64_t(0) >> (64 - step.bits);
  forLanes(machine.mask,
           [&](unsigned lane) { result[lane] = To(uint64_t(a[lane]) & ones); });
  return true;
}

template <typename From, typename To>
static bool runSignExtend(Machine &machine, const Step &step) {
  const From *a = machine.at<From>(step.a);
  To *result = machine.at<To>(step.result);
  const unsigned shift = 64 - step.bits;
  const uint64_t ones = ~uint64_t(0) >> (64 - step.immediate);
  forLanes(machine.mask, [&](unsigned lane) {
    result[lane] =
        To(uint64_t(int64_t(uint64_t(a[lane]) << shift) >> shift) & ones);
  });
  return true;
}

// A number of any type as a double or f32, and back.
static double getNumber(Scalar::Kind kind, const uint8_t *lanes,
                        unsigned lane) {
  switch (kind) {
  case Scalar::Kind::Float:
    return reinterpret_cast<const float *>(lanes)[lane];
  case Scalar::Kind::Half:
    return halfToFloat(reinterpret_cast<const uint32_t *>(lanes)[lane]);
  case Scalar::Kind::BFloat:
    return bfloatToFloat(reinterpret_cast<const uint32_t *>(lanes)[lane]);
  default:
    return reinterpret_cast<const double *>(lanes)[lane];
  }
}

static void setNumber(Scalar::Kind kind, uint8_t *lanes, unsigned lane,
                      double number) {
  switch (kind) {
  case Scalar::Kind::Float:
    reinterpret_cast<float *>(lanes)[lane] = float(number);
    break;
  case Scalar::Kind::Half:
    reinterpret_cast<uint32_t *>(lanes)[lane] = floatToHalf(roundToOdd(number));
    break;
  case Scalar::Kind::BFloat:
    reinterpret_cast<uint32_t *>(lanes)[lane] =
        floatToBFloat(roundToOdd(number));
    break;
  default:
    reinterpret_cast<double *>(lanes)[lane] = number;
  }
}

template <Scalar::Kind From, Scalar::Kind To>
static bool runFloatCast(Machine &machine, const Step &step) {
  const uint8_t *a = machine.at<uint8_t>(step.a);
  uint8_t *result = machine.at<uint8_t>(step.result);
  forLanes(machine.mask, [&](unsigned lane) {
    setNumber(To, result, lane, getNumber(From, a, lane));
  });
  return true;
}

namespace {
enum class Rounding : uint8_t { Nearest, Zero, Down, Up };
/// What is packed into Step::immediate.
struct Conversion {
  Rounding rounding;
  Scalar::Kind floating;
  bool isSigned, isWide;
};
} // namespace

static int64_t pack(Conversion conversion) {
  return int64_t(conversion.rounding) | int64_t(conversion.floating) << 8 |
         int64_t(conversion.isSigned) << 16 | int64_t(conversion.isWide) << 17;
}

static Conversion unpack(int64_t packed) {
  return {Rounding(packed & 255), Scalar::Kind((packed >> 8) & 255),
          bool((packed >> 16) & 1), bool((packed >> 17) & 1)};
}

static double roundTo(Rounding rounding, double number) {
  switch (rounding) {
  case Rounding::Nearest:
    return std::nearbyint(number);
  case Rounding::Zero:
    return std::trunc(number);
  case Rounding::Down:
    return std::floor(number);
  default:
    return std::ceil(number);
  }
}

/// Numbers out of range become the nearest in it, as the hardware does.
static bool runToInteger(Machine &machine, const Step &step) {
  const Conversion conversion = unpack(step.immediate);
  const uint8_t *a = machine.at<uint8_t>(step.a);
  const uint64_t ones = ~uint64_t(0) >> (64 - step.bits);
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    const double number =
        roundTo(conversion.rounding, getNumber(conversion.floating, a, lane));
    uint64_t value = 0;
    const double end = std::ldexp(1.0, step.bits - conversion.isSigned);
    if (number >= end)
      value = conversion.isSigned ? ones >> 1 : ones;
    else if (conversion.isSigned && number < -end)
      value = uint64_t(1) << (step.bits - 1);
    else if (number < 0)
      value = conversion.isSigned ? uint64_t(int64_t(number)) & ones : 0;
    else if (number > 0)
      value = uint64_t(number);
    if (conversion.isWide)
      machine.at<uint64_t>(step.result)[lane] = value;
    else
      machine.at<uint32_t>(step.result)[lane] = uint32_t(value);
  }
  return true;
}

static bool runFromInteger(Machine &machine, const Step &step) {
  const Conversion conversion = unpack(step.immediate);
  const unsigned shift = 64 - step.bits;
  uint8_t *result = machine.at<uint8_t>(step.result);
  forLanes(machine.mask, [&](unsigned lane) {
    const uint64_t value = conversion.isWide
                               ? machine.at<uint64_t>(step.a)[lane]
                               : machine.at<uint32_t>(step.a)[lane];
    const int64_t number = int64_t(value << shift) >> shift;
    // Straight to f32, lest it be rounded twice.
    if (conversion.floating == Scalar::Kind::Float)
      reinterpret_cast<float *>(result)[lane] =
          conversion.isSigned ? float(number) : float(value);
    else
      setNumber(conversion.floating, result, lane,
                conversion.isSigned ? double(number) : double(value));
  });
  return true;
}

template <Scalar::Kind From> static Handler findFloatCast(Scalar::Kind to) {
  switch (to) {
  case Scalar::Kind::Float:
    return runFloatCast<From, Scalar::Kind::Float>;
  case Scalar::Kind::Half:
    return runFloatCast<From, Scalar::Kind::Half>;
  case Scalar::Kind::BFloat:
    return runFloatCast<From, Scalar::Kind::BFloat>;
  default:
    return runFloatCast<From, Scalar::Kind::Double>;
  }
}

static Handler findFloatCast(Scalar::Kind from, Scalar::Kind to) {
  switch (from) {
  case Scalar::Kind::Float:
    return findFloatCast<Scalar::Kind::Float>(to);
  case Scalar::Kind::Half:
    return findFloatCast<Scalar::Kind::Half>(to);
  case Scalar::Kind::BFloat:
    return findFloatCast<Scalar::Kind::BFloat>(to);
  default:
    return findFloatCast<Scalar::Kind::Double>(to);
  }
}

template <bool IsSigned>
static Handler findIntegerCast(Scalar from, Scalar to) {
  if constexpr (IsSigned) {
    if (from.isWide())
      return runSignExtend<uint64_t, uint64_t>;
    return to.isWide() ? runSignExtend<uint32_t, uint64_t>
                       : runSignExtend<uint32_t, uint32_t>;
  } else {
    if (from.isWide())
      return to.isWide() ? runCut<uint64_t, uint64_t>
                         : runCut<uint64_t, uint32_t>;
    return to.isWide() ? runCut<uint32_t, uint64_t>
                       : runCut<uint32_t, uint32_t>;
  }
}

Operation getCast(Instruction::CastOps opcode, Scalar from, Scalar to) {
  switch (opcode) {
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::IntToPtr:
    return {findIntegerCast<false>(from, to)};
  case Instruction::SExt:
    return {findIntegerCast<true>(from, to), to.bits};
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    return {findFloatCast(from.kind, to.kind)};
  case Instruction::FPToSI:
    return getRoundedCast("rz", true, from, to);
  case Instruction::FPToUI:
    return getRoundedCast("rz", false, from, to);
  case Instruction::SIToFP:
    return getRoundedCast("rn", true, from, to);
  case Instruction::UIToFP:
    return getRoundedCast("rn", false, from, to);
  default:
    return {};
  }
}

Operation getRoundedCast(StringRef rounding, bool isSigned, Scalar from,
                         Scalar to) {
  Conversion conversion{};
  conversion.rounding = rounding == "rz"   ? Rounding::Zero
                        : rounding == "rm" ? Rounding::Down
                        : rounding == "rp" ? Rounding::Up
                                           : Rounding::Nearest;
  const bool toInteger = to.kind == Scalar::Kind::Integer;
  conversion.floating = toInteger ? from.kind : to.kind;
  conversion.isSigned = isSigned;
  conversion.isWide = toInteger ? to.isWide() : from.isWide();
  return {toInteger ? runToInteger : runFromInteger, pack(conversion)};
}

/// Step::bytes bits an operand, Step::bits bits a result; lanes of more than 32
/// bits are wide.
static bool runRegroup(Machine &machine, const Step &step) {
  const unsigned from = step.bytes, to = step.bits;
  const uint32_t *results = step.places, *operands = results + step.numResults;
  const uint64_t fromOnes = ~uint64_t(0) >> (64 - from);
  const uint64_t toOnes = ~uint64_t(0) >> (64 - to);
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    uint64_t bits[65] = {};
    unsigned position = 0;
    for (unsigned i = 0; i != step.numOperands; ++i, position += from) {
      const uint64_t value =
          (from > 32 ? machine.at<uint64_t>(operands[i])[lane]
                     : machine.at<uint32_t>(operands[i])[lane]) &
          fromOnes;
      const unsigned word = position / 64, shift = position % 64;
      bits[word] |= value << shift;
      if (shift + from > 64)
        bits[word + 1] |= value >> (64 - shift);
    }
    position = 0;
    for (unsigned i = 0; i != step.numResults; ++i, position += to) {
      const unsigned word = position / 64, shift = position % 64;
      uint64_t value = bits[word] >> shift;
      if (shift + to > 64)
        value |= bits[word + 1] << (64 - shift);
      if (to > 32)
        machine.at<uint64_t>(results[i])[lane] = value & toOnes;
      else
        machine.at<uint32_t>(results[i])[lane] = uint32_t(value & toOnes);
    }
  }
  return true;
}

Operation getRegroup() { return {runRegroup}; }

} // namespace sched::emulator
