//===- PaddedImage.cpp - What of a padded tensor is padding ---------------===//

#include "PaddedImage.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

std::optional<sched::Interval> sched::getImageBetweenZeros(tensor::PadOp pad,
                                                           int64_t dim) {
  Value padding = pad.getConstantPaddingValue();
  if (!padding || (!matchPattern(padding, m_AnyZeroFloat()) &&
                   !matchPattern(padding, m_Zero())))
    return std::nullopt;
  const int64_t low = pad.getStaticLow()[dim],
                size = pad.getSourceType().getDimSize(dim),
                padded = pad.getResultType().getDimSize(dim);
  if (ShapedType::isDynamic(low) || ShapedType::isDynamic(size) || low < 0 ||
      size == padded || low + size > padded)
    return std::nullopt;
  return Interval{low, low + size - 1};
}
