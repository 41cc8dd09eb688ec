//===- ChannelsLast.cpp - Convolutions with channels outside --------------===//
//
// Found by the op's indexing maps, so that named ops, groups and generics are
// alike: the last dimensions of image and result are those of pixels, with the
// channels right before them. One of the two alone may have such a layout.
//
//===----------------------------------------------------------------------===//

#include "ChannelsLast.h"
#include "ConvolutionPhases.h"
#include "CopyTransposed.h"
#include "NarrowOperands.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Support/AffineTerms.h"
#include "SpreadImage.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// Lines of so many pixels are vectors enough as they are: at 56 the direct
/// form is as fast as this one with its transposes, at 28 a fifth. Where each
/// channel has its own window, transposes are most of the work.
static constexpr int64_t kLongLine = 64, kLongWindowedLine = 16;
/// Of the image or of the result.
static constexpr int64_t kLeastChannels = 4;

namespace {
/// A tensor as the op has it: the channels at `channels`, then pixels only.
struct Layout {
  unsigned channels, rank;

  bool operator==(const Layout &other) const {
    return channels == other.channels && rank == other.rank;
  }
  unsigned countPixelDims() const { return rank - channels - 1; }
  /// Of the dimensions of the new layout, their positions in the old one.
  SmallVector<int64_t> getOrder() const {
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::rotate(order.begin() + channels, order.begin() + channels + 1,
                order.end());
    return order;
  }
  RankedTensorType getMoved(RankedTensorType type) const {
    return type.clone(applyPermutation(type.getShape(), getOrder()));
  }
  AffineMap getMoved(AffineMap map) const {
    return AffineMap::get(
        map.getNumDims(), map.getNumSymbols(),
        applyPermutation(map.getResults(), ArrayRef(getOrder())),
        map.getContext());
  }
};

/// What is known in both layouts: of a tensor, the new one and its layout.
using MovedTensors = llvm::DenseMap<Value, std::pair<Value, Layout>>;

class Mover {
public:
  /// The rewriting of `op`, if there is one; what is `known` outlives it.
  static std::optional<Mover> match(linalg::LinalgOp op, MovedTensors &known);
  /// Whether the op is faster with its channels innermost, transposes included.
  bool gains() const;
  linalg::LinalgOp getOp() const { return op; }
  /// The new op.
  linalg::LinalgOp run();

private:
  Value moveIn(OpBuilder &builder, Value value, const Layout &layout) const;
  Value moveOut(OpBuilder &builder, Value value, RankedTensorType type) const;
  Value moveImage(OpBuilder &builder) const;
  Value moveStart(OpBuilder &builder) const;
  /// `op`, elementwise, on the result's new layout.
  Value moveElementwise(OpBuilder &builder, linalg::LinalgOp op) const;
  bool canMove(linalg::LinalgOp op) const;
  /// Whether dot products would have the image's innermost dimension as steps,
  /// once it is moved, if the processor has them.
  bool takesDotProducts(const ContractionShape &shape) const;
  /// Null where `value` is not known in the new layout.
  Value getKnown(Value value, const Layout &layout) const {
    auto entry = known->find(value);
    return entry != known->end() && entry->second.second == layout
               ? entry->second.first
               : Value();
  }

