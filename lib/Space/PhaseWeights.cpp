//===- PhaseWeights.cpp - Taps by the phases that they belong to ----------===//

#include "PhaseWeights.h"
#include "SpreadImage.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// The taps of dimension `dim`; null if it has none.
static const PhaseTaps *findTaps(ArrayRef<PhaseTaps> taps, unsigned dim) {
  const auto *found = llvm::find_if(
      taps, [&](const PhaseTaps &taps) { return taps.dim == dim; });
  return found == taps.end() ? nullptr : found;
}

/// The elements of `constant` in their places; none if they are not whole
/// bytes.
static DenseElementsAttr arrange(DenseElementsAttr constant,
                                 RankedTensorType type,
                                 ArrayRef<PhaseTaps> taps) {
  if (!type.getElementType().isIntOrFloat() ||
      type.getElementTypeBitWidth() % 8 != 0)
    return {};
  const int64_t bytes = type.getElementTypeBitWidth() / 8;
  const ArrayRef<int64_t> shape = constant.getType().getShape();
  const SmallVector<int64_t> strides = computeStrides(shape),
                             positions = computeStrides(type.getShape());
  const ArrayRef<char> from = constant.getRawData();
  std::vector<char> to(type.getNumElements() * bytes);
  for (int64_t i = 0, e = type.getNumElements(); i != e; ++i) {
    const SmallVector<int64_t> indices = delinearize(i, positions);
    const int64_t *index = indices.begin();
    int64_t source = 0;
    bool isTap = true;
    for (auto [dim, extent] : llvm::enumerate(shape)) {
      int64_t place = *index++;
      if (const PhaseTaps *split = findTaps(taps, dim)) {
        const int64_t phase = *index++;
        place = place * split->stride - split->front +
                (split->isMirrored ? split->stride - 1 - phase : phase);
      }
      isTap &= place >= 0 && place < extent;
      source += place * strides[dim];
    }
    // Zero is no set bit in all types.
    if (isTap)
      llvm::copy(from.slice(constant.isSplat() ? 0 : source * bytes, bytes),
                 to.begin() + i * bytes);
  }
  return DenseElementsAttr::getFromRawBuffer(type, to);
}

/// `weights` with the phases in the opposite order where they are mirrored.
static Value mirrorPhases(OpBuilder &builder, Location loc, Value weights,
                          ArrayRef<ReassociationIndices> groups,
                          ArrayRef<PhaseTaps> taps) {
  if (llvm::none_of(taps,
                    [](const PhaseTaps &taps) { return taps.isMirrored; }))
    return weights;
  auto type = cast<RankedTensorType>(weights.getType());
  const unsigned rank = type.getRank();
  const AffineMap identity = builder.getMultiDimIdentityMap(rank);
  SmallVector<AffineExpr> indices(identity.getResults());
  for (const PhaseTaps &split : taps)
    if (split.isMirrored) {
      AffineExpr &phase = indices[groups[split.dim].back()];
      phase = split.stride - 1 - phase;
    }
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  auto generic = linalg::GenericOp::create(
      builder, loc, type, weights, empty,
      ArrayRef<AffineMap>{
          AffineMap::get(rank, 0, indices, builder.getContext()), identity},
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [](OpBuilder &builder, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(builder, loc, arguments.front());
      });
  return generic.getResult(0);
}

Value sched::arrangePhaseWeights(OpBuilder &builder, Location loc,
                                 Value weights, ArrayRef<PhaseTaps> taps) {
  auto type = cast<RankedTensorType>(weights.getType());
  SmallVector<int64_t> low(type.getRank()), high(type.getRank()), shape;
  SmallVector<ReassociationIndices> groups;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    const PhaseTaps *split = findTaps(taps, dim);
    groups.push_back({int64_t(shape.size())});
    shape.push_back(split ? split->count : extent);
    if (!split)
      continue;
    groups.back().push_back(shape.size());
    shape.push_back(split->stride);
    low[dim] = split->front;
    high[dim] = split->back;
  }
  const RankedTensorType result = type.clone(shape);
  DenseElementsAttr constant;
  if (matchPattern(weights, m_Constant(&constant)))
    if (DenseElementsAttr arranged = arrange(constant, result, taps))
      return arith::ConstantOp::create(builder, loc, arranged);
  weights = padZeros(builder, loc, weights, low, high);
  weights =
      tensor::ExpandShapeOp::create(builder, loc, result, weights, groups);
  return mirrorPhases(builder, loc, weights, groups, taps);
}
