//===- JoinGroups.cpp - Groups of few channels are columns ----------------===//
//
// Group normalization adds up a group of channels, 20 of 640, say, over all
// pixels. Where channels are innermost these are many rows of 20 elements, a
// vector and a quarter each. Side by side, all channels are columns:
//
//   sums[n, g] += x[n, p, g, d]    =>  parts[n, c] += x[n, p, c]
//                                      sums[n, g] += parts[n, g, d]
//   y[n, p, g, d] =                    y[n, p, c] =
//     f(x[n, p, g, d], m[n, g])    =>    f(x[n, p, c], m[n, c / d])
//
// What there is one of for each group stands as often as that has channels,
// which is little beside the pixels.
//
//===----------------------------------------------------------------------===//

#include "JoinGroups.h"
#include "KeptDimensions.h"
#include "RepeatAlong.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

using namespace mlir;
using namespace sched;

/// Of so many channels a group, vectors are full or nearly so.
static constexpr int64_t kManyChannels = 64;
/// Least points for each element that is repeated, or is a sum of its own.
static constexpr int64_t kLeastPoints = 8;

namespace {
/// An op on groups of channels, by the loops of both.
class GroupedOp {
public:
  static std::optional<GroupedOp> match(linalg::LinalgOp op);

  /// What was repeated in a block, by the dimension and how often.
  using Repeated =
      llvm::DenseMap<std::pair<Value, std::pair<int64_t, int64_t>>, Value>;

  /// Whether it could be rewritten.
  bool join(Repeated &repeated);

private:
  explicit GroupedOp(linalg::LinalgOp op) : op(op) {}

  bool findLoops();
  bool canJoin();
  bool isReduction() {
    return op.getIteratorTypesArray()[channel] ==
           utils::IteratorType::reduction;
  }
  /// Of a reduction, which has one.
  Operation *getCombiner();
  int64_t extentOf(unsigned loop) { return op.getStaticLoopRanges()[loop]; }
  /// Whether there is one element for all channels of a group.
  bool isOfGroup(AffineMap map) const {
    return map.isFunctionOfDim(group) && !map.isFunctionOfDim(channel);
  }
  /// `map` with the channels behind the groups.
  AffineMap addChannels(AffineMap map) const;
  Value repeat(RewriterBase &rewriter, Value value, AffineMap map,
               Repeated &repeated);
  Value makeNeutral(RewriterBase &rewriter);
  Value addParts(RewriterBase &rewriter, Value parts);

  linalg::LinalgOp op;
  unsigned group = 0, channel = 0;
};
} // namespace

/// The loops of the last two dimensions of the largest operand.
bool GroupedOp::findLoops() {
  OpOperand *largest = nullptr;
  auto countElements = [](OpOperand *operand) {
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    return type ? type.getNumElements() : 0;
  };
  for (OpOperand *input : op.getDpsInputOperands())
    if (!largest || countElements(input) > countElements(largest))
      largest = input;
  if (!largest)
    return false;
  const AffineMap map = op.getMatchingIndexingMap(largest);
  const unsigned rank = map.getNumResults();
  if (rank < 3 || !map.isProjectedPermutation())
    return false;
  group = map.getDimPosition(rank - 2);
  channel = map.getDimPosition(rank - 1);
  return true;
}

bool GroupedOp::canJoin() {
  const int64_t channels = extentOf(channel);
  if (extentOf(group) == 1 || channels == 1 || channels >= kManyChannels ||
      op.getIteratorTypesArray()[group] != utils::IteratorType::parallel)
    return false;
  const int64_t points = llvm::product_of(op.getStaticLoopRanges());
  bool hasGroups = isReduction();
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    const AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!type || !map.isProjectedPermutation())
      return false;
    if (isOfGroup(map)) {
      // The result of a sum of groups is one, and of nothing else.
      if ((op.isDpsInit(&operand) && !isReduction()) ||
          type.getNumElements() * channels * kLeastPoints > points)
        return false;
      hasGroups = true;
    } else if (!linalg::isDimSequencePreserved(
                   map, ReassociationIndices{group, channel}) ||
               (op.isDpsInit(&operand) && isReduction())) {
      return false;
    }
  }
  return hasGroups && (isReduction() ? isReductionInSomeOrder(op)
                                     : sched::isElementwise(op));
}

std::optional<GroupedOp> GroupedOp::match(linalg::LinalgOp op) {
  GroupedOp grouped(op);
  if (!isMovable(op) || op.hasDynamicShape() || op.getNumDpsInits() != 1 ||
      op.hasIndexSemantics() || !grouped.findLoops() || matchContraction(op) ||
      !grouped.canJoin())
    return std::nullopt;
  return grouped;
}

Operation *GroupedOp::getCombiner() {
  SmallVector<Operation *> combiners;
  matchReduction(op.getRegionOutputArgs(), 0, combiners);
  return combiners.front();
}

AffineMap GroupedOp::addChannels(AffineMap map) const {
  SmallVector<AffineExpr> indices;
  for (AffineExpr index : map.getResults()) {
    indices.push_back(index);
    if (index.isFunctionOfDim(group))
      indices.push_back(getAffineDimExpr(channel, map.getContext()));
  }
  return AffineMap::get(map.getNumDims(), 0, indices, map.getContext());
}

