//===- CopyTransposed.cpp - Copies in another layout ----------------------===//

#include "CopyTransposed.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// The elements of `constant` in the order of its transposition; none if they
/// are not whole bytes.
static DenseElementsAttr transpose(DenseElementsAttr constant,
                                   RankedTensorType type,
                                   ArrayRef<int64_t> order) {
  if (constant.isSplat())
    return constant.resizeSplat(type);
  const unsigned bits = type.getElementTypeBitWidth();
  if (!type.getElementType().isIntOrFloat() || bits % 8 != 0)
    return {};
  const int64_t bytes = bits / 8;
  const SmallVector<int64_t> strides =
      applyPermutation(computeStrides(constant.getType().getShape()), order);
  const SmallVector<int64_t> positions = computeStrides(type.getShape());
  ArrayRef<char> from = constant.getRawData();
  std::vector<char> to;
  to.reserve(from.size());
  for (int64_t i = 0, e = type.getNumElements(); i != e; ++i) {
    const int64_t source = linearize(delinearize(i, positions), strides);
    llvm::append_range(to, from.slice(source * bytes, bytes));
  }
  return DenseElementsAttr::getFromRawBuffer(type, to);
}

Value sched::copyTransposed(OpBuilder &builder, Location loc, Value value,
                            ArrayRef<int64_t> order) {
  auto type = cast<RankedTensorType>(value.getType());
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    if (DenseElementsAttr moved = transpose(
            constant,
            RankedTensorType::get(applyPermutation(type.getShape(), order),
                                  type.getElementType()),
            order))
      return arith::ConstantOp::create(builder, loc, moved);
  Value empty = tensor::EmptyOp::create(
      builder, loc, applyPermutation(type.getShape(), order),
      type.getElementType());
  auto op = linalg::TransposeOp::create(builder, loc, value, empty, order);
  // Fused with what reads it, it would be no copy of the layout any more.
  op->setAttr(kAloneAttrName, builder.getUnitAttr());
  return op->getResult(0);
}
