//===- WriteRows.cpp - Rows written where they are copied to --------------===//
//
// A convolution that takes the lines of an image as one (Space/JoinLines.cpp)
// computes sums at the end of each line that nothing reads: the result is the
// other rows of a larger buffer, and would be copied. Where each row is
// written once, it can be written to its place in the result instead, if it
// has one:
//
//   buffer[r, f] = v  becomes  if r % Wp < W: result[r / Wp, r % Wp, f] = v
//
// Comes when buffers have just been placed, and vectors are whole tiles of
// rows.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/ViewLikeInterfaceUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace sched {
#define GEN_PASS_DEF_WRITEROWSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

/// Rows of a vector that are written one by one, at most.
static constexpr int64_t kMostRows = 128;

namespace {
/// Rows of a buffer are numbered by a sum of indices times steps, each index,
/// of the dimensions of a place, in [0, extent): writes are in bounds, and each
/// dimension that they have is of one dimension of the buffer.
struct RowIndex {
  AffineExpr expr;
  int64_t step, extent;
};

/// A buffer of which some rows are copied, and nothing else is read.
class CopiedRows {
public:
  static std::optional<CopiedRows> match(linalg::CopyOp copy);

  void replace();

private:
  explicit CopiedRows(linalg::CopyOp copy) : copy(copy) {}

  Value getResult() { return copy.getDpsInits().front(); }
  bool findRows();
  bool collectWrites(Value memory, bool joinsRows = false);
  bool isResultUntouched();
  SmallVector<OpFoldResult> findPlace(IRRewriter &rewriter,
                                      vector::TransferWriteOp op);
  void write(IRRewriter &rewriter, vector::TransferWriteOp op);
  void writeRow(IRRewriter &rewriter, Location loc, Value part,
                ArrayRef<RowIndex> row, AffineExpr column,
                ArrayRef<OpFoldResult> place);

  linalg::CopyOp copy;
  memref::AllocOp alloc;
  /// Elements of a row.
  int64_t length = 1;
  /// Dimensions of the rows that are copied, outermost first: extents, and how
  /// many rows of the buffer neighbours are apart.
  SmallVector<int64_t> extents, steps;
  SmallVector<vector::TransferWriteOp> writes;
  /// Views that lead to what is copied, the last one first, and those that lead
  /// to what is written, the first one first.
  SmallVector<Operation *> copiedViews, writtenViews;
  /// What bufferization leaves of slices that are where they should be, copied
  /// to themselves.
  llvm::SetVector<Operation *> idle;
};
} // namespace

/// Whether a vector's dimensions are some of a buffer's, the last one among
/// them, in the same order.
static bool isOrdered(AffineMap map) {
  if (!map.isProjectedPermutation() || map.getNumResults() == 0)
    return false;
  SmallVector<unsigned> positions;
  for (AffineExpr expr : map.getResults())
    positions.push_back(cast<AffineDimExpr>(expr).getPosition());
  return llvm::is_sorted(positions) && positions.back() == map.getNumDims() - 1;
}

/// Finds the buffer that the copy reads whole rows of, and which.
bool CopiedRows::findRows() {
  Value source = copy.getDpsInputs().front();
  const auto type = dyn_cast<MemRefType>(source.getType());
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (!type || !type.hasStaticShape() || type.getRank() < 2 ||
      failed(type.getStridesAndOffset(strides, offset)) || offset != 0 ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return false;
  while (isa_and_present<memref::SubViewOp, memref::ExpandShapeOp,
                         memref::CollapseShapeOp>(source.getDefiningOp())) {
    copiedViews.push_back(source.getDefiningOp());
    source = source.getDefiningOp()->getOperand(0);
  }
  alloc = source.getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != copy->getBlock() ||
      !alloc.getType().hasStaticShape() ||
      !alloc.getType().getLayout().isIdentity())
    return false;
  // What is in one row of the buffer, as it is written, is in one of these.
  length = type.getShape().back();
  if (strides.back() != 1 || alloc.getType().getRank() == 0 ||
      length % alloc.getType().getShape().back() != 0)
    return false;
  int64_t outer = alloc.getType().getNumElements();
  for (auto [extent, stride] : llvm::zip_equal(type.getShape().drop_back(),
                                               ArrayRef(strides).drop_back())) {
    // The dimensions inside lie between neighbours.
    if (stride % length != 0 || outer % stride != 0 || extent > outer / stride)
      return false;
    outer = stride;
    extents.push_back(extent);
    steps.push_back(stride / length);
  }
  return steps.back() == 1;
}

