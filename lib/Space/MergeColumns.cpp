//===- MergeColumns.cpp - Two short dimensions of columns are one ---------===//
//
// In a convolution of capsules the columns of a pixel's matrix and its channels
// are both columns of the product: four times eight, say, of which a vector of
// sixteen would be half empty. They lie side by side in the result; where the
// right-hand side has them side by side as well, they are one dimension of 32.
//
// A depthwise convolution with a channel multiplier has the results of a
// channel side by side, too few for a vector. Its columns are the results of
// all channels where each channel of the image stands as often.
//
//===----------------------------------------------------------------------===//

#include "MergeColumns.h"
#include "CopyTransposed.h"
#include "JoinEpilogues.h"
#include "RepeatAlong.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir;
using namespace sched;

/// Products of fewer rows do not pay for a transposition.
static constexpr int64_t kLeastRows = 64;

/// With more results a channel than this, they are vectors.
static constexpr int64_t kMostResults = 7;

/// The loop of the other columns; none if there is nothing to gain.
static std::optional<unsigned> getOuterColumns(linalg::LinalgOp op,
                                               const ContractionShape &shape) {
  const int64_t bytes = std::max(1u, shape.accType.getIntOrFloatBitWidth() / 8);
  const AffineMap result = op.getIndexingMapsArray().back();
  if (shape.isWindowed || shape.n * bytes >= kWidestVectorBytes ||
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
      !rhs.isProjectedPermutation() || !rhs.isFunctionOfDim(outer) ||
      !rhs.isFunctionOfDim(columns))
    return std::nullopt;
  if (lhs.isFunctionOfDim(outer)) {
    // Other products of few columns have vectors along their reduction.
    const bool isRepeatable =
        shape.overlaps && shape.n > 1 && shape.n <= kMostResults &&
        llvm::count_if(lhs.getResults(),
                       [&](AffineExpr index) {
                         return index.isFunctionOfDim(outer);
                       }) == 1 &&
        lhs.getResultPosition(getAffineDimExpr(outer, op.getContext()));
    return isRepeatable ? std::optional<unsigned>(outer) : std::nullopt;
  }
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

namespace {
/// Rewrites one product.
class Merger {
public:
  Merger(linalg::GenericOp op, const ContractionShape &shape, unsigned outer)
      : op(op), lhsOperand(shape.lhsOperand), rhsOperand(shape.rhsOperand),
        outer(outer), columns(shape.loops[ContractionShape::kColumns]),
        numColumns(shape.n), builder(op) {}

  tensor::ExpandShapeOp run() {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> inputs = op.getInputs();
    repeats = maps[lhsOperand].isFunctionOfDim(outer);
    inputs[rhsOperand] = mergeRhs(maps[rhsOperand], inputs[rhsOperand]);
    if (repeats)
      inputs[lhsOperand] = repeatLhs(maps[lhsOperand], inputs[lhsOperand]);
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
    // Vectors of a depthwise convolution read weights as they lie in memory.
    const bool isMisplaced =
        repeats && position(columns) + 1 != map.getNumResults();
    if (isMisplaced || position(outer) + 1 != position(columns)) {
      SmallVector<int64_t> order =
          getOrder(map.getNumResults(), position(outer), position(columns));
      if (isMisplaced)
        // Both go last.
        std::rotate(llvm::find(order, position(outer)),
                    std::next(llvm::find(order, position(columns))),
                    order.end());
      rhs = copyTransposed(builder, op.getLoc(), rhs, order);
      map = map.getSubMap(llvm::map_to_vector(
          order, [](int64_t dim) { return unsigned(dim); }));
    }
    return tensor::CollapseShapeOp::create(
        builder, op.getLoc(), rhs,
        joinAt(map.getNumResults(), position(outer)));
  }

  /// Repeats the left-hand side, whose `map` gets the merged columns in place
  /// of the loop `outer`.
  Value repeatLhs(AffineMap &map, Value lhs) {
    const AffineExpr from = getAffineDimExpr(outer, builder.getContext());
    const int64_t dim = *map.getResultPosition(from);
    map = map.replace(from, getAffineDimExpr(columns, builder.getContext()),
                      map.getNumDims(), /*numResultSyms=*/0);
    return repeatAlong(builder, op.getLoc(), lhs, dim, numColumns);
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
  unsigned lhsOperand, rhsOperand, outer, columns;
  int64_t numColumns;
  /// Whether the left-hand side has the loop `outer`, too.
  bool repeats = false;
  OpBuilder builder;
};
} // namespace

/// `op` without reductions of one step, as over the channels of groups of one:
/// the left-hand side, which has them innermost, could not be read in vectors.
static linalg::GenericOp dropUnitSteps(RewriterBase &rewriter,
                                       linalg::GenericOp op) {
  SmallVector<unsigned> loops;
  for (auto [loop, kind, extent] :
       llvm::enumerate(op.getIteratorTypesArray(), op.getStaticLoopRanges()))
    if (linalg::isReductionIterator(kind) && extent == 1)
      loops.push_back(loop);
  if (loops.empty())
    return op;
  linalg::ControlDropUnitDims control;
  control.controlFn = [&](Operation *) { return loops; };
  rewriter.setInsertionPoint(op);
  auto dropped = linalg::dropUnitDims(rewriter, op, control);
  if (failed(dropped))
    return op;
  rewriter.replaceOp(op, dropped->replacements);
  return cast<linalg::GenericOp>(dropped->resultOp);
}

/// Merges the columns of `op`, if there is something to gain; whether there is.
static bool mergeColumns(linalg::LinalgOp op) {
  auto match = [&]() -> std::optional<std::pair<ContractionShape, unsigned>> {
    if (const std::optional<ContractionShape> shape = matchContraction(op))
      if (const std::optional<unsigned> outer = getOuterColumns(op, *shape))
        return std::make_pair(*shape, *outer);
    return std::nullopt;
  };
  auto columns = match();
  IRRewriter rewriter(op);
  FailureOr<linalg::GenericOp> generic = failure();
  if (!columns || failed(generic = makeGeneric(rewriter, op)))
    return false;
  op = *generic;
  const AffineMap lhs = op.getMatchingIndexingMap(
      op.getDpsInputOperand(columns->first.lhsOperand));
  if (lhs.isFunctionOfDim(columns->second)) {
    op = dropUnitSteps(rewriter, *generic);
    if (!(columns = match()))
      return true;
  }
  joinEpilogues(
      Merger(cast<linalg::GenericOp>(*op), columns->first, columns->second)
          .run());
  return true;
}

bool sched::mergeColumns(func::FuncOp function) {
  // Other ops go with a product that is rewritten.
  SmallVector<linalg::LinalgOp> products = collectLinalgOps(function);
  llvm::erase_if(products,
                 [](linalg::LinalgOp op) { return !matchContraction(op); });
  bool isChanged = false;
  for (linalg::LinalgOp product : products)
    isChanged |= ::mergeColumns(product);
  return isChanged;
}
