//===- DropFills.cpp - Tiles that are written once ------------------------===//
//
// A register tile of a product begins with zeros. Its script says so on
// tensors: a vector of zeros is written to the tile, the sums are read from
// there, and written back in the end. Here the sums begin with a constant, and
// the first write has no reader any more. Read next: Decompose.cpp.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

namespace sched {
#define GEN_PASS_DEF_DROPFILLSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

/// Whether `op`, a vector.transfer_read or _write of a tensor, moves each of
/// its elements.
template <typename TransferOp> static bool movesAll(TransferOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getShapedType());
  return type && type.hasStaticShape() && !op.getMask() &&
         !op.hasOutOfBoundsDim() && op.getPermutationMap().isMinorIdentity() &&
         op.getVectorType().getNumElements() == type.getNumElements() &&
         llvm::all_of(op.getIndices(), isZeroInteger);
}

/// Whether the slice is all of the larger tensor, perhaps without its
/// dimensions of one element.
template <typename SliceOp>
static bool isWhole(SliceOp slice, RankedTensorType larger) {
  return larger.hasStaticShape() && slice.hasUnitStride() &&
         slice.hasZeroOffset() && slice.getStaticSizes() == larger.getShape();
}

/// The write of a whole tile, as what is left of which `value` is seen: itself,
/// or without dimensions of one element.
static vector::TransferWriteOp getWrite(Value value) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (slice && isWhole(slice, slice.getSourceType()))
    value = slice.getSource();
  auto write = value.getDefiningOp<vector::TransferWriteOp>();
  return write && movesAll(write) ? write : nullptr;
}

/// What `op` writes over as a whole; null elsewhere.
static OpOperand *getOverwritten(Operation *op) {
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return movesAll(write) ? &write.getBaseMutable() : nullptr;
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  return insert && isWhole(insert, insert.getDestType())
             ? &insert.getDestMutable()
             : nullptr;
}

/// Whether nothing of `value` is ever read.
static bool isOverwritten(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(use.getOwner());
    return slice ? isOverwritten(slice.getResult())
                 : getOverwritten(use.getOwner()) == &use;
  });
}

/// A tensor of `dest`'s type to write over instead of it, from before the last
/// write, whose tile is never read; null where there is none.
static Value getOlder(OpBuilder &builder, Value dest) {
  vector::TransferWriteOp write = getWrite(dest);
  if (!write || !isOverwritten(write.getResult()))
    return {};
  if (write.getResult() == dest)
    return write.getBase();
  auto slice = dest.getDefiningOp<tensor::ExtractSliceOp>();
  return tensor::ExtractSliceOp::create(
      builder, slice.getLoc(), slice.getType(), write.getBase(),
      slice.getMixedOffsets(), slice.getMixedSizes(), slice.getMixedStrides());
}

/// The value of all elements of `tensor`, if they are one constant that a
/// vector of the whole tensor wrote; null otherwise.
static TypedAttr getSplat(Value tensor) {
  while (Operation *view = tensor.getDefiningOp()) {
    if (!isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp>(view))
      break;
    tensor = view->getOperand(0);
  }
  auto write = tensor.getDefiningOp<vector::TransferWriteOp>();
  DenseElementsAttr value;
  if (!write || !movesAll(write) ||
      !matchPattern(write.getVector(), m_Constant(&value)) || !value.isSplat())
    return {};
  return value.getSplatValue<TypedAttr>();
}

/// Where the panels' unit dimension stands between them, upstream does not see
/// that accumulators start from what was just written, and the start value
/// would pass through the result's buffer.
static void foldReadsOfConstants(Operation *root) {
  IRRewriter rewriter(root->getContext());
  root->walk([&](vector::TransferReadOp read) {
    if (!isa<RankedTensorType>(read.getShapedType()) || read.getMask() ||
        read.hasOutOfBoundsDim())
      return;
    TypedAttr splat = getSplat(read.getBase());
    if (!splat || splat.getType() != read.getVectorType().getElementType())
      return;
    rewriter.setInsertionPoint(read);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        read, DenseElementsAttr::get(read.getVectorType(), splat));
  });
}

/// Whether `write` writes its whole vector to a place that is known.
static bool isPart(vector::TransferWriteOp write) {
  return !write.getMask() && !write.isMasked() && !write.hasOutOfBoundsDim() &&
         llvm::all_of(write.getIndices(), [](Value index) {
           return getConstantIntValue(index).has_value();
         });
}

/// Whether all of `tensor` is written over by what is written to it next, part
/// by part, before anything is read of it.
static bool isWrittenInParts(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<SubsetOpInterface> parts;
  int64_t left = type.hasStaticShape() ? type.getNumElements() : 0;
  // Each is written to what the one before made of the same tensor.
  auto isSameTensor = [](Value, Value) { return true; };
  while (left > 0 && tensor.hasOneUse()) {
    auto write = dyn_cast<vector::TransferWriteOp>(*tensor.user_begin());
    if (!write || write.getBase() != tensor || !isPart(write))
      return false;
    auto part = cast<SubsetOpInterface>(write.getOperation());
    // A second write to a place does not bring the end nearer.
    if (!llvm::all_of(parts, [&](SubsetOpInterface other) {
          return other.operatesOnDisjointSubset(part, isSameTensor);
        }))
      return false;
    left -= write.getVectorType().getNumElements();
    parts.push_back(part);
    tensor = write.getResult();
  }
  return left == 0 && !parts.empty();
}

namespace {
struct DropFills : sched::impl::DropFillsPassBase<DropFills> {
  void runOnOperation() override {
    OpBuilder builder(&getContext());
    foldReadsOfConstants(getOperation());
    // What is written over does not need to be there.
    getOperation()->walk([&](Operation *op) {
      OpOperand *dest = getOverwritten(op);
      if (!dest)
        return;
      builder.setInsertionPoint(op);
      while (Value older = getOlder(builder, dest->get()))
        dest->set(older);
    });
    getOperation()->walk([](vector::TransferWriteOp write) {
      if (Value result = write.getResult(); result && isWrittenInParts(result))
        result.replaceAllUsesWith(write.getBase());
    });
    // In reverse, so that uses go before what they use.
    getOperation()->walk<WalkOrder::PostOrder, ReverseIterator>(
        [](Operation *op) {
          if (isa<vector::TransferWriteOp, tensor::ExtractSliceOp>(op) &&
              isOpTriviallyDead(op))
            op->erase();
        });
  }
};
} // namespace
