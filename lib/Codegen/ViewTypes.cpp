//===- ViewTypes.cpp - Views of a buffer that becomes another one ---------===//

#include "ViewTypes.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

bool sched::keepsToItself(Operation *op) {
  return !op->hasTrait<OpTrait::IsTerminator>() && !isa<CallOpInterface>(op) &&
         !isa<memref::ExtractAlignedPointerAsIndexOp>(op) &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
}

bool sched::accesses(Operation *op, Value memory, bool mayWrite) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || !keepsToItself(op))
    return false;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffectsOnValue(memory, instances);
  // What has none may be a cast.
  return !instances.empty() &&
         llvm::all_of(instances, [&](const auto &instance) {
           return isa<MemoryEffects::Read>(instance.getEffect()) ||
                  (mayWrite && isa<MemoryEffects::Write>(instance.getEffect()));
         });
}

bool ViewTypes::add(Operation *user, Value memory, MemRefType type,
                    CanUse canUse) {
  MemRefType next;
  if (auto slice = dyn_cast<memref::SubViewOp>(user)) {
    next = memref::SubViewOp::inferRankReducedResultType(
        slice.getType().getShape(), type, slice.getMixedOffsets(),
        slice.getMixedSizes(), slice.getMixedStrides());
  } else if (auto expand = dyn_cast<memref::ExpandShapeOp>(user)) {
    FailureOr<MemRefType> expanded = memref::ExpandShapeOp::computeExpandedType(
        type, expand.getResultType().getShape(),
        expand.getReassociationIndices());
    if (failed(expanded))
      return false;
    next = *expanded;
  } else if (auto collapse = dyn_cast<memref::CollapseShapeOp>(user)) {
    if (!memref::CollapseShapeOp::isGuaranteedCollapsible(
            type, collapse.getReassociationIndices()))
      return false;
    next = memref::CollapseShapeOp::computeCollapsedType(
        type, collapse.getReassociationIndices());
  } else {
    return canUse(user, memory);
  }
  Value view = user->getResult(0);
  types.emplace_back(view, next);
  return llvm::all_of(view.getUsers(), [&](Operation *each) {
    return add(each, view, next, canUse);
  });
}

void ViewTypes::apply() const {
  for (auto [view, type] : types)
    view.setType(type);
}
