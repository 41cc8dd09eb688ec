//===- Constants.cpp - Values and bytes of constants ----------------------===//

#include "llvm/IR/Constants.h"
#include "Decoder.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace llvm;

namespace sched::emulator {

static std::string print(const Type *type) {
  std::string text;
  raw_string_ostream(text) << *type;
  return text;
}

Error flatten(Type *type, SmallVectorImpl<Scalar> &scalars) {
  using Kind = Scalar::Kind;
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    SmallVector<Scalar, 1> element;
    if (Error error = flatten(vector->getElementType(), element))
      return error;
    scalars.append(vector->getNumElements(), element.front());
    return Error::success();
  }
  if (auto *array = dyn_cast<ArrayType>(type)) {
    for (uint64_t i = 0, e = array->getNumElements(); i != e; ++i)
      if (Error error = flatten(array->getElementType(), scalars))
        return error;
    return Error::success();
  }
  if (auto *structure = dyn_cast<StructType>(type)) {
    for (Type *element : structure->elements())
      if (Error error = flatten(element, scalars))
        return error;
    return Error::success();
  }
  if (auto *integer = dyn_cast<IntegerType>(type);
      integer && integer->getBitWidth() <= 64)
    scalars.push_back({Kind::Integer, uint8_t(integer->getBitWidth())});
  else if (type->isHalfTy())
    scalars.push_back({Kind::Half, 16});
  else if (type->isBFloatTy())
    scalars.push_back({Kind::BFloat, 16});
  else if (type->isFloatTy())
    scalars.push_back({Kind::Float, 32});
  else if (type->isDoubleTy())
    scalars.push_back({Kind::Double, 64});
  else if (type->isPointerTy())
    scalars.push_back(
        {Kind::Pointer, 64, uint8_t(type->getPointerAddressSpace())});
  else if (!type->isVoidTy())
    return createStringError("has the type " + print(type) +
                             ", which the emulator does not know");
  return Error::success();
}

int64_t getCastOffset(unsigned from, unsigned to) {
  auto window = [](unsigned space) -> int64_t {
    // Number of the region that a generic address bears.
    return space == 3 ? int64_t(1) << 40 : space == 5 ? int64_t(2) << 40 : 0;
  };
  return window(from) - window(to);
}

/// Of values that are not defined, so that whoever depends on one is found out:
/// no number, and no likely index.
static uint64_t getUndefined(Scalar scalar) {
  switch (scalar.kind) {
  case Scalar::Kind::Half:
    return 0x7e5a;
  case Scalar::Kind::BFloat:
    return 0x7fc5;
  case Scalar::Kind::Float:
    return 0x7fc5a5a5;
  case Scalar::Kind::Double:
    return 0x7ff8a5a5a5a5a5a5;
  default:
    return 0xa5a5a5a5a5a5a5a5 >> (64 - scalar.bits);
  }
}

Expected<uint64_t>
Constants::evaluateExpression(const ConstantExpr *expression) const {
  SmallVector<uint64_t, 2> operands;
  for (const Use &operand : expression->operands()) {
    SmallVector<uint64_t, 1> bits;
    if (Error error = evaluate(cast<Constant>(operand.get()), bits))
      return std::move(error);
    operands.append(bits);
  }
  Type *type = expression->getType();
  const unsigned width = type->isIntegerTy() ? type->getIntegerBitWidth() : 64;
  const uint64_t ones = ~uint64_t(0) >> (64 - width);
  switch (expression->getOpcode()) {
  case Instruction::GetElementPtr: {
    APInt offset(layout.getIndexTypeSizeInBits(type), 0);
    if (!cast<GEPOperator>(expression)
             ->accumulateConstantOffset(layout, offset))
      break;
    return operands[0] + uint64_t(offset.getSExtValue());
  }
  case Instruction::AddrSpaceCast:
    return operands[0] +
           uint64_t(getCastOffset(
               expression->getOperand(0)->getType()->getPointerAddressSpace(),
               type->getPointerAddressSpace()));
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::IntToPtr:
  case Instruction::Trunc:
    return operands[0] & ones;
  case Instruction::BitCast:
    if (operands.size() == 1)
      return operands[0];
    break;
  case Instruction::Add:
    return (operands[0] + operands[1]) & ones;
  case Instruction::Sub:
    return (operands[0] - operands[1]) & ones;
  case Instruction::Xor:
    return operands[0] ^ operands[1];
  default:
    break;
  }
  std::string text;
  raw_string_ostream(text) << *expression;
  return createStringError("has the constant '" + text +
                           "', which the emulator does not know");
}

