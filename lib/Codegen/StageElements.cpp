//===- StageElements.cpp - Elements of widened vectors --------------------===//
//
// A step of Compile.cpp, on LLVM IR after it is optimised. The left-hand side
// of a product of narrow elements is widened as vectors of a few steps, of
// which each element then goes to all lanes. LLVM keeps those vectors in
// registers, of which the sums need all, and shuffles them; from memory an
// element is broadcast for nothing.
//
//===----------------------------------------------------------------------===//

#include "StageElements.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// Fewer elements are as well shuffled.
static constexpr unsigned kLeastElements = 4;

/// Whether `value` is the last step of widening narrow elements.
static bool isWidened(Value &value) {
  if (isa<FPExtInst, SExtInst, ZExtInst>(value))
    return true;
  // bfloat16, as LowerBFloat.cpp widens it.
  Value *bits = &value;
  match(&value, m_BitCast(m_Value(bits)));
  return match(bits, m_Shl(m_ZExt(m_Value()), m_SpecificInt(16)));
}

/// The element that `user` takes of `vector`, alone or for all lanes.
static std::optional<unsigned> getElement(User &user, Value &vector) {
  if (auto *extract = dyn_cast<ExtractElementInst>(&user)) {
    auto *index = dyn_cast<ConstantInt>(extract->getIndexOperand());
    return index ? std::optional<unsigned>(index->getZExtValue())
                 : std::nullopt;
  }
  auto *shuffle = dyn_cast<ShuffleVectorInst>(&user);
  if (!shuffle || shuffle->getOperand(0) != &vector ||
      !all_equal(shuffle->getShuffleMask()) ||
      shuffle->getShuffleMask().front() < 0 ||
      unsigned(shuffle->getShuffleMask().front()) >=
          cast<FixedVectorType>(vector.getType())->getNumElements())
    return std::nullopt;
  return shuffle->getShuffleMask().front();
}

static bool isStaged(Instruction &vector) {
  return isa<FixedVectorType>(vector.getType()) && isWidened(vector) &&
         vector.hasNUsesOrMore(kLeastElements) &&
         all_of(vector.users(), [&](User *user) {
           return getElement(*user, vector) &&
                  cast<Instruction>(user)->getParent() == vector.getParent();
         });
}

static void stage(Instruction &vector) {
  auto *type = cast<FixedVectorType>(vector.getType());
  IRBuilder<> builder(
      &*vector.getFunction()->getEntryBlock().getFirstInsertionPt());
  Value *buffer = builder.CreateAlloca(type);
  builder.SetInsertPoint(vector.getNextNode());
  builder.CreateStore(&vector, buffer);
  // One may use it twice.
  SmallSetVector<User *, 8> users(vector.user_begin(), vector.user_end());
  for (User *user : users) {
    auto *taken = cast<Instruction>(user);
    if (isa<StoreInst>(taken))
      continue;
    builder.SetInsertPoint(taken);
    Value *element = builder.CreateLoad(
        type->getElementType(),
        builder.CreateConstInBoundsGEP1_64(type->getElementType(), buffer,
                                           *getElement(*taken, vector)));
    if (auto *lanes = dyn_cast<FixedVectorType>(taken->getType()))
      element = builder.CreateVectorSplat(lanes->getNumElements(), element);
    taken->replaceAllUsesWith(element);
    taken->eraseFromParent();
  }
}

void sched::stageElements(Module &module) {
  for (Function &function : module) {
    SmallVector<Instruction *> vectors;
    for (Instruction &instruction : instructions(function))
      if (isStaged(instruction))
        vectors.push_back(&instruction);
    for (Instruction *vector : vectors)
      stage(*vector);
  }
}
