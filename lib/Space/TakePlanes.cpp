//===- TakePlanes.cpp - Channels that are innermost, one by one -----------===//
//
// A picture in gray is a sum of three channels, a distance in space one of
// three squares. Where these are innermost, vectors along the sum would have
// three lanes, and vectors across it read every third element. Element by
// element, the sum is an elementwise op of as many slices:
//
//   gray[h, w] += image[h, w, c] * weights[c]
//
//   gray[h, w] = gray[h, w] + image[h, w, 0] * weights[0] + ...
//
// whose reads are loads and shuffles (Codegen/StridedReads.cpp), in the order
// of the sum. What computes the image for the sum alone is computed slice by
// slice as well. Where others read the image, too, as a softmax does, they have
// its pixels at hand, and all stays as it is.
//
// So are the products of the pixels, or points in space, with a small matrix,
// which read each channel once for a row of results; those rows are registers
// later (Codegen/ShortRows.cpp):
//
//   result[h, w, j] += image[h, w, c] * matrix[j, c]
//
// So is what moves the channels of a picture outwards, for a network that has
// its images so:
//
//   planes[c, h, w] = f(picture[h, w, c], mean[c])
//
//   planes[0, h, w] = f(picture[h, w, 0], mean[0]), ...
//
// one op after the other, while the picture stays in the caches.
//
//===----------------------------------------------------------------------===//

#include "TakePlanes.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sched;

/// Elements further apart than that are read one by one.
static constexpr int64_t kMostElements = 4;
/// Columns of a small matrix: of more, vectors along them are as good.
static constexpr int64_t kMostColumns = 7;
/// Results beside each other, at least: a vector of four bytes each on most
/// machines, and an eighth of one of bytes on the widest.
static constexpr int64_t kFewestBeside = 16;
/// What is read once for each plane is to stay in a second cache.
static constexpr int64_t kMostBytes = 1 << 20;
/// Slices of what a sum reads in strides: of 24 and more, that is four times as
/// slow as a pixel after the other.
static constexpr int64_t kMostSlices = 8;

/// Marks what is to be expanded.
static constexpr llvm::StringLiteral kExpandedAttrName = "schedule.expanded";

namespace {
/// An op with a loop over few elements that are beside each other.
struct ShortLoop {
  linalg::LinalgOp op;
  unsigned loop;
};
} // namespace

/// Whether results that are beside each other read elements of `map` that are
/// `loop`'s extent apart.
static bool isStrided(AffineMap map, unsigned loop, AffineMap result) {
  const unsigned rank = map.getNumResults();
  return rank >= 2 && map.getDimPosition(rank - 1) == loop &&
         map.getResult(rank - 2) == result.getResults().back();
}

/// What `op` reads along `loop` in strides.
static llvm::SetVector<Value> collectStrided(linalg::LinalgOp op,
                                             unsigned loop) {
  llvm::SetVector<Value> strided;
  const AffineMap result = op.getIndexingMapsArray().back();
  for (OpOperand *input : op.getDpsInputOperands())
    if (isStrided(op.getMatchingIndexingMap(input), loop, result))
      strided.insert(input->get());
  return strided;
}

/// Whether `loop` of `op` has few iterations, which neighbouring results read
/// operands that far apart in; these are no weights, which are brought into any
/// layout beforehand.
static bool isShort(linalg::LinalgOp op, unsigned loop) {
  const int64_t count = op.getStaticLoopRanges()[loop];
  const auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (count < 2 || count > kMostElements || type.getRank() == 0 ||
      type.getShape().back() < kFewestBeside)
    return false;
  const llvm::SetVector<Value> strided = collectStrided(op, loop);
  return !strided.empty() && llvm::all_of(strided, [](Value value) {
    return isLaneType(getElementTypeOrSelf(value)) &&
           !isMarkedLayoutFree(value);
  });
}

/// Whether `op` multiplies each of the short rows of an operand, which are its
/// steps along `sum`, by the same small matrix, as colours or points in space.
static bool isSmallMatrix(linalg::LinalgOp op, unsigned sum) {
  const AffineMap result = op.getIndexingMapsArray().back();
  const unsigned rank = result.getNumResults();
  const SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (rank < 2 || ranges[sum] > kMostElements || op.getNumDpsInputs() != 2)
    return false;
  const unsigned columns = result.getDimPosition(rank - 1),
                 rows = result.getDimPosition(rank - 2);
  if (ranges[columns] > kMostColumns || ranges[rows] < kFewestBeside)
    return false;
  auto isRows = [&](OpOperand *operand) {
    const AffineMap map = op.getMatchingIndexingMap(operand);
    const unsigned size = map.getNumResults();
    return size >= 2 && map.getDimPosition(size - 1) == sum &&
           map.getDimPosition(size - 2) == rows &&
           !map.isFunctionOfDim(columns) &&
           isLaneType(getElementTypeOrSelf(operand->get())) &&
           !isMarkedLayoutFree(operand->get());
  };
  auto isMatrix = [&](OpOperand *operand) {
    const AffineMap map = op.getMatchingIndexingMap(operand);
    return map.isFunctionOfDim(sum) && map.isFunctionOfDim(columns) &&
           !map.isFunctionOfDim(rows) && !isMarkedLayoutFree(operand->get());
  };
  OpOperand *left = op.getDpsInputOperand(0), *right = op.getDpsInputOperand(1);
  return (isRows(left) && isMatrix(right)) || (isRows(right) && isMatrix(left));
}

