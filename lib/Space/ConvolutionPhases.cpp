//===- ConvolutionPhases.cpp - Transposed convolutions by phases ----------===//
//
// Front ends write a transposed convolution as one of an image with zeros
// between its pixels (SpreadImage.h). With a stride s, pixel i is at low + s i,
// and result o multiplies it by tap k where
//
//   o + k = low + s i.
//
// So results of one remainder o mod s, a phase, meet every s-th tap only. With
// o = s h + r and k = s p + t, r decides t, and each phase is a convolution of
// the image as it is with a part of the taps. All phases are one op: r is a
// loop and a dimension of the result, [.., h, r, ..], which is [.., s h + r,
// ..] in memory.
//
// The weights are looked at as [.., p, t, ..], with taps of zero where s does
// not divide them. Two ways lead from r to t:
//
//   straight:  t = r, where s = 2 and low is even; then i = h + r + p - low / 2
//   mirrored:  t = s - 1 - r, where low mod s = s - 1; i = h + p - low div s
//
// of which the second has its weights copied. Taps of zero that come first add
// to low, and so do results that are computed before the first and dropped:
// there is a way for any low.
//
//===----------------------------------------------------------------------===//

#include "ConvolutionPhases.h"
#include "PhaseWeights.h"
#include "SpreadImage.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

namespace {
/// One dimension of pixels.
struct Split {
  /// Loops of the op.
  unsigned pixel, tap;
  /// Dimensions of the tensors.
  unsigned imageDim, weightDim, resultDim;
  /// Of the op's result.
  int64_t results;
  PhaseTaps taps;
  /// Results that are computed before the first.
  int64_t skipped = 0;
  /// Results of a phase.
  int64_t pixels = 0;
  /// Zeros before the image's first pixel.
  int64_t low = 0;
  /// The loop over phases.
  unsigned phase = 0;

  /// Of all phases.
  int64_t countResults() const { return pixels * taps.stride; }
  bool isWhole() const { return countResults() == results; }
};
} // namespace

/// How `split.results` are computed with `taps` where `low` zeros come first.
static void choosePhases(Split &split, int64_t taps, int64_t low) {
  PhaseTaps &phase = split.taps;
  const int64_t stride = phase.stride;
  phase.count = llvm::divideCeil(taps, stride);
  const int64_t spare = phase.count * stride - taps;
  // The number that brings `low` to a remainder.
  auto missing = [&](int64_t remainder) {
    return (remainder + stride - low % stride) % stride;
  };
  phase.isMirrored = stride != 2 || missing(0) > spare;
  const int64_t more = missing(phase.isMirrored ? stride - 1 : 0);
  (more <= spare ? phase.front : split.skipped) = more;
  phase.back = spare - phase.front;
  split.low = (low + more) / stride;
  split.pixels = llvm::divideCeil(split.results + split.skipped, stride);
}

namespace {
class Splitter {
public:
  static std::optional<Splitter> match(linalg::LinalgOp op);
  /// Whether neighbours in memory are of the same phase.
  bool hasLines() const {
    return getResultType().getShape().back() != 1 &&
           llvm::none_of(splits, [&](const Split &split) {
             return split.resultDim + 1 == getResultType().getRank();
           });
  }
  void run(IRRewriter &rewriter);

private:
  RankedTensorType getResultType() const {
    return cast<RankedTensorType>(op->getResult(0).getType());
  }
  const Split *findResultDim(unsigned dim) const {
    const auto *split = llvm::find_if(
        splits, [&](const Split &split) { return split.resultDim == dim; });
    return split == splits.end() ? nullptr : split;
  }
  /// Whether the op is one where o + k is read of the image, in all dimensions
  /// that have zeros between pixels.
  bool findSplits();
  Value makeImage(OpBuilder &builder) const;
  Value makeStart(IRRewriter &rewriter) const;
  /// `value`, which has the result's dimensions `dims`, with its phases apart.
  Value expand(OpBuilder &builder, Value value, ArrayRef<unsigned> dims) const;
  /// `op`, elementwise, on phases, where it reads `known` as `phases`. Null if
  /// there is no such op.
  Value expandElementwise(IRRewriter &rewriter, linalg::LinalgOp op,
                          Value known, Value phases) const;
  RankedTensorType getPhasesType(Type element) const;
  SmallVector<ReassociationIndices> getGroups() const;

