//===- SplitSums.cpp - Large sums in two steps ----------------------------===//

#include "SchedOpt/Codegen/SplitSums.h"
#include "BlockGroups.h"
#include "SimtOptions.h"
#include "StageLayout.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// A reduction of so many elements to fewer points than that is done in two
/// steps: by so many blocks at most, of which each adds up so many elements at
/// least.
static constexpr int64_t kLargeSum = 1 << 18, kFewPoints = 32, kParts = 512,
                         kPartSteps = 4096;
/// Parts of a length that has no good divisor are multiples of that.
static constexpr int64_t kAligned = 16;

static SumShape getShape(linalg::LinalgOp op) {
  SumShape shape;
  for (auto [extent, kind] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    (kind == utils::IteratorType::reduction ? shape.steps : shape.points) *=
        extent;
  return shape;
}

static bool isLargeSum(linalg::LinalgOp op) {
  if (op->getNumResults() != 1 || op->hasAttr(SimtOptions::name) ||
      op.hasDynamicShape() || getBlockWork(op) != BlockWork::Reduction ||
      op.hasIndexSemantics() || matchCombiners(op).empty())
    return false;
  const SumShape shape = getShape(op);
  return shape.points < kFewPoints && shape.points * shape.steps >= kLargeSum;
}

/// What `op` reads twice in the same order is one operand.
static linalg::GenericOp joinOperands(RewriterBase &rewriter,
                                      linalg::GenericOp op) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<unsigned> places;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    const AffineMap map = op.getMatchingIndexingMap(operand);
    unsigned place = 0;
    while (place != inputs.size() &&
           !(inputs[place] == operand->get() && maps[place] == map))
      ++place;
    places.push_back(place);
    if (place != inputs.size())
      continue;
    inputs.push_back(operand->get());
    maps.push_back(map);
  }
  if (inputs.size() == places.size())
    return op;
  for (unsigned i = 0; i != op.getNumDpsInits(); ++i) {
    places.push_back(maps.size());
    maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(i)));
  }
  rewriter.setInsertionPoint(op);
  auto joined = linalg::GenericOp::create(
      rewriter, op.getLoc(), op->getResultTypes(), inputs, op.getDpsInits(),
      maps, op.getIteratorTypesArray());
  SmallVector<Type> types(maps.size());
  for (auto [place, argument] :
       llvm::zip_equal(places, op.getBody()->getArguments()))
    types[place] = argument.getType();
  Block *body =
      rewriter.createBlock(&joined.getRegion(), {}, types,
                           SmallVector<Location>(types.size(), op.getLoc()));
  SmallVector<Value> arguments;
  for (unsigned place : places)
    arguments.push_back(body->getArgument(place));
  rewriter.mergeBlocks(op.getBody(), body, arguments);
  rewriter.replaceOp(op, joined->getResults());
  return joined;
}

/// `op` as a generic op; null where it cannot be one.
static linalg::LinalgOp generalize(RewriterBase &rewriter,
                                   linalg::LinalgOp op) {
  if (isa<linalg::GenericOp>(op))
    return op;
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::GenericOp> generic =
      linalg::generalizeNamedOp(rewriter, op);
  return failed(generic) ? linalg::LinalgOp() : *generic;
}

linalg::LinalgOp
sched::takeProducers(RewriterBase &rewriter, linalg::LinalgOp op,
                     llvm::function_ref<bool(OpOperand &)> accepts) {
  while (true) {
    OpOperand *found = nullptr;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
      // Each element is computed once.
      if (producer && producer->hasOneUse() &&
          producer->getBlock() == op->getBlock() &&
          !producer.hasIndexSemantics() &&
          producer.getNumReductionLoops() == 0 && !isVirtual(producer) &&
          op.getMatchingIndexingMap(operand).isPermutation() &&
          accepts(*operand))
        found = operand;
    }
    if (!found)
      return op;
    const unsigned number = found->getOperandNumber();
    linalg::LinalgOp generic = generalize(rewriter, op);
    if (!generic)
      return op;
    op = generic;
    if (!generalize(rewriter,
                    op->getOperand(number).getDefiningOp<linalg::LinalgOp>()))
      return op;
    OpOperand &operand = op->getOpOperand(number);
    if (!linalg::areElementwiseOpsFusable(&operand))
      return op;
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::ElementwiseOpFusionResult> fused =
        linalg::fuseElementwiseOps(rewriter, &operand);
    if (failed(fused))
      return op;
    Operation *producer = operand.get().getDefiningOp();
    rewriter.replaceOp(
        op, fused->fusedOp->getResults().take_back(op->getNumResults()));
    if (producer->use_empty())
      rewriter.eraseOp(producer);
    op = joinOperands(rewriter, cast<linalg::GenericOp>(fused->fusedOp));
  }
}

linalg::LinalgOp sched::joinReductions(RewriterBase &rewriter,
                                       linalg::LinalgOp op) {
  if (!op.hasOnlyProjectedPermutations())
    return op;
  SmallVector<ReassociationIndices> groups;
  const SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  for (auto [loop, kind] : llvm::enumerate(kinds))
    if (loop != 0 && kind == utils::IteratorType::reduction &&
        kinds[loop - 1] == kind)
      groups.back().push_back(loop);
    else
      groups.push_back({int64_t(loop)});
  if (groups.size() == kinds.size() ||
      !linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), groups))
    return op;
  linalg::LinalgOp generic = generalize(rewriter, op);
  if (!generic)
    return op;
  op = generic;
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::CollapseResult> joined =
      linalg::collapseOpIterationDims(op, groups, rewriter);
  if (failed(joined))
    return op;
  rewriter.replaceOp(op, joined->results);
  return joined->collapsedOp;
}

