//===- MathCalls.cpp - Steps of calls that compute ------------------------===//
//
// Arithmetic and conversions among the intrinsics, and CUDA's device library.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace sched::emulator {

/// Value and overflow, one step each.
static StringRef getOverflowOf(StringRef name, Instruction::BinaryOps &opcode) {
  if (!name.consume_back(".with.overflow"))
    return "";
  opcode = name.ends_with("add")   ? Instruction::Add
           : name.ends_with("sub") ? Instruction::Sub
                                   : Instruction::Mul;
  return StringSwitch<StringRef>(name)
      .Case("sadd", "sadd.overflows")
      .Case("ssub", "ssub.overflows")
      .Case("smul", "smul.overflows")
      .Case("uadd", "uadd.overflows")
      .Case("usub", "usub.overflows")
      .Case("umul", "umul.overflows")
      .Default("");
}

/// Whether the bits are of a class in `mask`; of a format with so many bits for
/// the fraction.
template <unsigned FractionBits>
static uint64_t isInClass(uint64_t value, uint64_t mask, uint64_t,
                          unsigned bits) {
  const uint64_t fraction = value & maskTrailingOnes<uint64_t>(FractionBits);
  const uint64_t largest = maskTrailingOnes<uint64_t>(bits - 1 - FractionBits);
  const uint64_t exponent = (value >> FractionBits) & largest;
  const bool isNegative = (value >> (bits - 1)) & 1;
  FPClassTest found = fcNone;
  if (exponent == largest && fraction != 0)
    found = fraction >> (FractionBits - 1) ? fcQNan : fcSNan;
  else if (exponent == largest)
    found = isNegative ? fcNegInf : fcPosInf;
  else if (exponent != 0)
    found = isNegative ? fcNegNormal : fcPosNormal;
  else if (fraction != 0)
    found = isNegative ? fcNegSubnormal : fcPosSubnormal;
  else
    found = isNegative ? fcNegZero : fcPosZero;
  return (mask & found) != 0;
}

static IntegerFunction getClassTest(Scalar type) {
  switch (type.kind) {
  case Scalar::Kind::Half:
    return isInClass<10>;
  case Scalar::Kind::BFloat:
    return isInClass<7>;
  case Scalar::Kind::Float:
    return isInClass<23>;
  case Scalar::Kind::Double:
    return isInClass<52>;
  default:
    return nullptr;
  }
}

Expected<bool> Decoder::decodeClassTest(CallInst &call) {
  const Value *value = call.getArgOperand(0);
  Expected<Scalar> type = getScalar(value->getType());
  if (!type)
    return type.takeError();
  auto *mask = dyn_cast<ConstantInt>(call.getArgOperand(1));
  IntegerFunction function = getClassTest(*type);
  if (!mask || !function)
    return false;
  Expected<Registers> operands = get(value);
  if (!operands)
    return operands.takeError();
  Expected<Registers> results = define(call);
  if (!results)
    return results.takeError();
  // As wide as the value, which both are read as.
  const uint32_t classes = addConstant(mask->getZExtValue(), type->isWide());
  for (auto [operand, result] : zip_equal(*operands, *results))
    emit(getIntegerCall(function, {Scalar::Kind::Integer, 1}, *type), result,
         {operand, classes})
        .step.bits = type->bits;
  return true;
}

