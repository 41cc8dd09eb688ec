//===- FewColumns.cpp - Products with hardly any columns ------------------===//
//
// A convolution to three channels has vectors of three columns, which leave
// most of a register empty. Its weights are few: transposed, they are
// contiguous along the reduction, as the image's channels are, and vectors run
// along that (LaneReduction.cpp).
//
//===----------------------------------------------------------------------===//

#include "FewColumns.h"
#include "CopyTransposed.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir;
using namespace sched;

/// More columns fill half of a vector of eight.
static constexpr int64_t kMostColumns = 3;
/// Fewer rows do not pay for a transposition. Products of fewer rows in the
/// image's line than kLeastLine are not reduced in lanes.
static constexpr int64_t kLeastRows = 16, kLeastLine = 5;
/// The narrowest vector must be wider than the columns, and the widest short
/// enough for the steps.
static constexpr int64_t kNarrowestBytes = 16, kLeastVectors = 4;

/// Whether `image` would be computed in the loops of the product: an
/// elementwise op that no other task takes along.
static bool isFusedProducer(Value image) {
  auto op = image.getDefiningOp<linalg::LinalgOp>();
  return op && sched::isElementwise(op) && op->hasOneUse() &&
         llvm::none_of(op->getOperands(), [](Value operand) {
           auto producer = operand.getDefiningOp<linalg::LinalgOp>();
           return producer && producer.getNumReductionLoops() > 0;
         });
}

/// The dimension of the right-hand side that is to become its innermost; none
/// if there is nothing to gain.
static std::optional<unsigned> getInnermost(linalg::LinalgOp op,
                                            const ContractionShape &shape) {
  const int64_t bytes = std::max(1u, shape.accType.getIntOrFloatBitWidth() / 8);
  if (shape.n > kMostColumns || shape.n >= kNarrowestBytes / bytes ||
      shape.k < kLeastVectors * kWidestVectorBytes / bytes ||
      shape.m < kLeastLine || shape.isWindowed || !shape.unrollable ||
      isFusedProducer(op->getOperand(shape.lhsOperand)))
    return std::nullopt;
  const AffineMap lhs = op.getMatchingIndexingMap(
                      op.getDpsInputOperand(shape.lhsOperand)),
                  rhs = op.getMatchingIndexingMap(
                      op.getDpsInputOperand(shape.rhsOperand));
  const AffineExpr steps =
      getAffineDimExpr(shape.loops[ContractionShape::kSteps], op.getContext());
  if (countSharedRows(shape) < kLeastRows || !rhs.isProjectedPermutation() ||
      lhs.getResults().back() != steps || rhs.getResults().back() == steps)
    return std::nullopt;
  return rhs.getResultPosition(steps);
}

bool sched::transposeFewColumns(func::FuncOp function) {
  bool isChanged = false;
  for (linalg::LinalgOp op : collectLinalgOps(function)) {
    const std::optional<ContractionShape> shape = matchContraction(op);
    const auto innermost = shape ? getInnermost(op, *shape) : std::nullopt;
    if (!innermost)
      continue;
    IRRewriter rewriter(op);
    auto generic = makeGeneric(rewriter, op);
    if (failed(generic))
      continue;
    op = *generic;
    OpOperand *rhs = op.getDpsInputOperand(shape->rhsOperand);
    AffineMap map = op.getMatchingIndexingMap(rhs);
    SmallVector<int64_t> order(map.getNumResults());
    std::iota(order.begin(), order.end(), 0);
    order.erase(order.begin() + *innermost);
    order.push_back(*innermost);
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps[rhs->getOperandNumber()] = map.getSubMap(
        llvm::map_to_vector(order, [](int64_t dim) { return unsigned(dim); }));
    rewriter.setInsertionPoint(op);
    rhs->set(copyTransposed(rewriter, op->getLoc(), rhs->get(), order));
    generic->setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    isChanged = true;
  }
  return isChanged;
}
