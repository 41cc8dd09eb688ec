//===- Decoder.cpp - From LLVM IR to steps --------------------------------===//

#include "Decoder.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <numeric>

using namespace llvm;

namespace sched::emulator {

Decoder::Decoder(const Function &kernel, const GlobalAddresses &globals)
    : kernel(kernel), layout(kernel.getParent()->getDataLayout()),
      constants(layout, globals, sharedAddresses) {}

Error Decoder::fail(const Twine &what) const {
  std::string text;
  raw_string_ostream os(text);
  os << "kernel '" << kernel.getName() << "': " << what;
  if (current) {
    os << "; at '" << *current << "'";
    if (const DebugLoc &location = current->getDebugLoc()) {
      os << " (";
      location.print(os);
      os << ")";
    }
  }
  return createStringError(text);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Expected<Scalar> Decoder::getScalar(Type *type) const {
  SmallVector<Scalar, 4> scalars;
  if (Error error = flatten(type, scalars))
    return fail(toString(std::move(error)));
  if (scalars.empty())
    return fail("has a value without a type");
  return scalars.front();
}

uint32_t Decoder::addRegister(Scalar type) {
  registers.push_back({type.isWide(), false, {}});
  return registers.size() - 1;
}

uint32_t Decoder::addConstant(uint64_t bits, bool wide) {
  auto [found, isNew] =
      constantRegisters.try_emplace({bits, wide}, registers.size());
  if (isNew) {
    Register constant{wide, true, {}};
    constant.bound.value = bits;
    registers.push_back(constant);
  }
  return found->second;
}

uint32_t Decoder::addBound(BoundValue::Kind kind) {
  auto [found, isNew] = boundRegisters.try_emplace(kind, registers.size());
  if (isNew) {
    Register bound{false, true, {}};
    bound.bound.kind = kind;
    registers.push_back(bound);
  }
  return found->second;
}

Expected<Decoder::Registers> Decoder::get(const Value *value) {
  if (auto found = values.find(value); found != values.end())
    return found->second;
  auto *constant = dyn_cast<Constant>(value);
  if (!constant)
    return fail("uses a value that no instruction before it makes");
  SmallVector<uint64_t, 4> bits;
  SmallVector<Scalar, 4> scalars;
  if (Error error = constants.evaluate(constant, bits))
    return fail(toString(std::move(error)));
  if (Error error = flatten(constant->getType(), scalars))
    return fail(toString(std::move(error)));
  Registers result;
  for (auto [each, scalar] : llvm::zip_equal(bits, scalars))
    result.push_back(addConstant(each, scalar.isWide()));
  return result;
}

Expected<Decoder::Registers> Decoder::define(const Instruction &instruction) {
  SmallVector<Scalar, 4> scalars;
  if (Error error = flatten(instruction.getType(), scalars))
    return fail(toString(std::move(error)));
  Registers result;
  for (Scalar scalar : scalars)
    result.push_back(addRegister(scalar));
  values[&instruction] = result;
  return result;
}

//===----------------------------------------------------------------------===//
// Drafts
//===----------------------------------------------------------------------===//

Draft &Decoder::emit(Operation operation, ArrayRef<uint32_t> results,
                     ArrayRef<uint32_t> operands) {
  Draft &draft = drafts.emplace_back();
  draft.step.run = operation.run;
  draft.step.immediate = operation.immediate;
  draft.step.source = program.sources.size() - 1;
  draft.results.assign(results.begin(), results.end());
  draft.operands.assign(operands.begin(), operands.end());
  return draft;
}

Error Decoder::emitEach(const Instruction &instruction, Operation operation,
                        uint8_t bits, ArrayRef<const Value *> operands) {
  if (!operation)
    return fail("has an operation that the emulator does not know");
  Expected<Registers> results = define(instruction);
  if (!results)
    return results.takeError();
  SmallVector<Registers, 3> all;
  for (const Value *operand : operands) {
    Expected<Registers> each = get(operand);
    if (!each)
      return each.takeError();
    all.push_back(std::move(*each));
  }
  for (auto [i, result] : llvm::enumerate(*results)) {
    SmallVector<uint32_t, 3> each;
    // A scalar, such as the condition of a select, is for all components.
    for (const Registers &operand : all)
      each.push_back(operand[operand.size() == 1 ? 0 : i]);
    emit(operation, result, each).step.bits = bits;
  }
  return Error::success();
}

void Decoder::emitCopies(ArrayRef<std::pair<uint32_t, uint32_t>> copies) {
  // All at once: what is both read and written is saved first.
  DenseMap<uint32_t, uint32_t> saved;
  for (auto [to, from] : copies)
    if (to != from)
      saved[to] = UINT32_MAX;
  auto getCopyOf = [&](uint32_t number) {
    return getCopy(
        {Scalar::Kind::Integer, uint8_t(registers[number].wide ? 64 : 32)});
  };
  for (auto [to, from] : copies) {
    auto found = saved.find(from);
    if (to == from || found == saved.end() || found->second != UINT32_MAX)
      continue;
    found->second = addRegister(
        {Scalar::Kind::Integer, uint8_t(registers[from].wide ? 64 : 32)});
    emit(getCopyOf(from), found->second, from);
  }
  for (auto [to, from] : copies) {
    if (to == from)
      continue;
    auto found = saved.find(from);
    emit(getCopyOf(to), to, found == saved.end() ? from : found->second);
  }
}

void Decoder::beginBlock() { blocks.emplace_back().begin = drafts.size(); }

void Decoder::endBlock(ArrayRef<uint32_t> successors) {
  blocks.back().end = drafts.size();
  // All steps but the copies of phis, which are blocks of their own.
  Step &first = drafts[blocks.back().begin].step;
  if (first.run == getBlockStart(0).run)
    first.immediate = drafts.size() - blocks.back().begin - 1;
  // Labels for now.
  blocks.back().successors.assign(successors.begin(), successors.end());
}

void Decoder::setAccess(Draft &draft, uint64_t bytes, uint64_t alignment,
                        unsigned space) {
  draft.step.bytes = uint16_t(bytes);
  draft.step.alignment = uint16_t(std::min<uint64_t>(alignment, 1 << 12));
  draft.step.space = uint8_t(space);
  if (space != 5)
    program.granule = std::gcd(std::gcd(program.granule, unsigned(bytes)),
                               unsigned(draft.step.alignment));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// In an order in which loops are contiguous: that of running.
std::vector<const BasicBlock *> Decoder::orderBlocks() const {
  auto &function = const_cast<Function &>(kernel);
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  ReversePostOrderTraversal<Function *> traversal(&function);
  std::vector<const BasicBlock *> all(traversal.begin(), traversal.end());
  std::vector<const BasicBlock *> order;
  DenseSet<const BasicBlock *> done;
  std::function<void(const Loop *)> emitLoop = [&](const Loop *within) {
    for (const BasicBlock *block : all) {
      if (done.contains(block) || (within && !within->contains(block)))
        continue;
      // The outermost loop inside of this one.
      const Loop *loop = loops.getLoopFor(block);
      while (loop && loop != within && loop->getParentLoop() != within)
        loop = loop->getParentLoop();
      if (loop == within) {
        done.insert(block);
        order.push_back(block);
      } else {
        emitLoop(loop);
      }
    }
  };
  // Deeply nested loops are visited once a level.
  emitLoop(nullptr);
  return order;
}

Expected<uint32_t> Decoder::addEdge(const BasicBlock *from,
                                    const BasicBlock *to) {
  if (to->phis().empty())
    return blockLabels[to];
  for (const Edge &edge : pendingEdges)
    if (edge.to == to)
      return edge.label;
  labels.push_back(0);
  labelBlocks.push_back(0);
  pendingEdges.push_back({from, to, uint32_t(labels.size() - 1)});
  return labels.size() - 1;
}

/// The copies of phis, and a jump to their block.
Error Decoder::emitEdges() {
  for (const Edge &edge : pendingEdges) {
    labels[edge.label] = drafts.size();
    labelBlocks[edge.label] = blocks.size();
    beginBlock();
    SmallVector<std::pair<uint32_t, uint32_t>, 16> copies;
    for (const PHINode &phi : edge.to->phis()) {
      Expected<Registers> source = get(phi.getIncomingValueForBlock(edge.from));
      if (!source)
        return source.takeError();
      for (auto [to, from] : llvm::zip_equal(values[&phi], *source))
        copies.push_back({to, from});
    }
    emitCopies(copies);
    Operation jump = getJump();
    jump.immediate = blockLabels[edge.to];
    emit(jump, {}, {}).labels = Draft::Labels::One;
    endBlock(blockLabels[edge.to]);
  }
  pendingEdges.clear();
  return Error::success();
}

/// Variables of shared memory that the kernel names; those without elements are
/// the dynamic memory behind all others.
Error Decoder::layOutShared() {
  SmallVector<const GlobalVariable *> dynamic;
  uint64_t dynamicAlignment = 16;
  for (const GlobalVariable &variable : kernel.getParent()->globals()) {
    if (variable.getAddressSpace() != 3)
      continue;
    SmallVector<const User *> users(variable.users());
    bool isUsed = false;
    while (!users.empty() && !isUsed) {
      const User *user = users.pop_back_val();
      if (auto *instruction = dyn_cast<Instruction>(user))
        isUsed = instruction->getFunction() == &kernel;
      else
        users.append(user->user_begin(), user->user_end());
    }
    if (!isUsed)
      continue;
    const uint64_t size = layout.getTypeAllocSize(variable.getValueType());
    const uint64_t alignment = std::max<uint64_t>(
        variable.getAlign().valueOrOne().value(),
        layout.getABITypeAlign(variable.getValueType()).value());
    if (size == 0 || variable.isDeclaration()) {
      dynamic.push_back(&variable);
      dynamicAlignment = std::max(dynamicAlignment, alignment);
      continue;
    }
    program.staticSharedBytes =
        alignTo(program.staticSharedBytes, std::max<uint64_t>(alignment, 1));
    sharedAddresses[&variable] = program.staticSharedBytes;
    program.staticSharedBytes += size;
  }
  program.dynamicSharedStart =
      alignTo(program.staticSharedBytes, dynamicAlignment);
  for (const GlobalVariable *variable : dynamic)
    sharedAddresses[variable] = program.dynamicSharedStart;
  return Error::success();
}

Expected<Program> Decoder::decode() {
  program.name = kernel.getName().str();
  program.numArguments = kernel.arg_size();
  if (Error error = layOutShared())
    return std::move(error);
  for (const Argument &argument : kernel.args()) {
    if (!argument.getType()->isPointerTy())
      return fail("argument " + Twine(argument.getArgNo()) +
                  " is no pointer; kernels are launched with pointers only");
    Register bound{true, true, {}};
    bound.bound.kind = BoundValue::Kind::Argument;
    bound.bound.value = argument.getArgNo();
    registers.push_back(bound);
    values[&argument] = {uint32_t(registers.size() - 1)};
  }
  const std::vector<const BasicBlock *> order = orderBlocks();
  for (const BasicBlock *block : order) {
    blockLabels[block] = labels.size();
    labels.push_back(0);
    labelBlocks.push_back(0);
    for (const PHINode &phi : block->phis())
      if (Expected<Registers> made = define(phi); !made)
        return made.takeError();
  }
  for (const BasicBlock *block : order) {
    labels[blockLabels[block]] = drafts.size();
    labelBlocks[blockLabels[block]] = blocks.size();
    beginBlock();
    program.sources.push_back(&*block->getFirstNonPHIIt());
    emit(getBlockStart(0), {}, {});
    for (const Instruction &instruction : *block) {
      current = &instruction;
      program.sources.push_back(&instruction);
      if (Error error = visit(const_cast<Instruction &>(instruction)))
        return std::move(error);
    }
  }
  current = nullptr;

  // Labels become steps.
  for (DraftBlock &block : blocks)
    for (uint32_t &successor : block.successors)
      successor = labelBlocks[successor];
  for (Draft &draft : drafts) {
    int64_t &immediate = draft.step.immediate;
    if (draft.labels == Draft::Labels::One)
      immediate = labels[immediate];
    else if (draft.labels == Draft::Labels::Two)
      immediate = int64_t(uint64_t(labels[immediate >> 32]) << 32 |
                          labels[immediate & 0xffffffff]);
    else if (draft.labels == Draft::Labels::Table) {
      SwitchTable &table = program.switches[immediate];
      table.other = labels[table.other];
      for (auto &[value, place] : table.cases)
        place = labels[place];
    }
  }

  std::vector<uint32_t> places;
  placeRegisters(drafts, blocks, registers, program, places);
  size_t count = 0;
  for (const Draft &draft : drafts)
    count += draft.results.size() + draft.operands.size();
  program.places.reserve(count);
  for (Draft &draft : drafts) {
    Step step = draft.step;
    step.places = program.places.data() + program.places.size();
    step.numResults = draft.results.size();
    step.numOperands = draft.operands.size();
    for (uint32_t result : draft.results)
      program.places.push_back(places[result]);
    for (uint32_t operand : draft.operands)
      program.places.push_back(places[operand]);
    auto operand = [&](unsigned i) {
      return i < draft.operands.size() ? places[draft.operands[i]] : 0;
    };
    step.result = draft.results.empty() ? 0 : places[draft.results[0]];
    step.a = operand(0);
    step.b = operand(1);
    step.c = operand(2);
    program.steps.push_back(step);
  }
  return std::move(program);
}

} // namespace sched::emulator