Expected<bool> Decoder::decodeArithmetic(CallInst &call, StringRef name) {
  if (call.getType()->isVoidTy() || call.arg_empty())
    return false;
  if (name == "is.fpclass")
    return decodeClassTest(call);
  if (name == "expect" || name == "expect.with.probability" ||
      name == "ssa.copy" || name == "launder.invariant.group") {
    Expected<Registers> operand = get(call.getArgOperand(0));
    if (!operand)
      return operand.takeError();
    if (Error error = rename(call, std::move(*operand)))
      return std::move(error);
    return true;
  }
  Instruction::BinaryOps opcode;
  if (StringRef overflow = getOverflowOf(name, opcode); !overflow.empty()) {
    Expected<Scalar> type = getScalar(call.getArgOperand(0)->getType());
    if (!type)
      return type.takeError();
    Expected<Registers> a = get(call.getArgOperand(0));
    if (!a)
      return a.takeError();
    Expected<Registers> b = get(call.getArgOperand(1));
    if (!b)
      return b.takeError();
    Expected<Registers> results = define(call);
    if (!results)
      return results.takeError();
    if (results->size() != 2)
      return false;
    emit(getBinary(opcode, *type), (*results)[0], {a->front(), b->front()})
        .step.bits = type->bits;
    emit(getIntegerCall(findIntegerFunction(overflow),
                        {Scalar::Kind::Integer, 1}, *type),
         (*results)[1], {a->front(), b->front()})
        .step.bits = type->bits;
    return true;
  }
  Expected<Scalar> type = getScalar(call.getType());
  if (!type)
    return type.takeError();
  Expected<Scalar> operandType = getScalar(call.getArgOperand(0)->getType());
  if (!operandType)
    return operandType.takeError();
  if (type->kind == Scalar::Kind::Integer &&
      operandType->kind == Scalar::Kind::Integer) {
    IntegerFunction function = findIntegerFunction(name);
    if (!function)
      return false;
    SmallVector<const Value *, 3> operands;
    for (const Use &argument : call.args())
      // The flags of abs, ctlz and cttz say what would be poison.
      if (operands.empty() || !argument->getType()->isIntegerTy(1) ||
          operandType->bits == 1)
        operands.push_back(argument.get());
    if (Error error =
            emitEach(call, getIntegerCall(function, *type, *operandType),
                     operandType->bits, operands))
      return std::move(error);
    return true;
  }
  return decodeFloat(call, name);
}

Expected<bool> Decoder::decodeFloat(CallInst &call, StringRef name) {
  Expected<Scalar> type = getScalar(call.getType());
  if (!type)
    return type.takeError();
  if (type->kind == Scalar::Kind::Integer ||
      type->kind == Scalar::Kind::Pointer)
    return false;
  StringRef function = name;
  bool isRelu = false, isSaturated = false, isDirected = false, flushes = false;
  StringRef rounding;
  if (function.consume_front("nvvm.")) {
    // The operation, then its variant; the last one may be the type.
    SmallVector<StringRef> parts;
    function.split(parts, '.');
    auto has = [&](StringRef part) {
      return llvm::is_contained(ArrayRef(parts).drop_front(), part);
    };
    if (has("xorsign"))
      return false;
    for (StringRef direction : {"rz", "rm", "rp"})
      if (has(direction))
        rounding = direction;
    flushes = has("ftz");
    isDirected = !rounding.empty();
    isRelu = has("relu");
    isSaturated = has("sat");
    const bool keepsNaN = has("nan");
    function = StringSwitch<StringRef>(parts.front())
                   .Case("ex2", "exp2")
                   .Case("lg2", "log2")
                   .Case("round", "roundeven")
                   .Case("fmin", keepsNaN ? "minimum" : "minnum")
                   .Case("fmax", keepsNaN ? "maximum" : "maxnum")
                   .Cases({"sqrt", "rsqrt", "rcp", "sin", "cos", "tanh"},
                          parts.front())
                   .Cases({"floor", "ceil", "trunc", "fabs", "neg", "saturate"},
                          parts.front())
                   .Cases({"fma", "div", "add", "mul"}, parts.front())
                   .Default("");
  }
  SmallVector<const Value *, 3> operands;
  for (const Use &argument : call.args())
    operands.push_back(argument.get());
  Operation operation;
  if (isDirected)
    operation = getDirected(function, rounding, flushes, *type);
  else if ((function == "fma" || function == "fmuladd") && operands.size() == 3)
    operation = getFusedMultiplyAdd(*type);
  else if (operands.size() == 2)
    operation = getFloatPair(function, *type);
  else if (operands.size() == 1)
    operation = getFloatUnary(function, *type);
  if (!operation)
    return false;
  if (Error error = emitEach(call, operation, type->bits, operands))
    return std::move(error);
  // In place: a lane's result may lie where its operand does.
  for (StringRef after :
       {isRelu ? "relu" : "", isSaturated ? "saturate" : ""}) {
    if (after.empty())
      continue;
    Registers results = values[&call];
    for (uint32_t result : results)
      emit(getFloatUnary(after, *type), result, result).step.bits = type->bits;
  }
  return true;
}

