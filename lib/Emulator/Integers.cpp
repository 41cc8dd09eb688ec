//===- Integers.cpp - Arithmetic on integers and moves --------------------===//

#include "Handlers.h"
#include "Machine.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace llvm;

namespace sched::emulator {

template <typename Bits> static Bits onesOf(unsigned bits) {
  return Bits(~Bits(0)) >> (8 * sizeof(Bits) - bits);
}

template <typename Bits> static auto signedOf(Bits value, unsigned bits) {
  using Signed = std::make_signed_t<Bits>;
  const unsigned shift = 8 * sizeof(Bits) - bits;
  return Signed(Signed(value << shift) >> shift);
}

namespace {
// Each gets both operands and the width of their type.
struct Add {
  template <typename Bits> static Bits of(Bits a, Bits b, unsigned) {
    return a + b;
  }
};
struct Subtract {
  template <typename Bits> static Bits of(Bits a, Bits b, unsigned) {
    return a - b;
  }
};
struct Multiply {
  template <typename Bits> static Bits of(Bits a, Bits b, unsigned) {
    return a * b;
  }
};
struct And {
  template <typename Bits> static Bits of(Bits a, Bits b, unsigned) {
    return a & b;
  }
};
struct Or {
  template <typename Bits> static Bits of(Bits a, Bits b, unsigned) {
    return a | b;
  }
};
struct Xor {
  template <typename Bits> static Bits of(Bits a, Bits b, unsigned) {
    return a ^ b;
  }
};
// Shifts beyond the width are poison; what is not used does no harm.
struct ShiftLeft {
  template <typename Bits> static Bits of(Bits a, Bits b, unsigned bits) {
    return b < bits ? Bits(a << b) : Bits(0);
  }
};
struct ShiftRight {
  template <typename Bits> static Bits of(Bits a, Bits b, unsigned bits) {
    return b < bits ? Bits(a >> b) : Bits(0);
  }
};
struct ShiftSigned {
  template <typename Bits> static Bits of(Bits a, Bits b, unsigned bits) {
    return Bits(signedOf(a, bits) >> (b < bits ? b : bits - 1));
  }
};
} // namespace

template <typename Bits, typename Op>
static bool runBinary(Machine &machine, const Step &step) {
  const Bits *a = machine.at<Bits>(step.a), *b = machine.at<Bits>(step.b);
  Bits *result = machine.at<Bits>(step.result);
  const unsigned bits = step.bits;
  const Bits ones = onesOf<Bits>(bits);
  forLanes(machine.mask, [&](unsigned lane) {
    result[lane] = Op::of(a[lane], b[lane], bits) & ones;
  });
  return true;
}

namespace {
struct DivideUnsigned {
  template <typename Bits> static Bits of(Bits a, Bits b, unsigned) {
    return a / b;
  }
};
struct RemainderUnsigned {
  template <typename Bits> static Bits of(Bits a, Bits b, unsigned) {
    return a % b;
  }
};
struct DivideSigned {
  template <typename Bits> static Bits of(Bits a, Bits b, unsigned bits) {
    const auto divisor = signedOf(b, bits);
    return divisor == -1 ? Bits(0 - a) : Bits(signedOf(a, bits) / divisor);
  }
};
struct RemainderSigned {
  template <typename Bits> static Bits of(Bits a, Bits b, unsigned bits) {
    const auto divisor = signedOf(b, bits);
    return divisor == -1 ? Bits(0) : Bits(signedOf(a, bits) % divisor);
  }
};
} // namespace

template <typename Bits, typename Op>
static bool runDivision(Machine &machine, const Step &step) {
  const Bits *a = machine.at<Bits>(step.a), *b = machine.at<Bits>(step.b);
  Bits *result = machine.at<Bits>(step.result);
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    if (b[lane] == 0)
      return machine.fail(step, lane, "divides by zero");
    result[lane] =
        Op::of(a[lane], b[lane], step.bits) & onesOf<Bits>(step.bits);
  }
  return true;
}

