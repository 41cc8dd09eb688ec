//===- SumsInPlace.cpp - Where a contraction's result is ------------------===//

#include "SumsInPlace.h"
#include "BlockGroups.h"
#include "SimtOptions.h"
#include "StageLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace sched;
using Keep = SimtOptions::Keep;

/// Whether each element of `tensor` is only needed for those that have its
/// place in what the block stores. `stores` gets those; what has `passed` is
/// looked at once.
static bool isReadInPlace(Value tensor,
                          llvm::SmallPtrSetImpl<Operation *> &stores,
                          llvm::DenseSet<Value> &passed) {
  if (!passed.insert(tensor).second)
    return true;
  return llvm::all_of(tensor.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<tensor::ParallelInsertSliceOp>(user)) {
      stores.insert(user);
      return true;
    }
    if (isa<tensor::CastOp>(user) ||
        OpTrait::hasElementwiseMappableTraits(user))
      return isReadInPlace(user->getResult(0), stores, passed);
    auto linalgOp = dyn_cast<linalg::LinalgOp>(user);
    if (!linalgOp || isStage(user) ||
        linalgOp.getNumLoops() != linalgOp.getNumParallelLoops())
      return false;
    if (linalgOp.getMatchingBlockArgument(&use).use_empty())
      return true;
    if (!linalgOp.getMatchingIndexingMap(&use).isPermutation())
      return false;
    return llvm::all_of(user->getOpResults(), [&](OpResult result) {
      return linalgOp.getIndexingMapMatchingResult(result).isPermutation() &&
             isReadInPlace(result, stores, passed);
    });
  });
}

static bool isReadInPlace(Value tensor,
                          llvm::SmallPtrSetImpl<Operation *> &stores) {
  llvm::DenseSet<Value> passed;
  return isReadInPlace(tensor, stores, passed);
}

bool sched::staysInRegisters(const ContractionNest &nest) {
  llvm::SmallPtrSet<Operation *, 2> stores;
  const Keep keep = SimtOptions::getKeep(nest.shape.op);
  if (keep == Keep::Shared || !isReadInPlace(nest.result, stores))
    return false;
  if (keep == Keep::Registers)
    return true;
  for (Operation *later = nest.result.getDefiningOp()->getNextNode(); later;
       later = later->getNextNode()) {
    std::optional<ContractionNest> other =
        isStage(later) ? std::nullopt : ContractionNest::find(later);
    llvm::SmallPtrSet<Operation *, 2> others;
    if (other && SimtOptions::getKeep(other->shape.op) != Keep::Shared &&
        isReadInPlace(other->result, others) &&
        llvm::any_of(others,
                     [&](Operation *store) { return stores.contains(store); }))
      return false;
  }
  return true;
}

/// What has `passed` is looked at once.
static bool comesFrom(Value value, llvm::DenseSet<Value> &passed) {
  Operation *op = value.getDefiningOp();
  if (!op || !passed.insert(value).second)
    return false;
  if (!isStage(op))
    if (std::optional<ContractionNest> nest = ContractionNest::find(op))
      return staysInRegisters(*nest);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.getNumReductionLoops() == 0 && !isStage(op) &&
           llvm::any_of(linalgOp.getDpsInputs(),
                        [&](Value input) { return comesFrom(input, passed); });
  return isa<tensor::ExtractSliceOp, tensor::CastOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp>(op) &&
         comesFrom(op->getOperand(0), passed);
}

bool sched::comesFromContraction(Value value) {
  llvm::DenseSet<Value> passed;
  return comesFrom(value, passed);
}

LogicalResult sched::checkKeep(const ContractionNest &nest) {
  linalg::LinalgOp op = nest.shape.op;
  llvm::SmallPtrSet<Operation *, 2> stores;
  llvm::DenseSet<Value> passed;
  switch (SimtOptions::getKeep(op)) {
  case Keep::Default:
  case Keep::Shared:
    return success();
  case Keep::Registers:
    if (isReadInPlace(nest.result, stores))
      return success();
    return op->emitError("sched.simt: keep is \"registers\", but an op of the "
                         "block reads other elements of this product than "
                         "those of its own place; expected \"shared\"");
  case Keep::Memory:
    // Of a kernel of its own.
    if (llvm::all_of(nest.result.getUsers(),
                     llvm::IsaPred<tensor::ParallelInsertSliceOp>))
      return success();
    [[fallthrough]];
  case Keep::Recompute:
    return op->emitError("sched.simt: keep is ")
           << op->getAttrOfType<DictionaryAttr>(SimtOptions::name).get("keep")
           << ", but ops of its block read this product; expected "
              "\"registers\" or \"shared\"";
  }
  llvm_unreachable("all places are handled");
}