/// `value` of each group once for each channel, by `addChannels` of `map`.
Value GroupedOp::repeat(RewriterBase &rewriter, Value value, AffineMap map,
                        Repeated &repeated) {
  const Location loc = op.getLoc();
  const int64_t dim = *map.getResultPosition(
                    getAffineDimExpr(group, rewriter.getContext())),
                channels = extentOf(channel);
  Value &all = repeated[{value, {dim, channels}}];
  if (!all || all.getParentBlock() != op->getBlock())
    all = repeatAlong(rewriter, loc, value, dim, channels);
  auto type = cast<RankedTensorType>(all.getType());
  SmallVector<int64_t> extents(type.getShape());
  extents[dim] /= channels;
  extents.insert(extents.begin() + dim + 1, channels);
  return tensor::ExpandShapeOp::create(rewriter, loc, type.clone(extents), all,
                                       joinAt(extents.size(), dim));
}

/// What the sums of all channels start from.
Value GroupedOp::makeNeutral(RewriterBase &rewriter) {
  const Location loc = op.getLoc();
  OpOperand *init = op.getDpsInitOperand(0);
  SmallVector<int64_t> extents;
  for (AffineExpr index :
       addChannels(op.getMatchingIndexingMap(init)).getResults())
    extents.push_back(extentOf(cast<AffineDimExpr>(index).getPosition()));
  Value neutral = arith::ConstantOp::create(
      rewriter, loc, *arith::getNeutralElement(getCombiner()));
  Value empty = tensor::EmptyOp::create(rewriter, loc, extents,
                                        getElementTypeOrSelf(init->get()));
  return linalg::FillOp::create(rewriter, loc, neutral, empty).getResult(0);
}

/// The result, of `parts` that have all channels.
Value GroupedOp::addParts(RewriterBase &rewriter, Value parts) {
  OpOperand *init = op.getDpsInitOperand(0);
  const AffineMap map = addChannels(op.getMatchingIndexingMap(init));
  const unsigned rank = map.getNumResults();
  SmallVector<AffineExpr> indices;
  SmallVector<utils::IteratorType> types;
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    const bool isChannel = cast<AffineDimExpr>(index).getPosition() == channel;
    types.push_back(isChannel ? utils::IteratorType::reduction
                              : utils::IteratorType::parallel);
    if (!isChannel)
      indices.push_back(getAffineDimExpr(dim, rewriter.getContext()));
  }
  const AffineMap result =
      AffineMap::get(rank, 0, indices, rewriter.getContext());
  Operation *combiner = getCombiner();
  Value sum = op.getRegionOutputArgs().front();
  return linalg::GenericOp::create(
             rewriter, op.getLoc(), init->get().getType(), parts, init->get(),
             {rewriter.getMultiDimIdentityMap(rank), result}, types,
             [&](OpBuilder &builder, Location loc, ValueRange arguments) {
               Operation *copy = builder.clone(*combiner);
               for (OpOperand &operand : copy->getOpOperands())
                 operand.set(arguments[operand.get() == sum ? 1 : 0]);
               linalg::YieldOp::create(builder, loc, copy->getResults());
             })
      .getResult(0);
}

bool GroupedOp::join(Repeated &repeated) {
  IRRewriter rewriter(op);
  FailureOr<linalg::GenericOp> generic = makeGeneric(rewriter, op);
  if (failed(generic))
    return false;
  op = *generic;
  rewriter.setInsertionPoint(op);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Value> inputs(op.getDpsInputs());
  for (auto [input, map] : llvm::zip(inputs, maps))
    if (isOfGroup(map)) {
      input = repeat(rewriter, input, map, repeated);
      map = addChannels(map);
    }
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  Value init = op.getDpsInits().front();
  if (isReduction()) {
    init = makeNeutral(rewriter);
    maps.back() = addChannels(maps.back());
    types[channel] = utils::IteratorType::parallel;
  }
  auto joined = linalg::GenericOp::create(rewriter, op.getLoc(), init.getType(),
                                          inputs, init, maps, types);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&joined.getRegion(), mapping);
  FailureOr<linalg::CollapseResult> columns = linalg::collapseOpIterationDims(
      joined, {ReassociationIndices{group, channel}}, rewriter);
  if (failed(columns)) {
    rewriter.eraseOp(joined);
    return false;
  }
  Value result = columns->results.front();
  rewriter.eraseOp(joined);
  if (isReduction())
    result = addParts(rewriter, result);
  rewriter.replaceOp(op, result);
  // Of the columns before, and to columns again.
  SmallVector<Value> values(columns->collapsedOp->getOperands());
  for (Operation *user : result.getUsers())
    llvm::append_range(values, user->getResults());
  foldReshapes(rewriter, values);
  return true;
}

bool sched::joinGroups(func::FuncOp function) {
  std::vector<GroupedOp> grouped;
  for (linalg::LinalgOp op : collectLinalgOps(function))
    if (std::optional<GroupedOp> match = GroupedOp::match(op))
      grouped.push_back(*match);
  // In program order: what is repeated is there for what follows.
  GroupedOp::Repeated repeated;
  bool isChanged = false;
  for (GroupedOp &op : grouped)
    isChanged |= op.join(repeated);
  return isChanged;
}