template <typename Bits>
static Handler findBinary(Instruction::BinaryOps opcode) {
  switch (opcode) {
  case Instruction::Add:
    return runBinary<Bits, Add>;
  case Instruction::Sub:
    return runBinary<Bits, Subtract>;
  case Instruction::Mul:
    return runBinary<Bits, Multiply>;
  case Instruction::And:
    return runBinary<Bits, And>;
  case Instruction::Or:
    return runBinary<Bits, Or>;
  case Instruction::Xor:
    return runBinary<Bits, Xor>;
  case Instruction::Shl:
    return runBinary<Bits, ShiftLeft>;
  case Instruction::LShr:
    return runBinary<Bits, ShiftRight>;
  case Instruction::AShr:
    return runBinary<Bits, ShiftSigned>;
  case Instruction::UDiv:
    return runDivision<Bits, DivideUnsigned>;
  case Instruction::SDiv:
    return runDivision<Bits, DivideSigned>;
  case Instruction::URem:
    return runDivision<Bits, RemainderUnsigned>;
  case Instruction::SRem:
    return runDivision<Bits, RemainderSigned>;
  default:
    return nullptr;
  }
}

Operation getBinary(Instruction::BinaryOps opcode, Scalar type) {
  return {type.isWide() ? findBinary<uint64_t>(opcode)
                        : findBinary<uint32_t>(opcode)};
}

template <typename Bits>
static bool runCompare(Machine &machine, const Step &step) {
  using Signed = std::make_signed_t<Bits>;
  const Bits *a = machine.at<Bits>(step.a), *b = machine.at<Bits>(step.b);
  uint32_t *result = machine.at<uint32_t>(step.result);
  const unsigned bits = step.bits;
  auto compare = [&](auto holds) {
    forLanes(machine.mask,
             [&](unsigned lane) { result[lane] = holds(a[lane], b[lane]); });
    return true;
  };
  auto compareSigned = [&](auto holds) {
    return compare([&](Bits x, Bits y) {
      return holds(Signed(signedOf(x, bits)), Signed(signedOf(y, bits)));
    });
  };
  switch (CmpInst::Predicate(step.immediate)) {
  case CmpInst::ICMP_EQ:
    return compare([](Bits x, Bits y) { return x == y; });
  case CmpInst::ICMP_NE:
    return compare([](Bits x, Bits y) { return x != y; });
  case CmpInst::ICMP_UGT:
    return compare([](Bits x, Bits y) { return x > y; });
  case CmpInst::ICMP_UGE:
    return compare([](Bits x, Bits y) { return x >= y; });
  case CmpInst::ICMP_ULT:
    return compare([](Bits x, Bits y) { return x < y; });
  case CmpInst::ICMP_ULE:
    return compare([](Bits x, Bits y) { return x <= y; });
  case CmpInst::ICMP_SGT:
    return compareSigned([](Signed x, Signed y) { return x > y; });
  case CmpInst::ICMP_SGE:
    return compareSigned([](Signed x, Signed y) { return x >= y; });
  case CmpInst::ICMP_SLT:
    return compareSigned([](Signed x, Signed y) { return x < y; });
  default:
    return compareSigned([](Signed x, Signed y) { return x <= y; });
  }
}

Operation getIntegerCompare(CmpInst::Predicate predicate, Scalar type) {
  return {type.isWide() ? runCompare<uint64_t> : runCompare<uint32_t>,
          int64_t(predicate)};
}

template <typename Bits>
static bool runSelect(Machine &machine, const Step &step) {
  const uint32_t *condition = machine.at<uint32_t>(step.a);
  const Bits *yes = machine.at<Bits>(step.b), *no = machine.at<Bits>(step.c);
  Bits *result = machine.at<Bits>(step.result);
  forLanes(machine.mask, [&](unsigned lane) {
    const Bits a = yes[lane], b = no[lane];
    result[lane] = condition[lane] ? a : b;
  });
  return true;
}

Operation getSelect(Scalar type) {
  return {type.isWide() ? runSelect<uint64_t> : runSelect<uint32_t>};
}

template <typename Bits>
static bool runCopy(Machine &machine, const Step &step) {
  const Bits *a = machine.at<Bits>(step.a);
  Bits *result = machine.at<Bits>(step.result);
  forLanes(machine.mask, [&](unsigned lane) { result[lane] = a[lane]; });
  return true;
}

Operation getCopy(Scalar type) {
  return {type.isWide() ? runCopy<uint64_t> : runCopy<uint32_t>};
}

static bool runAddImmediate(Machine &machine, const Step &step) {
  const uint64_t *a = machine.at<uint64_t>(step.a);
  uint64_t *result = machine.at<uint64_t>(step.result);
  const uint64_t immediate = step.immediate;
  forLanes(machine.mask,
           [&](unsigned lane) { result[lane] = a[lane] + immediate; });
  return true;
}