  MovedTensors *known;
  linalg::LinalgOp op;
  OpOperand *image = nullptr;
  /// None where there are no channels, or where they are innermost.
  std::optional<Layout> imageLayout, resultLayout;
  /// Between pixels of a line that are read for neighbours of the result.
  int64_t step = 1;
  /// Whether neighbours along a line of the result are such of the image.
  bool imageHasLines = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

/// Whether any index of `map` is more than a loop.
static bool hasWindows(AffineMap map) {
  return llvm::any_of(map.getResults(), [](AffineExpr index) {
    return !isa<AffineDimExpr>(index);
  });
}

std::optional<Mover> Mover::match(linalg::LinalgOp op, MovedTensors &known) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op->getNumResults() != 1 || op.hasIndexSemantics() ||
      op.getNumReductionLoops() == 0 || !isMovable(op))
    return std::nullopt;
  Mover mover;
  mover.known = &known;
  mover.op = op;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (hasWindows(op.getMatchingIndexingMap(operand))) {
      if (mover.image)
        return std::nullopt;
      mover.image = operand;
    }
  const AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!mover.image || !result.isProjectedPermutation())
    return std::nullopt;

  const AffineMap image = op.getMatchingIndexingMap(mover.image);
  auto isOfOthers = [&](unsigned loop) {
    return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
      return operand != mover.image &&
             op.getMatchingIndexingMap(operand).isFunctionOfDim(loop);
    });
  };
  // Loops over pixels, and what one pixel of the result is on the image.
  llvm::SmallDenseMap<unsigned, int64_t> steps;
  for (AffineExpr index : image.getResults()) {
    if (index.isSymbolicOrConstant())
      continue;
    auto terms = getAffineTerms(index);
    if (!terms)
      return std::nullopt;
    for (const AffineTerm &term : *terms)
      // The channels of what is pooled have no window, and no weights are a
      // pixel's, as they may be a group's.
      if (result.isFunctionOfDim(term.loop) && !isOfOthers(term.loop) &&
          (terms->size() > 1 || term.coefficient != 1))
        steps[term.loop] = term.coefficient;
  }
  auto isPixel = [&](AffineExpr index) {
    return llvm::any_of(
        steps, [&](auto &step) { return index.isFunctionOfDim(step.first); });
  };
  auto findLayout = [&](AffineMap map) -> std::optional<Layout> {
    const unsigned rank = map.getNumResults();
    unsigned pixels = 0;
    while (pixels < rank && isPixel(map.getResult(rank - 1 - pixels)))
      ++pixels;
    if (pixels == 0 || pixels == rank)
      return std::nullopt;
    return Layout{rank - pixels - 1, rank};
  };
  mover.imageLayout = findLayout(image);
  mover.resultLayout = findLayout(result);
  if ((!mover.imageLayout && !mover.resultLayout) ||
      llvm::all_of(result.getResults(), isPixel))
    return std::nullopt;
  const auto lastPixel =
      *llvm::find_if(llvm::reverse(result.getResults()), isPixel);
  const unsigned column = cast<AffineDimExpr>(lastPixel).getPosition();
  mover.step = steps.lookup(column);
  mover.imageHasLines = image.getResults().back().isFunctionOfDim(column);
  return mover;
}

bool Mover::takesDotProducts(const ContractionShape &shape) const {
  linalg::LinalgOp product = op;
  const auto group =
      shape.unrollable ? getGroupSteps(product, shape) : std::nullopt;
  if (!group || !fillsGroups(shape.k, *group))
    return false;
  const AffineMap map = product.getMatchingIndexingMap(image);
  return map
      .getResult(imageLayout ? imageLayout->channels : map.getNumResults() - 1)
      .isFunctionOfDim(shape.loops[ContractionShape::kSteps]);
}

bool Mover::gains() const {
  linalg::LinalgOp product = op;
  const auto shape = matchContraction(product);
  const bool isNarrow = shape && takesDotProducts(*shape);
  // A product takes the image as it is for its rows.
  if (!resultLayout)
    return isNarrow || !shape || shape->isWindowed;
  const AffineMap result =
      product.getMatchingIndexingMap(product.getDpsInitOperand(0));
  // What has a window for each channel.
  const bool isWindowed = product.getMatchingIndexingMap(image).isFunctionOfDim(
      result.getDimPosition(resultLayout->channels));
  const auto type = cast<RankedTensorType>(product->getResult(0).getType());
  // Of groups with a few channels each, nothing would be a vector.
  auto countChannels = [](Value value, const Layout &layout) {
    return cast<RankedTensorType>(value.getType()).getDimSize(layout.channels);
  };
  const bool hasVectors =
      countChannels(product->getResult(0), *resultLayout) >= kLeastChannels ||
      (imageLayout &&
       countChannels(image->get(), *imageLayout) >= kLeastChannels);
  // Pixels that the image has apart are no line, nor are those of a phase. Dot
  // products take channels, and no line helps them.
  const bool isApart = step != 1 || hasPhases(product) || !imageHasLines;
  return type.getDimSize(resultLayout->channels) != 1 && hasVectors &&
         (isApart || isNarrow ||
          type.getShape().back() <
              (isWindowed ? kLongWindowedLine : kLongLine));
}