/// Where the parts are in the result: where the reduction is in what it reads,
/// so that both steps go through memory in order.
static unsigned findPlace(linalg::LinalgOp op) {
  const AffineMap *widest = nullptr;
  const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (const AffineMap &map : ArrayRef(maps).take_front(op.getNumDpsInputs()))
    if (!widest || map.getNumResults() > widest->getNumResults())
      widest = &map;
  const SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  unsigned before = 0;
  for (AffineExpr expr :
       widest ? widest->getResults() : ArrayRef<AffineExpr>()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (dim && kinds[dim.getPosition()] == utils::IteratorType::reduction)
      break;
    ++before;
  }
  return std::min(before, maps.back().getNumResults());
}

/// `op` of the elements [begin, end) of its one reduction loop, with another
/// start.
static linalg::LinalgOp reduceRange(RewriterBase &rewriter, linalg::LinalgOp op,
                                    int64_t begin, int64_t end, Value start) {
  const SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  auto isReducedDim = [&](AffineExpr expr) {
    return linalg::isReductionIterator(
        kinds[cast<AffineDimExpr>(expr).getPosition()]);
  };
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type || op.isDpsInit(&operand)) {
      operands.push_back(op.isDpsInit(&operand) ? start : operand.get());
      continue;
    }
    const AffineMap map = op.getMatchingIndexingMap(&operand);
    if (llvm::none_of(map.getResults(), isReducedDim)) {
      operands.push_back(operand.get());
      continue;
    }
    SmallVector<OpFoldResult> offsets, sizes;
    for (auto [expr, size] :
         llvm::zip_equal(map.getResults(), type.getShape())) {
      const bool isReduced = isReducedDim(expr);
      offsets.push_back(rewriter.getIndexAttr(isReduced ? begin : 0));
      sizes.push_back(rewriter.getIndexAttr(isReduced ? end - begin : size));
    }
    const SmallVector<OpFoldResult> strides(type.getRank(),
                                            rewriter.getIndexAttr(1));
    operands.push_back(tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), operand.get(), offsets, sizes, strides));
  }
  return cast<linalg::LinalgOp>(
      clone(rewriter, op, op->getResultTypes(), operands));
}

std::optional<SplitSum> sched::splitSum(RewriterBase &rewriter,
                                        linalg::LinalgOp op,
                                        const SumParts &parts) {
  if (op->getNumResults() != 1 || op.getNumReductionLoops() != 1 ||
      op.hasDynamicShape() || op.hasIndexSemantics() ||
      !op.hasOnlyProjectedPermutations() || matchCombiners(op).empty())
    return std::nullopt;
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  const int64_t all = op.getStaticLoopRanges()[reductions.front()];
  linalg::LinalgOp rest;
  rewriter.setInsertionPoint(op);
  if (parts.steps != all) {
    rest = reduceRange(rewriter, op, parts.steps, all, op.getDpsInits()[0]);
    linalg::LinalgOp most =
        reduceRange(rewriter, op, 0, parts.steps, rest->getResult(0));
    rewriter.replaceOp(op, most->getResults());
    op = most;
    rewriter.setInsertionPoint(op);
  }
  FailureOr<linalg::SplitReductionResult> split =
      linalg::splitReduction(rewriter, op, [&](linalg::LinalgOp) {
        return linalg::SplitReductionOptions{
            parts.count, /*index=*/parts.place ? *parts.place : findPlace(op),
            /*innerParallel=*/parts.areInterleaved};
      });
  if (failed(split))
    return std::nullopt;
  return SplitSum{rest, split->splitLinalgOp, split->resultCombiningLinalgOp};
}

SmallVector<SplitSum> sched::splitLargeSums(
    RewriterBase &rewriter, Block &block,
    llvm::function_ref<bool(linalg::LinalgOp, SumShape)> accepts) {
  SmallVector<linalg::LinalgOp> ops;
  SmallVector<SplitSum> sums;
  for (auto op : block.getOps<linalg::LinalgOp>())
    if (isLargeSum(op) && accepts(op, getShape(op)))
      ops.push_back(op);
  for (linalg::LinalgOp op : ops) {
    const SumShape shape = getShape(op);
    const int64_t wanted =
        std::min(kParts / shape.points, shape.steps / kPartSteps);
    if (wanted < 2)
      continue;
    op = joinReductions(rewriter, takeProducers(rewriter, op));
    if (op.getNumReductionLoops() != 1 || !op.hasOnlyProjectedPermutations())
      continue;
    int64_t parts = wanted;
    while (parts > 1 && shape.steps % parts != 0)
      --parts;
    // Where few numbers divide the length, some elements are left over.
    int64_t steps = shape.steps;
    if (2 * parts < wanted) {
      parts = wanted;
      steps = shape.steps / parts / kAligned * kAligned * parts;
    }
    if (std::optional<SplitSum> sum = splitSum(rewriter, op, {parts, steps}))
      sums.push_back(*sum);
  }
  return sums;
}
