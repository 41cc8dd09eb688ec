//===- FewColumnSums.cpp - Sums of few columns ----------------------------===//
//
// The mean of each of three coordinates of many points, or of the colours of a
// picture, has vectors of three elements, and its sums wait for each other.
// Several rows side by side fill vectors, and several of these:
//
//   sum[c] += x[n, c]         parts[i] += x[16 n + i / 3, i % 3]   (i < 48)
//                             sum[c] += parts[3 p + c]             (p < 16)
//
// What is left of the rows is added up first. Elementwise ops that feed the sum
// alone become part of it, and what they and it have of columns alone, as the
// means that are subtracted, is repeated for the rows that are side by side. So
// are extremes and products taken, and whatever else goes in any order.
//
//===----------------------------------------------------------------------===//

#include "FewColumnSums.h"
#include "CheapProducers.h"
#include "KeptDimensions.h"
#include "RepeatAlong.h"
#include "SchedOpt/Codegen/SplitSums.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace sched;

/// Fewer rows, and fewer elements, do not pay for the second step.
static constexpr int64_t kLeastRows = 128, kLeastElements = 2048;
/// Vectors of sums side by side: one waits for its last addition.
static constexpr int64_t kLeastVectors = 3;

static int64_t getBytes(Type type) {
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

namespace {
/// A sum of columns.
struct ColumnSum {
  /// Its loops of columns and of rows, which are reduced.
  unsigned column;
  SmallVector<unsigned> rows;
  int64_t numColumns, numRows = 1;

  bool isRow(unsigned loop) const { return llvm::is_contained(rows, loop); }
  bool hasRows(AffineMap map) const {
    return llvm::any_of(
        rows, [&](unsigned loop) { return map.isFunctionOfDim(loop); });
  }

  /// Whether an operand with the map `map`, a projected permutation, has no
  /// rows, or has all of them, and columns inside of them.
  bool allows(AffineMap map) const {
    SmallVector<unsigned> inner = rows;
    inner.push_back(column);
    return !hasRows(map) ||
           (map.getNumResults() >= inner.size() &&
            llvm::equal(map.getResults().take_back(inner.size()), inner,
                        [](AffineExpr index, unsigned loop) {
                          return cast<AffineDimExpr>(index).getPosition() ==
                                 loop;
                        }));
  }

  /// Rows that are side by side.
  int64_t getGroup(Type type) const {
    const int64_t lanes = kWidestVectorBytes / getBytes(type);
    const int64_t least = lanes / std::gcd(lanes, numColumns);
    return least * llvm::divideCeil(kLeastVectors * lanes, least * numColumns);
  }
};
} // namespace

/// Whether rows of `value` that follow each other lie side by side, and all
/// that is reduced if `areJoined`.
static bool isDense(Value value, bool areJoined) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice)
    return true;
  const int64_t rank = slice.getType().getRank();
  return !areJoined && slice.getSourceType().getRank() == rank &&
         slice.getSourceType().getDimSize(rank - 1) ==
             slice.getType().getDimSize(rank - 1) &&
         slice.getStaticStrides()[rank - 2] == 1;
}

static std::optional<ColumnSum> matchColumnSum(linalg::LinalgOp op) {
  if (!isReductionInSomeOrder(op) || op->hasAttr(kAloneAttrName) ||
      !op.hasOnlyProjectedPermutations() || !hasVectorElements(op) ||
      !hasNumbers(op))
    return std::nullopt;
  const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (maps.back().getNumResults() == 0)
    return std::nullopt;
  const SmallVector<int64_t> extents = op.getStaticLoopRanges();
  ColumnSum sum;
  sum.column = maps.back().getDimPosition(maps.back().getNumResults() - 1);
  sum.numColumns = extents[sum.column];
  op.getReductionDims(sum.rows);
  for (unsigned loop : sum.rows)
    sum.numRows *= extents[loop];
  bool hasRows = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    const AffineMap map = op.getMatchingIndexingMap(input);
    if (!sum.allows(map) ||
        (sum.hasRows(map) &&
         !isDense(input->get(), /*areJoined=*/sum.rows.size() > 1)))
      return std::nullopt;
    hasRows |= sum.hasRows(map);
  }
  const Type type = getElementTypeOrSelf(op->getResult(0));
  if (!hasRows || sum.numColumns == 1 ||
      sum.numColumns * getBytes(type) >= kWidestVectorBytes ||
      sum.numRows < std::max(kLeastRows, 2 * sum.getGroup(type)) ||
      sum.numRows * sum.numColumns < kLeastElements)
    return std::nullopt;
  return sum;
}

