//===- JoinEpilogues.cpp - Epilogues behind a reshape ---------------------===//

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

void sched::joinEpilogues(tensor::ExpandShapeOp expand) {
  IRRewriter rewriter(expand.getContext());
  while (expand->hasOneUse()) {
    auto user = dyn_cast<linalg::LinalgOp>(*expand->user_begin());
    if (!user || !sched::isElementwise(user) || user->hasAttr(kAloneAttrName))
      return;
    rewriter.setInsertionPoint(user);
    auto generic = makeGeneric(rewriter, user);
    if (failed(generic))
      return;
    user = *generic;
    // The groups are of dimensions; of loops, too, where these are the same.
    const AffineMap own =
        user.getMatchingIndexingMap(&*expand->getUses().begin());
    if (llvm::any_of(expand.getReassociationIndices(), [&](const auto &group) {
          return group.size() > 1 && llvm::any_of(group, [&](int64_t dim) {
                   return own.getDimPosition(dim) != dim;
                 });
        }))
      return;
    if (llvm::any_of(user.getIndexingMapsArray(), [&](AffineMap map) {
          return llvm::any_of(
              expand.getReassociationIndices(), [&](const auto &group) {
                return group.size() > 1 &&
                       !linalg::isDimSequencePreserved(map, group);
              });
        }))
      return;
    auto collapsed = linalg::collapseOpIterationDims(
        user, expand.getReassociationIndices(), rewriter);
    if (failed(collapsed))
      return;
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
    rewriter.replaceOp(user, collapsed->results);
    if (expand->use_empty())
      rewriter.eraseOp(expand);
    expand = collapsed->results.front().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand)
      return;
  }
}
