//===- Intrinsics.cpp - Steps of calls ------------------------------------===//
//
// LLVM's intrinsics and those of NVVM, by name, and the functions of CUDA's
// device library where they have not been linked.
//
//===----------------------------------------------------------------------===//

#include "llvm/IR/Intrinsics.h"
#include "Decoder.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace sched::emulator {

static bool isIgnored(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_end:
  case Intrinsic::sideeffect:
  case Intrinsic::donothing:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::prefetch:
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_value:
  case Intrinsic::dbg_label:
    return true;
  default:
    return false;
  }
}

Error Decoder::visitCallInst(CallInst &call) {
  if (call.isInlineAsm()) {
    Expected<bool> known = decodeAssembly(call);
    if (!known)
      return known.takeError();
    return *known ? Error::success()
                  : fail("has inline assembly, which cannot be emulated");
  }
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return fail("calls a function through a pointer");
  if (isIgnored(callee->getIntrinsicID()))
    return Error::success();
  // Without the types of overloaded intrinsics.
  StringRef name = callee->isIntrinsic()
                       ? Intrinsic::getBaseName(callee->getIntrinsicID())
                       : callee->getName();
  if (name.consume_front("llvm.")) {
    for (auto decode :
         {&Decoder::decodeSpecialRegister, &Decoder::decodeCollective,
          &Decoder::decodeAsync, &Decoder::decodeMatrix,
          &Decoder::decodeArithmetic, &Decoder::decodeConversion,
          &Decoder::decodeVectorReduction, &Decoder::decodeMemory}) {
      Expected<bool> known = (this->*decode)(call, name);
      if (!known)
        return known.takeError();
      if (*known)
        return Error::success();
    }
  } else if (Expected<bool> known = decodeDeviceFunction(call, name);
             !known || *known) {
    return known.takeError();
  }
  return fail("calls '" + callee->getName() +
              "', which the emulator does not know");
}

Expected<bool> Decoder::emitCall(CallInst &call, Operation operation) {
  if (!operation)
    return false;
  Registers operands;
  for (const Use &argument : call.args()) {
    Expected<Registers> each = get(argument.get());
    if (!each)
      return each.takeError();
    operands.append(*each);
  }
  Expected<Registers> results = define(call);
  if (!results)
    return results.takeError();
  emit(operation, *results, operands);
  return true;
}

Expected<bool> Decoder::decodeSpecialRegister(CallInst &call, StringRef name) {
  using Kind = BoundValue::Kind;
  if (!name.consume_front("nvvm.read.ptx.sreg."))
    return false;
  if (name == "warpsize") {
    if (Error error = rename(call, {addConstant(kLanes, false)}))
      return std::move(error);
    return true;
  }
  auto kind = StringSwitch<std::optional<Kind>>(name)
                  .Case("tid.x", Kind::ThreadX)
                  .Case("tid.y", Kind::ThreadY)
                  .Case("tid.z", Kind::ThreadZ)
                  .Case("ctaid.x", Kind::BlockX)
                  .Case("ctaid.y", Kind::BlockY)
                  .Case("ctaid.z", Kind::BlockZ)
                  .Case("ntid.x", Kind::ThreadsX)
                  .Case("ntid.y", Kind::ThreadsY)
                  .Case("ntid.z", Kind::ThreadsZ)
                  .Case("nctaid.x", Kind::BlocksX)
                  .Case("nctaid.y", Kind::BlocksY)
                  .Case("nctaid.z", Kind::BlocksZ)
                  .Case("laneid", Kind::Lane)
                  .Case("warpid", Kind::Warp)
                  .Default(std::nullopt);
  if (kind) {
    if (Error error = rename(call, {addBound(*kind)}))
      return std::move(error);
    return true;
  }
  if (!name.consume_front("lanemask."))
    return false;
  // Lanes with a number that compares so: all ones or one, shifted.
  const uint32_t one = addConstant(1, false);
  const uint32_t lane = addBound(Kind::Lane);
  const Scalar type{Scalar::Kind::Integer, 32};
  auto make = [&](Instruction::BinaryOps opcode, uint32_t a, uint32_t b) {
    const uint32_t result = addRegister(type);
    emit(getBinary(opcode, type), result, {a, b}).step.bits = 32;
    return result;
  };
  const uint32_t self = make(Instruction::Shl, one, lane);
  const uint32_t below = make(Instruction::Sub, self, one);
  const uint32_t ones = addConstant(0xffffffff, false);
  uint32_t result = self;
  if (name == "lt")
    result = below;
  else if (name == "le")
    result = make(Instruction::Or, below, self);
  else if (name == "ge")
    result = make(Instruction::Xor, below, ones);
  else if (name == "gt")
    result = make(Instruction::Xor, make(Instruction::Or, below, self), ones);
  else if (name != "eq")
    return false;
  if (Error error = rename(call, {result}))
    return std::move(error);
  return true;
}