  linalg::LinalgOp op;
  OpOperand *image = nullptr, *weights = nullptr;
  SpreadImage spread;
  SmallVector<Split, 3> splits;
};
} // namespace

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

/// The dimension that `map`, of loops alone, has for `loop`.
static std::optional<unsigned> findDim(AffineMap map, unsigned loop) {
  return map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
}

bool Splitter::findSplits() {
  const AffineMap imageMap = op.getMatchingIndexingMap(image),
                  weightMap = op.getMatchingIndexingMap(weights),
                  resultMap =
                      op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  const SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (auto [dim, stride] : llvm::enumerate(spread.strides)) {
    if (stride == 1)
      continue;
    auto sum = dyn_cast<AffineBinaryOpExpr>(imageMap.getResult(dim));
    if (!sum || sum.getKind() != AffineExprKind::Add)
      return false;
    auto pixel = dyn_cast<AffineDimExpr>(sum.getLHS()),
         tap = dyn_cast<AffineDimExpr>(sum.getRHS());
    if (!pixel || !tap)
      return false;
    if (!resultMap.isFunctionOfDim(pixel.getPosition()))
      std::swap(pixel, tap);
    Split split;
    split.pixel = pixel.getPosition();
    split.tap = tap.getPosition();
    const auto weightDim = findDim(weightMap, split.tap),
               resultDim = findDim(resultMap, split.pixel);
    // With one tap no product is saved.
    if (!weightDim || !resultDim || findDim(weightMap, split.pixel) ||
        findDim(resultMap, split.tap) || extents[split.tap] == 1)
      return false;
    for (auto [other, index] : llvm::enumerate(imageMap.getResults()))
      if (other != dim && (index.isFunctionOfDim(split.pixel) ||
                           index.isFunctionOfDim(split.tap)))
        return false;
    split.imageDim = dim;
    split.weightDim = *weightDim;
    split.resultDim = *resultDim;
    split.results = extents[split.pixel];
    split.taps.dim = *weightDim;
    split.taps.stride = stride;
    choosePhases(split, extents[split.tap], spread.low[dim]);
    splits.push_back(split);
  }
  return true;
}

std::optional<Splitter> Splitter::match(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op->getNumResults() != 1 || op.getNumDpsInputs() != 2 ||
      op.hasIndexSemantics() || !isMovable(op) ||
      !isMultiplyAdd(*op.getBlock()))
    return std::nullopt;
  for (unsigned number : {0, 1}) {
    std::optional<SpreadImage> spread =
        matchSpreadImage(op.getDpsInputOperand(number)->get());
    if (!spread)
      continue;
    Splitter splitter;
    splitter.op = op;
    splitter.image = op.getDpsInputOperand(number);
    splitter.weights = op.getDpsInputOperand(1 - number);
    splitter.spread = std::move(*spread);
    if (!op.getMatchingIndexingMap(splitter.weights).isProjectedPermutation() ||
        !op.getMatchingIndexingMap(op.getDpsInitOperand(0))
             .isProjectedPermutation() ||
        !splitter.findSplits() ||
        op.getNumLoops() + splitter.splits.size() > kMaxContractionLoops)
      return std::nullopt;
    return splitter;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

RankedTensorType Splitter::getPhasesType(Type element) const {
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(getResultType().getShape())) {
    const Split *split = findResultDim(dim);
    shape.push_back(split ? split->pixels : extent);
    if (split)
      shape.push_back(split->taps.stride);
  }
  return RankedTensorType::get(shape, element);
}

SmallVector<ReassociationIndices> Splitter::getGroups() const {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (int64_t dim = 0; dim != getResultType().getRank(); ++dim) {
    groups.push_back({next++});
    if (findResultDim(dim))
      groups.back().push_back(next++);
  }
  return groups;
}

Value Splitter::expand(OpBuilder &builder, Value value,
                       ArrayRef<unsigned> dims) const {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::zip_equal(dims, type.getShape())) {
    const Split *split = findResultDim(dim);
    groups.push_back({int64_t(shape.size())});
    shape.push_back(split ? split->pixels : extent);
    if (!split)
      continue;
    groups.back().push_back(shape.size());
    shape.push_back(split->taps.stride);
  }
  if (groups.size() == shape.size())
    return value;
  return tensor::ExpandShapeOp::create(builder, op->getLoc(), type.clone(shape),
                                       value, groups);
}

