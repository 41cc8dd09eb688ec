//===- JoinTaps.cpp - Taps and few channels as one dimension --------------===//
//
// Tile registers take 64 bytes of neighbours along the reduction. The first
// layer of a network has three channels; but with the taps along a line of its
// window they are next to each other in memory, 7 x 3 numbers. So for each
// pixel of the result and line of the image these are a row,
//
//   rows[.., h, o, k c] = image[.., h, s o + k, c]
//
// and the product has one loop over both. Weights that have them in another
// order are transposed. Where the rows, with channels of zeros, are as many
// tiles of whole groups as they would be anyway, they are read in the image
// (Codegen/ViewCopies.cpp); else they are copied, with zeros behind them: what
// is behind a window may be infinite, and would not be zero if multiplied by
// that.
//
//===----------------------------------------------------------------------===//

#include "JoinTaps.h"
#include "CopyTransposed.h"
#include "NarrowOperands.h"
#include "RepeatAlong.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Support/AffineTerms.h"
#include "StridedRows.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

/// Pixels of so many fill most of their rows by themselves.
static constexpr int64_t kManyBytes = 256;
/// Steps of all loops of a reduction of bfloat16: of fewer, the copies would be
/// most of the work.
static constexpr int64_t kLeastSteps = 16;
/// Dot products of bytes, of which the processor has instructions for vectors,
/// too, that such a row is to save.
static constexpr int64_t kLeastSaved = 4;

namespace {
/// A convolution whose image has few channels, innermost.
class FewChannels {
public:
  static std::optional<FewChannels> match(linalg::LinalgOp op);

  /// Whether it could be rewritten.
  bool join();

private:
  FewChannels(linalg::LinalgOp op, const ContractionShape &shape)
      : op(op), shape(shape) {}

  bool matchImage();
  bool matchWeights();
  bool pays();
  int64_t countBytes(int64_t elements) {
    return elements * shape.lhsType.getIntOrFloatBitWidth() / 8;
  }
  Value getImage() { return op.getDpsInputOperand(shape.lhsOperand)->get(); }
  AffineMap getMap(unsigned operand) {
    return op.getMatchingIndexingMap(op.getDpsInputOperand(operand));
  }
  int64_t extentOf(unsigned loop) { return op.getStaticLoopRanges()[loop]; }
  std::optional<int64_t> countReadable();
  bool isViewable(bool isPadded);
  /// Whether windows fill the line, side by side.
  bool touch() {
    return stride == extentOf(tap) &&
           extentOf(pixel) * stride ==
               cast<RankedTensorType>(getImage().getType())
                   .getShape()
                   .end()[-2];
  }
  Value readRows(RewriterBase &rewriter, int64_t readable);
  Value copyRows(RewriterBase &rewriter, int64_t steps);
  Value joinWeights(RewriterBase &rewriter, int64_t perPixel, int64_t steps);

  linalg::LinalgOp op;
  ContractionShape shape;
  /// Loops over the pixels of a line, the taps along it and the channels.
  unsigned pixel = 0, tap = 0, channel = 0;
  /// Pixels of the image from one of the result to the next.
  int64_t stride = 1;
  /// Steps that an instruction takes at once.
  int64_t groupSteps = 1;
  /// The weights' dimensions in the order in which they are joined, and where
  /// that of the taps is then, in front of the channels.
  SmallVector<int64_t> order;
  unsigned tapDim = 0;
};
} // namespace

/// The last two dimensions of the image are pixels of a line, at a sum of a
/// parallel loop and one over taps that are neighbours, and few channels.
bool FewChannels::matchImage() {
  const AffineMap map = getMap(shape.lhsOperand);
  const unsigned rank = map.getNumResults();
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  const auto terms =
      rank < 2 ? std::nullopt : getAffineTerms(map.getResult(rank - 2));
  if (!last || !terms || terms->size() != 2)
    return false;
  channel = last.getPosition();
  const SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  auto isReduction = [&](unsigned loop) {
    return types[loop] == utils::IteratorType::reduction;
  };
  AffineTerm along = terms->front(), across = terms->back();
  if (isReduction(along.loop))
    std::swap(along, across);
  pixel = along.loop;
  stride = along.coefficient;
  tap = across.loop;
  auto isElsewhere = [&](unsigned loop, unsigned dim) {
    return llvm::any_of(llvm::enumerate(map.getResults()), [&](auto index) {
      return index.index() != dim && index.value().isFunctionOfDim(loop);
    });
  };
  const int64_t bytes = countBytes(extentOf(channel));
  return isReduction(channel) && isReduction(tap) && !isReduction(pixel) &&
         across.coefficient == 1 && extentOf(tap) > 1 &&
         areFewChannels(bytes) && !isElsewhere(channel, rank - 1) &&
         !isElsewhere(tap, rank - 2) && !isElsewhere(pixel, rank - 2);
}

