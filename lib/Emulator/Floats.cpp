//===- Floats.cpp - Arithmetic on floating-point numbers ------------------===//
//
// f16 and bf16 are computed in f32 and rounded, which is exact for a single
// operation. Approximations of the hardware (ex2.approx and others) are
// computed accurately.
//
//===----------------------------------------------------------------------===//

#include "Handlers.h"
#include "Machine.h"
#include "SmallFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace llvm;

namespace sched::emulator {

namespace {
// How a type lies in a lane and what it is computed in.
struct FloatLane {
  using Lane = float;
  using Number = float;
  static float get(float lane) { return lane; }
  static float set(float number) { return number; }
};
struct DoubleLane {
  using Lane = double;
  using Number = double;
  static double get(double lane) { return lane; }
  static double set(double number) { return number; }
};
struct HalfLane {
  using Lane = uint32_t;
  using Number = float;
  static float get(uint32_t lane) { return halfToFloat(lane); }
  static uint32_t set(float number) { return floatToHalf(number); }
};
struct BFloatLane {
  using Lane = uint32_t;
  using Number = float;
  static float get(uint32_t lane) { return bfloatToFloat(lane); }
  static uint32_t set(float number) { return floatToBFloat(number); }
};
} // namespace

/// `make` of the lane of `type`.
template <typename Make> static auto forType(Scalar type, Make make) {
  switch (type.kind) {
  case Scalar::Kind::Float:
    return make(FloatLane());
  case Scalar::Kind::Double:
    return make(DoubleLane());
  case Scalar::Kind::Half:
    return make(HalfLane());
  default:
    return make(BFloatLane());
  }
}

static bool isFloat(Scalar type) {
  return type.kind != Scalar::Kind::Integer &&
         type.kind != Scalar::Kind::Pointer;
}

namespace {
struct Add {
  template <typename T> static T of(T a, T b) { return a + b; }
};
struct Subtract {
  template <typename T> static T of(T a, T b) { return a - b; }
};
struct Multiply {
  template <typename T> static T of(T a, T b) { return a * b; }
};
struct Divide {
  template <typename T> static T of(T a, T b) { return a / b; }
};
struct Remainder {
  template <typename T> static T of(T a, T b) { return std::fmod(a, b); }
};
// The one of two numbers if the other is none.
struct MinNumber {
  template <typename T> static T of(T a, T b) {
    return b != b                                 ? a
           : a != a                               ? b
           : a < b || (a == b && std::signbit(a)) ? a
                                                  : b;
  }
};
struct MaxNumber {
  template <typename T> static T of(T a, T b) {
    return b != b                                  ? a
           : a != a                                ? b
           : a > b || (a == b && !std::signbit(a)) ? a
                                                   : b;
  }
};
struct Minimum {
  template <typename T> static T of(T a, T b) {
    return a != a || b != b ? a + b : MinNumber::of(a, b);
  }
};
struct Maximum {
  template <typename T> static T of(T a, T b) {
    return a != a || b != b ? a + b : MaxNumber::of(a, b);
  }
};
struct CopySign {
  template <typename T> static T of(T a, T b) { return std::copysign(a, b); }
};
struct Power {
  template <typename T> static T of(T a, T b) { return std::pow(a, b); }
};
struct Arctangent {
  template <typename T> static T of(T a, T b) { return std::atan2(a, b); }
};
} // namespace

template <typename T, typename Op>
static bool runBinary(Machine &machine, const Step &step) {
  using Lane = typename T::Lane;
  const Lane *a = machine.at<Lane>(step.a), *b = machine.at<Lane>(step.b);
  Lane *result = machine.at<Lane>(step.result);
  forLanes(machine.mask, [&](unsigned lane) {
    result[lane] = T::set(Op::of(T::get(a[lane]), T::get(b[lane])));
  });
  return true;
}

template <typename Op> static Operation getBinaryOf(Scalar type) {
  return {forType(type, [](auto lane) -> Handler {
    return runBinary<decltype(lane), Op>;
  })};
}

Operation getFloatBinary(Instruction::BinaryOps opcode, Scalar type) {
  switch (opcode) {
  case Instruction::FAdd:
    return getBinaryOf<Add>(type);
  case Instruction::FSub:
    return getBinaryOf<Subtract>(type);
  case Instruction::FMul:
    return getBinaryOf<Multiply>(type);
  case Instruction::FDiv:
    return getBinaryOf<Divide>(type);
  case Instruction::FRem:
    return getBinaryOf<Remainder>(type);
  default:
    return {};
  }
}

Operation getFloatPair(StringRef name, Scalar type) {
  if (!isFloat(type))
    return {};
  return StringSwitch<Operation (*)(Scalar)>(name)
      .Cases({"minnum", "minimumnum"}, getBinaryOf<MinNumber>)
      .Cases({"maxnum", "maximumnum"}, getBinaryOf<MaxNumber>)
      .Case("minimum", getBinaryOf<Minimum>)
      .Case("maximum", getBinaryOf<Maximum>)
      .Case("copysign", getBinaryOf<CopySign>)
      .Case("pow", getBinaryOf<Power>)
      .Case("atan2", getBinaryOf<Arctangent>)
      .Case("fmod", getBinaryOf<Remainder>)
      .Case("div", getBinaryOf<Divide>)
      .Case("add", getBinaryOf<Add>)
      .Case("sub", getBinaryOf<Subtract>)
      .Case("mul", getBinaryOf<Multiply>)
      .Default([](Scalar) { return Operation(); })(type);
}

template <typename T>
static bool runCompare(Machine &machine, const Step &step) {
  using Lane = typename T::Lane;
  using Number = typename T::Number;
  const Lane *a = machine.at<Lane>(step.a), *b = machine.at<Lane>(step.b);
  uint32_t *result = machine.at<uint32_t>(step.result);
  auto compare = [&](auto holds) {
    forLanes(machine.mask, [&](unsigned lane) {
      result[lane] = holds(T::get(a[lane]), T::get(b[lane]));
    });
    return true;
  };
  switch (CmpInst::Predicate(step.immediate)) {
  case CmpInst::FCMP_OEQ:
    return compare([](Number x, Number y) { return x == y; });
  case CmpInst::FCMP_OGT:
    return compare([](Number x, Number y) { return x > y; });
  case CmpInst::FCMP_OGE:
    return compare([](Number x, Number y) { return x >= y; });
  case CmpInst::FCMP_OLT:
    return compare([](Number x, Number y) { return x < y; });
  case CmpInst::FCMP_OLE:
    return compare([](Number x, Number y) { return x <= y; });
  case CmpInst::FCMP_ONE:
    return compare([](Number x, Number y) { return x < y || x > y; });
  case CmpInst::FCMP_ORD:
    return compare([](Number x, Number y) { return x == x && y == y; });
  case CmpInst::FCMP_UNO:
    return compare([](Number x, Number y) { return x != x || y != y; });
  case CmpInst::FCMP_UEQ:
    return compare([](Number x, Number y) { return !(x < y || x > y); });
  case CmpInst::FCMP_UGT:
    return compare([](Number x, Number y) { return !(x <= y); });
  case CmpInst::FCMP_UGE:
    return compare([](Number x, Number y) { return !(x < y); });
  case CmpInst::FCMP_ULT:
    return compare([](Number x, Number y) { return !(x >= y); });
  case CmpInst::FCMP_ULE:
    return compare([](Number x, Number y) { return !(x > y); });
  case CmpInst::FCMP_UNE:
    return compare([](Number x, Number y) { return x != y; });
  case CmpInst::FCMP_TRUE:
    return compare([](Number, Number) { return true; });
  default:
    return compare([](Number, Number) { return false; });
  }
}

Operation getFloatCompare(CmpInst::Predicate predicate, Scalar type) {
  return {
      forType(type,
              [](auto lane) -> Handler { return runCompare<decltype(lane)>; }),
      int64_t(predicate)};
}

template <typename T>
static bool runFusedMultiplyAdd(Machine &machine, const Step &step) {
  using Lane = typename T::Lane;
  const Lane *a = machine.at<Lane>(step.a), *b = machine.at<Lane>(step.b),
             *c = machine.at<Lane>(step.c);
  Lane *result = machine.at<Lane>(step.result);
  forLanes(machine.mask, [&](unsigned lane) {
    if constexpr (std::is_same_v<T, DoubleLane>)
      result[lane] = std::fma(a[lane], b[lane], c[lane]);
    else if constexpr (std::is_same_v<T, FloatLane>)
      result[lane] = fusedMultiplyAdd(a[lane], b[lane], c[lane]);
    else
      result[lane] = T::set(
          roundToOdd(std::fma(double(T::get(a[lane])), double(T::get(b[lane])),
                              double(T::get(c[lane])))));
  });
  return true;
}

#if defined(__x86_64__) && defined(__GNUC__)
/// The same on a machine that has the instruction.
__attribute__((target("avx2,fma"))) static bool
runFusedOnHost(Machine &machine, const Step &step) {
  const float *a = machine.at<float>(step.a), *b = machine.at<float>(step.b),
              *c = machine.at<float>(step.c);
  float *result = machine.at<float>(step.result);
  if (machine.mask == kAllLanes) {
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#endif
    for (unsigned lane = 0; lane < kLanes; ++lane)
      result[lane] = __builtin_fmaf(a[lane], b[lane], c[lane]);
    return true;
  }
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    result[lane] = __builtin_fmaf(a[lane], b[lane], c[lane]);
  }
  return true;
}

