//===- Instructions.cpp - Steps of LLVM's instructions --------------------===//

#include "Decoder.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace sched::emulator {

Error Decoder::visitInstruction(Instruction &instruction) {
  return fail(Twine("has the instruction '") + instruction.getOpcodeName() +
              "', which the emulator does not know");
}

Error Decoder::visitBinaryOperator(BinaryOperator &binary) {
  Expected<Scalar> type = getScalar(binary.getType());
  if (!type)
    return type.takeError();
  Operation operation = type->kind == Scalar::Kind::Integer
                            ? getBinary(binary.getOpcode(), *type)
                            : getFloatBinary(binary.getOpcode(), *type);
  return emitEach(binary, operation, type->bits,
                  {binary.getOperand(0), binary.getOperand(1)});
}

Error Decoder::visitUnaryOperator(UnaryOperator &unary) {
  Expected<Scalar> type = getScalar(unary.getType());
  if (!type)
    return type.takeError();
  // There is but one.
  return emitEach(unary, getNegate(*type), type->bits, {unary.getOperand(0)});
}

Error Decoder::visitCmpInst(CmpInst &compare) {
  Expected<Scalar> type = getScalar(compare.getOperand(0)->getType());
  if (!type)
    return type.takeError();
  Operation operation = isa<ICmpInst>(compare)
                            ? getIntegerCompare(compare.getPredicate(), *type)
                            : getFloatCompare(compare.getPredicate(), *type);
  return emitEach(compare, operation, type->bits,
                  {compare.getOperand(0), compare.getOperand(1)});
}

Error Decoder::visitSelectInst(SelectInst &select) {
  Expected<Registers> condition = get(select.getCondition());
  if (!condition)
    return condition.takeError();
  Expected<Registers> yes = get(select.getTrueValue());
  if (!yes)
    return yes.takeError();
  Expected<Registers> no = get(select.getFalseValue());
  if (!no)
    return no.takeError();
  Expected<Registers> results = define(select);
  if (!results)
    return results.takeError();
  for (auto [i, result] : llvm::enumerate(*results)) {
    const Scalar type{Scalar::Kind::Integer,
                      uint8_t(registers[result].wide ? 64 : 32)};
    emit(getSelect(type), result,
         {(*condition)[condition->size() == 1 ? 0 : i], (*yes)[i], (*no)[i]});
  }
  return Error::success();
}

Error Decoder::visitCastInst(CastInst &cast) {
  Expected<Scalar> from = getScalar(cast.getSrcTy());
  if (!from)
    return from.takeError();
  Expected<Scalar> to = getScalar(cast.getDestTy());
  if (!to)
    return to.takeError();
  // Of integers, the narrower type counts; of a conversion, the integer.
  const bool toInteger = to->kind == Scalar::Kind::Integer;
  const bool fromInteger = from->kind == Scalar::Kind::Integer;
  uint8_t bits = std::min(from->bits, to->bits);
  if (toInteger != fromInteger &&
      !isa<PtrToIntInst, PtrToAddrInst, IntToPtrInst>(cast))
    bits = toInteger ? to->bits : from->bits;
  return emitEach(cast, getCast(cast.getOpcode(), *from, *to), bits,
                  {cast.getOperand(0)});
}

Error Decoder::visitAddrSpaceCastInst(AddrSpaceCastInst &cast) {
  return emitEach(cast,
                  getAddImmediate(getCastOffset(cast.getSrcAddressSpace(),
                                                cast.getDestAddressSpace())),
                  64, {cast.getPointerOperand()});
}

Error Decoder::visitBitCastInst(BitCastInst &cast) {
  Expected<Registers> operands = get(cast.getOperand(0));
  if (!operands)
    return operands.takeError();
  Expected<Scalar> from = getScalar(cast.getSrcTy());
  if (!from)
    return from.takeError();
  Expected<Scalar> to = getScalar(cast.getDestTy());
  if (!to)
    return to.takeError();
  if (from->bits == to->bits)
    return rename(cast, std::move(*operands));
  if (operands->size() * from->bits > 64 * 64)
    return fail("has a vector that is larger than the emulator knows");
  Expected<Registers> results = define(cast);
  if (!results)
    return results.takeError();
  Draft &draft = emit(getRegroup(), *results, *operands);
  draft.step.bytes = from->bits;
  draft.step.bits = to->bits;
  return Error::success();
}

