//===- NarrowOperands.cpp - Operands for dot products ---------------------===//
//
// Instructions for bytes and bfloat16 multiply groups of neighbours along the
// reduction, of rows of the left-hand side. Three channels of an image are no
// group of four, and a transposed matrix has no neighbours along the reduction.
// So the reduction is padded with zeros, the matrix transposed beforehand, the
// loops put in order: moving an operand costs little next to products that take
// four steps at once.
//
//===----------------------------------------------------------------------===//

#include "NarrowOperands.h"
#include "CopyTransposed.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Support/NarrowType.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace sched;

/// With fewer columns, or rows that share them, an operand is not read often
/// enough to be moved.
static constexpr int64_t kLeastUses = 16;
/// Two tiles have so many groups of steps: with fewer, tiles are not full, or
/// what each of them costs beside its product is not shared.
static constexpr int64_t kFewGroups = 32;
/// What is copied for that is multiplied by as many columns.
static constexpr int64_t kManyUses = 128;

std::optional<NarrowType> sched::getNarrowType(linalg::LinalgOp anchor,
                                               unsigned number) {
  BlockArgument argument = anchor.getBlock()->getArgument(number);
  if (!argument.hasOneUse())
    return std::nullopt;
  return getWidenedType(argument.getType(), *argument.user_begin());
}

namespace {
/// A product of narrow operands that instructions would take, but for their
/// layout.
class NarrowProduct {
public:
  static std::optional<NarrowProduct> match(linalg::LinalgOp op);

  /// Changes what is to be changed; whether there was anything.
  bool arrange();

private:
  NarrowProduct(linalg::LinalgOp op, const ContractionShape &shape,
                int64_t groupSteps)
      : op(op), shape(shape), groupSteps(groupSteps) {}

  AffineMap getMap(unsigned operand) {
    return op.getMatchingIndexingMap(op.getDpsInputOperand(operand));
  }
  AffineExpr getStep() {
    return getAffineDimExpr(shape.loops[ContractionShape::kSteps],
                            op.getContext());
  }
  bool isPaddable();
  bool arrangeLayout(RewriterBase &rewriter);
  int64_t getLhsSize(int64_t dim) {
    OpOperand *lhs = op.getDpsInputOperand(shape.lhsOperand);
    return cast<RankedTensorType>(lhs->get().getType()).getDimSize(dim);
  }
  SmallVector<int64_t> getLhsOrder();
  void transposeLhs(RewriterBase &rewriter, ArrayRef<int64_t> order);
  void padSteps(RewriterBase &rewriter);

  linalg::LinalgOp op;
  ContractionShape shape;
  int64_t groupSteps;
};
} // namespace

std::optional<int64_t> sched::getGroupSteps(linalg::LinalgOp op,
                                            const ContractionShape &shape) {
  if (shape.accType.getIntOrFloatBitWidth() != 32 || shape.n < kLeastUses ||
      countSharedRows(shape) < kLeastUses)
    return std::nullopt;
  const auto lhs = getNarrowType(op, shape.lhsOperand),
             rhs = getNarrowType(op, shape.rhsOperand);
  if (!lhs || !rhs || *lhs == NarrowType::Half || *rhs == NarrowType::Half)
    return std::nullopt;
  return countStepsAtOnce(DotForm::Lanes, *lhs);
}

bool sched::suitsDotProducts(linalg::LinalgOp op,
                             const ContractionShape &shape) {
  const std::optional<int64_t> steps = getGroupSteps(op, shape);
  return steps && shape.k % *steps == 0;
}

std::optional<NarrowProduct> NarrowProduct::match(linalg::LinalgOp op) {
  const std::optional<ContractionShape> shape =
      isMovable(op) ? matchContraction(op) : std::nullopt;
  const auto steps = shape ? getGroupSteps(op, *shape) : std::nullopt;
  if (!steps)
    return std::nullopt;
  return NarrowProduct(op, *shape, *steps);
}

/// Whether the steps can be padded to whole groups, of which they are most.
bool NarrowProduct::isPaddable() {
  const AffineExpr step = getStep();
  return shape.k % groupSteps != 0 && fillsGroups(shape.k, groupSteps) &&
         llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
           const AffineMap map = op.getMatchingIndexingMap(operand);
           return llvm::all_of(map.getResults(), [&](AffineExpr index) {
             return index == step || !index.isFunctionOfDim(
                                         shape.loops[ContractionShape::kSteps]);
           });
         });
}

/// The order of the left-hand side's dimensions that has steps innermost: of a
/// few that the right-hand side has side by side with others, as the channels
/// of heads or of the lines of a patch, the others as well, in its order, so
/// that they become one dimension (MergeRows.cpp).
SmallVector<int64_t> NarrowProduct::getLhsOrder() {
  const AffineMap lhs = getMap(shape.lhsOperand),
                  rhs = getMap(shape.rhsOperand),
                  result = op.getIndexingMapsArray().back();
  SmallVector<int64_t> steps = {*lhs.getResultPosition(getStep())};
  if (shape.n >= kManyUses && shape.k < kFewGroups * groupSteps &&
      shape.k % groupSteps == 0) {
    const SmallVector<int64_t> extents = op.getStaticLoopRanges();
    SmallVector<int64_t> all, places;
    for (auto [place, index] : llvm::enumerate(rhs.getResults())) {
      const auto inLhs = lhs.getResultPosition(index);
      if (result.getResultPosition(index) || !inLhs ||
          extents[cast<AffineDimExpr>(index).getPosition()] == 1)
        continue;
      all.push_back(*inLhs);
      places.push_back(place);
    }
    if (places.size() > 1 &&
        places.back() - places.front() + 1 == int64_t(places.size()))
      steps = all;
  }
  SmallVector<int64_t> order;
  for (int64_t dim = 0; dim != lhs.getNumResults(); ++dim)
    if (!llvm::is_contained(steps, dim))
      order.push_back(dim);
  llvm::append_range(order, steps);
  return order;
}

