//===- NarrowContraction.cpp - Products of groups -------------------------===//

#include "NarrowContraction.h"
#include "SchedOpt/Support/NarrowType.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// `value` before it is widened, and its type.
static std::optional<std::pair<Value, NarrowType>> getNarrow(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumOperands() != 1)
    return std::nullopt;
  Value from = op->getOperand(0);
  const auto type = getWidenedType(getElementTypeOrSelf(from.getType()), op);
  return type ? std::optional(std::pair(from, *type)) : std::nullopt;
}

std::optional<NarrowContraction>
NarrowContraction::match(vector::ContractionOp op) {
  auto narrowLhs = getNarrow(op.getLhs()), narrowRhs = getNarrow(op.getRhs());
  auto type = dyn_cast<VectorType>(op.getType());
  if (!narrowLhs || !narrowRhs || !type || type.isScalable() ||
      op.getKind() != vector::CombiningKind::ADD ||
      type.getElementTypeBitWidth() != 32)
    return std::nullopt;
  NarrowContraction found;
  found.op = op;
  std::tie(found.lhs, found.lhsType) = *narrowLhs;
  std::tie(found.rhs, found.rhsType) = *narrowRhs;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (llvm::any_of(maps, [](AffineMap map) {
        return !map.isProjectedPermutation() || map.getNumResults() == 0;
      }))
    return std::nullopt;
  auto dim = [&](unsigned map, unsigned fromEnd) -> std::optional<unsigned> {
    const unsigned count = maps[map].getNumResults();
    if (fromEnd >= count)
      return std::nullopt;
    return maps[map].getDimPosition(count - 1 - fromEnd);
  };
  // The steps of a group are the last of both, columns the last of the sums. A
  // body may multiply them in either order.
  const unsigned column = *dim(2, 0);
  if (maps[0].isFunctionOfDim(column)) {
    std::swap(maps[0], maps[1]);
    std::swap(found.lhs, found.rhs);
    std::swap(found.lhsType, found.rhsType);
  }
  const unsigned step = *dim(0, 0);
  const std::optional<unsigned> group = dim(1, 2), row = dim(2, 1);
  auto is = [&](AffineMap map, ArrayRef<std::optional<unsigned>> dims) {
    SmallVector<unsigned> wanted;
    for (std::optional<unsigned> dim : dims)
      if (dim)
        wanted.push_back(*dim);
    return map == AffineMap::getMultiDimMapWithTargets(maps[0].getNumDims(),
                                                       wanted, op.getContext());
  };
  if (maps[0].getNumDims() != 2u + row.has_value() + group.has_value() ||
      !is(maps[0], {row, group, step}) || !is(maps[1], {group, column, step}) ||
      !is(maps[2], {row, column}))
    return std::nullopt;
  auto lhsShape = cast<VectorType>(found.lhs.getType()).getShape();
  auto rhsShape = cast<VectorType>(found.rhs.getType()).getShape();
  found.hasRows = row.has_value();
  found.hasGroups = group.has_value();
  found.rows = found.hasRows ? lhsShape.front() : 1;
  found.groups = found.hasGroups ? rhsShape.front() : 1;
  found.columns = rhsShape[found.hasGroups];
  found.steps = lhsShape.back();
  return found;
}

SmallVector<NarrowContraction>
sched::collectNarrowContractions(Operation *root, DotForm form,
                                 const DotProducts &dots) {
  SmallVector<NarrowContraction> products;
  root->walk([&](vector::ContractionOp op) {
    auto product = NarrowContraction::match(op);
    if (product && product->steps == countStepsAtOnce(form, product->lhsType) &&
        dots.covers(form, product->lhsType, product->rhsType))
      products.push_back(*product);
  });
  return products;
}

MergedRead sched::mergeRead(Value value, OpBuilder &b) {
  auto read = value.getDefiningOp<vector::TransferReadOp>();
  auto memory =
      read ? dyn_cast<MemRefType>(read.getBase().getType()) : MemRefType();
  const auto type = cast<VectorType>(value.getType());
  const int64_t rank = memory ? memory.getRank() : 0;
  if (rank < 2 || type.getRank() < 2 ||
      !read.getPermutationMap().isMinorIdentity() || read.getMask() ||
      read.hasOutOfBoundsDim() ||
      memory.getShape().back() != type.getShape().back() ||
      !memory.areTrailingDimsContiguous(2))
    return {};
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(read);
  const Location loc = read.getLoc();
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i + 1 < rank; ++i)
    groups.push_back({i});
  groups.back().push_back(rank - 1);
  if (!memref::CollapseShapeOp::isGuaranteedCollapsible(memory, groups))
    return {};
  MergedRead merged;
  merged.read = read;
  merged.memory =
      memref::CollapseShapeOp::create(b, loc, read.getBase(), groups);
  merged.indices = read.getIndices();
  Value last = merged.indices.pop_back_val();
  Value size = arith::ConstantIndexOp::create(b, loc, memory.getShape().back());
  merged.indices.back() = arith::AddIOp::create(
      b, loc, arith::MulIOp::create(b, loc, merged.indices.back(), size), last);
  return merged;
}

/// The read `value` with its last two dimensions as one; null if it is none, or
/// not contiguous in memory.
static Value readMerged(Value value, VectorType type, OpBuilder &b) {
  if (type.getRank() + 1 != cast<VectorType>(value.getType()).getRank())
    return Value();
  MergedRead merged = mergeRead(value, b);
  if (!merged)
    return Value();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(merged.read);
  const SmallVector<bool> inBounds(type.getRank(), true);
  return vector::TransferReadOp::create(
      b, merged.read.getLoc(), type, merged.memory, merged.indices,
      merged.read.getPadding(), ArrayRef(inBounds));
}

/// The rows of `value`, a group each, as one element each. As one vector of all
/// of them, LLVM looks for what it can combine with each row of the others: the
/// code of 16 rows took it more than a minute.
static Value joinRows(Value value, VectorType type, OpBuilder &b) {
  const Location loc = value.getLoc();
  Value result = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  const auto one = VectorType::get({1}, type.getElementType());
  for (int64_t i = 0; i != type.getNumElements(); ++i) {
    Value row = vector::ExtractOp::create(b, loc, value, ArrayRef<int64_t>{i});
    Value group = vector::ExtractOp::create(
        b, loc, vector::BitCastOp::create(b, loc, one, row),
        ArrayRef<int64_t>{0});
    result =
        vector::InsertOp::create(b, loc, group, result, ArrayRef<int64_t>{i});
  }
  return result;
}

Value sched::toGroups(Value value, OpBuilder &b) {
  const auto type = cast<VectorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  const int64_t group = shape.pop_back_val();
  if (shape.empty())
    shape.push_back(1);
  SmallVector<int64_t> merged = shape;
  merged.back() *= group;
  const auto mergedType = VectorType::get(merged, type.getElementType());
  const auto groups = VectorType::get(
      shape, b.getIntegerType(group * type.getElementTypeBitWidth()));
  Value rows = readMerged(value, mergedType, b);
  if (!rows && type.getRank() == 2)
    return joinRows(value, groups, b);
  if (!rows)
    rows = vector::ShapeCastOp::create(b, value.getLoc(), mergedType, value);
  return vector::BitCastOp::create(b, value.getLoc(), groups, rows);
}