Operation getAddImmediate(int64_t immediate) {
  return {runAddImmediate, immediate};
}

template <typename Bits>
static bool runMultiplyAdd(Machine &machine, const Step &step) {
  const uint64_t *a = machine.at<uint64_t>(step.a);
  const Bits *b = machine.at<Bits>(step.b);
  uint64_t *result = machine.at<uint64_t>(step.result);
  const uint64_t immediate = step.immediate;
  const unsigned bits = step.bits;
  forLanes(machine.mask, [&](unsigned lane) {
    result[lane] =
        a[lane] + uint64_t(int64_t(signedOf(b[lane], bits))) * immediate;
  });
  return true;
}

Operation getMultiplyAdd(int64_t immediate, Scalar index) {
  return {index.isWide() ? runMultiplyAdd<uint64_t> : runMultiplyAdd<uint32_t>,
          immediate};
}

template <bool WideResult, bool WideOperand>
static bool runCall(Machine &machine, const Step &step) {
  using Result = std::conditional_t<WideResult, uint64_t, uint32_t>;
  using Bits = std::conditional_t<WideOperand, uint64_t, uint32_t>;
  const auto function = reinterpret_cast<IntegerFunction>(step.immediate);
  const Bits *a = machine.at<Bits>(step.a);
  // Where there are fewer operands, these are the first one again.
  const Bits *b = machine.at<Bits>(step.numOperands > 1 ? step.b : step.a);
  const Bits *c = machine.at<Bits>(step.numOperands > 2 ? step.c : step.a);
  Result *result = machine.at<Result>(step.result);
  for (LaneMask rest = machine.mask; rest; rest &= rest - 1) {
    const unsigned lane = llvm::countr_zero(rest);
    result[lane] = Result(function(a[lane], b[lane], c[lane], step.bits));
  }
  return true;
}

Operation getIntegerCall(IntegerFunction function, Scalar result,
                         Scalar operand) {
  static const Handler handlers[] = {runCall<false, false>,
                                     runCall<false, true>, runCall<true, false>,
                                     runCall<true, true>};
  return {handlers[2 * result.isWide() + operand.isWide()],
          reinterpret_cast<int64_t>(function)};
}

// Functions; `w` is the width.
#define FUNCTION [](uint64_t a, uint64_t b, uint64_t c, unsigned w)->uint64_t
#define UNUSED (void)a, (void)b, (void)c, (void)w
static uint64_t cut(uint64_t value, unsigned bits) {
  return value & onesOf<uint64_t>(bits);
}
/// The bounds of a signed type.
static int64_t highest(unsigned bits) {
  return int64_t(onesOf<uint64_t>(bits) >> 1);
}
static int64_t lowest(unsigned bits) { return -highest(bits) - 1; }

static uint64_t saturate(__int128 value, unsigned bits) {
  return cut(uint64_t(value > highest(bits)  ? highest(bits)
                      : value < lowest(bits) ? lowest(bits)
                                             : int64_t(value)),
             bits);
}

