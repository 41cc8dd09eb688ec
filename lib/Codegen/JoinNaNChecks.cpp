//===- JoinNaNChecks.cpp - One check of all that is compared --------------===//
//
// x86's vmaxps returns its second operand where one of both is NaN. A maximum
// that keeps NaNs is that, a comparison of the operands and a choice. The
// window of a pooling is eight of them: its elements are compared two by two
// instead, and the choice is made once. Called by Compile.cpp.
//
//===----------------------------------------------------------------------===//

#include "JoinNaNChecks.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

/// The call that `value` is, if it is an extreme whose checks can be joined.
static IntrinsicInst *getExtreme(Value *value) {
  auto *call = dyn_cast<IntrinsicInst>(value);
  if (!call || !isa<FixedVectorType>(call->getType()))
    return nullptr;
  const Intrinsic::ID id = call->getIntrinsicID();
  if (id != Intrinsic::maximum && id != Intrinsic::minimum)
    return nullptr;
  Type *element = call->getType()->getScalarType();
  const bool isChecked = call->hasNoSignedZeros() && !call->hasNoNaNs() &&
                         (element->isFloatTy() || element->isDoubleTy());
  return isChecked ? call : nullptr;
}

/// The extreme that `value` is, if nothing but `user`, of the same kind and in
/// the same block, reads it.
static IntrinsicInst *getInner(Value *value, IntrinsicInst &user) {
  IntrinsicInst *inner = getExtreme(value);
  return inner && inner->getIntrinsicID() == user.getIntrinsicID() &&
                 inner->getParent() == user.getParent() && inner->hasOneUse()
             ? inner
             : nullptr;
}

namespace {
/// A tree of extremes; what it computes is the last of them.
class Tree {
public:
  explicit Tree(IntrinsicInst &root) {
    calls.push_back(&root);
    for (size_t i = 0; i != calls.size(); ++i)
      for (Value *operand : calls[i]->args())
        if (IntrinsicInst *inner = getInner(operand, *calls[i]))
          calls.push_back(inner);
    llvm::sort(calls, [](const IntrinsicInst *a, const IntrinsicInst *b) {
      return a->comesBefore(b);
    });
  }

  size_t size() const { return calls.size(); }

  void rewrite() {
    // Operands of a call are these, or what the tree begins with.
    DenseSet<Value *> rewritten;
    for (IntrinsicInst *call : calls) {
      IRBuilder<> builder(call);
      for (Value *operand : call->args())
        if (!rewritten.contains(operand) &&
            !match(operand, PatternMatch::m_NonNaN()))
          check(operand, builder);
      Value *result = compare(*call, builder);
      if (call == calls.back())
        result = choose(result, builder);
      rewritten.insert(result);
      call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
  }

private:
  /// Right where no operand is NaN.
  static Value *compare(IntrinsicInst &call, IRBuilder<> &builder) {
    Value *a = call.getArgOperand(0);
    Value *b = call.getArgOperand(1);
    Value *first = call.getIntrinsicID() == Intrinsic::maximum
                       ? builder.CreateFCmpOGT(a, b)
                       : builder.CreateFCmpOLT(a, b);
    return builder.CreateSelect(first, a, b);
  }

  void check(Value *operand, IRBuilder<> &builder) {
    if (!unchecked) {
      unchecked = operand;
      return;
    }
    addCheck(builder.CreateFCmpORD(unchecked, operand), builder);
    unchecked = nullptr;
  }

  void addCheck(Value *areNumbers, IRBuilder<> &builder) {
    numbers = numbers ? builder.CreateAnd(numbers, areNumbers) : areNumbers;
  }

  Value *choose(Value *extreme, IRBuilder<> &builder) {
    if (unchecked)
      addCheck(builder.CreateFCmpORD(unchecked, unchecked), builder);
    if (!numbers)
      return extreme;
    return builder.CreateSelect(numbers, extreme,
                                ConstantFP::getNaN(extreme->getType()));
  }

  SmallVector<IntrinsicInst *> calls;
  /// Where all operands that were checked are numbers.
  Value *numbers = nullptr;
  /// An operand that waits for one to be checked with.
  Value *unchecked = nullptr;
};
} // namespace

void sched::joinNaNChecks(Module &module) {
  for (Function &function : module) {
    SmallVector<IntrinsicInst *> roots;
    for (Instruction &instruction : instructions(function)) {
      IntrinsicInst *call = getExtreme(&instruction);
      if (!call)
        continue;
      IntrinsicInst *user =
          call->hasOneUse() ? getExtreme(*call->user_begin()) : nullptr;
      if (!user || !getInner(call, *user))
        roots.push_back(call);
    }
    for (IntrinsicInst *root : roots)
      if (Tree tree(*root); tree.size() > 1)
        tree.rewrite();
  }
}
