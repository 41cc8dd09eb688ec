//===- UnitIndices.cpp - Operands without dimensions of one element -------===//
//
// An operand that is the same along some loops, such as a mask of 1x1xNxN for
// all batches and heads of an attention, has dimensions of one element there,
// which are indexed by zero. Without them it is indexed by loops alone, as the
// elementwise ops that tasks are made of must be.
//
//===----------------------------------------------------------------------===//

#include "UnitIndices.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// Drops them from one input of `op`.
static bool dropFrom(linalg::GenericOp op, OpOperand &input) {
  auto type = dyn_cast<RankedTensorType>(input.get().getType());
  const AffineMap map = op.getMatchingIndexingMap(&input);
  if (!type || !type.hasStaticShape())
    return false;
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> indices;
  for (auto [index, size] : llvm::zip_equal(map.getResults(), type.getShape()))
    if (index != 0 || size != 1) {
      indices.push_back(index);
      shape.push_back(size);
    }
  if (indices.size() == map.getNumResults())
    return false;
  OpBuilder builder(op);
  const auto reduced = RankedTensorType::get(shape, type.getElementType());
  auto expand = input.get().getDefiningOp<tensor::ExpandShapeOp>();
  // The reshape may have added just these.
  input.set(expand && expand.getSrcType() == reduced
                ? expand.getSrc()
                : tensor::createCanonicalRankReducingExtractSliceOp(
                      builder, op.getLoc(), input.get(), reduced));
  // It would count as one more reader.
  if (expand && expand->use_empty())
    expand.erase();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[input.getOperandNumber()] =
      AffineMap::get(map.getNumDims(), 0, indices, op.getContext());
  op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  return true;
}

bool sched::dropUnitIndices(func::FuncOp function) {
  bool isChanged = false;
  function.walk([&](linalg::GenericOp op) {
    if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops())
      return;
    for (OpOperand *input : op.getDpsInputOperands())
      isChanged |= dropFrom(op, *input);
  });
  return isChanged;
}
