//===- JoinPatches.cpp - Windows that touch, as rows of a matrix ----------===//
//
// The first layer of a vision transformer takes an image apart in patches: its
// windows touch, so each pixel is in one of them. In JoinTaps.cpp each of their
// lines, 48 numbers of three channels, is a row of a tile, which is no whole
// number of these, and a line of the result is 14 pixels of 16. Copied once,
//
//   rows[.., h, w, (i, j, c)] = image[.., s h + i, t w + j, c]
//
// all lines of a patch are one, and all patches the rows of a matrix.
//
//===----------------------------------------------------------------------===//

#include "JoinPatches.h"
#include "CopyTransposed.h"
#include "JoinTaps.h"
#include "NarrowOperands.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Support/AffineTerms.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

/// Of the copy, which is of short rows, in a cycle; and of a product of tiles.
static constexpr int64_t kBytesPerCycle = 8, kProductCycles = 16;

namespace {
/// A dimension of the image: `pixel` alone, or windows of all of `tap`'s
/// iterations, side by side.
struct Patch {
  unsigned pixel = 0;
  std::optional<unsigned> tap;
};

/// A convolution of few channels whose windows touch.
class PatchProduct {
public:
  static std::optional<PatchProduct> match(linalg::LinalgOp op);

  /// Whether it could be rewritten.
  bool join();

private:
  PatchProduct(linalg::LinalgOp op, const ContractionShape &shape)
      : op(op), shape(shape) {}

  std::optional<Patch> matchDim(AffineExpr index, int64_t extent);
  bool matchImage();
  bool matchWeights();
  bool pays(int64_t groupSteps);
  AffineMap getMap(unsigned operand) {
    return op.getMatchingIndexingMap(op.getDpsInputOperand(operand));
  }
  Value getOperand(unsigned operand) {
    return op.getDpsInputOperand(operand)->get();
  }
  int64_t extentOf(unsigned loop) { return op.getStaticLoopRanges()[loop]; }
  SmallVector<unsigned> getTaps() const {
    SmallVector<unsigned> taps;
    for (const Patch &patch : patches)
      if (patch.tap)
        taps.push_back(*patch.tap);
    return taps;
  }
  Value copyPatches(RewriterBase &rewriter);
  Value joinWeights(RewriterBase &rewriter);

  linalg::LinalgOp op;
  ContractionShape shape;
  /// For all dimensions of the image but the last one, the channels.
  SmallVector<Patch> patches;
  unsigned channel = 0;
  /// The weights' dimensions in the order in which they are joined, and the
  /// first of those that become one.
  SmallVector<int64_t> order;
  unsigned joined = 0;
};
} // namespace

std::optional<Patch> PatchProduct::matchDim(AffineExpr index, int64_t extent) {
  const auto terms = getAffineTerms(index);
  if (!terms || terms->empty() || terms->size() > 2)
    return std::nullopt;
  const SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  AffineTerm pixel = terms->front(), tap = terms->back();
  if (types[pixel.loop] == utils::IteratorType::reduction)
    std::swap(pixel, tap);
  if (types[pixel.loop] == utils::IteratorType::reduction)
    return std::nullopt;
  if (terms->size() == 1)
    return pixel.coefficient == 1 ? std::optional(Patch{pixel.loop, {}})
                                  : std::nullopt;
  if (types[tap.loop] != utils::IteratorType::reduction ||
      tap.coefficient != 1 || extentOf(tap.loop) != pixel.coefficient ||
      extentOf(pixel.loop) * pixel.coefficient != extent)
    return std::nullopt;
  return Patch{pixel.loop, tap.loop};
}

/// Pixels of a line, in front of the channels, are windows, and so are those of
/// another dimension.
bool PatchProduct::matchImage() {
  const AffineMap map = getMap(shape.lhsOperand);
  const auto type =
      cast<RankedTensorType>(getOperand(shape.lhsOperand).getType());
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  if (!last)
    return false;
  channel = last.getPosition();
  llvm::SmallDenseSet<unsigned> loops{channel};
  for (auto [index, extent] :
       llvm::zip(map.getResults().drop_back(), type.getShape())) {
    const std::optional<Patch> patch = matchDim(index, extent);
    if (!patch || !loops.insert(patch->pixel).second ||
        (patch->tap && !loops.insert(*patch->tap).second))
      return false;
    patches.push_back(*patch);
  }
  return op.getIteratorTypesArray()[channel] ==
             utils::IteratorType::reduction &&
         !patches.empty() && patches.back().tap &&
         llvm::count_if(getTaps(),
                        [&](unsigned tap) { return extentOf(tap) > 1; }) > 1;
}

/// The weights have all of the taps and the channels, which come together
/// where the first one is.
bool PatchProduct::matchWeights() {
  const AffineMap map = getMap(shape.rhsOperand);
  if (!map.isProjectedPermutation())
    return false;
  SmallVector<int64_t> steps;
  for (unsigned loop :
       llvm::concat<const unsigned>(getTaps(), ArrayRef<unsigned>(channel))) {
    const auto dim =
        map.getResultPosition(getAffineDimExpr(loop, op.getContext()));
    if (!dim)
      return false;
    steps.push_back(*dim);
  }
  if (llvm::any_of(patches, [&](const Patch &patch) {
        return patch.tap && map.isFunctionOfDim(patch.pixel);
      }))
    return false;
  for (int64_t dim = 0; dim != map.getNumResults(); ++dim) {
    if (!llvm::is_contained(steps, dim)) {
      order.push_back(dim);
    } else if (dim == *llvm::min_element(steps)) {
      joined = order.size();
      llvm::append_range(order, steps);
    }
  }
  return true;
}