Error Constants::evaluate(const Constant *constant,
                          SmallVectorImpl<uint64_t> &bits) const {
  SmallVector<Scalar, 4> scalars;
  if (Error error = flatten(constant->getType(), scalars))
    return error;
  if (isa<ConstantAggregateZero, ConstantPointerNull>(constant)) {
    bits.append(scalars.size(), 0);
  } else if (isa<UndefValue>(constant)) {
    for (Scalar scalar : scalars)
      bits.push_back(getUndefined(scalar));
  } else if (auto *integer = dyn_cast<ConstantInt>(constant)) {
    bits.append(scalars.size(), integer->getZExtValue());
  } else if (auto *number = dyn_cast<ConstantFP>(constant)) {
    bits.append(scalars.size(),
                number->getValueAPF().bitcastToAPInt().getZExtValue());
  } else if (auto *data = dyn_cast<ConstantDataSequential>(constant)) {
    for (uint64_t i = 0, e = data->getNumElements(); i != e; ++i)
      if (Error error = evaluate(data->getElementAsConstant(i), bits))
        return error;
  } else if (isa<ConstantAggregate>(constant)) {
    for (const Use &operand : constant->operands())
      if (Error error = evaluate(cast<Constant>(operand.get()), bits))
        return error;
  } else if (auto *variable = dyn_cast<GlobalVariable>(constant)) {
    const bool isShared = variable->getAddressSpace() == 3;
    const GlobalAddresses &addresses = isShared ? shared : globals;
    auto found = addresses.find(variable);
    if (found == addresses.end())
      return createStringError("names the variable @" + variable->getName() +
                               ", which has no memory");
    bits.push_back(found->second);
  } else if (auto *expression = dyn_cast<ConstantExpr>(constant)) {
    Expected<uint64_t> value = evaluateExpression(expression);
    if (!value)
      return value.takeError();
    bits.push_back(*value);
  } else {
    std::string text;
    raw_string_ostream(text) << *constant;
    return createStringError("has the constant '" + text +
                             "', which the emulator does not know");
  }
  return Error::success();
}

Error Constants::store(const Constant *constant, uint8_t *bytes) const {
  Type *type = constant->getType();
  if (isa<UndefValue, ConstantAggregateZero>(constant))
    return Error::success();
  if (auto *data = dyn_cast<ConstantDataSequential>(constant)) {
    StringRef raw = data->getRawDataValues();
    std::memcpy(bytes, raw.data(), raw.size());
    return Error::success();
  }
  if (isa<ArrayType, StructType>(type)) {
    const StructLayout *structure =
        isa<StructType>(type) ? layout.getStructLayout(cast<StructType>(type))
                              : nullptr;
    for (unsigned i = 0;
         const Constant *element = constant->getAggregateElement(i); ++i) {
      const uint64_t offset =
          structure ? structure->getElementOffset(i).getFixedValue()
                    : i * layout.getTypeAllocSize(element->getType());
      if (Error error = store(element, bytes + offset))
        return error;
    }
    return Error::success();
  }
  SmallVector<Scalar, 4> scalars;
  SmallVector<uint64_t, 4> bits;
  if (Error error = flatten(type, scalars))
    return error;
  if (Error error = evaluate(constant, bits))
    return error;
  for (auto [scalar, value] : llvm::zip_equal(scalars, bits)) {
    std::memcpy(bytes, &value, scalar.bytes());
    bytes += scalar.bytes();
  }
  return Error::success();
}

} // namespace sched::emulator