bool Mover::canMove(linalg::LinalgOp user) const {
  if (!resultLayout || !sched::isElementwise(user) ||
      user.getNumLoops() != resultLayout->rank || user.hasIndexSemantics() ||
      user->getBlock() != op->getBlock())
    return false;
  // A tensor that has channels and pixels, too, would be read across.
  return llvm::all_of(user->getOpOperands(), [&](OpOperand &operand) {
    const AffineMap map = user.getMatchingIndexingMap(&operand);
    if (user.isDpsInit(&operand))
      return !user.payloadUsesValueFromOperand(&operand);
    if (map.isIdentity() && getKnown(operand.get(), *resultLayout))
      return true;
    if (!map.isFunctionOfDim(resultLayout->channels))
      return true;
    for (unsigned dim = resultLayout->channels + 1; dim != resultLayout->rank;
         ++dim)
      if (map.isFunctionOfDim(dim))
        return false;
    return true;
  });
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The pixels as one dimension, at `first`.
static SmallVector<ReassociationIndices>
joinPixels(unsigned rank, unsigned first, unsigned count) {
  SmallVector<ReassociationIndices> groups;
  for (unsigned dim = 0; dim < rank; ++dim) {
    if (dim > first && dim < first + count)
      groups.back().push_back(dim);
    else
      groups.push_back({dim});
  }
  return groups;
}

Value Mover::moveIn(OpBuilder &builder, Value value,
                    const Layout &layout) const {
  if (Value moved = getKnown(value, layout))
    return moved;
  const Location loc = op->getLoc();
  const unsigned channels = layout.channels, pixels = layout.countPixelDims();
  auto type = cast<RankedTensorType>(value.getType());
  // As one long line of pixels, of which whole squares are transposed.
  value = tensor::CollapseShapeOp::create(
      builder, loc, value, joinPixels(layout.rank, channels + 1, pixels));
  value = copyTransposed(builder, loc, value,
                         Layout{channels, channels + 2}.getOrder());
  return tensor::ExpandShapeOp::create(
      builder, loc, layout.getMoved(type), value,
      joinPixels(layout.rank, channels, pixels));
}

Value Mover::moveOut(OpBuilder &builder, Value value,
                     RankedTensorType type) const {
  const Location loc = op->getLoc();
  const unsigned channels = resultLayout->channels,
                 pixels = resultLayout->countPixelDims();
  value = tensor::CollapseShapeOp::create(
      builder, loc, value, joinPixels(resultLayout->rank, channels, pixels));
  value = copyTransposed(
      builder, loc, value,
      invertPermutationVector(Layout{channels, channels + 2}.getOrder()));
  return tensor::ExpandShapeOp::create(
      builder, loc, type, value,
      joinPixels(resultLayout->rank, channels + 1, pixels));
}

Value Mover::moveImage(OpBuilder &builder) const {
  Value value = image->get();
  if (!imageLayout)
    return value;
  // The smaller of the two is transposed, and the zeros between pixels are
  // still such; so is the pad.
  if (std::optional<SpreadImage> spread = matchSpreadImage(value)) {
    const SmallVector<int64_t> order = imageLayout->getOrder();
    const SpreadImage moved = {
        moveIn(builder, spread->source, *imageLayout),
        applyPermutation(ArrayRef(spread->low), order),
        applyPermutation(ArrayRef(spread->strides), order)};
    return writeSpreadImage(
        builder, op->getLoc(), moved,
        imageLayout->getMoved(cast<RankedTensorType>(value.getType())));
  }
  auto pad = value.getDefiningOp<tensor::PadOp>();
  Attribute padding;
  auto isStatic = [](int64_t size) { return !ShapedType::isDynamic(size); };
  if (pad && pad->hasOneUse() && llvm::all_of(pad.getStaticLow(), isStatic) &&
      llvm::all_of(pad.getStaticHigh(), isStatic) &&
      pad.getSourceType().hasStaticShape() && pad.getType().hasStaticShape() &&
      pad.getConstantPaddingValue() &&
      matchPattern(pad.getConstantPaddingValue(), m_Constant(&padding))) {
    const SmallVector<int64_t> order = imageLayout->getOrder();
    auto move = [&](ArrayRef<int64_t> sizes) {
      return getAsIndexOpFoldResult(builder.getContext(),
                                    applyPermutation(sizes, order));
    };
    auto constant = arith::ConstantOp::create(builder, pad.getLoc(),
                                              cast<TypedAttr>(padding));
    return tensor::PadOp::create(
        builder, pad.getLoc(), imageLayout->getMoved(pad.getType()),
        moveIn(builder, pad.getSource(), *imageLayout),
        move(pad.getStaticLow()), move(pad.getStaticHigh()), constant,
        pad.getNofold());
  }
  return moveIn(builder, value, *imageLayout);
}

Value Mover::moveStart(OpBuilder &builder) const {
  Value start = op->getOperand(op->getNumOperands() - 1);
  if (!resultLayout)
    return start;
  auto producer = start.getDefiningOp<linalg::LinalgOp>();
  // A fill may be there once more; what computes should not.
  if (producer && (isa<linalg::FillOp>(producer) || start.hasOneUse()) &&
      canMove(producer))
    return moveElementwise(builder, producer);
  return moveIn(builder, start, *resultLayout);
}

Value Mover::moveElementwise(OpBuilder &builder,
                             linalg::LinalgOp elementwise) const {
  auto type = resultLayout->getMoved(
      cast<RankedTensorType>(elementwise->getResult(0).getType()));
  const Location loc = elementwise->getLoc();
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  if (auto fill = dyn_cast<linalg::FillOp>(elementwise.getOperation()))
    return linalg::FillOp::create(builder, loc, fill.getInputs(), empty)
        ->getResult(0);
  // Loop i of the new op is loop order[i] of the old one.
  const SmallVector<int64_t> order = resultLayout->getOrder();
  const AffineMap loops = AffineMap::getPermutationMap(
      invertPermutationVector(order), builder.getContext());
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : elementwise.getDpsInputOperands()) {
    const AffineMap map = elementwise.getMatchingIndexingMap(operand);
    Value moved =
        map.isIdentity() ? getKnown(operand->get(), *resultLayout) : Value();
    inputs.push_back(moved ? moved : operand->get());
    maps.push_back(moved ? map : map.compose(loops));
  }
  maps.push_back(builder.getMultiDimIdentityMap(resultLayout->rank));
  auto generic = linalg::GenericOp::create(
      builder, loc, type, inputs, empty, maps,
      SmallVector<utils::IteratorType>(resultLayout->rank,
                                       utils::IteratorType::parallel));
  IRMapping mapping;
  elementwise->getRegion(0).cloneInto(&generic.getRegion(), mapping);
  return generic.getResult(0);
}

