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
#include "KeptDimensions.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
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

/// Takes the reshape that `operand` is of into the op that reads it.
static bool expand(OpOperand &operand) {
  Operation *root = operand.getOwner();
  MLIRContext *context = root->getContext();
  bool isAsked = false;
  RewritePatternSet patterns(context);
  linalg::populateFoldReshapeOpsByExpansionPatterns(
      patterns, [&](OpOperand *other) {
        // Once: what replaces the op may lie where it was.
        return other == &operand && !std::exchange(isAsked, true);
      });
  bool isChanged = false;
  (void)applyOpPatternsGreedily(root, std::move(patterns),
                                GreedyRewriteConfig(), &isChanged);
  return isChanged;
}

/// `reader` and `producer`, which computes its `operand`, as one op; none if
/// that cannot be, and `reader` may be gone then.
static std::optional<linalg::GenericOp> fuse(RewriterBase &rewriter,
                                             linalg::GenericOp reader,
                                             OpOperand &operand,
                                             linalg::LinalgOp producer) {
  Value computed = producer->getResult(0);
  if (operand.get() != computed && !expand(operand))
    return std::nullopt;
  rewriter.setInsertionPoint(producer);
  FailureOr<linalg::GenericOp> generic = makeGeneric(rewriter, producer);
  if (failed(generic))
    return std::nullopt;
  computed = generic->getResult(0);
  reader = computed.hasOneUse()
               ? dyn_cast<linalg::GenericOp>(*computed.user_begin())
               : linalg::GenericOp();
  if (!reader)
    return std::nullopt;
  OpOperand &read = *computed.use_begin();
  if (!linalg::areElementwiseOpsFusable(&read))
    return std::nullopt;
  rewriter.setInsertionPoint(reader);
  auto fused = linalg::fuseElementwiseOps(rewriter, &read);
  if (failed(fused))
    return std::nullopt;
  rewriter.replaceOp(reader, fused->fusedOp->getResults());
  rewriter.eraseOp(*generic);
  return cast<linalg::GenericOp>(fused->fusedOp);
}

static void dropUnitDims(RewriterBase &rewriter, linalg::GenericOp op) {
  rewriter.setInsertionPoint(op);
  auto dropped =
      linalg::dropUnitDims(rewriter, op, linalg::ControlDropUnitDims());
  if (failed(dropped))
    return;
  rewriter.replaceOp(op, dropped->replacements);
  // A start value that is the same everywhere needs no reshape.
  auto result = cast<linalg::GenericOp>(dropped->resultOp.getOperation());
  if (auto reshape =
          result.getOutputs()[0].getDefiningOp<tensor::CollapseShapeOp>())
    foldReshape(rewriter, reshape);
}

/// Fuses what computes operands of `op`; whether there was any.
static bool fuseOperands(linalg::LinalgOp op) {
  auto findOperand = [](linalg::LinalgOp reader) -> OpOperand * {
    for (OpOperand *operand : reader.getDpsInputOperands())
      if (findProducer(reader, *operand))
        return operand;
    return nullptr;
  };
  if (!findOperand(op))
    return false;
  IRRewriter rewriter(op);
  FailureOr<linalg::GenericOp> generic = makeGeneric(rewriter, op);
  if (failed(generic))
    return false;
  linalg::GenericOp reader = *generic;
  while (OpOperand *operand = findOperand(reader)) {
    auto fused =
        fuse(rewriter, reader, *operand, findProducer(reader, *operand));
    if (!fused)
      return true;
    reader = *fused;
  }
  dropUnitDims(rewriter, reader);
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
