//===- ScaleTerms.cpp - Means of columns in one pass ----------------------===//
//
// The mean of columns, as of an image's pixels, is a sum and its division by
// the number of terms. Sums of columns pass through a cache, and are complete
// when the last row is added: what follows was a task of its own, with threads
// that start and end once more. The factor goes to the terms instead,
//
//   (sum over i of x[i, j]) * c  =  sum over i of x[i, j] * c
//
// which costs nothing: each addition becomes a multiply-add. Only a factor of
// at most one does: terms are no larger then than they were. Sums of rows do
// not need it, as they have the epilogue in registers.
//
//===----------------------------------------------------------------------===//

#include "ScaleTerms.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace sched;

/// What `op` multiplies each element of its one input by; none if it does
/// anything else. A quotient's factor is rounded, by as much as a term is.
static std::optional<llvm::APFloat> getFactor(linalg::LinalgOp op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type ||
      !(type.getElementType().isF32() || type.getElementType().isF64()))
    return std::nullopt;
  Operation *scale =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::DivFOp>(scale))
    return std::nullopt;
  Value element = scale->getOperand(0), other = scale->getOperand(1);
  if (isa<arith::MulFOp>(scale) && !isa<BlockArgument>(element))
    std::swap(element, other);
  llvm::APFloat factor(0.0);
  if (element != op.getRegionInputArgs().front() ||
      !matchPattern(other, m_ConstantFloat(&factor)))
    return std::nullopt;
  if (isa<arith::DivFOp>(scale)) {
    llvm::APFloat inverse(factor.getSemantics(), 1);
    inverse.divide(factor, llvm::APFloat::rmNearestTiesToEven);
    factor = inverse;
  }
  llvm::APFloat size = factor;
  size.clearSign();
  if (!factor.isNormal() || size > llvm::APFloat(factor.getSemantics(), 1))
    return std::nullopt;
  return factor;
}

/// The addition that `op`'s body ends with; null if it ends with anything else.
static arith::AddFOp getSum(linalg::LinalgOp op) {
  return op.getBlock()
      ->getTerminator()
      ->getOperand(0)
      .getDefiningOp<arith::AddFOp>();
}

/// Whether `op` sums its one input up from zero, but not the dimension that it
/// is contiguous along.
static bool sumsColumns(linalg::LinalgOp op) {
  if (!op || op->getNumResults() != 1 || op.getNumDpsInputs() != 1 ||
      op.getNumReductionLoops() == 0 || !op.hasOnlyProjectedPermutations() ||
      !op->getResult(0).hasOneUse())
    return false;
  OpOperand *init = op.getDpsInitOperand(0);
  auto fill = init->get().getDefiningOp<linalg::FillOp>();
  const AffineMap input = op.getMatchingIndexingMap(op.getDpsInputOperand(0)),
                  result = op.getMatchingIndexingMap(init);
  if (!fill || !matchPattern(fill.value(), m_AnyZeroFloat()) ||
      input.getNumResults() != op.getNumLoops() || result.getNumResults() == 0)
    return false;
  arith::AddFOp sum = getSum(op);
  const Value partial = op.getRegionOutputArgs().front();
  return input.getResults().back() == result.getResults().back() && sum &&
         partial.hasOneUse() && llvm::is_contained(sum->getOperands(), partial);
}

static bool scaleTerms(linalg::LinalgOp op) {
  if (!sched::isElementwise(op) || op.getNumDpsInputs() != 1 ||
      op->getNumResults() != 1)
    return false;
  OpOperand *input = op.getDpsInputOperand(0);
  auto sums = input->get().getDefiningOp<linalg::LinalgOp>();
  if (!op.getMatchingIndexingMap(input).isIdentity() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      input->get().getType() != op->getResult(0).getType() ||
      !sumsColumns(sums))
    return false;
  const std::optional<llvm::APFloat> factor = getFactor(op);
  if (!factor)
    return false;
  IRRewriter rewriter(op);
  rewriter.setInsertionPoint(sums);
  auto generic = makeGeneric(rewriter, sums);
  if (failed(generic))
    return false;
  arith::AddFOp sum = getSum(*generic);
  const Value partial = generic->getRegionOutputArgs().front();
  OpOperand &term = sum->getOpOperand(sum.getLhs() == partial ? 1 : 0);
  rewriter.setInsertionPoint(sum);
  Value scale = arith::ConstantOp::create(
      rewriter, sum.getLoc(),
      rewriter.getFloatAttr(term.get().getType(), *factor));
  term.set(arith::MulFOp::create(rewriter, sum.getLoc(), term.get(), scale));
  rewriter.replaceOp(op, generic->getResult(0));
  return true;
}

bool sched::scaleTermsOfColumns(func::FuncOp function) {
  bool isChanged = false;
  // What an op reads comes before it: none of those to come is erased.
  for (linalg::LinalgOp op : collectLinalgOps(function))
    isChanged |= scaleTerms(op);
  return isChanged;
}