/// The scalar that a letter of NVVM's conversions means.
static std::optional<Scalar> getLetterType(StringRef letters, bool &isSigned) {
  using Kind = Scalar::Kind;
  isSigned = !letters.starts_with("u");
  return StringSwitch<std::optional<Scalar>>(letters)
      .Case("f", Scalar{Kind::Float, 32})
      .Case("d", Scalar{Kind::Double, 64})
      .Cases({"i", "ui"}, Scalar{Kind::Integer, 32})
      .Cases({"ll", "ull"}, Scalar{Kind::Integer, 64})
      .Cases({"h", "f16"}, Scalar{Kind::Half, 16})
      .Case("bf16", Scalar{Kind::BFloat, 16})
      .Default(std::nullopt);
}

Expected<bool> Decoder::decodeConversion(CallInst &call, StringRef name) {
  using Kind = Scalar::Kind;
  if (!name.consume_front("nvvm.") || call.getType()->isVoidTy())
    return false;
  auto [conversion, variant] = name.split('.');
  auto [fromText, toText] = conversion.split('2');
  SmallVector<const Value *, 2> operands;
  for (const Use &argument : call.args())
    operands.push_back(argument.get());
  StringRef rounding = variant.split('.').first;
  const bool isPlain =
      variant == rounding || variant == rounding.str() + ".ftz";
  bool fromSigned = true, toSigned = true;
  // Halves of the bits of f64.
  IntegerFunction halves =
      StringSwitch<IntegerFunction>(name)
          .Case("lohi.i2d",
                [](uint64_t a, uint64_t b, uint64_t, unsigned) -> uint64_t {
                  return a | b << 32;
                })
          .Case("d2i.lo",
                [](uint64_t a, uint64_t, uint64_t, unsigned) -> uint64_t {
                  return a & 0xffffffff;
                })
          .Case("d2i.hi",
                [](uint64_t a, uint64_t, uint64_t, unsigned) -> uint64_t {
                  return a >> 32;
                })
          .Default(nullptr);
  if (halves) {
    Expected<Scalar> from = getScalar(operands[0]->getType());
    if (!from)
      return from.takeError();
    Expected<Scalar> to = getScalar(call.getType());
    if (!to)
      return to.takeError();
    if (Error error = emitEach(call, getIntegerCall(halves, *to, *from),
                               from->bits, operands))
      return std::move(error);
    return true;
  }
  if (!is_contained({"rn", "rz", "rm", "rp", "rna"}, rounding))
    return false;
  if (conversion == "f2tf32" && operands.size() == 1 && isPlain) {
    // Rounds to the nearest; to the even, or away from zero.
    const Scalar type{Kind::Integer, 32};
    IntegerFunction function = rounding == "rna"
        ? [](uint64_t a, uint64_t, uint64_t, unsigned) -> uint64_t {
      return (a + 0x1000) & 0xffffe000;
    }
        : rounding == "rn"
            ? [](uint64_t a, uint64_t, uint64_t, unsigned)
                  -> uint64_t { return (a + 0xfff + ((a >> 13) & 1)) & 0xffffe000; }
        : [](uint64_t a, uint64_t, uint64_t, unsigned) -> uint64_t {
            return a & 0xffffe000;
          };
    if (Error error =
            emitEach(call, getIntegerCall(function, type, type), 32, operands))
      return std::move(error);
    return true;
  }
  // Two numbers to a vector: the second one is its first element.
  if ((conversion == "ff2f16x2" || conversion == "ff2bf16x2") &&
      operands.size() == 2 && isPlain && rounding == "rn") {
    const Scalar from{Kind::Float, 32};
    const Scalar to{conversion == "ff2f16x2" ? Kind::Half : Kind::BFloat, 16};
    Expected<Registers> results = define(call);
    if (!results)
      return results.takeError();
    for (unsigned i = 0; i != 2; ++i) {
      Expected<Registers> operand = get(operands[1 - i]);
      if (!operand)
        return operand.takeError();
      emit(getCast(Instruction::FPTrunc, from, to), (*results)[i], *operand);
    }
    return true;
  }
  std::optional<Scalar> from = getLetterType(fromText, fromSigned);
  std::optional<Scalar> to = getLetterType(toText, toSigned);
  if (!from || !to || operands.size() != 1 || !isPlain || rounding == "rna")
    return false;
  Operation operation;
  uint8_t bits = 0;
  if (to->kind == Kind::Integer) {
    bits = to->bits;
    operation = getRoundedCast(rounding, toSigned, *from, *to);
  } else if (rounding == "rn") {
    bits = from->bits;
    operation = from->kind == Kind::Integer
                    ? getRoundedCast(rounding, fromSigned, *from, *to)
                    : getCast(Instruction::FPTrunc, *from, *to);
  }
  if (!operation)
    return false;
  if (Error error = emitEach(call, operation, bits, operands))
    return std::move(error);
  return true;
}