/// The loop of the sums of `op`, if it is such a product.
static std::optional<unsigned> matchSmallMatrix(linalg::LinalgOp op) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  if (loops.size() != 1 || !isSmallMatrix(op, loops.front()))
    return std::nullopt;
  return loops.front();
}

/// The loop of `op`, if it is a reduction over few elements alone.
static std::optional<unsigned> getShortSum(linalg::LinalgOp op) {
  if (const std::optional<unsigned> sum = matchSmallMatrix(op))
    return sum;
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  if (loops.size() != 1 || !isShort(op, loops.front()) ||
      int64_t(collectStrided(op, loops.front()).size()) *
              op.getStaticLoopRanges()[loops.front()] >
          kMostSlices)
    return std::nullopt;
  // Products with several rows and columns have registers for both.
  const std::optional<ContractionShape> shape = matchContraction(op);
  if (shape && shape->m > 1 && shape->n > 1)
    return std::nullopt;
  return loops.front();
}

/// The loop of `op`, if it is an elementwise op, over channels that it moves
/// outwards. What convolutions read is left: they may move them back.
static std::optional<unsigned> getMovedChannels(linalg::LinalgOp op) {
  // Copies have instructions for this.
  if (!sched::isElementwise(op) || llvm::hasSingleElement(*op.getBlock()) ||
      llvm::any_of(op->getUsers(), [](Operation *user) {
        auto reader = dyn_cast<linalg::LinalgOp>(user);
        return isa<tensor::PadOp>(user) ||
               (reader && reader.getNumReductionLoops() != 0);
      }))
    return std::nullopt;
  // The last one is that of neighbours.
  for (unsigned loop = 0; loop + 1 < op.getNumLoops(); ++loop)
    if (isShort(op, loop) &&
        llvm::all_of(collectStrided(op, loop), [](Value value) {
          const auto type = cast<RankedTensorType>(value.getType());
          return type.getNumElements() * type.getElementTypeBitWidth() / 8 <=
                 kMostBytes;
        }))
      return loop;
  return std::nullopt;
}

/// Whether `op` computes numbers at the loops' own places, and may be computed
/// in another way: it is not to stay alone, and not done beforehand.
static bool isPlain(linalg::LinalgOp op) {
  return op->getNumResults() == 1 && !op.hasIndexSemantics() &&
         !op->hasAttr(kAloneAttrName) && hasNumbers(op) && isMovable(op) &&
         !isPackedBefore(op) &&
         llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
           return map.isProjectedPermutation();
         });
}

/// The loop of `op` that it is to be taken apart along.
static std::optional<unsigned> getShortLoop(linalg::LinalgOp op) {
  if (!isPlain(op))
    return std::nullopt;
  return op.getNumReductionLoops() != 0 ? getShortSum(op)
                                        : getMovedChannels(op);
}

/// `map` without `loop`, which is one of its results at most.
static AffineMap dropLoop(AffineMap map, unsigned loop) {
  const AffineExpr index = getAffineDimExpr(loop, map.getContext());
  if (std::optional<unsigned> place = map.getResultPosition(index))
    map = map.dropResult(*place);
  llvm::SmallBitVector unused(map.getNumDims());
  unused.set(loop);
  return compressDims(map, unused);
}

/// The op that computes `value`, elementwise, for one reader alone and as often
/// as that reads it; null if that is none.
static linalg::LinalgOp getOwnProducer(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  return op && value.hasOneUse() &&
                 value.getUsers().begin()->getBlock() == op->getBlock() &&
                 isPlain(op) && op.getNumReductionLoops() == 0 &&
                 op.getIndexingMapsArray().back().isPermutation()
             ? op
             : linalg::LinalgOp();
}

static Value takeOne(RewriterBase &rewriter, Value value, unsigned dim,
                     int64_t place);

