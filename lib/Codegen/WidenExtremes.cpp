//===- WidenExtremes.cpp - Minima and maxima of f16 -----------------------===//

#include "WidenExtremes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static bool isExtreme(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::maxnum:
  case Intrinsic::minnum:
  case Intrinsic::maximum:
  case Intrinsic::minimum:
  case Intrinsic::vector_reduce_fmax:
  case Intrinsic::vector_reduce_fmin:
  case Intrinsic::vector_reduce_fmaximum:
  case Intrinsic::vector_reduce_fminimum:
    return true;
  default:
    return false;
  }
}

void sched::widenExtremes(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      if (!call || !call->getType()->getScalarType()->isHalfTy() ||
          !isExtreme(call->getIntrinsicID()))
        continue;
      IRBuilder<> builder(call);
      builder.setFastMathFlags(call->getFastMathFlags());
      auto widen = [&](Type *type) -> Type * {
        return type->getWithNewType(builder.getFloatTy());
      };
      SmallVector<Value *> operands;
      for (Value *operand : call->args())
        operands.push_back(
            builder.CreateFPExt(operand, widen(operand->getType())));
      Value *result = builder.CreateIntrinsic(
          call->getIntrinsicID(), operands.front()->getType(), operands);
      call->replaceAllUsesWith(builder.CreateFPTrunc(result, call->getType()));
      call->eraseFromParent();
    }
}
