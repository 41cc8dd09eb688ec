//===- Arithmetic.h - Integer arithmetic of programs ------------*- C++ -*-===//
//
// The binary instructions of Program.h, for values known when a sketch is
// compiled and for those of a candidate. They agree with the folders of the
// dialect's parameter ops, which reject what does not fit into 64 bits.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_ARITHMETIC_H
#define SCHEDOPT_MODEL_ARITHMETIC_H

#include "SchedOpt/Model/Program.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <limits>

namespace sched {

/// Rounds to minus infinity; 0 where `b` is 0.
inline int64_t divideDown(int64_t a, int64_t b, bool &overflows) {
  if (b == 0)
    return 0;
  if (b == -1) {
    int64_t result;
    overflows |= __builtin_sub_overflow(int64_t(0), a, &result);
    return result;
  }
  const int64_t quotient = a / b;
  return quotient - ((a % b != 0) & ((a < 0) != (b < 0)));
}

/// Rounds to plus infinity; 0 where `b` is 0.
inline int64_t divideUp(int64_t a, int64_t b, bool &overflows) {
  const int64_t down = divideDown(a, b, overflows);
  return down + (b != 0 && b != -1 && a % b != 0);
}

/// `op(a, b)` of a binary instruction. Sets `overflows` where that does not fit
/// into 64 bits; the result is then some number.
inline int64_t applyBinary(Instruction::Op op, int64_t a, int64_t b,
                           bool &overflows) {
  using Op = Instruction::Op;
  int64_t result = 0;
  switch (op) {
  case Op::Mul:
    overflows |= __builtin_mul_overflow(a, b, &result);
    return result;
  case Op::Add:
    overflows |= __builtin_add_overflow(a, b, &result);
    return result;
  case Op::Sub:
    overflows |= __builtin_sub_overflow(a, b, &result);
    return result;
  case Op::CeilDiv:
    return divideUp(a, b, overflows);
  case Op::FloorDiv:
    return divideDown(a, b, overflows);
  case Op::Mod:
    if (b == 0 || b == -1)
      return 0;
    return a - divideDown(a, b, overflows) * b;
  case Op::Min:
    return std::min(a, b);
  case Op::Max:
    return std::max(a, b);
  case Op::CmpLE:
    return a <= b;
  case Op::CmpLT:
    return a < b;
  case Op::CmpEQ:
    return a == b;
  case Op::CmpNE:
    return a != b;
  case Op::And:
    return a && b;
  case Op::Or:
    return a || b;
  case Op::Constant:
  case Op::Choice:
  case Op::Select:
    break;
  }
  llvm_unreachable("not a binary instruction");
}

} // namespace sched

#endif // SCHEDOPT_MODEL_ARITHMETIC_H