/// `operand` of `op` at `place` of `loop`.
static Value takeOperand(RewriterBase &rewriter, linalg::LinalgOp op,
                         OpOperand &operand, unsigned loop, int64_t place) {
  const AffineMap map = op.getMatchingIndexingMap(&operand);
  const std::optional<unsigned> dim =
      map.getResultPosition(rewriter.getAffineDimExpr(loop));
  return dim ? takeOne(rewriter, operand.get(), *dim, place) : operand.get();
}

/// `op`, an elementwise op, at `place` of `loop`.
static Value computeOne(RewriterBase &rewriter, linalg::LinalgOp op,
                        unsigned loop, int64_t place) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    inputs.push_back(takeOperand(rewriter, op, operand, loop, place));
    maps.push_back(dropLoop(op.getMatchingIndexingMap(&operand), loop));
  }
  const Value out = inputs.pop_back_val();
  SmallVector<utils::IteratorType> iterators(op.getNumLoops() - 1,
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(rewriter, op.getLoc(), out.getType(),
                                           inputs, out, maps, iterators);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&generic.getRegion(), mapping);
  return generic.getResult(0);
}

/// What is at `place` of dimension `dim` of `value`, without that dimension.
static Value takeOne(RewriterBase &rewriter, Value value, unsigned dim,
                     int64_t place) {
  const Location loc = value.getLoc();
  const auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  if (value.getDefiningOp<tensor::EmptyOp>())
    return tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
  if (linalg::LinalgOp op = getOwnProducer(value))
    return computeOne(rewriter, op,
                      op.getIndexingMapsArray().back().getDimPosition(dim),
                      place);
  return takePlace(rewriter, loc, value, dim, place);
}

/// Replaces an elementwise op by one for each plane of its result.
static void splitResult(RewriterBase &rewriter, const ShortLoop &channels) {
  linalg::LinalgOp op = channels.op;
  rewriter.setInsertionPoint(op);
  const auto type = cast<RankedTensorType>(op->getResult(0).getType());
  const unsigned dim = *op.getIndexingMapsArray().back().getResultPosition(
      rewriter.getAffineDimExpr(channels.loop));
  Value result = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(),
                                         type.getElementType());
  SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0)),
      sizes = getAsIndexOpFoldResult(op.getContext(), type.getShape()),
      strides(type.getRank(), rewriter.getIndexAttr(1));
  sizes[dim] = rewriter.getIndexAttr(1);
  for (int64_t place = 0, e = type.getDimSize(dim); place != e; ++place) {
    offsets[dim] = rewriter.getIndexAttr(place);
    result = tensor::InsertSliceOp::create(
        rewriter, op.getLoc(), computeOne(rewriter, op, channels.loop, place),
        result, offsets, sizes, strides);
  }
  rewriter.replaceOp(op, result);
}

/// Clones `body` but for its end, with `arguments`; what it yields.
static Value cloneBody(OpBuilder &builder, Block &body, ValueRange arguments) {
  IRMapping mapping;
  mapping.map(body.getArguments(), arguments);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
}

/// Makes the elementwise ops that `op` alone reads a part of it: as ops of
/// their own they have fewer loops, and are not fused later.
static linalg::GenericOp fuseProducers(RewriterBase &rewriter,
                                       linalg::GenericOp op) {
  for (bool changed = true; changed;) {
    changed = false;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
      if (!producer || !producer->hasOneUse() ||
          !getOwnProducer(operand->get()) ||
          !linalg::areElementwiseOpsFusable(operand))
        continue;
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::ElementwiseOpFusionResult> fused =
          linalg::fuseElementwiseOps(rewriter, operand);
      if (failed(fused))
        continue;
      rewriter.eraseOp(op);
      op = cast<linalg::GenericOp>(fused->fusedOp);
      changed = true;
      break;
    }
  }
  return op;
}

