//===- KernelUses.cpp - What kernels do with their arguments --------------===//

#include "KernelUses.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// Whether all that `value`'s buffer is used for is reading; an op that is not
/// known to only read may do anything.
static bool isOnlyRead(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      return isOnlyRead(view.getViewDest());
    auto effecting = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effecting)
      return false;
    SmallVector<MemoryEffects::EffectInstance> effects;
    effecting.getEffectsOnValue(use.get(), effects);
    return !effects.empty() &&
           llvm::all_of(effects, [](const MemoryEffects::EffectInstance &it) {
             return isa<MemoryEffects::Read>(it.getEffect());
           });
  });
}

bool sched::isReadOnly(FunctionOpInterface kernel, unsigned position) {
  if (isa<LLVM::LLVMFuncOp>(kernel))
    return bool(
        kernel.getArgAttr(position, LLVM::LLVMDialect::getReadonlyAttrName()));
  return isOnlyRead(kernel.getArgument(position));
}
