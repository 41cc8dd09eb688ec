//===- LineView.cpp - A part of memory as one line ------------------------===//

#include "LineView.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

Value sched::viewLine(OpBuilder &builder, Location loc, Value buffer,
                      ValueRange indices, ArrayRef<int64_t> strides,
                      int64_t count) {
  const auto memory = cast<MemRefType>(buffer.getType());
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  AffineExpr place = builder.getAffineDimExpr(0);
  SmallVector<OpFoldResult> operands = {metadata.getConstifiedMixedOffset()};
  for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
    place = place + builder.getAffineDimExpr(operands.size()) * stride;
    operands.push_back(index);
  }
  OpFoldResult offset =
      affine::makeComposedFoldedAffineApply(builder, loc, place, operands);
  const std::optional<int64_t> known = getConstantIntValue(offset);
  auto type = MemRefType::get(
      {count}, memory.getElementType(),
      StridedLayoutAttr::get(builder.getContext(),
                             known.value_or(ShapedType::kDynamic), {1}),
      memory.getMemorySpace());
  return memref::ReinterpretCastOp::create(
      builder, loc, type, metadata.getBaseBuffer(), offset,
      ArrayRef<OpFoldResult>{builder.getIndexAttr(count)},
      ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
}