Value Splitter::expandElementwise(IRRewriter &rewriter, linalg::LinalgOp user,
                                  Value known, Value phases) const {
  if (!sched::isElementwise(user) || user.hasIndexSemantics() ||
      user->hasAttr(kAloneAttrName) ||
      user.payloadUsesValueFromOperand(user.getDpsInitOperand(0)))
    return nullptr;
  for (OpOperand *operand : user.getDpsInputOperands()) {
    const AffineMap map = user.getMatchingIndexingMap(operand);
    if (operand->get() == known) {
      if (!map.isIdentity())
        return nullptr;
      continue;
    }
    // What only some results are computed of cannot be read for all.
    for (unsigned dim = 0; dim != map.getNumDims(); ++dim)
      if (const Split *split = findResultDim(dim);
          split && !split->isWhole() && map.isFunctionOfDim(dim))
        return nullptr;
  }
  // Nor may what is cut away later end the program.
  if (!llvm::all_of(splits,
                    [](const Split &split) { return split.isWhole(); }) &&
      !llvm::all_of(user.getBlock()->without_terminator(),
                    [](Operation &inner) { return isSpeculatable(&inner); }))
    return nullptr;
  rewriter.setInsertionPoint(user);
  const Location loc = user->getLoc();
  const SmallVector<ReassociationIndices> groups = getGroups();
  const RankedTensorType type =
      getPhasesType(getElementTypeOrSelf(user->getResult(0).getType()));
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : user.getDpsInputOperands()) {
    SmallVector<unsigned> dims;
    SmallVector<AffineExpr> indices;
    const AffineMap map = user.getMatchingIndexingMap(operand);
    for (unsigned i = 0; i != map.getNumResults(); ++i) {
      dims.push_back(map.getDimPosition(i));
      for (int64_t loop : groups[dims.back()])
        indices.push_back(rewriter.getAffineDimExpr(loop));
    }
    inputs.push_back(operand->get() == known ? phases
                     : dims.empty() ? operand->get()
                                    : expand(rewriter, operand->get(), dims));
    maps.push_back(
        AffineMap::get(type.getRank(), 0, indices, rewriter.getContext()));
  }
  maps.push_back(rewriter.getMultiDimIdentityMap(type.getRank()));
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                        type.getElementType());
  auto generic = linalg::GenericOp::create(
      rewriter, loc, type, inputs, empty, maps,
      SmallVector<utils::IteratorType>(type.getRank(),
                                       utils::IteratorType::parallel));
  IRMapping mapping;
  user->getRegion(0).cloneInto(&generic.getRegion(), mapping);
  return generic.getResult(0);
}

Value Splitter::makeImage(OpBuilder &builder) const {
  auto type = cast<RankedTensorType>(spread.source.getType()),
       whole = cast<RankedTensorType>(image->get().getType());
  SmallVector<int64_t> low = spread.low, extents(whole.getShape());
  for (const Split &split : splits) {
    low[split.imageDim] = split.low;
    extents[split.imageDim] =
        split.pixels + split.taps.count - 1 +
        (split.taps.isMirrored ? 0 : split.taps.stride - 1);
  }
  SmallVector<int64_t> high;
  for (auto [extent, before, inner] :
       llvm::zip_equal(extents, low, type.getShape()))
    high.push_back(extent - before - inner);
  return padZeros(builder, op->getLoc(), spread.source, low, high);
}

Value Splitter::makeStart(IRRewriter &rewriter) const {
  Value start = op->getOperands().back();
  const RankedTensorType type = getResultType();
  if (auto fill = start.getDefiningOp<linalg::FillOp>()) {
    Value empty = tensor::EmptyOp::create(
        rewriter, op->getLoc(), getPhasesType(type.getElementType()).getShape(),
        type.getElementType());
    return linalg::FillOp::create(rewriter, op->getLoc(), fill.getInputs(),
                                  empty)
        ->getResult(0);
  }
  // A bias for each channel.
  if (auto producer = start.getDefiningOp<linalg::LinalgOp>();
      producer && start.hasOneUse() && producer->getBlock() == op->getBlock())
    if (Value phases = expandElementwise(rewriter, producer, {}, {})) {
      rewriter.setInsertionPoint(op);
      return phases;
    }
  SmallVector<int64_t> low(type.getRank()), high(type.getRank());
  for (const Split &split : splits) {
    low[split.resultDim] = split.skipped;
    high[split.resultDim] =
        split.countResults() - split.skipped - split.results;
  }
  return expand(rewriter, padZeros(rewriter, op->getLoc(), start, low, high),
                llvm::to_vector(llvm::seq<unsigned>(0, type.getRank())));
}