void NarrowProduct::transposeLhs(RewriterBase &rewriter,
                                 ArrayRef<int64_t> order) {
  auto generic = cast<linalg::GenericOp>(*op);
  OpOperand *lhs = generic.getDpsInputOperand(shape.lhsOperand);
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  maps[shape.lhsOperand] = maps[shape.lhsOperand].getSubMap(
      llvm::map_to_vector(order, [](int64_t dim) { return unsigned(dim); }));
  lhs->set(copyTransposed(rewriter, op->getLoc(), lhs->get(), order));
  generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
}

Value sched::padWithZeros(RewriterBase &rewriter, Location loc, Value value,
                          int64_t dim, int64_t extent) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<OpFoldResult> low(type.getRank(), rewriter.getIndexAttr(0)),
      high = low;
  const int64_t more = extent - shape[dim];
  if (more <= 0)
    return value;
  high[dim] = rewriter.getIndexAttr(more);
  shape[dim] = extent;
  if (auto pad = value.getDefiningOp<tensor::PadOp>()) {
    Value padding = pad.getConstantPaddingValue();
    if (padding && pad->hasOneUse() && !pad.getNofold() &&
        (matchPattern(padding, m_Zero()) ||
         matchPattern(padding, m_PosZeroFloat())) &&
        pad.getStaticHigh()[dim] >= 0) {
      low = pad.getMixedLowPad();
      high = pad.getMixedHighPad();
      high[dim] = rewriter.getIndexAttr(pad.getStaticHigh()[dim] + more);
      value = pad.getSource();
    }
  }
  Value zero = arith::ConstantOp::create(
      rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
  return tensor::PadOp::create(rewriter, loc, type.clone(shape), value, low,
                               high, zero);
}

void NarrowProduct::padSteps(RewriterBase &rewriter) {
  const int64_t extent = llvm::alignTo(shape.k, groupSteps);
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Operation *old = operand->get().getDefiningOp();
    operand->set(padWithZeros(
        rewriter, op->getLoc(), operand->get(),
        *op.getMatchingIndexingMap(operand).getResultPosition(getStep()),
        extent));
    if (old && isOpTriviallyDead(old))
      rewriter.eraseOp(old);
  }
}

/// Puts steps of rows of a matrix innermost, and the loop over columns outside
/// of the one over steps; whether one was elsewhere.
bool NarrowProduct::arrangeLayout(RewriterBase &rewriter) {
  unsigned &columns = shape.loops[ContractionShape::kColumns],
           &steps = shape.loops[ContractionShape::kSteps];
  const bool isMatrix =
      llvm::all_of(op.getIndexingMapsArray(),
                   [](AffineMap map) { return map.isProjectedPermutation(); });
  const SmallVector<int64_t> order =
      isMatrix ? getLhsOrder() : SmallVector<int64_t>();
  const SmallVector<int64_t> moved = llvm::filter_to_vector(
      order, [&](int64_t dim) { return getLhsSize(dim) != 1; });
  // To move a dimension of one element moves nothing.
  const bool transposes = !llvm::is_sorted(moved);
  const bool reorders = columns > steps;
  if (!transposes && !reorders)
    return false;
  FailureOr<linalg::GenericOp> generic = makeGeneric(rewriter, op);
  if (failed(generic))
    return false;
  op = *generic;
  rewriter.setInsertionPoint(op);
  if (transposes)
    transposeLhs(rewriter, order);
  if (!reorders)
    return true;
  SmallVector<unsigned> loops(op.getNumLoops());
  std::iota(loops.begin(), loops.end(), 0);
  std::swap(loops[columns], loops[steps]);
  generic = linalg::interchangeGenericOp(rewriter, cast<linalg::GenericOp>(*op),
                                         loops);
  if (succeeded(generic)) {
    op = *generic;
    std::swap(columns, steps);
  }
  return true;
}

bool NarrowProduct::arrange() {
  const bool isPadded = isPaddable();
  // What is no group in the end needs no other layout.
  if (!isPadded && shape.k % groupSteps != 0)
    return false;
  IRRewriter rewriter(op);
  const bool isArranged = arrangeLayout(rewriter);
  rewriter.setInsertionPoint(op);
  if (isPadded)
    padSteps(rewriter);
  return isArranged || isPadded;
}

bool sched::arrangeNarrowOperands(func::FuncOp function) {
  SmallVector<NarrowProduct> products;
  for (linalg::LinalgOp op : collectLinalgOps(function))
    if (std::optional<NarrowProduct> product = NarrowProduct::match(op))
      products.push_back(*product);
  bool isChanged = false;
  for (NarrowProduct &product : products)
    isChanged |= product.arrange();
  return isChanged;
}