/// Collects what writes to `memory`, the buffer or a view of it; whether there
/// is nothing else but the copy.
bool CopiedRows::collectWrites(Value memory, bool joinsRows) {
  return llvm::all_of(memory.getUsers(), [&](Operation *user) {
    if (user == copy)
      return copy.getDpsInputs().front() == memory &&
             copy.getDpsInits().front() != memory;
    // Places are computed from the dimensions of views.
    if (auto view = dyn_cast<memref::ExpandShapeOp>(user);
        view && !view.getResultType().hasStaticShape())
      return false;
    if (llvm::is_contained(copiedViews, user))
      return collectWrites(user->getResult(0),
                           joinsRows || isa<memref::CollapseShapeOp>(user));
    // A row of what is written is in one of the buffer.
    if (joinsRows)
      return false;
    if (isa<memref::SubViewOp, memref::ExpandShapeOp>(user)) {
      writtenViews.push_back(user);
      return collectWrites(user->getResult(0));
    }
    if (auto other = dyn_cast<linalg::CopyOp>(user);
        other && other.getDpsInputs().front() == other.getDpsInits().front()) {
      idle.insert(other);
      return true;
    }
    auto write = dyn_cast<vector::TransferWriteOp>(user);
    if (!write || write.getBase() != memory || write.getMask() ||
        write.hasOutOfBoundsDim() || !isOrdered(write.getPermutationMap()) ||
        write.getVectorType().getRank() == 0 ||
        write.getVectorType().isScalable())
      return false;
    SmallVector<int64_t> strides;
    int64_t offset = 0;
    const auto type = cast<MemRefType>(memory.getType());
    const ArrayRef<int64_t> shape = write.getVectorType().getShape();
    Operation *place = copy->getBlock()->findAncestorOpInBlock(*write);
    if (failed(type.getStridesAndOffset(strides, offset)) ||
        llvm::any_of(strides, ShapedType::isDynamic) || strides.back() != 1 ||
        shape.back() > alloc.getType().getShape().back() ||
        ShapedType::getNumElements(shape.drop_back()) > kMostRows || !place ||
        !place->isBeforeInBlock(copy))
      return false;
    writes.push_back(write);
    return true;
  });
}

/// Whether nothing reads or writes the result before the copy, and it is there
/// before all writes.
bool CopiedRows::isResultUntouched() {
  Value result = getResult();
  Block *block = copy->getBlock();
  Operation *owner = result.getDefiningOp();
  if (owner ? !isa<memref::AllocOp>(owner) || owner->getBlock() != block
            : !isa<FunctionOpInterface>(block->getParentOp()) ||
                  result.getParentBlock() != block)
    return false;
  const auto type = cast<MemRefType>(result.getType());
  return type.hasStaticShape() &&
         type.getElementType() == alloc.getType().getElementType() &&
         llvm::all_of(result.getUsers(),
                      [&](Operation *user) {
                        Operation *place = block->findAncestorOpInBlock(*user);
                        return user == copy ||
                               (place && copy->isBeforeInBlock(place));
                      }) &&
         llvm::all_of(writes, [&](vector::TransferWriteOp write) {
           return !owner ||
                  owner->isBeforeInBlock(block->findAncestorOpInBlock(*write));
         });
}

