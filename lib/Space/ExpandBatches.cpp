//===- ExpandBatches.cpp - Reshapes inside of attention -------------------===//
//
// Frontends multiply the heads of all texts as one batch, 96x128x64, and take
// the softmax of 8x12x128x128. The reshapes before and after keep the products
// from being one chain of rows with the softmax. A product can as well have
// both loops: the reshapes go, by upstream's expansion, and others of the same
// kind are put around the two products, where most meet their inverse.
//
//===----------------------------------------------------------------------===//

#include "ExpandBatches.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sched;

bool sched::expandAt(OpOperand &operand) {
  Operation *root = operand.getOwner();
  MLIRContext *context = root->getContext();
  bool isAsked = false;
  RewritePatternSet patterns(context);
  linalg::populateFoldReshapeOpsByExpansionPatterns(
      patterns, [&](OpOperand *other) {
        // Once: what replaces the op may lie where it was.
        return other == &operand && !std::exchange(isAsked, true);
      });
  tensor::populateFoldTensorEmptyPatterns(patterns);
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  bool isChanged = false;
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  (void)applyOpPatternsGreedily(root, std::move(patterns), config, &isChanged);
  return isChanged;
}

namespace {
/// What lies between a product and the one that it reads.
struct Between {
  bool hasReduction = false;
  /// Of what an op of the task computes.
  SmallVector<tensor::ExpandShapeOp> expansions;
};
} // namespace

/// Follows what `value` is computed from to the next products. Nothing if there
/// is none.
static std::optional<Between> lookBetween(Value value) {
  Between between;
  bool hasProduct = false;
  llvm::SmallSetVector<Operation *, 8> seen;
  seen.insert(value.getDefiningOp());
  for (size_t i = 0; i != seen.size(); ++i) {
    Operation *op = seen[i];
    auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(op);
    if (linalgOp && matchContraction(linalgOp)) {
      hasProduct = true;
      continue;
    }
    if (auto expand = dyn_cast_if_present<tensor::ExpandShapeOp>(op)) {
      if (!expand.getSrc().getDefiningOp<linalg::LinalgOp>())
        continue;
      between.expansions.push_back(expand);
    } else if (!linalgOp) {
      continue;
    } else {
      between.hasReduction |= linalgOp.getNumReductionLoops() > 0;
    }
    for (Value operand : op->getOperands())
      seen.insert(operand.getDefiningOp());
  }
  if (!hasProduct || !between.hasReduction)
    return std::nullopt;
  return between;
}

/// Whether the dimension of `map`'s operand that `loop` indexes is one before
/// `reshape`, too.
static bool keepsLoop(AffineMap map, unsigned loop,
                      tensor::CollapseShapeOp reshape) {
  const auto position =
      map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
  return position && reshape.getReassociationIndices()[*position].size() == 1;
}

/// Takes the next reshape from between `product` and those before; whether
/// there was one.
static bool expandBefore(linalg::LinalgOp product) {
  const std::optional<ContractionShape> shape = matchContraction(product);
  if (!shape || shape->isWindowed)
    return false;
  OpOperand &lhs = product->getOpOperand(shape->lhsOperand);
  auto collapse = lhs.get().getDefiningOp<tensor::CollapseShapeOp>();
  const auto between = lookBetween(collapse ? collapse.getSrc() : lhs.get());
  if (!between || between->expansions.empty())
    return false;
  if (collapse)
    return keepsLoop(product.getMatchingIndexingMap(&lhs),
                     shape->loops[ContractionShape::kSteps], collapse) &&
           expandAt(lhs);
  for (tensor::ExpandShapeOp expand : between->expansions)
    if (expandAt(expand.getSrcMutable()))
      return true;
  return false;
}

/// Takes the reshapes of `product`'s operands into transposes and other
/// elementwise ops before, so that these can still be fused with it.
static bool expandOperands(linalg::LinalgOp product) {
  return matchContraction(product) &&
         llvm::any_of(product->getOperands(), [](Value operand) {
           auto expand = operand.getDefiningOp<tensor::ExpandShapeOp>();
           auto op = expand && expand->hasOneUse()
                         ? expand.getSrc().getDefiningOp<linalg::LinalgOp>()
                         : nullptr;
           return op && op->hasOneUse() && sched::isElementwise(op) &&
                  expandAt(expand.getSrcMutable());
         });
}

/// Takes out reshapes that meet their inverse behind products, and what is not
/// read any more, which would count as a reader.
static void cleanUp(func::FuncOp function) {
  function.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op)) {
      op->erase();
      return;
    }
    auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
    auto collapse =
        expand ? expand.getSrc().getDefiningOp<tensor::CollapseShapeOp>()
               : tensor::CollapseShapeOp();
    if (!collapse || collapse.getSrcType() != expand.getResultType())
      return;
    expand.getResult().replaceAllUsesWith(collapse.getSrc());
    expand.erase();
  });
}

bool sched::expandBatches(func::FuncOp function) {
  auto expandAll = [&](bool (*expandNext)(linalg::LinalgOp)) {
    bool isChanged = false;
    while (llvm::any_of(collectLinalgOps(function), expandNext))
      isChanged = true;
    return isChanged;
  };
  if (!expandAll(expandBefore))
    return false;
  expandAll(expandOperands);
  cleanUp(function);
  return true;
}