static bool hasFusedMultiplyAdd() {
  return __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
}
#endif

Operation getFusedMultiplyAdd(Scalar type) {
#if defined(__x86_64__) && defined(__GNUC__)
  if (type.kind == Scalar::Kind::Float && hasFusedMultiplyAdd())
    return {runFusedOnHost};
#endif
  return {forType(type, [](auto lane) -> Handler {
    return runFusedMultiplyAdd<decltype(lane)>;
  })};
}

/// A sign is a bit, of numbers and of what is none.
template <typename Bits, int Change>
static bool runSign(Machine &machine, const Step &step) {
  const Bits *a = machine.at<Bits>(step.a);
  Bits *result = machine.at<Bits>(step.result);
  const Bits sign = Bits(1) << (step.bits - 1);
  forLanes(machine.mask, [&](unsigned lane) {
    result[lane] = Change ? a[lane] ^ sign : a[lane] & ~sign;
  });
  return true;
}

Operation getNegate(Scalar type) {
  return {type.isWide() ? runSign<uint64_t, 1> : runSign<uint32_t, 1>};
}

template <typename T> static bool runUnary(Machine &machine, const Step &step) {
  using Lane = typename T::Lane;
  using Number = typename T::Number;
  const auto function = reinterpret_cast<Number (*)(Number)>(step.immediate);
  const Lane *a = machine.at<Lane>(step.a);
  Lane *result = machine.at<Lane>(step.result);
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    result[lane] = T::set(function(T::get(a[lane])));
  }
  return true;
}

