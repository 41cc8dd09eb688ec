//===- CopyTransposed.cpp - Copies in another layout ----------------------===//

#include "CopyTransposed.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

Value sched::copyTransposed(OpBuilder &builder, Location loc, Value value,
                            ArrayRef<int64_t> order) {
  auto type = cast<RankedTensorType>(value.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, applyPermutation(type.getShape(), order),
      type.getElementType());
  auto op = linalg::TransposeOp::create(builder, loc, value, empty, order);
  // Fused with what reads it, it would be no copy of the layout any more.
  op->setAttr(kAloneAttrName, builder.getUnitAttr());
  return op->getResult(0);
}