void Splitter::run(IRRewriter &rewriter) {
  rewriter.setInsertionPoint(op);
  // Phases are right inside of pixels.
  SmallVector<AffineExpr> loops;
  SmallVector<utils::IteratorType> iterators;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    loops.push_back(rewriter.getAffineDimExpr(iterators.size()));
    iterators.push_back(iterator);
    for (Split &split : splits)
      if (split.pixel == loop) {
        split.phase = iterators.size();
        iterators.push_back(utils::IteratorType::parallel);
      }
  }
  auto phaseOf = [&](const Split &split) {
    return rewriter.getAffineDimExpr(split.phase);
  };
  // What is indexed by a pixel, or by a tap, is indexed by a phase, too.
  auto moveMap = [&](OpOperand *operand) {
    SmallVector<AffineExpr> indices;
    const AffineMap map = op.getMatchingIndexingMap(operand);
    for (auto [dim, index] : llvm::enumerate(map.getResults())) {
      indices.push_back(index.replaceDims(loops));
      for (const Split &split : splits) {
        if (operand != image) {
          const unsigned own =
              operand == weights ? split.weightDim : split.resultDim;
          if (own == dim)
            indices.push_back(phaseOf(split));
        } else if (split.imageDim == dim && !split.taps.isMirrored) {
          indices.back() =
              loops[split.pixel] + phaseOf(split) + loops[split.tap];
        }
      }
    }
    return AffineMap::get(iterators.size(), 0, indices, rewriter.getContext());
  };
  SmallVector<Value, 2> inputs(2);
  inputs[image->getOperandNumber()] = makeImage(rewriter);
  inputs[weights->getOperandNumber()] =
      arrangePhaseWeights(rewriter, op->getLoc(), weights->get(),
                          llvm::map_to_vector(splits, [](const Split &split) {
                            return split.taps;
                          }));
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands())
    maps.push_back(moveMap(&operand));
  Value start = makeStart(rewriter);
  auto generic = linalg::GenericOp::create(
      rewriter, op->getLoc(), start.getType(), inputs, start, maps, iterators);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&generic.getRegion(), mapping);

  // The elementwise ops that follow are the product's to compute.
  Value old = op->getResult(0), phases = generic.getResult(0);
  while (old.hasOneUse()) {
    auto user = dyn_cast<linalg::LinalgOp>(*old.user_begin());
    Value next = user && user->getBlock() == op->getBlock()
                     ? expandElementwise(rewriter, user, old, phases)
                     : Value();
    if (!next)
      break;
    old = user->getResult(0);
    phases = next;
  }
  rewriter.setInsertionPointAfterValue(phases);
  Value result = tensor::CollapseShapeOp::create(rewriter, op->getLoc(), phases,
                                                 getGroups());
  auto type = cast<RankedTensorType>(old.getType());
  if (result.getType() != type) {
    SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0)),
        ones(type.getRank(), rewriter.getIndexAttr(1));
    for (const Split &split : splits)
      offsets[split.resultDim] = rewriter.getIndexAttr(split.skipped);
    result = tensor::ExtractSliceOp::create(
        rewriter, op->getLoc(), type, result, offsets,
        getAsIndexOpFoldResult(rewriter.getContext(), type.getShape()), ones);
  }
  old.replaceAllUsesWith(result);
}

bool sched::hasPhases(linalg::LinalgOp op) {
  return Splitter::match(op).has_value();
}

bool sched::splitIntoPhases(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  bool isChanged = false;
  for (linalg::LinalgOp op : collectLinalgOps(function)) {
    std::optional<Splitter> splitter = Splitter::match(op);
    if (!splitter || !splitter->hasLines())
      continue;
    splitter->run(rewriter);
    isChanged = true;
  }
  if (!isChanged)
    return false;
  // What was replaced is not used any more.
  function.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
  return true;
}
