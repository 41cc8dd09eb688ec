//===- JoinLines.cpp - Images as one line of pixels -----------------------===//
//
// A tile has 16 rows, which a line of 7 or 14 pixels does not fill, and a tile
// of weights should be multiplied by more than one of pixels, as it comes from
// a cache that is slower than the products. But lines are next to each other,
// padding included: pixel (h, w) of a padded image of Wp pixels a line is pixel
// h Wp + w of one long line, and tap (kh, kw) of it pixel h Wp + w + kh Wp +
// kw. So
//
//   sums[r, f] += image[r + kh Wp + kw, c] * weights[kh, kw, c, f]
//
// has the sum of (h, w) in row h Wp + w, and in Wp - W rows of each line sums
// of windows that are cut by the end of the line, which nothing reads. So do
// elementwise ops that follow. Codegen/WriteRows.cpp writes the other rows to
// where they are wanted.
//
//===----------------------------------------------------------------------===//

#include "JoinLines.h"
#include "NarrowOperands.h"
#include "RepeatAlong.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Support/AffineTerms.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <vector>

using namespace mlir;
using namespace sched;

namespace {
class JoinedLines {
public:
  static std::optional<JoinedLines> match(linalg::LinalgOp op);

  /// Whether it could be rewritten.
  bool join();

private:
  JoinedLines(linalg::LinalgOp op, const ContractionShape &shape)
      : op(op), shape(shape) {}

  OpOperand *getImage() { return op.getDpsInputOperand(shape.lhsOperand); }
  AffineMap getMap() { return op.getMatchingIndexingMap(getImage()); }
  int64_t extentOf(unsigned loop) { return op.getStaticLoopRanges()[loop]; }
  int64_t getPixelsOfLine() {
    return cast<RankedTensorType>(getImage()->get().getType())
        .getDimSize(dim + 1);
  }
  /// All sums of the lines, or those from the first to the last that is read,
  /// which read no more than the image has.
  int64_t countRows() {
    return isLonger
               ? extentOf(line) * getPixelsOfLine()
               : (extentOf(line) - 1) * getPixelsOfLine() + extentOf(pixel);
  }
  bool matchDims(unsigned first);
  bool isWorthIt();
  Value makeImage(RewriterBase &rewriter);
  AffineExpr shift(AffineExpr index);
  SmallVector<AffineMap> getNewMaps();
  bool canWiden(linalg::LinalgOp elementwise, Value rows = {});
  Value widen(RewriterBase &rewriter, linalg::LinalgOp elementwise,
              Value rows = {}, Value wide = {});
  Value makeStart(RewriterBase &rewriter, bool &isComplete);
  Value takeWhole(RewriterBase &rewriter, Value sums);
  Value addStart(RewriterBase &rewriter, Value whole, Value start);

  linalg::LinalgOp op;
  ContractionShape shape;
  /// The image's dimension of lines, which that of their pixels follows, and
  /// that of the result.
  unsigned dim = 0, resultDim = 0;
  /// The loops over both in the result.
  unsigned line = 0, pixel = 0;
  /// The image gets one more line, for the last sums.
  bool isLonger = false;
};
} // namespace

/// The parallel loop of `index`, a sum of it and of taps; none where there is
/// another one, or a stride.
static std::optional<unsigned>
findPixelLoop(AffineExpr index, ArrayRef<utils::IteratorType> types) {
  const auto terms = getAffineTerms(index);
  if (!terms)
    return std::nullopt;
  std::optional<unsigned> found;
  for (AffineTerm term : *terms) {
    if (types[term.loop] != utils::IteratorType::parallel)
      continue;
    if (found || term.coefficient != 1)
      return std::nullopt;
    found = term.loop;
  }
  return found;
}

