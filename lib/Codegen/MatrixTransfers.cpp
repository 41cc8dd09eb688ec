//===- MatrixTransfers.cpp - Transfers without unit dimensions ------------===//
//
// A product whose loop over the steps is gone, as it had one iteration, reads
// and writes its sums as the op did that it was made of: with a dimension for
// each loop, of one element where the tile has one.
//
//===----------------------------------------------------------------------===//

#include "MatrixTransfers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

static SmallVector<int64_t> dropUnits(ArrayRef<int64_t> shape) {
  return llvm::to_vector(
      llvm::make_filter_range(shape, [](int64_t size) { return size != 1; }));
}

/// The matrix that `value` is, but for dimensions of one element; null if it is
/// none, or not row by row.
static Value getMatrix(Value value) {
  const SmallVector<int64_t> shape =
      dropUnits(cast<VectorType>(value.getType()).getShape());
  if (shape.size() != 2)
    return Value();
  while (ArrayRef(cast<VectorType>(value.getType()).getShape()) !=
         ArrayRef(shape)) {
    Operation *op = value.getDefiningOp();
    if (auto transpose = dyn_cast_or_null<vector::TransposeOp>(op)) {
      // Dimensions of more than one element stay in order.
      int64_t last = -1;
      for (int64_t dim : transpose.getPermutation()) {
        if (transpose.getSourceVectorType().getDimSize(dim) == 1)
          continue;
        if (dim < last)
          return Value();
        last = dim;
      }
    } else if (!isa_and_present<vector::BroadcastOp, vector::ShapeCastOp>(op)) {
      return Value();
    }
    value = op->getOperand(0);
    auto type = dyn_cast<VectorType>(value.getType());
    // A broadcast that repeats elements makes others of them.
    if (!type || dropUnits(type.getShape()) != shape)
      return Value();
  }
  return value;
}

/// The view of `memory` from `indices` that has `sizes`, without those of 1.
static Value createView(OpBuilder &b, Location loc, Value memory,
                        ValueRange indices, ArrayRef<int64_t> sizes) {
  const SmallVector<OpFoldResult> offsets = getAsOpFoldResult(indices),
                                  extents = getAsIndexOpFoldResult(
                                      b.getContext(), sizes),
                                  strides(sizes.size(), b.getIndexAttr(1));
  const auto type = memref::SubViewOp::inferRankReducedResultType(
      dropUnits(sizes), cast<MemRefType>(memory.getType()), offsets, extents,
      strides);
  return memref::SubViewOp::create(b, loc, cast<MemRefType>(type), memory,
                                   offsets, extents, strides);
}

template <typename Transfer> static bool isWhole(Transfer transfer) {
  return isa<MemRefType>(transfer.getBase().getType()) && !transfer.getMask() &&
         !transfer.hasOutOfBoundsDim();
}

/// A view of the matrix that a transfer reads or writes; null if it is of none,
/// or needs no view.
template <typename Transfer>
static Value viewMatrix(OpBuilder &b, Transfer op) {
  const VectorType type = op.getVectorType();
  const AffineMap map = op.getPermutationMap();
  if (type.getRank() != 2 || llvm::is_contained(type.getShape(), 1) ||
      !isWhole(op) || map.isMinorIdentity() || !map.isProjectedPermutation())
    return Value();
  const unsigned row = map.getDimPosition(0), column = map.getDimPosition(1);
  if (row > column)
    return Value();
  SmallVector<int64_t> sizes(op.getIndices().size(), 1);
  sizes[row] = type.getDimSize(0);
  sizes[column] = type.getDimSize(1);
  return createView(b, op.getLoc(), op.getBase(), op.getIndices(), sizes);
}

static void writeMatrix(OpBuilder &b, Location loc, Value matrix, Value view) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  vector::TransferWriteOp::create(b, loc, matrix, view, ValueRange{zero, zero},
                                  ArrayRef<bool>{true, true});
}

static void squeeze(vector::TransferWriteOp write) {
  OpBuilder b(write);
  if (Value view = viewMatrix(b, write)) {
    writeMatrix(b, write.getLoc(), write.getValueToStore(), view);
    write.erase();
    return;
  }
  const VectorType type = write.getVectorType();
  if (type.getRank() < 3 || !isWhole(write) ||
      !write.getPermutationMap().isMinorIdentity())
    return;
  Value matrix = getMatrix(write.getValueToStore());
  if (!matrix)
    return;
  SmallVector<int64_t> sizes(write.getIndices().size() - type.getRank(), 1);
  llvm::append_range(sizes, type.getShape());
  writeMatrix(b, write.getLoc(), matrix,
              createView(b, write.getLoc(), write.getBase(), write.getIndices(),
                         sizes));
  Value written = write.getValueToStore();
  write.erase();
  // What only gave it its dimensions.
  while (written != matrix && written.use_empty()) {
    Operation *op = written.getDefiningOp();
    written = op->getOperand(0);
    op->erase();
  }
}

static void squeeze(vector::TransferReadOp read) {
  OpBuilder b(read);
  Value view = viewMatrix(b, read);
  if (!view)
    return;
  Value zero = arith::ConstantIndexOp::create(b, read.getLoc(), 0);
  read.replaceAllUsesWith(vector::TransferReadOp::create(
                              b, read.getLoc(), read.getVectorType(), view,
                              ValueRange{zero, zero}, read.getPadding(),
                              ArrayRef<bool>{true, true})
                              .getResult());
  read.erase();
}

void sched::makeMatrixTransfers(Operation *root) {
  SmallVector<Operation *> transfers;
  root->walk([&](Operation *op) {
    if (isa<vector::TransferReadOp, vector::TransferWriteOp>(op))
      transfers.push_back(op);
  });
  for (Operation *op : transfers)
    if (auto write = dyn_cast<vector::TransferWriteOp>(op))
      squeeze(write);
    else
      squeeze(cast<vector::TransferReadOp>(op));
}