linalg::LinalgOp Mover::run() {
  OpBuilder builder(op);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (OpOperand *operand : op.getDpsInputOperands())
    inputs.push_back(operand == image ? moveImage(builder) : operand->get());
  if (imageLayout) {
    AffineMap &map = maps[image->getOperandNumber()];
    map = imageLayout->getMoved(map);
  }
  if (resultLayout)
    maps.back() = resultLayout->getMoved(maps.back());
  Value start = moveStart(builder);
  auto generic =
      linalg::GenericOp::create(builder, op->getLoc(), start.getType(), inputs,
                                start, maps, op.getIteratorTypesArray());
  IRMapping mapping;
  op->getRegion(0).cloneInto(&generic.getRegion(), mapping);

  Value old = op->getResult(0), moved = generic.getResult(0);
  if (!resultLayout) {
    old.replaceAllUsesWith(moved);
    return generic;
  }
  // The elementwise ops that follow are the product's to compute.
  while (true) {
    auto user = old.hasOneUse() ? dyn_cast<linalg::LinalgOp>(*old.user_begin())
                                : linalg::LinalgOp();
    (*known)[old] = {moved, *resultLayout};
    if (!user || !canMove(user))
      break;
    builder.setInsertionPoint(user);
    moved = moveElementwise(builder, user);
    old = user->getResult(0);
  }
  auto type = cast<RankedTensorType>(old.getType());
  Value result = moveOut(builder, moved, type);
  (*known)[result] = {moved, *resultLayout};
  old.replaceAllUsesWith(result);
  return generic;
}

bool sched::canMoveChannelsLast(linalg::LinalgOp op) {
  MovedTensors known;
  return Mover::match(op, known).has_value();
}

bool sched::moveChannelsLast(func::FuncOp function,
                             MutableArrayRef<linalg::LinalgOp> wanted) {
  MovedTensors known;
  SmallVector<Mover> movers;
  for (linalg::LinalgOp op : collectLinalgOps(function))
    if (std::optional<Mover> mover = Mover::match(op, known))
      if (mover->gains() || llvm::is_contained(wanted, op))
        movers.push_back(*mover);
  if (movers.empty())
    return false;
  for (Mover &mover : movers) {
    const linalg::LinalgOp moved = mover.run();
    llvm::replace(wanted, mover.getOp(), moved);
  }
  // What was replaced is not used any more; of what is wanted, perhaps nothing
  // ever was.
  function.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (isOpTriviallyDead(op) &&
        llvm::none_of(wanted,
                      [&](linalg::LinalgOp kept) { return kept == op; }))
      op->erase();
  });
  return true;
}
