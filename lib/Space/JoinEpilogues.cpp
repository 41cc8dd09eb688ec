//===- JoinEpilogues.cpp - Epilogues behind a reshape ---------------------===//
//
// A layer multiplies the words of all texts as one matrix, whose result gets
// its dimensions back before something is added. That is an epilogue as well,
// with the loops of the matrix, where its other operands have the merged
// dimensions side by side, or none of them; the reshape goes behind it.
//
//===----------------------------------------------------------------------===//

#include "JoinEpilogues.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

Value sched::collapseStart(OpBuilder &builder, Location loc, Value start,
                           ArrayRef<ReassociationIndices> groups) {
  auto fill = start.getDefiningOp<linalg::FillOp>();
  if (!fill)
    return tensor::CollapseShapeOp::create(builder, loc, start, groups);
  const RankedTensorType type = tensor::CollapseShapeOp::inferCollapsedType(
      cast<RankedTensorType>(start.getType()), groups);
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  return linalg::FillOp::create(builder, loc, fill.getInputs(), empty)
      .getResult(0);
}

/// Lets readers that take `expand` back take what it is of; whether there was
/// one.
static bool dropInverses(RewriterBase &rewriter, tensor::ExpandShapeOp expand) {
  bool isChanged = false;
  for (Operation *user : llvm::make_early_inc_range(expand->getUsers()))
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(user);
        collapse && collapse.getResultType() == expand.getSrcType()) {
      rewriter.replaceOp(collapse, expand.getSrc());
      isChanged = true;
    }
  return isChanged;
}

bool sched::joinEpilogues(tensor::ExpandShapeOp expand) {
  IRRewriter rewriter(expand.getContext());
  bool isChanged = false;
  for (;; isChanged = true) {
    isChanged |= dropInverses(rewriter, expand);
    if (expand->use_empty()) {
      rewriter.eraseOp(expand);
      return isChanged;
    }
    if (!expand->hasOneUse())
      return isChanged;
    auto user = dyn_cast<linalg::LinalgOp>(*expand->user_begin());
    if (!user || !sched::isElementwise(user) || user->hasAttr(kAloneAttrName))
      return isChanged;
    // The groups are of dimensions; of loops, too, where these are the same.
    const AffineMap own =
        user.getMatchingIndexingMap(&*expand->getUses().begin());
    if (llvm::any_of(expand.getReassociationIndices(), [&](const auto &group) {
          return group.size() > 1 && llvm::any_of(group, [&](int64_t dim) {
                   return own.getDimPosition(dim) != dim;
                 });
        }))
      return isChanged;
    if (llvm::any_of(user.getIndexingMapsArray(), [&](AffineMap map) {
          return llvm::any_of(
              expand.getReassociationIndices(), [&](const auto &group) {
                return group.size() > 1 &&
                       !linalg::isDimSequencePreserved(map, group);
              });
        }))
      return isChanged;
    rewriter.setInsertionPoint(user);
    auto generic = makeGeneric(rewriter, user);
    if (failed(generic))
      return isChanged;
    rewriter.setInsertionPoint(*generic);
    auto collapsed = linalg::collapseOpIterationDims(
        *generic, expand.getReassociationIndices(), rewriter);
    if (failed(collapsed))
      return isChanged;
    // Its operands are collapsed of what was just expanded, or is empty.
    for (OpOperand &operand : collapsed->collapsedOp->getOpOperands()) {
      auto collapse = operand.get().getDefiningOp<tensor::CollapseShapeOp>();
      if (!collapse)
        continue;
      rewriter.setInsertionPoint(collapse);
      if (collapse.getSrc() == expand.getResult())
        operand.set(expand.getSrc());
      else if (collapse.getSrc().getDefiningOp<tensor::EmptyOp>())
        operand.set(tensor::EmptyOp::create(
            rewriter, collapse.getLoc(), collapse.getType().getShape(),
            collapse.getType().getElementType()));
      if (collapse->use_empty())
        rewriter.eraseOp(collapse);
    }
    rewriter.replaceOp(*generic, collapsed->results);
    if (expand->use_empty())
      rewriter.eraseOp(expand);
    expand = collapsed->results.front().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand)
      return true;
  }
}

/// The reshape behind `product` and the elementwise ops that follow it; null if
/// there is none.
static tensor::ExpandShapeOp findReshape(linalg::LinalgOp product) {
  linalg::LinalgOp op = product;
  while (op && op->hasOneUse()) {
    Operation *user = *op->user_begin();
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(user))
      return expand;
    op = dyn_cast<linalg::LinalgOp>(user);
    if (op && !sched::isElementwise(op))
      break;
  }
  return nullptr;
}

bool sched::joinEpilogues(func::FuncOp function) {
  // What is behind a product is no product itself, and goes with it.
  SmallVector<linalg::LinalgOp> products = collectLinalgOps(function);
  llvm::erase_if(products, [](linalg::LinalgOp op) {
    return !isMovable(op) || !matchContraction(op);
  });
  bool isChanged = false;
  for (linalg::LinalgOp product : products)
    if (tensor::ExpandShapeOp expand = findReshape(product))
      isChanged |= joinEpilogues(expand);
  return isChanged;
}