/// Replaces a reduction by an elementwise op of all that it adds up.
static void unroll(RewriterBase &rewriter, const ShortLoop &sum) {
  linalg::LinalgOp op = sum.op;
  const int64_t count = op.getStaticLoopRanges()[sum.loop];
  const bool isMatrix = matchSmallMatrix(op).has_value();
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  // For each input, where its elements are among the new ones: one place where
  // they do not depend on the loop.
  SmallVector<SmallVector<unsigned>> places;
  for (OpOperand *input : op.getDpsInputOperands()) {
    const AffineMap map = op.getMatchingIndexingMap(input);
    SmallVector<unsigned> &own = places.emplace_back();
    const int64_t copies = map.isFunctionOfDim(sum.loop) ? count : 1;
    for (int64_t place = 0; place != copies; ++place) {
      own.push_back(inputs.size());
      inputs.push_back(takeOperand(rewriter, op, *input, sum.loop, place));
      maps.push_back(dropLoop(map, sum.loop));
    }
  }
  OpOperand &init = *op.getDpsInitOperand(0);
  const AffineMap result = dropLoop(op.getMatchingIndexingMap(&init), sum.loop);
  Value start = init.get();
  while (auto expand = start.getDefiningOp<tensor::ExpandShapeOp>())
    start = expand.getSrc();
  auto fill = start.getDefiningOp<linalg::FillOp>();
  auto begin = fill ? fill.value().getDefiningOp<arith::ConstantOp>()
                    : arith::ConstantOp();
  if (!begin) {
    inputs.push_back(init.get());
    maps.push_back(result);
  }
  maps.push_back(result);
  const Location loc = op.getLoc();
  const auto type = cast<RankedTensorType>(op->getResult(0).getType());
  const Value out = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                            type.getElementType());
  SmallVector<utils::IteratorType> iterators(op.getNumLoops() - 1,
                                             utils::IteratorType::parallel);
  Block &body = *op.getBlock();
  auto generic = linalg::GenericOp::create(
      rewriter, loc, type, inputs, out, maps, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange elements) {
        Value value = begin ? builder.clone(*begin)->getResult(0)
                            : elements.drop_back().back();
        for (int64_t place = 0; place != count; ++place) {
          SmallVector<Value> arguments;
          for (ArrayRef<unsigned> own : places)
            arguments.push_back(elements[own[own.size() == 1 ? 0 : place]]);
          arguments.push_back(value);
          value = cloneBody(builder, body, arguments);
        }
        linalg::YieldOp::create(builder, loc, value);
      });
  if (isMatrix)
    generic = fuseProducers(rewriter, generic);
  rewriter.replaceOp(op, generic.getResults());
}

/// Whether `value` is an image with dimensions of pixels made one, and those of
/// its channels left as they are.
static bool isImageOfRows(Value value) {
  auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse)
    return false;
  const SmallVector<ReassociationIndices> groups =
      collapse.getReassociationIndices();
  const ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
  return groups.size() >= 2 && groups.back().size() == 1 &&
         shape[groups[groups.size() - 2].back()] >= kFewestBeside;
}

/// Gives the products with small matrices that are behind reshapes of images
/// the loops of these, so that what comes before and after is fused with them.
static void expandSmallMatrices(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  IRRewriter rewriter(context);
  bool isFound = false;
  for (linalg::LinalgOp op : collectLinalgOps(function)) {
    if (!isPlain(op) || !matchSmallMatrix(op) ||
        llvm::none_of(op->getOperands(), isImageOfRows))
      continue;
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> generic = makeGeneric(rewriter, op);
    if (failed(generic))
      continue;
    (*generic)->setAttr(kExpandedAttrName, rewriter.getUnitAttr());
    isFound = true;
  }
  if (!isFound)
    return;
  RewritePatternSet patterns(context);
  // What comes of an op has no mark.
  linalg::populateFoldReshapeOpsByExpansionPatterns(
      patterns, [](OpOperand *operand) {
        return operand->getOwner()->hasAttr(kExpandedAttrName) &&
               isImageOfRows(operand->get());
      });
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  // As much as there is to fold; nothing depends on it.
  (void)applyPatternsGreedily(function, std::move(patterns));
  function.walk(
      [](linalg::GenericOp op) { op->removeAttr(kExpandedAttrName); });
}

bool sched::takePlanes(func::FuncOp function) {
  expandSmallMatrices(function);
  llvm::MapVector<Operation *, unsigned> found;
  for (linalg::LinalgOp op : collectLinalgOps(function))
    if (std::optional<unsigned> loop = getShortLoop(op))
      found.insert({op, *loop});
  // Until no other reads what these do. Small matrices have rows at hand.
  auto isReadByOthers = [&](const auto &each) {
    auto op = cast<linalg::LinalgOp>(each.first);
    return !matchSmallMatrix(op) &&
           llvm::any_of(collectStrided(op, each.second), [&](Value value) {
             return !llvm::all_of(value.getUsers(), [&](Operation *user) {
               return found.contains(user);
             });
           });
  };
  for (size_t before = found.size() + 1; found.size() != before;) {
    before = found.size();
    SmallVector<Operation *> left;
    for (const auto &each : found)
      if (isReadByOthers(each))
        left.push_back(each.first);
    for (Operation *op : left)
      found.erase(op);
  }
  IRRewriter rewriter(function.getContext());
  for (auto [each, loop] : found) {
    auto op = cast<linalg::LinalgOp>(each);
    if (op.getNumReductionLoops() != 0)
      unroll(rewriter, {op, loop});
    else
      splitResult(rewriter, {op, loop});
  }
  return !found.empty();
}
