//===- MergeColumns.cpp - Two short dimensions of columns are one ---------===//
//
// In a convolution of capsules the columns of a pixel's matrix and its channels
// are both columns of the product: four times eight, say, of which a vector of
// sixteen would be half empty. They lie side by side in the result; where the
// right-hand side has them side by side as well, they are one dimension of 32.
//
//===----------------------------------------------------------------------===//

#include "MergeColumns.h"
#include "CopyTransposed.h"
#include "JoinEpilogues.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir;
using namespace sched;

/// Of the widest vectors: what the code is for is not known here.
static constexpr int64_t kWidestBytes = 64;
/// Products of fewer rows do not pay for a transposition.
static constexpr int64_t kLeastRows = 64;

/// The loop of the other columns; none if there is nothing to gain.
static std::optional<unsigned> getOuterColumns(linalg::LinalgOp op,
                                               const ContractionShape &shape) {
  const int64_t bytes = std::max(1u, shape.accType.getIntOrFloatBitWidth() / 8);
  const AffineMap result = op.getIndexingMapsArray().back();
  if (shape.isWindowed || shape.n * bytes >= kWidestBytes ||
      result.getNumResults() < 2 ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return std::nullopt;
  const unsigned columns = shape.loops[ContractionShape::kColumns],
                 outer = result.getDimPosition(result.getNumResults() - 2);
  auto getMap = [&](unsigned operand) {
    return op.getMatchingIndexingMap(op.getDpsInputOperand(operand));
  };
  const AffineMap lhs = getMap(shape.lhsOperand),
                  rhs = getMap(shape.rhsOperand);
  if (result.getDimPosition(result.getNumResults() - 1) != columns ||
      lhs.isFunctionOfDim(outer) || !rhs.isProjectedPermutation() ||
      !rhs.isFunctionOfDim(outer) || !rhs.isFunctionOfDim(columns))
    return std::nullopt;
  const int64_t others = op.getStaticLoopRanges()[outer];
  if (others == 1 || countSharedRows(shape) / others < kLeastRows)
    return std::nullopt;
  return outer;
}

/// Where each dimension of a tensor goes: `moved` right before `last`.
static SmallVector<int64_t> getOrder(int64_t rank, int64_t moved,
                                     int64_t last) {
  SmallVector<int64_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  order.erase(order.begin() + moved);
  order.insert(llvm::find(order, last), moved);
  return order;
}

/// Dimensions `at` and the next of `rank` are one.
static SmallVector<ReassociationIndices> joinAt(int64_t rank, int64_t at) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim != rank; ++dim)
    if (dim == at + 1)
      groups.back().push_back(dim);
    else
      groups.push_back({dim});
  return groups;
}

namespace {
/// Rewrites one product.
class Merger {
public:
  Merger(linalg::GenericOp op, const ContractionShape &shape, unsigned outer)
      : op(op), rhsOperand(shape.rhsOperand), outer(outer),
        columns(shape.loops[ContractionShape::kColumns]), builder(op) {}

  tensor::ExpandShapeOp run() {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> inputs = op.getInputs();
    inputs[rhsOperand] = mergeRhs(maps[rhsOperand], inputs[rhsOperand]);
    const SmallVector<ReassociationIndices> groups =
        joinAt(maps.back().getNumResults(), maps.back().getNumResults() - 2);
    Value start =
        collapseStart(builder, op.getLoc(), op.getOutputs().front(), groups);
    for (AffineMap &map : maps)
      map = dropOuter(map);
    SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
    iterators.erase(iterators.begin() + outer);
    auto merged = linalg::GenericOp::create(
        builder, op.getLoc(), start.getType(), inputs, start, maps, iterators);
    merged.getRegion().takeBody(op.getRegion());
    auto result = tensor::ExpandShapeOp::create(builder, op.getLoc(),
                                                op->getResult(0).getType(),
                                                merged.getResult(0), groups);
    Operation *oldStart = op.getOutputs().front().getDefiningOp();
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
    if (oldStart && isOpTriviallyDead(oldStart))
      oldStart->erase();
    return result;
  }

private:
  /// Lays the right-hand side out with both side by side, and merges them. Its
  /// `map` becomes that of the new layout, with both loops.
  Value mergeRhs(AffineMap &map, Value rhs) {
    auto position = [&](unsigned loop) -> int64_t {
      return *map.getResultPosition(
          getAffineDimExpr(loop, builder.getContext()));
    };
    if (position(outer) + 1 != position(columns)) {
      const SmallVector<int64_t> order =
          getOrder(map.getNumResults(), position(outer), position(columns));
      rhs = copyTransposed(builder, op.getLoc(), rhs, order);
      map = map.getSubMap(llvm::map_to_vector(
          order, [](int64_t dim) { return unsigned(dim); }));
    }
    return tensor::CollapseShapeOp::create(
        builder, op.getLoc(), rhs,
        joinAt(map.getNumResults(), position(outer)));
  }

  /// Without the loop `outer`, which `columns` takes along.
  AffineMap dropOuter(AffineMap map) const {
    SmallVector<AffineExpr> loops, results;
    for (unsigned loop = 0; loop != map.getNumDims(); ++loop)
      loops.push_back(
          getAffineDimExpr(loop - (loop > outer), map.getContext()));
    for (AffineExpr index : map.getResults())
      if (index != getAffineDimExpr(outer, map.getContext()))
        results.push_back(index.replaceDims(loops));
    return AffineMap::get(map.getNumDims() - 1, 0, results, map.getContext());
  }

  linalg::GenericOp op;
  unsigned rhsOperand, outer, columns;
  OpBuilder builder;
};
} // namespace

bool sched::mergeColumns(func::FuncOp function) {
  struct Product {
    linalg::LinalgOp op;
    ContractionShape shape;
    unsigned outer;
  };
  // Other ops go with a product that is rewritten.
  SmallVector<Product> products;
  for (linalg::LinalgOp op : collectLinalgOps(function))
    if (const std::optional<ContractionShape> shape = matchContraction(op))
      if (const std::optional<unsigned> outer = getOuterColumns(op, *shape))
        products.push_back({op, *shape, *outer});
  bool isChanged = false;
  for (Product &product : products) {
    IRRewriter rewriter(product.op);
    auto generic = makeGeneric(rewriter, product.op);
    if (failed(generic))
      continue;
    joinEpilogues(Merger(*generic, product.shape, product.outer).run());
    isChanged = true;
  }
  return isChanged;
}