Expected<bool> Decoder::decodeCollective(CallInst &call, StringRef name) {
  if (!name.consume_front("nvvm."))
    return false;
  if (name.starts_with("membar.") || name.starts_with("fence."))
    return true;
  if (name == "activemask")
    return emitCall(call, getActiveMask());
  if (name == "bar.warp.sync")
    return emitCall(call, getWarpBarrier());
  if (name.consume_front("shfl.sync.")) {
    auto mode = StringSwitch<ShuffleMode>(name.split('.').first)
                    .Case("up", ShuffleMode::Up)
                    .Case("down", ShuffleMode::Down)
                    .Case("bfly", ShuffleMode::Butterfly)
                    .Default(ShuffleMode::Index);
    return emitCall(call, getShuffle(mode));
  }
  if (name.starts_with("vote.") && name.ends_with(".sync")) {
    auto mode = StringSwitch<VoteMode>(name.split('.').second)
                    .StartsWith("all", VoteMode::All)
                    .StartsWith("any", VoteMode::Any)
                    .StartsWith("uni", VoteMode::Uniform)
                    .Default(VoteMode::Ballot);
    return emitCall(call, getVote(mode));
  }
  if (name.consume_front("redux.sync."))
    return emitCall(call, getReduction(name));
  if (name.consume_front("match.")) {
    Expected<Scalar> type = getScalar(call.getArgOperand(1)->getType());
    if (!type)
      return type.takeError();
    return emitCall(call, getMatch(name.starts_with("all"), type->isWide()));
  }
  if (name.consume_front("barrier.cta.")) {
    // Those with a number of threads are for some of a block.
    if (!name.consume_back(".all"))
      return false;
    const bool aligned = name.consume_back(".aligned");
    auto mode = StringSwitch<std::optional<BarrierMode>>(name)
                    .Case("sync", BarrierMode::Plain)
                    .Case("red.popc", BarrierMode::Count)
                    .Case("red.and", BarrierMode::And)
                    .Case("red.or", BarrierMode::Or)
                    .Default(std::nullopt);
    if (!mode)
      return false;
    return emitCall(call, getBarrier(*mode, aligned));
  }
  return false;
}

Expected<bool> Decoder::decodeAsync(CallInst &call, StringRef name) {
  if (!name.consume_front("nvvm.cp.async."))
    return false;
  if (name == "commit.group")
    return emitCall(call, {getAsyncCommit()});
  if (name == "wait.all") {
    return emitCall(call, {getAsyncWait(), -1});
  }
  if (name == "wait.group") {
    auto *count = dyn_cast<ConstantInt>(call.getArgOperand(0));
    if (!count)
      return false;
    return emitCall(call, {getAsyncWait(), int64_t(count->getZExtValue())});
  }
  if (!name.consume_front("ca.shared.global.") &&
      !name.consume_front("cg.shared.global."))
    return false;
  unsigned bytes = 0;
  if (name.split('.').first.getAsInteger(10, bytes))
    return false;
  Expected<bool> known = emitCall(call, {getAsyncCopy()});
  if (known && *known)
    setAccess(drafts.back(), bytes, bytes, 3);
  return known;
}

Expected<bool> Decoder::decodeMatrix(CallInst &call, StringRef name) {
  if (name.consume_front("nvvm.ldmatrix.sync.aligned.m8n8.x")) {
    unsigned count = 0;
    if (!name.consume_back(".b16"))
      return false;
    const bool transpose = name.consume_back(".trans");
    if (name.getAsInteger(10, count))
      return false;
    Expected<bool> known = emitCall(call, getLoadMatrix(count, transpose));
    if (known && *known)
      setAccess(drafts.back(), 16, 16,
                call.getArgOperand(0)->getType()->getPointerAddressSpace());
    return known;
  }
  if (!name.consume_front("nvvm.mma.m16n8k"))
    return false;
  auto [depthText, rest] = name.split('.');
  unsigned depth = 0;
  if (depthText.getAsInteger(10, depth) || !rest.consume_front("row.col."))
    return false;
  auto type = StringSwitch<std::optional<MatrixType>>(rest)
                  .Cases({"f32.f32", "f16.f16"}, MatrixType::Half)
                  .Case("bf16", MatrixType::BFloat)
                  .Case("tf32", MatrixType::TF32)
                  .Default(std::nullopt);
  if (!type || depth > 16)
    return false;
  const Scalar sum = rest == "f16.f16" ? Scalar{Scalar::Kind::Half, 16}
                                       : Scalar{Scalar::Kind::Float, 32};
  return emitCall(call, getMatrixProduct(*type, depth, sum));
}