/// `op` with the loops of rows and then that of columns inside of all others;
/// null if it cannot be a generic one.
static linalg::LinalgOp orderLoops(RewriterBase &rewriter, linalg::LinalgOp op,
                                   const ColumnSum &sum) {
  SmallVector<unsigned> order;
  for (unsigned loop = 0; loop != op.getNumLoops(); ++loop)
    if (loop != sum.column && !sum.isRow(loop))
      order.push_back(loop);
  llvm::append_range(order, sum.rows);
  order.push_back(sum.column);
  if (llvm::is_sorted(order))
    return op;
  auto generic = makeGeneric(rewriter, op);
  if (failed(generic))
    return {};
  rewriter.setInsertionPoint(*generic);
  auto ordered = linalg::interchangeGenericOp(rewriter, *generic, order);
  return failed(ordered) ? linalg::LinalgOp() : *ordered;
}

/// Makes the last two loops of `op` one: those of `group` rows that are side by
/// side, and of the columns in them. What has columns alone is repeated.
static void joinLastLoops(RewriterBase &rewriter, linalg::GenericOp op,
                          int64_t group) {
  const unsigned column = op.getNumLoops() - 1, rows = column - 1;
  rewriter.setInsertionPoint(op);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap &map = maps[input->getOperandNumber()];
    const auto dim = map.getResultPosition(rewriter.getAffineDimExpr(column));
    if (!dim || map.isFunctionOfDim(rows))
      continue;
    input->set(broadcastAt(rewriter, op.getLoc(), input->get(), *dim, group));
    map = map.insertResult(rewriter.getAffineDimExpr(rows), *dim);
  }
  op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  auto joined = linalg::collapseOpIterationDims(
      op, joinAt(op.getNumLoops(), rows), rewriter);
  if (failed(joined))
    return;
  rewriter.replaceOp(op, joined->results);
  foldReshapes(rewriter,
               SmallVector<Value>(joined->collapsedOp->getOperands()));
}

/// Whether the op that computes `operand` can be a part of `sum`.
static bool isTaken(OpOperand &operand, const ColumnSum &sum) {
  auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
  const AffineMap own = cast<linalg::LinalgOp>(operand.getOwner())
                            .getMatchingIndexingMap(&operand);
  return sched::isElementwise(producer) && !producer->hasAttr(kAloneAttrName) &&
         hasNumbers(producer) && hasVectorElements(producer) &&
         llvm::all_of(producer.getDpsInputOperands(), [&](OpOperand *input) {
           return sum.allows(
               producer.getMatchingIndexingMap(input).compose(own));
         });
}

/// What `op`, which is `sum`, became before it is taken in two steps: with the
/// elementwise ops that feed it, and one loop of rows, which is the last but
/// one. Null if it cannot be a generic op.
static linalg::LinalgOp prepare(RewriterBase &rewriter, linalg::LinalgOp op,
                                const ColumnSum &sum) {
  // Others may read these, too.
  for (unsigned i = 0; i != op.getNumDpsInputs(); ++i)
    if (auto producer =
            op.getDpsInputOperand(i)->get().getDefiningOp<linalg::LinalgOp>())
      copyIfCheap(producer);
  op = takeProducers(rewriter, op,
                     [&](OpOperand &operand) { return isTaken(operand, sum); });
  op = orderLoops(rewriter, op, sum);
  return op ? joinReductions(rewriter, op) : op;
}

bool sched::sumFewColumns(func::FuncOp function) {
  bool isChanged = false;
  for (linalg::LinalgOp op : collectLinalgOps(function)) {
    std::optional<ColumnSum> sum = matchColumnSum(op);
    if (!sum)
      continue;
    isChanged = true;
    IRRewriter rewriter(op);
    op = prepare(rewriter, op, *sum);
    sum = op ? matchColumnSum(op) : std::nullopt;
    if (!sum)
      continue;
    const int64_t group = sum->getGroup(getElementTypeOrSelf(op->getResult(0)));
    const std::optional<SplitSum> split = splitSum(
        rewriter, op,
        {group, sum->numRows / group * group, /*areInterleaved=*/true,
         /*place=*/op.getIndexingMapsArray().back().getNumResults() - 1});
    if (split)
      joinLastLoops(rewriter, cast<linalg::GenericOp>(split->parts), group);
  }
  if (isChanged) {
    eraseUnread(function);
    shareReshapes(function);
  }
  return isChanged;
}
