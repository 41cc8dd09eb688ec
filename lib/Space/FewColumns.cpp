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
/// Fewer steps spend their time on adding up lanes; fewer rows, on transposing
/// the right-hand side.
static constexpr int64_t kLeastSteps = 32, kLeastRows = 16;

/// The dimension of the right-hand side that is to become its innermost; none
/// if there is nothing to gain.
static std::optional<unsigned> getInnermost(linalg::LinalgOp op,
                                            const ContractionShape &shape) {
  if (shape.n > kMostColumns || shape.k < kLeastSteps || shape.isWindowed ||
      !shape.unrollable || shape.lhsTransposed || shape.rhsTransposed)
    return std::nullopt;
  int64_t rows = shape.m;
  for (const OuterLoop &loop : shape.outer)
    rows *= loop.isReduction ? 1 : loop.extent;
  constexpr unsigned kSteps = 2;
  AffineMap map =
      op.getMatchingIndexingMap(op.getDpsInputOperand(shape.rhsOperand));
  if (rows < kLeastRows || !map.isProjectedPermutation())
    return std::nullopt;
  return map.getResultPosition(
      getAffineDimExpr(shape.loops[kSteps], op.getContext()));
}

bool sched::transposeFewColumns(func::FuncOp function) {
  bool isChanged = false;
  for (linalg::LinalgOp op : collectLinalgOps(function)) {
    const std::optional<ContractionShape> shape = matchContraction(op);
    const auto innermost = shape ? getInnermost(op, *shape) : std::nullopt;
    if (!innermost)
      continue;
    IRRewriter rewriter(op);
    if (!isa<linalg::GenericOp>(op)) {
      auto generic = linalg::generalizeNamedOp(rewriter, op);
      if (failed(generic))
        continue;
      op = *generic;
    }
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
    cast<linalg::GenericOp>(op).setIndexingMapsAttr(
        rewriter.getAffineMapArrayAttr(maps));
    isChanged = true;
  }
  return isChanged;
}