std::optional<CopiedRows> CopiedRows::match(linalg::CopyOp copy) {
  if (!copy.hasPureBufferSemantics())
    return std::nullopt;
  CopiedRows rows(copy);
  if (!rows.findRows() || !rows.collectWrites(rows.alloc.getResult()) ||
      rows.writes.empty() || !rows.isResultUntouched())
    return std::nullopt;
  return rows;
}

/// (row mod outer) / step, for an `outer` that is a multiple of `step`. Terms
/// that are multiples of `outer` do not count, and what the others are less
/// than is not divided by: LLVM could not tell.
static AffineExpr getIndex(ArrayRef<RowIndex> row, int64_t outer, int64_t step,
                           MLIRContext *context) {
  const AffineExpr zero = getAffineConstantExpr(0, context);
  AffineExpr whole = zero, rest = zero;
  int64_t most = 0, mostOfRest = 0;
  for (const auto &[expr, ownStep, extent] : row) {
    if (ownStep % outer == 0)
      continue;
    most += (extent - 1) * ownStep;
    if (ownStep % step == 0) {
      whole = whole + expr * (ownStep / step);
      continue;
    }
    rest = rest + expr * ownStep;
    mostOfRest += (extent - 1) * ownStep;
  }
  AffineExpr index = mostOfRest < step ? whole : whole + rest.floorDiv(step);
  return most < outer ? index : index % (outer / step);
}

/// Writes `part`, of the buffer's row `row`, from `column` on; both are of the
/// dimensions of `place`.
void CopiedRows::writeRow(IRRewriter &rewriter, Location loc, Value part,
                          ArrayRef<RowIndex> row, AffineExpr column,
                          ArrayRef<OpFoldResult> place) {
  auto apply = [&](AffineExpr expr) {
    return getValueOrCreateConstantIndexOp(
        rewriter, loc,
        affine::makeComposedFoldedAffineApply(
            rewriter, loc, AffineMap::get(place.size(), 0, expr), place));
  };
  SmallVector<Value> indices;
  Value isCopied;
  int64_t outer = alloc.getType().getNumElements() / length;
  for (auto [extent, step] : llvm::zip_equal(extents, steps)) {
    indices.push_back(apply(getIndex(row, outer, step, rewriter.getContext())));
    if (extent != outer / step) {
      Value isInside = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::slt, indices.back(),
          arith::ConstantIndexOp::create(rewriter, loc, extent));
      isCopied =
          isCopied
              ? Value(arith::AndIOp::create(rewriter, loc, isCopied, isInside))
              : isInside;
    }
    outer = step;
  }
  indices.push_back(apply(column));
  OpBuilder::InsertionGuard guard(rewriter);
  if (isCopied) {
    auto guarded = scf::IfOp::create(rewriter, loc, isCopied);
    rewriter.setInsertionPointToStart(guarded.thenBlock());
  }
  vector::TransferWriteOp::create(rewriter, loc, part, getResult(), indices,
                                  ArrayRef<bool>{true});
}

/// The indices of the buffer that views are of, from those of a view.
SmallVector<OpFoldResult> CopiedRows::findPlace(IRRewriter &rewriter,
                                                vector::TransferWriteOp op) {
  const Location loc = op.getLoc();
  SmallVector<OpFoldResult> place(op.getIndices().begin(),
                                  op.getIndices().end());
  for (Value memory = op.getBase(); memory != alloc.getResult();
       memory = memory.getDefiningOp()->getOperand(0)) {
    if (auto view = memory.getDefiningOp<memref::SubViewOp>()) {
      SmallVector<Value> source;
      affine::resolveIndicesIntoOpWithOffsetsAndStrides(
          rewriter, loc, view.getMixedOffsets(), view.getMixedStrides(),
          view.getDroppedDims(), place, source);
      place.assign(source.begin(), source.end());
      continue;
    }
    auto view = memory.getDefiningOp<memref::ExpandShapeOp>();
    const ArrayRef<int64_t> shape = view.getResultType().getShape();
    SmallVector<OpFoldResult> source;
    for (const ReassociationIndices &group : view.getReassociationIndices()) {
      AffineExpr index = rewriter.getAffineConstantExpr(0);
      SmallVector<OpFoldResult> operands;
      for (int64_t dim : group) {
        index = index * shape[dim] + rewriter.getAffineDimExpr(operands.size());
        operands.push_back(place[dim]);
      }
      source.push_back(affine::makeComposedFoldedAffineApply(
          rewriter, loc, AffineMap::get(operands.size(), 0, index), operands));
    }
    place = std::move(source);
  }
  return place;
}

