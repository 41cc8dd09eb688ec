//===- DirectedFloats.cpp - Arithmetic that is rounded one way ------------===//
//
// Sums, products and quotients that are rounded towards zero, down or up: the
// device library brackets results by them. APFloat computes each exactly and
// rounds once, whatever this machine's arithmetic can do.
//
//===----------------------------------------------------------------------===//

#include "Handlers.h"
#include "Machine.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace sched::emulator {

namespace {
enum class Directed : int64_t {
  Add,
  Subtract,
  Multiply,
  Divide,
  Invert,
  Fused
};
/// What a step knows of itself.
struct Rounding {
  Directed function;
  RoundingMode mode;
  /// Numbers with the least exponent count as zeros, as operands and results.
  bool flushes;

  int64_t pack() const {
    return int64_t(function) | int64_t(mode) << 8 | int64_t(flushes) << 16;
  }
  static Rounding unpack(int64_t immediate) {
    return {Directed(immediate & 0xff), RoundingMode(immediate >> 8 & 0xff),
            bool(immediate >> 16)};
  }
};
} // namespace

template <typename Lane>
static bool runDirected(Machine &machine, const Step &step) {
  const Rounding how = Rounding::unpack(step.immediate);
  auto flush = [&](APFloat value) {
    return how.flushes && value.isDenormal()
               ? APFloat::getZero(value.getSemantics(), value.isNegative())
               : value;
  };
  const Lane *a = machine.at<Lane>(step.a), *b = machine.at<Lane>(step.b),
             *c = machine.at<Lane>(step.c);
  Lane *result = machine.at<Lane>(step.result);
  forLanes(machine.mask, [&](unsigned lane) {
    APFloat value = flush(APFloat(a[lane]));
    switch (how.function) {
    case Directed::Add:
      value.add(flush(APFloat(b[lane])), how.mode);
      break;
    case Directed::Subtract:
      value.subtract(flush(APFloat(b[lane])), how.mode);
      break;
    case Directed::Multiply:
      value.multiply(flush(APFloat(b[lane])), how.mode);
      break;
    case Directed::Divide:
      value.divide(flush(APFloat(b[lane])), how.mode);
      break;
    case Directed::Invert: {
      APFloat one(Lane(1));
      one.divide(value, how.mode);
      value = one;
      break;
    }
    case Directed::Fused:
      value.fusedMultiplyAdd(flush(APFloat(b[lane])), flush(APFloat(c[lane])),
                             how.mode);
      break;
    }
    value = flush(value);
    if constexpr (std::is_same_v<Lane, float>)
      result[lane] = value.convertToFloat();
    else
      result[lane] = value.convertToDouble();
  });
  return true;
}

Operation getDirected(StringRef name, StringRef rounding, bool flushes,
                      Scalar type) {
  const auto function = StringSwitch<std::optional<Directed>>(name)
                            .Case("add", Directed::Add)
                            .Case("sub", Directed::Subtract)
                            .Case("mul", Directed::Multiply)
                            .Case("div", Directed::Divide)
                            .Case("rcp", Directed::Invert)
                            .Case("fma", Directed::Fused)
                            .Default(std::nullopt);
  const auto mode = StringSwitch<std::optional<RoundingMode>>(rounding)
                        .Case("rz", RoundingMode::TowardZero)
                        .Case("rm", RoundingMode::TowardNegative)
                        .Case("rp", RoundingMode::TowardPositive)
                        .Default(std::nullopt);
  const bool isFloat = type.kind == Scalar::Kind::Float;
  if (!function || !mode || (!isFloat && type.kind != Scalar::Kind::Double))
    return {};
  return {isFloat ? runDirected<float> : runDirected<double>,
          Rounding{*function, *mode, flushes}.pack()};
}

} // namespace sched::emulator
