//===- ReadOnce.cpp - Operands of which each element is read once ---------===//
//
// A row times a matrix reads each element of the matrix once. Where an
// elementwise op computes the matrix, as from weights of eight bits and their
// scales, a copy of it for a tile of the product would be read no more often
// than it is written. So the product computes the elements itself, and becomes
// a reduction of what the op reads, without its dimensions of one element.
//
//===----------------------------------------------------------------------===//

#include "ReadOnce.h"
#include "ExpandBatches.h"
#include "KeptDimensions.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// Whether `op` reads each element of `operand` once.
static bool readsOnce(linalg::LinalgOp op, OpOperand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  return type && op.getMatchingIndexingMap(&operand).isProjectedPermutation() &&
         type.getNumElements() == llvm::product_of(op.getStaticLoopRanges());
}

/// Whether there is a sketch for `op`, a reduction, that computes `operand` as
/// `producer` does: some tensor has an element for each iteration.
static bool suitsReduction(linalg::LinalgOp op, OpOperand &operand,
                           linalg::LinalgOp producer) {
  return isMovable(producer) && sched::isElementwise(producer) &&
         !producer.hasIndexSemantics() && !producer->hasAttr(kAloneAttrName) &&
         llvm::all_of(producer->getOperandTypes(),
                      [](Type type) {
                        return isLaneType(getElementTypeOrSelf(type));
                      }) &&
         (llvm::any_of(
              producer.getDpsInputOperands(),
              [&](OpOperand *input) { return readsOnce(producer, *input); }) ||
          llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
            return input != &operand && readsOnce(op, *input);
          }));
}

/// Whether `producer` reads fewer bits for each element than it writes.
static bool widens(linalg::LinalgOp producer) {
  auto getBits = [](Type type) {
    return getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  };
  return llvm::any_of(producer.getDpsInputOperands(), [&](OpOperand *input) {
    return readsOnce(producer, *input) &&
           getBits(input->get().getType()) <
               getBits(producer->getResultTypes().front());
  });
}

/// What computes the elements of `operand`, behind a reshape or not, if `op`
/// reads each of them once and nothing else reads any; null otherwise.
static linalg::LinalgOp findProducer(linalg::LinalgOp op, OpOperand &operand) {
  if (!readsOnce(op, operand))
    return nullptr;
  Value value = operand.get();
  if (auto reshape = value.getDefiningOp<tensor::CollapseShapeOp>();
      reshape && value.hasOneUse())
    value = reshape.getSrc();
  auto producer = value.getDefiningOp<linalg::LinalgOp>();
  // What is computed before a loop is not to be computed in it.
  if (!producer || !value.hasOneUse() ||
      producer->getBlock() != op->getBlock() ||
      !suitsReduction(op, operand, producer))
    return nullptr;
  // What is done beforehand costs nothing, unless there is more to read then.
  return !isPackedBefore(producer) || widens(producer) ? producer : nullptr;
}

/// `producer` and the op that reads `operand`, which it computes, as one; none
/// if that cannot be, and both may have been replaced then.
static std::optional<linalg::GenericOp>
fuse(RewriterBase &rewriter, OpOperand &operand, linalg::LinalgOp producer) {
  if (Operation *reshape = operand.get().getDefiningOp(); reshape != producer) {
    if (!expandAt(operand))
      return std::nullopt;
    // It would count as one more reader.
    if (reshape->use_empty())
      rewriter.eraseOp(reshape);
  }
  rewriter.setInsertionPoint(producer);
  FailureOr<linalg::GenericOp> generic = makeGeneric(rewriter, producer);
  if (failed(generic) || !generic->getResult(0).hasOneUse())
    return std::nullopt;
  OpOperand &read = *generic->getResult(0).use_begin();
  auto reader = dyn_cast<linalg::GenericOp>(read.getOwner());
  if (!reader || !linalg::areElementwiseOpsFusable(&read))
    return std::nullopt;
  rewriter.setInsertionPoint(reader);
  auto fused = linalg::fuseElementwiseOps(rewriter, &read);
  if (failed(fused))
    return std::nullopt;
  // The producer's result may have stayed one, to say how long a loop is.
  if (fused->fusedOp->getNumResults() != reader->getNumResults()) {
    rewriter.eraseOp(fused->fusedOp);
    return std::nullopt;
  }
  rewriter.replaceOp(reader, fused->fusedOp->getResults());
  rewriter.eraseOp(*generic);
  return cast<linalg::GenericOp>(fused->fusedOp);
}

/// The first operand of `op` that some op computes, and that op; none if there
/// is none.
static std::optional<std::pair<OpOperand *, linalg::LinalgOp>>
findComputed(linalg::LinalgOp op) {
  for (OpOperand *operand : op.getDpsInputOperands())
    if (linalg::LinalgOp producer = findProducer(op, *operand))
      return std::pair(operand, producer);
  return std::nullopt;
}

/// Fuses what computes operands of `op`; whether there was any.
static bool fuseOperands(linalg::LinalgOp op) {
  if (!findComputed(op))
    return false;
  IRRewriter rewriter(op);
  FailureOr<linalg::GenericOp> generic = makeGeneric(rewriter, op);
  if (failed(generic))
    return false;
  linalg::GenericOp reader = *generic;
  while (auto computed = findComputed(reader)) {
    auto fused = fuse(rewriter, *computed->first, computed->second);
    if (!fused)
      return true;
    reader = *fused;
  }
  (void)dropUnitDims(rewriter, reader);
  return true;
}

bool sched::fuseReadOnce(func::FuncOp function) {
  bool isChanged = false;
  SmallVector<linalg::LinalgOp> products = collectLinalgOps(function);
  llvm::erase_if(products, [](linalg::LinalgOp op) {
    const auto shape = isMovable(op) ? matchContraction(op) : std::nullopt;
    return !shape || shape->isWindowed || shape->k == 1 ||
           op->hasAttr(kAloneAttrName) || isPackedBefore(op);
  });
  for (linalg::LinalgOp op : products)
    isChanged |= fuseOperands(op);
  return isChanged;
}
