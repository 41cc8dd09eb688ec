//===- ConvolutionShape.cpp - Two-dimensional convolutions ----------------===//

#include "ConvolutionShape.h"
#include "SchedOpt/Support/AffineTerms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sched;

/// The loop `index` is, if it is that of one.
static std::optional<unsigned> getLoop(AffineExpr index) {
  if (auto dim = dyn_cast<AffineDimExpr>(index))
    return dim.getPosition();
  return std::nullopt;
}

static bool isSumOfProducts(linalg::LinalgOp op) {
  return linalg::detail::isContractionBody(
      *op.getBlock(), [](Operation *product, Operation *sum) {
        return (isa<arith::MulFOp>(product) && isa<arith::AddFOp>(sum)) ||
               (isa<arith::MulIOp>(product) && isa<arith::AddIOp>(sum));
      });
}

std::optional<ConvolutionShape>
sched::getConvolutionShape(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getNumDpsInputs() != 2 || op->getNumResults() != 1 ||
      op.getNumLoops() != 7 || op.getNumReductionLoops() != 3 ||
      !isSumOfProducts(op))
    return std::nullopt;
  const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!maps[1].isProjectedPermutation() || !maps[2].isProjectedPermutation() ||
      llvm::any_of(maps,
                   [](AffineMap map) { return map.getNumResults() != 4; }))
    return std::nullopt;
  // Of image and result: images, then the channels before or after the pixels.
  const bool channelsFirst = getLoop(maps[0].getResult(1)).has_value();
  const unsigned pixels = channelsFirst ? 2 : 1,
                 channelDim = channelsFirst ? 1 : 3;
  const std::optional<unsigned> image = getLoop(maps[0].getResult(0)),
                                channel =
                                    getLoop(maps[0].getResult(channelDim));
  const unsigned filter = maps[2].getDimPosition(channelDim);
  if (!image || !channel || *image != maps[2].getDimPosition(0))
    return std::nullopt;
  ConvolutionShape shape;
  shape.channelsFirst = channelsFirst;
  const SmallVector<int64_t> extents = op.getStaticLoopRanges();
  // Tap's row and column, channel and filter.
  SmallVector<unsigned, 4> loops;
  for (unsigned i : {0, 1}) {
    auto terms = getAffineTerms(maps[0].getResult(pixels + i));
    if (!terms || terms->size() != 2)
      return std::nullopt;
    AffineTerm pixel = terms->front(), tap = terms->back();
    const unsigned loop = maps[2].getDimPosition(pixels + i);
    if (tap.loop == loop)
      std::swap(pixel, tap);
    if (pixel.loop != loop)
      return std::nullopt;
    shape.strides[i] = pixel.coefficient;
    shape.dilations[i] = tap.coefficient;
    shape.taps[i] = extents[tap.loop];
    loops.push_back(tap.loop);
  }
  loops.append({*channel, filter});
  for (unsigned dim = 0; dim != 4; ++dim) {
    auto *place = llvm::find(loops, maps[1].getDimPosition(dim));
    if (place == loops.end())
      return std::nullopt;
    shape.weightDims[dim] = place - loops.begin();
  }
  shape.images = extents[*image];
  shape.rows = extents[maps[2].getDimPosition(pixels)];
  shape.columns = extents[maps[2].getDimPosition(pixels + 1)];
  shape.channels = extents[*channel];
  shape.filters = extents[filter];
  return shape;
}
