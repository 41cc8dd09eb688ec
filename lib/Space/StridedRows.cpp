//===- StridedRows.cpp - Rows that a stride takes apart -------------------===//
//
// Instructions that multiply tiles or squares take several rows at once, which
// must be neighbours. Those of a convolution with a stride s are not: result o
// multiplies pixel s o + k by tap k. So for each tap the pixels that it meets
// are copied side by side, before tasks are cut,
//
//   rows[.., k, o, ..] = image[.., s o + k, ..]
//
// and the product has stride 1 and a dimension of taps. In dimensions that one
// tap meets, as in a 1x1 convolution, the pixels that it does not are dropped.
// A pixel's channels are copied as they are, and multiplied by many columns
// each. Codegen/ViewCopies.cpp makes the copies views.
//
//===----------------------------------------------------------------------===//

#include "StridedRows.h"
#include "NarrowOperands.h"
#include "RepeatAlong.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Support/AffineTerms.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// Pieces that are shorter than a line of a cache are copied too slowly.
static constexpr int64_t kLeastBytes = 64;

namespace {
/// A dimension of pixels: image[step * pixel + tapStep * tap].
struct Strided {
  unsigned dim = 0, pixel = 0;
  int64_t step = 1;
  /// A loop of more than one iteration, if there is one.
  std::optional<unsigned> tap;
  int64_t tapStep = 1;
};

class StridedProduct {
public:
  static std::optional<StridedProduct> match(linalg::LinalgOp op);

  /// Whether it could be rewritten.
  bool gather();

private:
  StridedProduct(linalg::LinalgOp op, const ContractionShape &shape)
      : op(op), shape(shape) {}

  AffineMap getMap() {
    return op.getMatchingIndexingMap(op.getDpsInputOperand(shape.lhsOperand));
  }
  std::optional<Strided> matchDim(unsigned dim);
  int64_t extentOf(unsigned loop) { return op.getStaticLoopRanges()[loop]; }
  Value leaveOut(RewriterBase &rewriter, Value image);
  Value gatherRows(RewriterBase &rewriter, Value image);
  AffineMap getNewMap();

  linalg::LinalgOp op;
  ContractionShape shape;
  /// That of the rows, and others that are met by one tap.
  Strided rows;
  SmallVector<Strided, 2> others;
};
} // namespace

std::optional<Strided> StridedProduct::matchDim(unsigned dim) {
  const auto terms = getAffineTerms(getMap().getResult(dim));
  if (!terms)
    return std::nullopt;
  const SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  std::optional<AffineTerm> pixel, tap;
  for (AffineTerm term : *terms) {
    const bool isPixel = types[term.loop] == utils::IteratorType::parallel;
    if (!isPixel && extentOf(term.loop) == 1)
      continue;
    std::optional<AffineTerm> &found = isPixel ? pixel : tap;
    if (found)
      return std::nullopt;
    found = term;
  }
  if (!pixel || pixel->coefficient <= 1)
    return std::nullopt;
  Strided strided{dim, pixel->loop, pixel->coefficient, std::nullopt};
  if (tap) {
    strided.tap = tap->loop;
    strided.tapStep = tap->coefficient;
  }
  return strided;
}

/// Whether another index than `dim` is more than a loop: the product then still
/// has windows when the rows are put side by side, and takes those of a line.
static bool hasOtherSums(AffineMap map, unsigned dim) {
  return llvm::any_of(llvm::enumerate(map.getResults()), [&](auto index) {
    return index.index() != dim && !isa<AffineDimExpr>(index.value());
  });
}

std::optional<StridedProduct> StridedProduct::match(linalg::LinalgOp op) {
  const std::optional<ContractionShape> shape =
      isMovable(op) ? matchContraction(op) : std::nullopt;
  if (!shape || shape->isWindowed || shape->m == 1 ||
      !suitsDotProducts(op, *shape) ||
      shape->k * shape->lhsType.getIntOrFloatBitWidth() / 8 < kLeastBytes)
    return std::nullopt;
  StridedProduct product(op, *shape);
  const AffineMap map = product.getMap();
  // Neighbours in memory stay together.
  if (map.getResults().back() !=
      getAffineDimExpr(shape->loops[ContractionShape::kSteps], op.getContext()))
    return std::nullopt;
  bool hasRows = false;
  for (unsigned dim = 0; dim != map.getNumResults(); ++dim) {
    const std::optional<Strided> strided = product.matchDim(dim);
    if (!strided)
      continue;
    // Pixels of a line that are about as many as images become the rows.
    if (strided->pixel == shape->loops.front() ||
        (shape->rowStep == 1 && strided->tap &&
         dim + 2 == map.getNumResults() && hasOtherSums(map, dim) &&
         ContractionShape::suitsRows(product.extentOf(strided->pixel),
                                     shape->m))) {
      product.rows = *strided;
      hasRows = true;
    } else if (!strided->tap) {
      product.others.push_back(*strided);
    }
  }
  return hasRows ? std::optional(product) : std::nullopt;
}