/// Whether dimensions `first` and the next one of the image are those of lines
/// and pixels, and next to each other in the result, too.
bool JoinedLines::matchDims(unsigned first) {
  const AffineMap image = getMap(),
                  result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  const SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  const auto outer = findPixelLoop(image.getResult(first), types),
             inner = findPixelLoop(image.getResult(first + 1), types);
  if (!outer || !inner)
    return false;
  auto find = [&](unsigned loop) {
    return result.getResultPosition(getAffineDimExpr(loop, op.getContext()));
  };
  const auto place = find(*outer);
  if (!place || find(*inner) != *place + 1)
    return false;
  auto isElsewhere = [&](unsigned loop) {
    const AffineMap other =
        op.getMatchingIndexingMap(op.getDpsInputOperand(shape.rhsOperand));
    return other.isFunctionOfDim(loop) ||
           llvm::count_if(image.getResults(), [&](AffineExpr index) {
             return index.isFunctionOfDim(loop);
           }) != 1;
  };
  if (isElsewhere(*outer) || isElsewhere(*inner))
    return false;
  dim = first;
  resultDim = *place;
  line = *outer;
  pixel = *inner;
  return true;
}

/// Whether a line fills no tile, all rows make no more tiles than there are
/// lines, and a window has more than one pixel: other products are
/// MergeRows.h's. Threads share longer lines better than rows.
bool JoinedLines::isWorthIt() {
  const SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  const bool hasTaps =
      llvm::any_of(getMap().getResults().slice(dim, 2), [&](AffineExpr index) {
        return llvm::any_of(llvm::seq<unsigned>(types.size()), [&](unsigned i) {
          return types[i] == utils::IteratorType::reduction &&
                 extentOf(i) > 1 && index.isFunctionOfDim(i);
        });
      });
  return hasTaps && extentOf(line) > 1 && extentOf(pixel) < kTileEdge &&
         int64_t(llvm::divideCeil(extentOf(line) * getPixelsOfLine(),
                                  kTileEdge)) <= extentOf(line);
}

std::optional<JoinedLines> JoinedLines::match(linalg::LinalgOp op) {
  const std::optional<ContractionShape> shape =
      isMovable(op) ? matchContraction(op) : std::nullopt;
  if (!shape || shape->isWindowed || !suitsDotProducts(op, *shape))
    return std::nullopt;
  JoinedLines lines(op, *shape);
  // The dimension of channels is the last one, after lines and their pixels.
  const AffineMap map = lines.getMap();
  const AffineExpr step =
      getAffineDimExpr(shape->loops[ContractionShape::kSteps], op.getContext());
  if (map.getNumResults() < 3 || map.getResults().back() != step ||
      !lines.matchDims(map.getNumResults() - 3) || !lines.isWorthIt())
    return std::nullopt;
  return lines;
}

/// `index` by the loops that are left: `line` is that of the rows.
AffineExpr JoinedLines::shift(AffineExpr index) {
  SmallVector<AffineExpr> loops;
  for (unsigned loop = 0; loop != op.getNumLoops(); ++loop)
    loops.push_back(loop == pixel ? getAffineConstantExpr(0, op.getContext())
                                  : getAffineDimExpr(loop - (loop > pixel),
                                                     op.getContext()));
  return index.replaceDims(loops);
}

SmallVector<AffineMap> JoinedLines::getNewMaps() {
  const unsigned loops = op.getNumLoops() - 1;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<AffineExpr> indices;
    for (AffineExpr index : op.getMatchingIndexingMap(&operand).getResults())
      indices.push_back(shift(index));
    if (&operand == getImage()) {
      // The row is there once, as a pixel.
      const AffineExpr row = shift(getAffineDimExpr(line, op.getContext()));
      indices[dim] =
          (indices[dim] - row) * getPixelsOfLine() + indices[dim + 1] + row;
      indices.erase(indices.begin() + dim + 1);
    } else if (&operand == op.getDpsInitOperand(0)) {
      indices.erase(indices.begin() + resultDim + 1);
    }
    maps.push_back(
        simplifyAffineMap(AffineMap::get(loops, 0, indices, op.getContext())));
  }
  return maps;
}

/// Whether the body of `op` may be run on any numbers, at any place.
static bool canComputeAnything(linalg::LinalgOp op) {
  return !op.hasIndexSemantics() &&
         llvm::all_of(op.getBlock()->without_terminator(), [](Operation &each) {
           // Upstream holds that for what has no effect, wherever it reads.
           return isSpeculatable(&each) && !isa<tensor::ExtractOp>(each);
         });
}