static uint64_t permuteBytes(uint64_t a, uint64_t b, uint64_t selector) {
  const uint64_t bytes = a | (b << 32);
  uint64_t result = 0;
  for (unsigned i = 0; i != 4; ++i) {
    const unsigned choice = (selector >> (4 * i)) & 15;
    uint64_t byte = (bytes >> (8 * (choice & 7))) & 255;
    if (choice & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}

IntegerFunction findIntegerFunction(StringRef name) {
  using F = IntegerFunction;
  return StringSwitch<F>(name)
      .Case(
          "smin",
          FUNCTION {
            UNUSED;
            return signedOf(a, w) < signedOf(b, w) ? a : b;
          })
      .Case(
          "smax",
          FUNCTION {
            UNUSED;
            return signedOf(a, w) > signedOf(b, w) ? a : b;
          })
      .Case(
          "umin",
          FUNCTION {
            UNUSED;
            return a < b ? a : b;
          })
      .Case(
          "umax",
          FUNCTION {
            UNUSED;
            return a > b ? a : b;
          })
      .Case(
          "abs",
          FUNCTION {
            UNUSED;
            return cut(signedOf(a, w) < 0 ? 0 - a : a, w);
          })
      .Case(
          "ctpop",
          FUNCTION {
            UNUSED;
            return llvm::popcount(a);
          })
      .Case(
          "ctlz",
          FUNCTION {
            UNUSED;
            return llvm::countl_zero(a) - (64 - w);
          })
      .Case(
          "cttz",
          FUNCTION {
            UNUSED;
            return a ? llvm::countr_zero(a) : w;
          })
      .Case(
          "bswap",
          FUNCTION {
            UNUSED;
            return llvm::byteswap(a) >> (64 - w);
          })
      .Case(
          "bitreverse",
          FUNCTION {
            UNUSED;
            return llvm::reverseBits(a) >> (64 - w);
          })
      .Case(
          "fshl",
          FUNCTION {
            UNUSED;
            c %= w;
            return c ? cut((a << c) | (b >> (w - c)), w) : a;
          })
      .Case(
          "fshr",
          FUNCTION {
            UNUSED;
            c %= w;
            return c ? cut((a << (w - c)) | (b >> c), w) : b;
          })
      .Case(
          "sadd.sat",
          FUNCTION {
            UNUSED;
            return saturate(__int128(signedOf(a, w)) + signedOf(b, w), w);
          })
      .Case(
          "ssub.sat",
          FUNCTION {
            UNUSED;
            return saturate(__int128(signedOf(a, w)) - signedOf(b, w), w);
          })
      .Case(
          "uadd.sat",
          FUNCTION {
            UNUSED;
            return a > onesOf<uint64_t>(w) - b ? onesOf<uint64_t>(w) : a + b;
          })
      .Case(
          "usub.sat",
          FUNCTION {
            UNUSED;
            return a > b ? a - b : 0;
          })
      .Case(
          "sadd.overflows",
          FUNCTION {
            UNUSED;
            const __int128 sum = __int128(signedOf(a, w)) + signedOf(b, w);
            return sum > highest(w) || sum < lowest(w);
          })
      .Case(
          "ssub.overflows",
          FUNCTION {
            UNUSED;
            const __int128 sum = __int128(signedOf(a, w)) - signedOf(b, w);
            return sum > highest(w) || sum < lowest(w);
          })
      .Case(
          "smul.overflows",
          FUNCTION {
            UNUSED;
            const __int128 product = __int128(signedOf(a, w)) * signedOf(b, w);
            return product > highest(w) || product < lowest(w);
          })
      .Case(
          "uadd.overflows",
          FUNCTION {
            UNUSED;
            return a > onesOf<uint64_t>(w) - b;
          })
      .Case(
          "usub.overflows",
          FUNCTION {
            UNUSED;
            return a < b;
          })
      .Case(
          "umul.overflows",
          FUNCTION {
            UNUSED;
            return (unsigned __int128)(a)*b > onesOf<uint64_t>(w);
          })
      .Case(
          "scmp",
          FUNCTION {
            UNUSED;
            return uint64_t(int64_t(signedOf(a, w) > signedOf(b, w)) -
                            int64_t(signedOf(a, w) < signedOf(b, w)));
          })
      .Case(
          "ucmp",
          FUNCTION {
            UNUSED;
            return uint64_t(int64_t(a > b) - int64_t(a < b));
          })
      .Case(
          "nvvm.mulhi.i",
          FUNCTION {
            UNUSED;
            return cut(
                uint64_t((__int128(signedOf(a, w)) * signedOf(b, w)) >> w), w);
          })
      .Case(
          "nvvm.mulhi.ll",
          FUNCTION {
            UNUSED;
            return cut(
                uint64_t((__int128(signedOf(a, w)) * signedOf(b, w)) >> w), w);
          })
      .Case(
          "nvvm.mulhi.ui",
          FUNCTION {
            UNUSED;
            return cut(uint64_t(((unsigned __int128)(a)*b) >> w), w);
          })
      .Case(
          "nvvm.mulhi.ull",
          FUNCTION {
            UNUSED;
            return cut(uint64_t(((unsigned __int128)(a)*b) >> w), w);
          })
      .Case(
          "nvvm.mul24.i",
          FUNCTION {
            UNUSED;
            return cut(
                uint64_t(signedOf(cut(a, 24), 24) * signedOf(cut(b, 24), 24)),
                w);
          })
      .Case(
          "nvvm.mul24.ui",
          FUNCTION {
            UNUSED;
            return cut(cut(a, 24) * cut(b, 24), w);
          })
      .Case(
          "nvvm.prmt",
          FUNCTION {
            UNUSED;
            return permuteBytes(a, b, c);
          })
      .Default(nullptr);
}
#undef FUNCTION
#undef UNUSED

} // namespace sched::emulator