template <typename T> using Function = T (*)(T);

template <typename T> static Function<T> findUnary(StringRef name) {
  using F = Function<T>;
#define CALL(FUNCTION) [](T x) -> T { return FUNCTION; }
  return StringSwitch<F>(name)
      .Case("sqrt", CALL(std::sqrt(x)))
      .Case("rsqrt", CALL(T(1) / std::sqrt(x)))
      .Case("rcp", CALL(T(1) / x))
      .Case("floor", CALL(std::floor(x)))
      .Case("ceil", CALL(std::ceil(x)))
      .Case("trunc", CALL(std::trunc(x)))
      .Cases({"rint", "nearbyint", "roundeven"}, CALL(std::nearbyint(x)))
      .Case("round", CALL(std::round(x)))
      .Case("exp", CALL(std::exp(x)))
      .Case("exp2", CALL(std::exp2(x)))
      .Case("exp10", CALL(T(std::pow(10.0, double(x)))))
      .Case("expm1", CALL(std::expm1(x)))
      .Case("log", CALL(std::log(x)))
      .Case("log2", CALL(std::log2(x)))
      .Case("log10", CALL(std::log10(x)))
      .Case("log1p", CALL(std::log1p(x)))
      .Case("sin", CALL(std::sin(x)))
      .Case("cos", CALL(std::cos(x)))
      .Case("tan", CALL(std::tan(x)))
      .Case("asin", CALL(std::asin(x)))
      .Case("acos", CALL(std::acos(x)))
      .Case("atan", CALL(std::atan(x)))
      .Case("sinh", CALL(std::sinh(x)))
      .Case("cosh", CALL(std::cosh(x)))
      .Case("tanh", CALL(std::tanh(x)))
      .Case("asinh", CALL(std::asinh(x)))
      .Case("acosh", CALL(std::acosh(x)))
      .Case("atanh", CALL(std::atanh(x)))
      .Case("cbrt", CALL(std::cbrt(x)))
      .Case("erf", CALL(std::erf(x)))
      .Case("erfc", CALL(std::erfc(x)))
      .Case("canonicalize", CALL(x))
      .Case("saturate", CALL(x > T(0) ? x < T(1) ? x : T(1) : T(0)))
      .Case("relu", CALL(x > T(0) ? x : T(0)))
      .Default(nullptr);
#undef CALL
}

Operation getFloatUnary(StringRef name, Scalar type) {
  if (!isFloat(type))
    return {};
  if (name == "fabs")
    return {type.isWide() ? runSign<uint64_t, 0> : runSign<uint32_t, 0>};
  if (name == "neg")
    return getNegate(type);
  return forType(type, [&](auto lane) -> Operation {
    using T = decltype(lane);
    auto function = findUnary<typename T::Number>(name);
    return {function ? runUnary<T> : nullptr,
            reinterpret_cast<int64_t>(function)};
  });
}

} // namespace sched::emulator