// What the device library has assembly for, of a width of `bits`.
static uint64_t multiplyAddLow(uint64_t a, uint64_t b, uint64_t c,
                               unsigned bits) {
  return (a * b + c) & (~uint64_t(0) >> (64 - bits));
}
static uint64_t multiplyAddHigh(uint64_t a, uint64_t b, uint64_t c,
                                unsigned bits) {
  return uint64_t(((unsigned __int128)(a)*b + c) >> bits);
}
static uint64_t addThree(uint64_t a, uint64_t b, uint64_t c, unsigned) {
  return a + b + c;
}
static uint64_t subtractTwo(uint64_t a, uint64_t b, uint64_t c, unsigned) {
  return a - b - c;
}
static uint64_t carry(uint64_t a, uint64_t b, uint64_t, unsigned) {
  return a + b < a;
}
static uint64_t borrow(uint64_t a, uint64_t b, uint64_t, unsigned) {
  return a < b;
}

/// The names of instructions in assembly, but for moves and declarations.
static std::string listMnemonics(StringRef text) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  std::string names;
  for (StringRef line : lines) {
    StringRef name = line.trim(" \t{};").split(' ').first;
    if (!name.empty() && !name.starts_with("mov.") && !name.starts_with("."))
      names += (names.empty() ? "" : " ") + name.str();
  }
  return names;
}

/// One instruction on floats, of its operands in their order, that there is no
/// intrinsic for; or the comparison that cube roots end with.
Expected<bool> Decoder::decodeFloatAssembly(CallInst &call, StringRef name) {
  std::string expected = name.str();
  SmallVector<const Value *, 3> operands;
  for (unsigned i = 0; i <= call.arg_size(); ++i)
    expected += (i ? ",$" : "$") + std::to_string(i);
  std::string found =
      cast<InlineAsm>(call.getCalledOperand())->getAsmString().str();
  llvm::erase_if(found, [](char c) { return isSpace(c); });
  Expected<Scalar> type = getScalar(call.getType());
  if (!type)
    return type.takeError();
  if (found == "{.reg.pred__$$temp3;setp.equ.f64__$$temp3,$1,$2;"
               "selp.f64$0,$3,$4,__$$temp3;}") {
    Registers from;
    for (const Use &argument : call.args()) {
      Expected<Registers> each = get(argument.get());
      if (!each)
        return each.takeError();
      from.append(*each);
    }
    Expected<Registers> result = define(call);
    if (!result)
      return result.takeError();
    const uint32_t isEqual = addRegister({Scalar::Kind::Integer, 1});
    emit(getFloatCompare(CmpInst::FCMP_UEQ, *type), isEqual, {from[0], from[1]})
        .step.bits = type->bits;
    emit(getSelect(*type), *result, {isEqual, from[2], from[3]});
    return true;
  }
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  if (found != expected + ";" ||
      parts.back() != (type->kind == Scalar::Kind::Float    ? "f32"
                       : type->kind == Scalar::Kind::Double ? "f64"
                                                            : ""))
    return false;
  for (const Use &argument : call.args()) {
    if (argument->getType() != call.getType())
      return false;
    operands.push_back(argument.get());
  }
  Operation operation;
  for (StringRef direction : {"rz", "rm", "rp"})
    if (is_contained(parts, direction))
      operation = getDirected(parts.front(), direction,
                              is_contained(parts, "ftz"), *type);
  if (!operation &&
      (is_contained(parts, "rn") || is_contained(parts, "approx")))
    operation = operands.size() == 2   ? getFloatPair(parts.front(), *type)
                : operands.size() == 1 ? getFloatUnary(parts.front(), *type)
                                       : Operation();
  if (!operation)
    return false;
  if (Error error = emitEach(call, operation, type->bits, operands))
    return std::move(error);
  return true;
}