/// Whether `elementwise`, of which each pixel is computed, can be computed for
/// all rows: what it reads is `rows`, or the same for all pixels, and sums of
/// windows that are cut do no harm.
bool JoinedLines::canWiden(linalg::LinalgOp elementwise, Value rows) {
  return sched::isElementwise(elementwise) && isMovable(elementwise) &&
         canComputeAnything(elementwise) &&
         !elementwise.payloadUsesValueFromOperand(
             elementwise.getDpsInitOperand(0)) &&
         llvm::all_of(elementwise.getDpsInputOperands(), [&](OpOperand *input) {
           const AffineMap map = elementwise.getMatchingIndexingMap(input);
           return input->get() == rows
                      ? map.isIdentity()
                      : !map.isFunctionOfDim(resultDim) &&
                            !map.isFunctionOfDim(resultDim + 1);
         });
}

/// `elementwise` of all rows, which reads `wide` in the place of `rows`.
Value JoinedLines::widen(RewriterBase &rewriter, linalg::LinalgOp elementwise,
                         Value rows, Value wide) {
  auto type = cast<RankedTensorType>(elementwise->getResult(0).getType());
  SmallVector<int64_t> extents(type.getShape());
  extents[resultDim] = countRows();
  extents.erase(extents.begin() + resultDim + 1);
  const int64_t rank = extents.size();
  Value empty = tensor::EmptyOp::create(rewriter, elementwise.getLoc(), extents,
                                        type.getElementType());
  if (auto fill = dyn_cast<linalg::FillOp>(elementwise.getOperation()))
    return linalg::FillOp::create(rewriter, fill.getLoc(), fill.getInputs(),
                                  empty)
        .getResult(0);
  SmallVector<AffineExpr> loops;
  for (unsigned loop = 0; loop != rank + 1; ++loop)
    loops.push_back(
        getAffineDimExpr(loop - (loop > resultDim), rewriter.getContext()));
  const AffineMap same = rewriter.getMultiDimIdentityMap(rank);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : elementwise.getDpsInputOperands()) {
    const bool isRows = input->get() == rows;
    inputs.push_back(isRows ? wide : input->get());
    maps.push_back(isRows ? same
                          : elementwise.getMatchingIndexingMap(input)
                                .replaceDimsAndSymbols(loops, {}, rank, 0));
  }
  maps.push_back(same);
  auto generic = linalg::GenericOp::create(
      rewriter, elementwise.getLoc(), empty.getType(), inputs, empty, maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel));
  IRMapping mapping;
  elementwise->getRegion(0).cloneInto(&generic.getRegion(), mapping);
  return generic.getResult(0);
}

/// The image as one line. Where it is padded, it is so by one line more: then
/// the sums are all of some lines, and no part of what they are a part of.
Value JoinedLines::makeImage(RewriterBase &rewriter) {
  Value image = getImage()->get();
  auto pad = image.getDefiningOp<tensor::PadOp>();
  if (pad && pad->hasOneUse() && pad.getConstantPaddingValue() &&
      !ShapedType::isDynamic(pad.getStaticHigh()[dim]) && !pad.getNofold()) {
    // The constant may be in the region, which goes with the pad.
    if (Operation *constant = pad.getConstantPaddingValue().getDefiningOp();
        constant && pad->isProperAncestor(constant))
      rewriter.moveOpBefore(constant, pad);
    SmallVector<OpFoldResult> high = pad.getMixedHighPad();
    high[dim] = rewriter.getIndexAttr(pad.getStaticHigh()[dim] + 1);
    SmallVector<int64_t> extents(pad.getResultType().getShape());
    ++extents[dim];
    image = tensor::PadOp::create(rewriter, pad.getLoc(),
                                  pad.getResultType().clone(extents),
                                  pad.getSource(), pad.getMixedLowPad(), high,
                                  pad.getConstantPaddingValue());
    isLonger = true;
  }
  return tensor::CollapseShapeOp::create(rewriter, op.getLoc(), image,
                                         joinAt(getMap().getNumResults(), dim));
}

/// What the sums start from: the same, or zero where it is not the same for all
/// pixels, which is not complete.
Value JoinedLines::makeStart(RewriterBase &rewriter, bool &isComplete) {
  const Location loc = op.getLoc();
  Value start = op.getDpsInitOperand(0)->get();
  auto producer = start.getDefiningOp<linalg::LinalgOp>();
  isComplete = producer && canWiden(producer);
  if (isComplete)
    return widen(rewriter, producer);
  auto type = cast<RankedTensorType>(start.getType());
  Value zero = arith::ConstantOp::create(
      rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                        type.getElementType());
  return widen(rewriter, linalg::FillOp::create(rewriter, loc, zero, empty));
}