/// Lines of less than a tile would be copied anyway (JoinTaps.cpp). Else the
/// copy is to take less than the products that it saves.
bool PatchProduct::pays(int64_t groupSteps) {
  const auto image =
      cast<RankedTensorType>(getOperand(shape.lhsOperand).getType());
  const int64_t stepBytes = image.getElementTypeBitWidth() / 8,
                pixelBytes = extentOf(channel) * stepBytes,
                steps = shape.countSteps();
  if (!areFewChannels(pixelBytes) || steps % groupSteps != 0)
    return false;
  if (extentOf(patches.back().pixel) < kTileEdge)
    return true;
  const int64_t lineBytes = extentOf(*patches.back().tap) * pixelBytes,
                lines = steps * stepBytes / lineBytes,
                saved = lines * llvm::divideCeil(lineBytes, kTileRowBytes) -
                        llvm::divideCeil(steps * stepBytes, kTileRowBytes),
                rows = image.getNumElements() / steps,
                tiles = llvm::divideCeil(rows, kTileEdge) *
                        llvm::divideCeil(shape.n, kTileEdge);
  return saved * tiles * kProductCycles >
         image.getNumElements() * stepBytes / kBytesPerCycle;
}

std::optional<PatchProduct> PatchProduct::match(linalg::LinalgOp op) {
  const std::optional<ContractionShape> shape =
      isMovable(op) && !op.hasIndexSemantics() ? matchContraction(op)
                                               : std::nullopt;
  const auto groupSteps = shape ? getGroupSteps(op, *shape) : std::nullopt;
  if (!groupSteps || shape->isWindowed)
    return std::nullopt;
  PatchProduct product(op, *shape);
  if (!product.matchImage() || !product.matchWeights() ||
      !product.pays(*groupSteps))
    return std::nullopt;
  return product;
}

/// Groups of neighbouring dimensions: each alone but the last `count`.
static SmallVector<ReassociationIndices> joinLast(int64_t rank, int64_t count) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim != rank; ++dim)
    if (dim > rank - count)
      groups.back().push_back(dim);
    else
      groups.push_back({dim});
  return groups;
}

Value PatchProduct::copyPatches(RewriterBase &rewriter) {
  const Location loc = op.getLoc();
  Value image = getOperand(shape.lhsOperand);
  auto type = cast<RankedTensorType>(image.getType());
  // A line of a window is one piece, with its channels.
  image = tensor::CollapseShapeOp::create(rewriter, loc, image,
                                          joinLast(type.getRank(), 2));
  SmallVector<int64_t> split, pixels, taps;
  SmallVector<ReassociationIndices> groups;
  for (const Patch &patch : patches) {
    const bool isLast = &patch == &patches.back();
    groups.emplace_back();
    groups.back().push_back(split.size());
    pixels.push_back(split.size());
    split.push_back(extentOf(patch.pixel));
    if (!patch.tap)
      continue;
    groups.back().push_back(split.size());
    taps.push_back(split.size());
    split.push_back(extentOf(*patch.tap) * (isLast ? extentOf(channel) : 1));
  }
  image = tensor::ExpandShapeOp::create(
      rewriter, loc, RankedTensorType::get(split, type.getElementType()), image,
      groups);
  const int64_t joinedDims = taps.size();
  llvm::append_range(pixels, taps);
  image = copyTransposed(rewriter, loc, image, pixels);
  return tensor::CollapseShapeOp::create(rewriter, loc, image,
                                         joinLast(split.size(), joinedDims));
}

Value PatchProduct::joinWeights(RewriterBase &rewriter) {
  const Location loc = op.getLoc();
  Value weights = getOperand(shape.rhsOperand);
  if (!llvm::is_sorted(order))
    weights = copyTransposed(rewriter, loc, weights, order);
  SmallVector<ReassociationIndices> groups;
  for (unsigned dim = 0; dim != order.size(); ++dim)
    if (dim > joined && dim <= joined + getTaps().size())
      groups.back().push_back(dim);
    else
      groups.push_back({dim});
  return tensor::CollapseShapeOp::create(rewriter, loc, weights, groups);
}

bool PatchProduct::join() {
  IRRewriter rewriter(op);
  FailureOr<linalg::GenericOp> generic = makeGeneric(rewriter, op);
  if (failed(generic))
    return false;
  op = *generic;
  rewriter.setInsertionPoint(op);
  Value inputs[2];
  inputs[shape.lhsOperand] = copyPatches(rewriter);
  inputs[shape.rhsOperand] = joinWeights(rewriter);

  // The loop over the channels is that over all steps; those over taps go.
  MLIRContext *context = op.getContext();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<AffineExpr> image,
      weights = applyPermutation(maps[shape.rhsOperand].getResults(), order);
  for (const Patch &patch : patches)
    image.push_back(getAffineDimExpr(patch.pixel, context));
  image.push_back(getAffineDimExpr(channel, context));
  const SmallVector<unsigned> taps = getTaps();
  weights.erase(weights.begin() + joined,
                weights.begin() + joined + taps.size());
  const unsigned loops = op.getNumLoops();
  maps[shape.lhsOperand] = AffineMap::get(loops, 0, image, context);
  maps[shape.rhsOperand] = AffineMap::get(loops, 0, weights, context);
  replaceInputs(rewriter, *generic, inputs, std::move(maps), taps);
  return true;
}

bool sched::joinPatches(func::FuncOp function) {
  bool isChanged = false;
  for (linalg::LinalgOp op : collectLinalgOps(function))
    if (std::optional<PatchProduct> product = PatchProduct::match(op))
      isChanged |= product->join();
  return isChanged;
}