Error Decoder::visitFreezeInst(FreezeInst &freeze) {
  Expected<Registers> operand = get(freeze.getOperand(0));
  return operand ? rename(freeze, std::move(*operand)) : operand.takeError();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Whether only loads and stores use the address, which add its offset.
static bool isOnlyAccessed(const GetElementPtrInst &address) {
  return llvm::all_of(address.users(), [&](const User *user) {
    if (isa<LoadInst>(user))
      return true;
    auto *store = dyn_cast<StoreInst>(user);
    return store && store->getValueOperand() != &address;
  });
}

Expected<std::pair<uint32_t, int64_t>>
Decoder::getAddress(const Value *pointer) {
  int64_t sum = 0;
  while (auto *address = dyn_cast<GetElementPtrInst>(pointer)) {
    APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
    if (!address->accumulateConstantOffset(layout, offset) ||
        !isOnlyAccessed(*address))
      break;
    sum += offset.getSExtValue();
    pointer = address->getPointerOperand();
  }
  Expected<Registers> base = get(pointer);
  if (!base)
    return base.takeError();
  return std::make_pair(base->front(), sum);
}

Error Decoder::visitGetElementPtrInst(GetElementPtrInst &address) {
  if (address.getType()->isVectorTy())
    return fail("computes a vector of addresses, which the emulator does not "
                "know");
  APInt constant(layout.getIndexTypeSizeInBits(address.getType()), 0);
  if (address.accumulateConstantOffset(layout, constant) &&
      isOnlyAccessed(address))
    return Error::success();
  SmallMapVector<Value *, APInt, 4> variable;
  constant = 0;
  if (!cast<GEPOperator>(address).collectOffset(layout, constant.getBitWidth(),
                                                variable, constant))
    return fail("computes an address that the emulator does not know");
  Expected<Registers> base = get(address.getPointerOperand());
  if (!base)
    return base.takeError();
  uint32_t sum = base->front();
  const Scalar type{Scalar::Kind::Integer, 64};
  for (auto &[index, scale] : variable) {
    Expected<Registers> value = get(index);
    if (!value)
      return value.takeError();
    Expected<Scalar> indexType = getScalar(index->getType());
    if (!indexType)
      return indexType.takeError();
    const uint32_t next = addRegister(type);
    emit(getMultiplyAdd(scale.getSExtValue(), *indexType), next,
         {sum, value->front()})
        .step.bits = indexType->bits;
    sum = next;
  }
  if (constant != 0) {
    const uint32_t next = addRegister(type);
    emit(getAddImmediate(constant.getSExtValue()), next, sum);
    sum = next;
  }
  return rename(address, {sum});
}

Error Decoder::visitLoadInst(LoadInst &load) {
  Expected<Registers> results = define(load);
  if (!results)
    return results.takeError();
  Expected<Scalar> type = getScalar(load.getType());
  if (!type)
    return type.takeError();
  const uint64_t bytes = uint64_t(type->bytes()) * results->size();
  if (load.getType()->isStructTy() || load.getType()->isArrayTy() ||
      (results->size() > 1 && type->bits % 8 != 0) || bytes > 4096)
    return fail("loads a type that the emulator does not load");
  auto address = getAddress(load.getPointerOperand());
  if (!address)
    return address.takeError();
  Operation operation = getLoad(*type);
  operation.immediate = address->second;
  Draft &draft = emit(operation, *results, address->first);
  draft.step.bits = type->bits;
  setAccess(draft, bytes, load.getAlign().value(),
            load.getPointerAddressSpace());
  return Error::success();
}

Error Decoder::visitStoreInst(StoreInst &store) {
  Expected<Registers> stored = get(store.getValueOperand());
  if (!stored)
    return stored.takeError();
  Type *stores = store.getValueOperand()->getType();
  Expected<Scalar> type = getScalar(stores);
  if (!type)
    return type.takeError();
  const uint64_t bytes = uint64_t(type->bytes()) * stored->size();
  if (stores->isStructTy() || stores->isArrayTy() ||
      (stored->size() > 1 && type->bits % 8 != 0) || bytes > 4096)
    return fail("stores a type that the emulator does not store");
  auto address = getAddress(store.getPointerOperand());
  if (!address)
    return address.takeError();
  SmallVector<uint32_t, 5> operands = {address->first};
  operands.append(stored->begin(), stored->end());
  Operation operation = getStore(*type);
  operation.immediate = address->second;
  Draft &draft = emit(operation, {}, operands);
  draft.step.bits = type->bits;
  setAccess(draft, bytes, store.getAlign().value(),
            store.getPointerAddressSpace());
  return Error::success();
}

Error Decoder::visitAtomicRMWInst(AtomicRMWInst &atomic) {
  Expected<Scalar> type = getScalar(atomic.getType());
  if (!type)
    return type.takeError();
  Operation operation = getAtomic(atomic.getOperation(), *type);
  if (Error error =
          emitEach(atomic, operation, type->bits,
                   {atomic.getPointerOperand(), atomic.getValOperand()}))
    return error;
  setAccess(drafts.back(), type->bytes(), atomic.getAlign().value(),
            atomic.getPointerAddressSpace());
  return Error::success();
}

Error Decoder::visitAtomicCmpXchgInst(AtomicCmpXchgInst &atomic) {
  Expected<Scalar> type = getScalar(atomic.getNewValOperand()->getType());
  if (!type)
    return type.takeError();
  Operation operation = getCompareExchange(*type);
  if (!operation)
    return fail("has an operation that the emulator does not know");
  Registers operands;
  for (Value *operand : {atomic.getPointerOperand(), atomic.getCompareOperand(),
                         atomic.getNewValOperand()}) {
    Expected<Registers> each = get(operand);
    if (!each)
      return each.takeError();
    operands.push_back(each->front());
  }
  Expected<Registers> results = define(atomic);
  if (!results)
    return results.takeError();
  setAccess(emit(operation, *results, operands), type->bytes(),
            atomic.getAlign().value(), atomic.getPointerAddressSpace());
  return Error::success();
}

Error Decoder::visitAllocaInst(AllocaInst &variable) {
  std::optional<TypeSize> size = variable.getAllocationSize(layout);
  if (!size || size->isScalable())
    return fail("reserves memory of a size that is not constant");
  program.localBytes = alignTo(program.localBytes, variable.getAlign().value());
  const uint64_t address =
      program.localBytes + getCastOffset(5, variable.getAddressSpace());
  program.localBytes += size->getFixedValue();
  return rename(variable, {addConstant(address, /*wide=*/true)});
}

//===----------------------------------------------------------------------===//
// Vectors and structs: names only
//===----------------------------------------------------------------------===//

Error Decoder::visitExtractElementInst(ExtractElementInst &extract) {
  Expected<Registers> vector = get(extract.getVectorOperand());
  if (!vector)
    return vector.takeError();
  if (auto *index = dyn_cast<ConstantInt>(extract.getIndexOperand())) {
    const uint64_t at = index->getZExtValue();
    return at < vector->size() ? rename(extract, {(*vector)[at]})
                               : fail("takes an element beyond a vector");
  }
  // One select for each element.
  Expected<Registers> index = get(extract.getIndexOperand());
  if (!index)
    return index.takeError();
  Expected<Scalar> type = getScalar(extract.getType());
  if (!type)
    return type.takeError();
  Expected<Scalar> indexType = getScalar(extract.getIndexOperand()->getType());
  if (!indexType)
    return indexType.takeError();
  uint32_t chosen = vector->front();
  for (unsigned i = 1; i < vector->size(); ++i) {
    const uint32_t isThis = addRegister({Scalar::Kind::Integer, 1});
    emit(getIntegerCompare(CmpInst::ICMP_EQ, *indexType), isThis,
         {index->front(), addConstant(i, indexType->isWide())})
        .step.bits = indexType->bits;
    const uint32_t next = addRegister(*type);
    emit(getSelect(*type), next, {isThis, (*vector)[i], chosen});
    chosen = next;
  }
  return rename(extract, {chosen});
}

Error Decoder::visitInsertElementInst(InsertElementInst &insert) {
  Expected<Registers> vector = get(insert.getOperand(0));
  if (!vector)
    return vector.takeError();
  Expected<Registers> element = get(insert.getOperand(1));
  if (!element)
    return element.takeError();
  if (auto *index = dyn_cast<ConstantInt>(insert.getOperand(2))) {
    const uint64_t at = index->getZExtValue();
    if (at >= vector->size())
      return fail("sets an element beyond a vector");
    (*vector)[at] = element->front();
    return rename(insert, std::move(*vector));
  }
  Expected<Registers> index = get(insert.getOperand(2));
  if (!index)
    return index.takeError();
  Expected<Scalar> type = getScalar(insert.getOperand(1)->getType());
  if (!type)
    return type.takeError();
  Expected<Scalar> indexType = getScalar(insert.getOperand(2)->getType());
  if (!indexType)
    return indexType.takeError();
  for (auto [i, each] : llvm::enumerate(*vector)) {
    const uint32_t isThis = addRegister({Scalar::Kind::Integer, 1});
    emit(getIntegerCompare(CmpInst::ICMP_EQ, *indexType), isThis,
         {index->front(), addConstant(i, indexType->isWide())})
        .step.bits = indexType->bits;
    const uint32_t next = addRegister(*type);
    emit(getSelect(*type), next, {isThis, element->front(), each});
    each = next;
  }
  return rename(insert, std::move(*vector));
}

Error Decoder::visitShuffleVectorInst(ShuffleVectorInst &shuffle) {
  Expected<Registers> first = get(shuffle.getOperand(0));
  if (!first)
    return first.takeError();
  Expected<Registers> second = get(shuffle.getOperand(1));
  if (!second)
    return second.takeError();
  Registers all = std::move(*first);
  all.append(*second);
  Registers result;
  // Elements that are not defined are any.
  for (int index : shuffle.getShuffleMask())
    result.push_back(all[std::max(index, 0)]);
  return rename(shuffle, std::move(result));
}

/// The first component that `indices` name in `type`, and how many there are.
static std::pair<unsigned, unsigned> locate(Type *type,
                                            ArrayRef<unsigned> indices) {
  auto count = [](Type *each) {
    SmallVector<Scalar, 4> scalars;
    llvm::consumeError(flatten(each, scalars));
    return unsigned(scalars.size());
  };
  unsigned first = 0;
  for (unsigned index : indices) {
    for (unsigned i = 0; i != index; ++i)
      first += count(ExtractValueInst::getIndexedType(type, i));
    type = ExtractValueInst::getIndexedType(type, index);
  }
  return {first, count(type)};
}

Error Decoder::visitExtractValueInst(ExtractValueInst &extract) {
  Expected<Registers> whole = get(extract.getAggregateOperand());
  if (!whole)
    return whole.takeError();
  auto [first, count] =
      locate(extract.getAggregateOperand()->getType(), extract.getIndices());
  return rename(extract, Registers(ArrayRef(*whole).slice(first, count)));
}

Error Decoder::visitInsertValueInst(InsertValueInst &insert) {
  Expected<Registers> whole = get(insert.getAggregateOperand());
  if (!whole)
    return whole.takeError();
  Expected<Registers> value = get(insert.getInsertedValueOperand());
  if (!value)
    return value.takeError();
  const unsigned first = locate(insert.getType(), insert.getIndices()).first;
  llvm::copy(*value, whole->begin() + first);
  return rename(insert, std::move(*whole));
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

Error Decoder::visitReturnInst(ReturnInst &) {
  emit(getReturn(), {}, {});
  endBlock({});
  return Error::success();
}

Error Decoder::visitUnreachableInst(UnreachableInst &) {
  emit(getTrap(), {}, {});
  endBlock({});
  return Error::success();
}

Error Decoder::visitBranchInst(BranchInst &branch) {
  const BasicBlock *from = branch.getParent();
  SmallVector<uint32_t, 2> targets;
  for (unsigned i = 0; i != branch.getNumSuccessors(); ++i) {
    Expected<uint32_t> label = addEdge(from, branch.getSuccessor(i));
    if (!label)
      return label.takeError();
    targets.push_back(*label);
  }
  if (branch.isUnconditional() || targets[0] == targets[1]) {
    Operation jump = getJump();
    jump.immediate = targets[0];
    emit(jump, {}, {}).labels = Draft::Labels::One;
    targets.truncate(1);
  } else {
    Expected<Registers> condition = get(branch.getCondition());
    if (!condition)
      return condition.takeError();
    Operation parting = getBranch();
    parting.immediate = int64_t(uint64_t(targets[1]) << 32 | targets[0]);
    emit(parting, {}, *condition).labels = Draft::Labels::Two;
  }
  endBlock(targets);
  return emitEdges();
}

Error Decoder::visitSwitchInst(SwitchInst &choice) {
  const BasicBlock *from = choice.getParent();
  SwitchTable table;
  SmallVector<uint32_t, 8> targets;
  Expected<uint32_t> other = addEdge(from, choice.getDefaultDest());
  if (!other)
    return other.takeError();
  table.other = *other;
  targets.push_back(*other);
  for (const auto &each : choice.cases()) {
    Expected<uint32_t> label = addEdge(from, each.getCaseSuccessor());
    if (!label)
      return label.takeError();
    table.cases.push_back({each.getCaseValue()->getZExtValue(), *label});
    targets.push_back(*label);
  }
  Expected<Registers> value = get(choice.getCondition());
  if (!value)
    return value.takeError();
  Expected<Scalar> type = getScalar(choice.getCondition()->getType());
  if (!type)
    return type.takeError();
  Operation operation = getSwitch(*type);
  operation.immediate = program.switches.size();
  program.switches.push_back(std::move(table));
  emit(operation, {}, *value).labels = Draft::Labels::Table;
  endBlock(targets);
  return emitEdges();
}

} // namespace sched::emulator