Expected<bool> Decoder::decodeAssembly(CallInst &call) {
  const std::string names =
      listMnemonics(cast<InlineAsm>(call.getCalledOperand())->getAsmString());
  if (call.getType()->isFloatingPointTy())
    return decodeFloatAssembly(call, names);
  enum class Kind { None, MultiplyAdd, Multiply, Add, Subtract };
  auto [kind, bits] =
      StringSwitch<std::pair<Kind, unsigned>>(names)
          .Case("mad.lo.cc.u32 madc.hi.u32", {Kind::MultiplyAdd, 32})
          .Case("mad.lo.cc.u32 madc.hi.cc.u32 madc.hi.u32 mad.lo.cc.u32 "
                "madc.hi.cc.u32 madc.hi.u32 mad.lo.cc.u32 madc.lo.cc.u32 "
                "addc.u32",
                {Kind::MultiplyAdd, 64})
          .Case("mul.lo.u32 mul.hi.u32 mad.lo.cc.u32 madc.hi.u32 mad.lo.cc.u32 "
                "madc.hi.cc.u32 madc.hi.u32 mad.lo.cc.u32 addc.u32",
                {Kind::Multiply, 64})
          .Case("add.cc.u32 addc.cc.u32 addc.cc.u32 addc.u32", {Kind::Add, 64})
          .Case("sub.cc.u32 subc.cc.u32 subc.cc.u32 subc.u32",
                {Kind::Subtract, 64})
          .Default({Kind::None, 0});
  if (kind == Kind::None)
    return false;
  Registers operands;
  for (const Use &argument : call.args()) {
    if (!argument->getType()->isIntegerTy(bits))
      return false;
    Expected<Registers> each = get(argument.get());
    if (!each)
      return each.takeError();
    operands.append(*each);
  }
  const unsigned expected = kind == Kind::MultiplyAdd ? 3
                            : kind == Kind::Multiply  ? 2
                                                      : 4;
  Expected<Registers> results = define(call);
  if (!results)
    return results.takeError();
  if (results->size() != 2 || operands.size() != expected)
    return false;
  const Scalar type{Scalar::Kind::Integer, uint8_t(bits)};
  auto make = [&, bits = bits](IntegerFunction function, uint32_t result,
                               ArrayRef<uint32_t> of) {
    emit(getIntegerCall(function, type, type), result, of).step.bits = bits;
    return result;
  };
  // The lower half of the result, then the upper half.
  if (kind == Kind::MultiplyAdd || kind == Kind::Multiply) {
    operands.resize(3, addConstant(0, bits > 32));
    make(multiplyAddLow, (*results)[0], operands);
    make(multiplyAddHigh, (*results)[1], operands);
    return true;
  }
  const bool isSum = kind == Kind::Add;
  const uint32_t zero = addConstant(0, true);
  make(isSum ? addThree : subtractTwo, (*results)[0],
       {operands[0], operands[2], zero});
  const uint32_t carried = make(isSum ? carry : borrow, addRegister(type),
                                {operands[0], operands[2]});
  make(isSum ? addThree : subtractTwo, (*results)[1],
       {operands[1], operands[3], carried});
  return true;
}

Expected<bool> Decoder::decodeDeviceFunction(CallInst &call, StringRef name) {
  // What the device library asks for: small numbers are kept, and the oldest
  // chip that there is.
  StringRef question;
  if (name == "__nvvm_reflect" &&
      getConstantStringInfo(call.getArgOperand(0), question)) {
    if (Error error = rename(
            call, {addConstant(question == "__CUDA_ARCH" ? 800 : 0, false)}))
      return std::move(error);
    return true;
  }
  if (!name.consume_front("__nv_"))
    return false;
  name.consume_front("fast_");
  // Those of f32 end in f.
  if (call.getType()->isFloatTy())
    name.consume_back("f");
  name = StringSwitch<StringRef>(name)
             .Case("min", "smin")
             .Case("max", "smax")
             .Case("popc", "ctpop")
             .Case("clz", "ctlz")
             .Case("fmin", "minnum")
             .Case("fmax", "maxnum")
             .Cases({"rint", "nearbyint"}, "rint")
             .Case("fdivide", "div")
             .Default(name);
  return decodeArithmetic(call, name);
}

} // namespace sched::emulator
