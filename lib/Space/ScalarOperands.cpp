//===- ScalarOperands.cpp - Scalars as tensors of rank 0 ------------------===//
//
// A step of a decoder masks what is behind a position, a learning rate scales
// each gradient: numbers that are known at run time only, which bodies read
// from outside or ops have as scalar operands. A task has tensors for arguments
// alone, so that such ops would be left to the default. Here the number is an
// operand of rank 0, which each element reads: the tensor that it was extracted
// from, or one that is made of it. An index travels as an integer.
//
//===----------------------------------------------------------------------===//

#include "ScalarOperands.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sched;

/// Whether `value` is a number that ops may have elements of.
static bool isScalar(Value value) {
  const Type type = value.getType();
  return isLaneType(type) || type.isInteger(1) || type.isIndex();
}

/// A tensor of rank 0 with `scalar`, which is no index.
static Value makeTensor(OpBuilder &builder, Value scalar) {
  if (auto extract = scalar.getDefiningOp<tensor::ExtractOp>();
      extract && extract.getIndices().empty())
    return extract.getTensor();
  return tensor::FromElementsOp::create(
      builder, scalar.getLoc(), RankedTensorType::get({}, scalar.getType()),
      scalar);
}

/// The integer that `index` is cast from, or is cast to.
static Value makeInteger(OpBuilder &builder, Value index) {
  if (auto cast = index.getDefiningOp<arith::IndexCastOp>())
    return cast.getIn();
  return arith::IndexCastOp::create(builder, index.getLoc(),
                                    builder.getI64Type(), index);
}

/// The numbers that the body of `op` reads from outside and that are no
/// constants; none if it reads something else as well, as a table.
static SmallVector<Value> collectCaptured(linalg::GenericOp op) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  SmallVector<Value> scalars;
  for (Value value : captured) {
    if (isFreelyCopied(value))
      continue;
    if (!isScalar(value))
      return {};
    scalars.push_back(value);
  }
  return scalars;
}

/// Adds `captured`, which the body of `op` reads, to the operands.
static void addOperands(IRRewriter &rewriter, linalg::GenericOp op,
                        ArrayRef<Value> captured) {
  SmallVector<Value> inputs = op.getInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  const auto scalarMap =
      AffineMap::get(op.getNumLoops(), 0, {}, op.getContext());
  Block &body = *op.getBlock();
  for (Value value : captured) {
    rewriter.setInsertionPoint(op);
    const bool isIndex = value.getType().isIndex();
    const Value number = isIndex ? makeInteger(rewriter, value) : value;
    Value inside =
        body.insertArgument(inputs.size(), number.getType(), value.getLoc());
    if (isIndex) {
      rewriter.setInsertionPointToStart(&body);
      inside = arith::IndexCastOp::create(rewriter, value.getLoc(),
                                          value.getType(), inside);
      rewriter.setInsertionPoint(op);
    }
    replaceAllUsesInRegionWith(value, inside, op->getRegion(0));
    maps.insert(maps.begin() + inputs.size(), scalarMap);
    inputs.push_back(makeTensor(rewriter, number));
  }
  replaceInputs(rewriter, op, inputs, std::move(maps), /*unused=*/{});
}

/// Makes scalar operands of `op` that are no constants tensors; whether there
/// were any.
static bool replaceScalars(IRRewriter &rewriter, linalg::GenericOp op) {
  bool isChanged = false;
  rewriter.setInsertionPoint(op);
  for (OpOperand *input : op.getDpsInputOperands())
    if (!isa<ShapedType>(input->get().getType()) &&
        !isFreelyCopied(input->get()) && isScalar(input->get()) &&
        !input->get().getType().isIndex()) {
      input->set(makeTensor(rewriter, input->get()));
      isChanged = true;
    }
  return isChanged;
}

bool sched::takeScalarsAsTensors(func::FuncOp function) {
  SmallVector<linalg::GenericOp> ops;
  function.walk([&](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics() && !op.hasDynamicShape() &&
        !op->getParentOfType<linalg::LinalgOp>())
      ops.push_back(op);
  });
  bool isChanged = false;
  for (linalg::GenericOp op : ops) {
    IRRewriter rewriter(op);
    isChanged |= replaceScalars(rewriter, op);
    const SmallVector<Value> captured = collectCaptured(op);
    if (captured.empty())
      continue;
    addOperands(rewriter, op, captured);
    isChanged = true;
  }
  return isChanged;
}