/// A view of the sums of whole windows.
Value JoinedLines::takeWhole(RewriterBase &rewriter, Value sums) {
  const Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(sums.getType());
  const int64_t rank = type.getRank();
  auto makeZeros = [&](int64_t count) {
    return SmallVector<OpFoldResult>(count, rewriter.getIndexAttr(0));
  };
  auto makeOnes = [&](int64_t count) {
    return SmallVector<OpFoldResult>(count, rewriter.getIndexAttr(1));
  };
  SmallVector<int64_t> extents(type.getShape());
  Value all = sums;
  if (!isLonger) {
    extents[resultDim] = extentOf(line) * getPixelsOfLine();
    all =
        tensor::EmptyOp::create(rewriter, loc, extents, type.getElementType());
    all = tensor::InsertSliceOp::create(
        rewriter, loc, sums, all, makeZeros(rank),
        getAsIndexOpFoldResult(rewriter.getContext(), type.getShape()),
        makeOnes(rank));
  }
  extents[resultDim] = extentOf(line);
  extents.insert(extents.begin() + resultDim + 1, getPixelsOfLine());
  Value lines = tensor::ExpandShapeOp::create(
      rewriter, loc, type.clone(extents), all, joinAt(rank + 1, resultDim));
  extents[resultDim + 1] = extentOf(pixel);
  return tensor::ExtractSliceOp::create(
      rewriter, loc, lines, makeZeros(rank + 1),
      getAsIndexOpFoldResult(rewriter.getContext(), extents),
      makeOnes(rank + 1));
}

/// Sums that do not start from a number get their start at the end.
Value JoinedLines::addStart(RewriterBase &rewriter, Value whole, Value start) {
  auto type = cast<RankedTensorType>(whole.getType());
  Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(),
                                        type.getElementType());
  return linalg::AddOp::create(rewriter, op.getLoc(), ValueRange{whole, start},
                               empty)
      .getResult(0);
}

bool JoinedLines::join() {
  IRRewriter rewriter(op);
  FailureOr<linalg::GenericOp> generic = makeGeneric(rewriter, op);
  if (failed(generic))
    return false;
  op = *generic;
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs(generic->getInputs());
  inputs[shape.lhsOperand] = makeImage(rewriter);
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  types.erase(types.begin() + pixel);
  bool isComplete = false;
  Value start = makeStart(rewriter, isComplete);
  auto product =
      linalg::GenericOp::create(rewriter, op.getLoc(), start.getType(), inputs,
                                start, getNewMaps(), types);
  IRMapping mapping;
  generic->getRegion().cloneInto(&product.getRegion(), mapping);
  Value rows = op->getResult(0), wide = product.getResult(0);
  if (!isComplete) {
    Value whole = takeWhole(rewriter, wide);
    rewriter.replaceOp(
        op, addStart(rewriter, whole, op.getDpsInitOperand(0)->get()));
    return true;
  }
  // What follows is computed where the sums are.
  SmallVector<Operation *> replaced = {op};
  while (rows.hasOneUse()) {
    auto user = dyn_cast<linalg::LinalgOp>(*rows.user_begin());
    if (!user || !canWiden(user, rows))
      break;
    rewriter.setInsertionPoint(user);
    wide = widen(rewriter, user, rows, wide);
    rows = user->getResult(0);
    replaced.push_back(user);
  }
  rewriter.replaceAllUsesWith(rows, takeWhole(rewriter, wide));
  for (Operation *old : llvm::reverse(replaced))
    rewriter.eraseOp(old);
  return true;
}

bool sched::joinLines(func::FuncOp function) {
  // Elementwise ops go with the products.
  std::vector<JoinedLines> products;
  for (linalg::LinalgOp op : collectLinalgOps(function))
    if (std::optional<JoinedLines> lines = JoinedLines::match(op))
      products.push_back(*lines);
  bool isChanged = false;
  for (JoinedLines &lines : products)
    isChanged |= lines.join();
  return isChanged;
}