/// The weights have both.
bool FewChannels::matchWeights() {
  const AffineMap map = getMap(shape.rhsOperand);
  if (!map.isProjectedPermutation())
    return false;
  const auto taps =
                 map.getResultPosition(getAffineDimExpr(tap, op.getContext())),
             channels = map.getResultPosition(
                 getAffineDimExpr(channel, op.getContext()));
  if (!taps || !channels || map.isFunctionOfDim(pixel))
    return false;
  // The channels come behind the taps.
  for (unsigned dim = 0; dim != map.getNumResults(); ++dim) {
    if (dim != *channels)
      order.push_back(dim);
    if (dim == *taps)
      order.push_back(*channels);
  }
  tapDim = llvm::find(order, *taps) - order.begin();
  return true;
}

/// Vectors of bfloat16 have no dot products that are faster than multiply-adds
/// of f32, and groups of bytes no less than half of them.
bool FewChannels::pays() {
  const int64_t channels = extentOf(channel), taps = extentOf(tap),
                group =
                    countStepsAtOnce(DotForm::Lanes, NarrowType::SignedByte);
  if (countBytes(1) != 1)
    return shape.countSteps() >= kLeastSteps;
  return 2 * channels <= group ||
         taps * llvm::divideCeil(channels, group) >=
             kLeastSaved * llvm::divideCeil(taps * channels, kTileRowBytes);
}

std::optional<FewChannels> FewChannels::match(linalg::LinalgOp op) {
  const std::optional<ContractionShape> shape =
      isMovable(op) && !op.hasIndexSemantics() ? matchContraction(op)
                                               : std::nullopt;
  const auto groupSteps = shape ? getGroupSteps(op, *shape) : std::nullopt;
  if (!groupSteps || shape->isWindowed)
    return std::nullopt;
  FewChannels product(op, *shape);
  product.groupSteps = *groupSteps;
  if (!product.matchImage() || !product.matchWeights() || !product.pays())
    return std::nullopt;
  return product;
}

/// Channels with which the windows of a line are rows of tiles as they lie in
/// the image, in no more tiles than if they were copied: all take as many whole
/// groups, so that none reads behind its window. Few pixels are no tile of
/// rows, and then need whole ones of steps.
std::optional<int64_t> FewChannels::countReadable() {
  const int64_t taps = extentOf(tap), channels = extentOf(channel),
                most = kTileEdge * groupSteps,
                tiles = llvm::divideCeil(taps * channels, most);
  if (extentOf(pixel) < kTileEdge)
    return std::nullopt;
  for (int64_t padded = channels; taps * padded <= tiles * most; ++padded)
    if (taps * padded % (tiles * groupSteps) == 0 &&
        taps * padded >= tiles * groupSteps * kLeastTileGroups &&
        isViewable(padded != channels))
      return padded;
  return std::nullopt;
}

/// Whether the windows can be a view (Codegen/ViewCopies.cpp): of a buffer that
/// the function has for the image, as it has where that is padded.
bool FewChannels::isViewable(bool isPadded) {
  if (touch())
    return true;
  Value image = getImage();
  while (isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
      image.getDefiningOp()))
    image = image.getDefiningOp()->getOperand(0);
  Operation *producer = image.getDefiningOp();
  return isa<FunctionOpInterface>(op->getParentOp()) &&
         (isPadded || !producer ||
          isa<linalg::LinalgOp, tensor::PadOp>(producer));
}

/// The image with the windows of a line, of `readable` channels, as rows.
Value FewChannels::readRows(RewriterBase &rewriter, int64_t readable) {
  const Location loc = op.getLoc();
  const int64_t rank = cast<RankedTensorType>(getImage().getType()).getRank(),
                pixels = extentOf(pixel), taps = extentOf(tap);
  const bool isSplit = touch();
  Value image = padWithZeros(rewriter, loc, getImage(), rank - 1, readable);
  if (isSplit) {
    // A dimension already.
    auto type = cast<RankedTensorType>(image.getType());
    SmallVector<int64_t> split(type.getShape());
    split[rank - 2] = taps;
    split.insert(split.begin() + rank - 2, pixels);
    image = tensor::ExpandShapeOp::create(
        rewriter, loc, RankedTensorType::get(split, type.getElementType()),
        image, joinAt(rank + 1, rank - 2));
  } else {
    image = gatherTaps(rewriter, loc, image,
                       {unsigned(rank - 2), pixels, stride, taps},
                       /*isBehind=*/true);
  }
  return tensor::CollapseShapeOp::create(rewriter, loc, image,
                                         joinAt(rank + 1, rank - 1));
}