void CopiedRows::write(IRRewriter &rewriter, vector::TransferWriteOp op) {
  const Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  const SmallVector<OpFoldResult> place = findPlace(rewriter, op);
  const ArrayRef<int64_t> buffer = alloc.getType().getShape();
  const SmallVector<int64_t> bufferStrides = computeSuffixProduct(buffer);
  SmallVector<int64_t> strides;
  int64_t start = 0;
  // Static, as was checked.
  (void)cast<MemRefType>(op.getBase().getType())
      .getStridesAndOffset(strides, start);
  const ArrayRef<int64_t> shape = op.getVectorType().getShape().drop_back();
  SmallVector<int64_t> rowStrides;
  for (AffineExpr expr : op.getPermutationMap().getResults().drop_back())
    rowStrides.push_back(strides[cast<AffineDimExpr>(expr).getPosition()]);
  for (int64_t i = 0, e = ShapedType::getNumElements(shape); i != e; ++i) {
    const SmallVector<int64_t> indices =
        delinearize(i, computeSuffixProduct(shape));
    int64_t offset = 0;
    for (auto [index, step] : llvm::zip_equal(indices, rowStrides))
      offset += index * step;
    // Dimensions of the buffer say which row it is, or where it begins in one;
    // such as are parts of several rows, both.
    SmallVector<RowIndex> row;
    AffineExpr column = rewriter.getAffineConstantExpr(0);
    int64_t mostOfColumn = 0;
    for (auto [dim, stride, further] :
         llvm::enumerate(bufferStrides, delinearize(offset, bufferStrides))) {
      const AffineExpr index = rewriter.getAffineDimExpr(dim) + further;
      if (stride % length == 0) {
        row.push_back({index, stride / length, buffer[dim]});
        continue;
      }
      column = column + index * stride;
      mostOfColumn += (buffer[dim] - 1) * stride;
    }
    if (mostOfColumn >= length) {
      row.push_back({column.floorDiv(length), 1, mostOfColumn / length + 1});
      column = column % length;
    }
    Value part =
        indices.empty()
            ? op.getVector()
            : vector::ExtractOp::create(rewriter, loc, op.getVector(), indices)
                  .getResult();
    writeRow(rewriter, loc, part, row, column, place);
  }
  rewriter.eraseOp(op);
}

void CopiedRows::replace() {
  IRRewriter rewriter(copy);
  for (vector::TransferWriteOp op : writes)
    write(rewriter, op);
  rewriter.eraseOp(copy);
  for (Operation *op : idle)
    rewriter.eraseOp(op);
  // Views of views first.
  for (Operation *view : llvm::reverse(writtenViews))
    if (view->use_empty())
      rewriter.eraseOp(view);
  for (Operation *view : copiedViews)
    if (view->use_empty())
      rewriter.eraseOp(view);
}

namespace {
struct WriteRows : sched::impl::WriteRowsPassBase<WriteRows> {
  using WriteRowsPassBase::WriteRowsPassBase;

  void runOnOperation() override {
    SmallVector<linalg::CopyOp> copies;
    for (Block &block : getOperation().getBody())
      llvm::append_range(copies, block.getOps<linalg::CopyOp>());
    for (linalg::CopyOp copy : copies)
      if (std::optional<CopiedRows> rows = CopiedRows::match(copy))
        rows->replace();
  }
};
} // namespace