Value StridedProduct::leaveOut(RewriterBase &rewriter, Value image) {
  for (const Strided &other : others)
    image = sliceDim(rewriter, op.getLoc(), image, other.dim, 0,
                     extentOf(other.pixel), other.step);
  return image;
}

Value sched::gatherTaps(RewriterBase &rewriter, Location loc, Value image,
                        const LineOfWindows &line, bool isBehind) {
  auto type = cast<RankedTensorType>(image.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[line.dim] = line.pixels;
  const unsigned tapDim = line.dim + (isBehind ? 1 : 0);
  shape.insert(shape.begin() + tapDim, line.taps);
  const int64_t rank = shape.size();
  const SmallVector<ReassociationIndices> groups = joinAt(rank, line.dim);
  SmallVector<OpFoldResult> offsets(rank, rewriter.getIndexAttr(0)),
      sizes = getAsIndexOpFoldResult(rewriter.getContext(), shape),
      strides(rank, rewriter.getIndexAttr(1));
  Value result =
      tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
  shape[tapDim] = 1;
  sizes[tapDim] = rewriter.getIndexAttr(1);
  for (int64_t tap = 0; tap != line.taps; ++tap) {
    Value met = sliceDim(rewriter, loc, image, line.dim, tap * line.tapStep,
                         line.pixels, line.step);
    met = tensor::ExpandShapeOp::create(
        rewriter, loc, RankedTensorType::get(shape, type.getElementType()), met,
        groups);
    offsets[tapDim] = rewriter.getIndexAttr(tap);
    result = tensor::InsertSliceOp::create(rewriter, loc, met, result, offsets,
                                           sizes, strides);
  }
  auto pad = image.getDefiningOp<tensor::PadOp>();
  if (pad && !isBehind)
    result.getDefiningOp()->setAttr(
        schedule::kTapRowsAttrName,
        rewriter.getDenseI64ArrayAttr(
            {line.dim, line.step, line.tapStep,
             pad.getSourceType().getDimSize(line.dim)}));
  return result;
}

Value StridedProduct::gatherRows(RewriterBase &rewriter, Value image) {
  const Location loc = op.getLoc();
  const int64_t pixels = extentOf(rows.pixel);
  if (!rows.tap)
    return sliceDim(rewriter, loc, image, rows.dim, 0, pixels, rows.step);
  return gatherTaps(
      rewriter, loc, image,
      {rows.dim, pixels, rows.step, extentOf(*rows.tap), rows.tapStep},
      /*isBehind=*/false);
}

/// With a step of 1 in each of those dimensions, and one more for the taps.
AffineMap StridedProduct::getNewMap() {
  const AffineMap map = getMap();
  SmallVector<AffineExpr> indices(map.getResults());
  auto shrink = [&](const Strided &strided) {
    const AffineExpr pixel = getAffineDimExpr(strided.pixel, map.getContext());
    indices[strided.dim] = indices[strided.dim] - pixel * (strided.step - 1);
  };
  llvm::for_each(others, shrink);
  if (rows.tap) {
    indices[rows.dim] = getAffineDimExpr(rows.pixel, map.getContext());
    indices.insert(indices.begin() + rows.dim,
                   getAffineDimExpr(*rows.tap, map.getContext()));
  } else {
    shrink(rows);
  }
  return simplifyAffineMap(
      AffineMap::get(map.getNumDims(), 0, indices, map.getContext()));
}

bool StridedProduct::gather() {
  IRRewriter rewriter(op);
  FailureOr<linalg::GenericOp> generic = makeGeneric(rewriter, op);
  if (failed(generic))
    return false;
  op = *generic;
  rewriter.setInsertionPoint(op);
  OpOperand *lhs = op.getDpsInputOperand(shape.lhsOperand);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[lhs->getOperandNumber()] = getNewMap();
  lhs->set(gatherRows(rewriter, leaveOut(rewriter, lhs->get())));
  generic->setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  return true;
}

bool sched::gatherStridedRows(func::FuncOp function) {
  bool isChanged = false;
  for (linalg::LinalgOp op : collectLinalgOps(function))
    if (std::optional<StridedProduct> product = StridedProduct::match(op))
      isChanged |= product->gather();
  return isChanged;
}