/// The image with a row of `steps` for each pixel of the result in a line.
Value FewChannels::copyRows(RewriterBase &rewriter, int64_t steps) {
  const Location loc = op.getLoc();
  Value image = getImage();
  auto type = cast<RankedTensorType>(image.getType());
  const int64_t rank = type.getRank(), channels = extentOf(channel),
                taken = extentOf(tap) * channels, pixels = extentOf(pixel);
  // What is read behind a window has to be there.
  const int64_t read = (pixels - 1) * stride * channels + steps,
                width = llvm::divideCeil(read, channels);
  image = padWithZeros(rewriter, loc, image, rank - 2, width);
  type = cast<RankedTensorType>(image.getType());
  image = tensor::CollapseShapeOp::create(rewriter, loc, image,
                                          joinAt(rank, rank - 2));
  SmallVector<int64_t> rowsShape(type.getShape());
  rowsShape[rank - 2] = pixels;
  rowsShape[rank - 1] = steps;
  // Windows that touch and fill their rows are there already.
  if (taken == steps && stride * channels == steps &&
      pixels * stride == type.getDimSize(rank - 2))
    return tensor::ExpandShapeOp::create(
        rewriter, loc, RankedTensorType::get(rowsShape, type.getElementType()),
        image, joinAt(rank, rank - 2));
  Value rows =
      tensor::EmptyOp::create(rewriter, loc, rowsShape, type.getElementType());
  const AffineMap all = rewriter.getMultiDimIdentityMap(rank);
  SmallVector<AffineExpr> places(all.getResults().drop_back(2));
  places.push_back(all.getResult(rank - 2) * (stride * channels) +
                   all.getResult(rank - 1));
  const SmallVector<utils::IteratorType> loops(rank,
                                               utils::IteratorType::parallel);
  auto copy = linalg::GenericOp::create(
      rewriter, loc, rows.getType(), image, rows,
      ArrayRef{AffineMap::get(rank, 0, places, rewriter.getContext()), all},
      loops, [&](OpBuilder &b, Location loc, ValueRange args) {
        if (taken == steps) {
          linalg::YieldOp::create(b, loc, args[0]);
          return;
        }
        Value step = linalg::IndexOp::create(b, loc, rank - 1);
        Value isTaken = arith::CmpIOp::create(
            b, loc, arith::CmpIPredicate::ult, step,
            arith::ConstantIndexOp::create(b, loc, taken));
        Value zero = arith::ConstantOp::create(
            b, loc, b.getZeroAttr(type.getElementType()));
        Value value = arith::SelectOp::create(b, loc, isTaken, args[0], zero);
        linalg::YieldOp::create(b, loc, value);
      });
  copy->setAttr(kAloneAttrName, rewriter.getUnitAttr());
  return copy.getResult(0);
}

/// The weights with `perPixel` channels, and `steps` of a row in all.
Value FewChannels::joinWeights(RewriterBase &rewriter, int64_t perPixel,
                               int64_t steps) {
  const Location loc = op.getLoc();
  Value weights = op.getDpsInputOperand(shape.rhsOperand)->get();
  const int64_t rank = cast<RankedTensorType>(weights.getType()).getRank();
  if (!llvm::is_sorted(order))
    weights = copyTransposed(rewriter, loc, weights, order);
  weights = padWithZeros(rewriter, loc, weights, tapDim + 1, perPixel);
  weights = tensor::CollapseShapeOp::create(rewriter, loc, weights,
                                            joinAt(rank, tapDim));
  return padWithZeros(rewriter, loc, weights, tapDim, steps);
}

bool FewChannels::join() {
  IRRewriter rewriter(op);
  FailureOr<linalg::GenericOp> generic = makeGeneric(rewriter, op);
  if (failed(generic))
    return false;
  op = *generic;
  rewriter.setInsertionPoint(op);
  const std::optional<int64_t> readable = countReadable();
  const int64_t channels = readable.value_or(extentOf(channel)),
                taken = extentOf(tap) * channels,
                steps = readable ? taken
                                 : llvm::alignTo(taken,
                                                 kTileRowBytes / countBytes(1));
  Value inputs[2];
  inputs[shape.lhsOperand] =
      readable ? readRows(rewriter, channels) : copyRows(rewriter, steps);
  inputs[shape.rhsOperand] = joinWeights(rewriter, channels, steps);

  // The loop over the channels is that over both; the one over the taps goes.
  MLIRContext *context = op.getContext();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<AffineExpr> image(maps[shape.lhsOperand].getResults()),
      weights = applyPermutation(maps[shape.rhsOperand].getResults(), order);
  image[image.size() - 2] = getAffineDimExpr(pixel, context);
  weights.erase(weights.begin() + tapDim);
  const unsigned loops = op.getNumLoops();
  maps[shape.lhsOperand] = AffineMap::get(loops, 0, image, context);
  maps[shape.rhsOperand] = AffineMap::get(loops, 0, weights, context);
  replaceInputs(rewriter, *generic, inputs, std::move(maps), tap);
  return true;
}

bool sched::areFewChannels(int64_t bytes) {
  return bytes % kTileRowBytes != 0 && bytes < kManyBytes;
}

bool sched::joinTaps(func::FuncOp function) {
  bool isChanged = false;
  for (linalg::LinalgOp op : collectLinalgOps(function))
    if (std::optional<FewChannels> product = FewChannels::match(op))
      isChanged |= product->join();
  return isChanged;
}