Expected<bool> Decoder::decodeVectorReduction(CallInst &call, StringRef name) {
  if (!name.consume_front("vector.reduce."))
    return false;
  // Of floats, addition and multiplication have a start value.
  const bool hasStart = call.arg_size() == 2;
  Expected<Registers> vector = get(call.getArgOperand(hasStart));
  if (!vector)
    return vector.takeError();
  Expected<Scalar> type = getScalar(call.getType());
  if (!type)
    return type.takeError();
  Operation operation;
  if (type->kind == Scalar::Kind::Integer) {
    auto opcode = StringSwitch<std::optional<Instruction::BinaryOps>>(name)
                      .Case("add", Instruction::Add)
                      .Case("mul", Instruction::Mul)
                      .Case("and", Instruction::And)
                      .Case("or", Instruction::Or)
                      .Case("xor", Instruction::Xor)
                      .Default(std::nullopt);
    if (opcode)
      operation = getBinary(*opcode, *type);
    else if (auto function = findIntegerFunction(name))
      operation = getIntegerCall(function, *type, *type);
  } else {
    operation = getFloatPair(StringSwitch<StringRef>(name)
                                 .Case("fadd", "add")
                                 .Case("fmul", "mul")
                                 .Case("fmin", "minnum")
                                 .Case("fmax", "maxnum")
                                 .Case("fminimum", "minimum")
                                 .Case("fmaximum", "maximum")
                                 .Default(""),
                             *type);
  }
  if (!operation)
    return false;
  Registers all;
  if (hasStart) {
    Expected<Registers> start = get(call.getArgOperand(0));
    if (!start)
      return start.takeError();
    all = std::move(*start);
  }
  all.append(*vector);
  uint32_t sum = all.front();
  for (uint32_t each : ArrayRef(all).drop_front()) {
    const uint32_t next = addRegister(*type);
    emit(operation, next, {sum, each}).step.bits = type->bits;
    sum = next;
  }
  if (Error error = rename(call, {sum}))
    return std::move(error);
  return true;
}

Expected<bool> Decoder::decodeMemory(CallInst &call, StringRef name) {
  auto *transfer = dyn_cast<MemIntrinsic>(&call);
  if (!transfer) {
    if (!name.starts_with("nvvm.isspacep."))
      return false;
    // The number of the region tells.
    Expected<Registers> pointer = get(call.getArgOperand(0));
    if (!pointer)
      return pointer.takeError();
    const Scalar type{Scalar::Kind::Integer, 64};
    const uint32_t region = addRegister(type);
    emit(getBinary(Instruction::LShr, type), region,
         {pointer->front(), addConstant(40, true)})
        .step.bits = 64;
    auto [predicate, number] =
        StringSwitch<std::pair<CmpInst::Predicate, unsigned>>(name)
            .Case("nvvm.isspacep.shared", {CmpInst::ICMP_EQ, 1})
            .Case("nvvm.isspacep.local", {CmpInst::ICMP_EQ, 2})
            .Case("nvvm.isspacep.global", {CmpInst::ICMP_UGT, 2})
            .Default({CmpInst::BAD_ICMP_PREDICATE, 0});
    if (predicate == CmpInst::BAD_ICMP_PREDICATE)
      return false;
    Expected<Registers> result = define(call);
    if (!result)
      return result.takeError();
    emit(getIntegerCompare(predicate, type), *result,
         {region, addConstant(number, true)})
        .step.bits = 64;
    return true;
  }
  auto *length = dyn_cast<ConstantInt>(transfer->getLength());
  if (!length || isa<MemMoveInst>(transfer))
    return false;
  uint64_t alignment = transfer->getDestAlign().valueOrOne().value();
  unsigned fromSpace = 0;
  if (auto *copy = dyn_cast<MemTransferInst>(transfer)) {
    alignment =
        std::min(alignment, copy->getSourceAlign().valueOrOne().value());
    fromSpace = copy->getSourceAddressSpace();
  }
  // Pieces that the alignment and the length allow.
  uint64_t piece = std::min<uint64_t>(alignment, 16);
  while (length->getZExtValue() % piece)
    piece /= 2;
  Registers operands;
  for (unsigned i = 0; i != 2; ++i) {
    Expected<Registers> each = get(call.getArgOperand(i));
    if (!each)
      return each.takeError();
    operands.push_back(each->front());
  }
  Draft &draft = emit({getMemoryCopy(isa<MemSetInst>(transfer)),
                       int64_t(length->getZExtValue())},
                      {}, operands);
  draft.step.bits = uint8_t(fromSpace);
  setAccess(draft, piece, piece, transfer->getDestAddressSpace());
  return true;
}

} // namespace sched::emulator
