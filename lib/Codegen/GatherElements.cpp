//===- GatherElements.cpp - Elements of a table one by one ----------------===//
//
// Where each element of a line is looked up, there is no line to copy, but
// vectors of places, and instructions that gather what is there on some
// processors; LLVM takes vectors apart for others. Read next: ReadGathered.cpp.
//
//===----------------------------------------------------------------------===//

#include "GatherPlaces.h"
#include "MoveLines.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace sched;

/// Of a vector that is written: LLVM splits it where there are narrower ones.
static constexpr int64_t kVectorBits = 512;
/// Of shorter lines LLVM makes vectors across them.
static constexpr int64_t kLeastLanes = 4;

/// Whether `value`, in the body of `op`, depends on an operand of `op`.
static bool dependsOnOperand(linalg::GenericOp op, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == op.getBlock();
  Operation *inner = value.getDefiningOp();
  return inner->getBlock() == op.getBlock() &&
         llvm::any_of(inner->getOperands(), [&](Value operand) {
           return dependsOnOperand(op, operand);
         });
}

std::optional<LineGather> sched::matchElementGather(linalg::GenericOp op) {
  tensor::ExtractOp extract = matchGather(op);
  if (!extract || op.getNumLoops() == 0 || extract.getIndices().empty() ||
      !LaneWriter::isOfWholeBytes(extract.getType()))
    return std::nullopt;
  const int64_t innermost = op.getNumLoops() - 1;
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  const Value last = extract.getIndices().back();
  if (result.getNumElements() == 0 || result.getShape().back() < kLeastLanes ||
      !dependsOnLoops(op, last, innermost) ||
      dependsOnLoops(op, extract.getIndices().drop_back(), innermost) ||
      // What is read at a stride or backwards, LLVM makes vectors of.
      !dependsOnOperand(op, last) || !LaneWriter::isSupported(op, last))
    return std::nullopt;
  return LineGather{op, extract, /*lineDims=*/0, /*outerDims=*/innermost};
}

std::optional<LineGather> sched::matchAnyGather(linalg::GenericOp op) {
  if (auto gather = matchLineGather(op))
    return gather;
  return matchElementGather(op);
}

bool sched::isGatherByVectors(linalg::GenericOp op) {
  return matchAnyGather(op).has_value();
}

Value sched::gatherElements(OpBuilder &builder, const LineGather &gather,
                            ValueRange loops, int64_t lanes) {
  linalg::GenericOp op = gather.op;
  tensor::ExtractOp extract = gather.extract;
  const Location loc = op.getLoc();
  LaneWriter writer(builder, op, loops, lanes);
  SmallVector<Value> offsets;
  for (Value place : ValueRange(extract.getIndices()).drop_back())
    offsets.push_back(writer.get(place));
  offsets.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  // Narrow numbers take fewer registers, and are extended in the address.
  Value last = extract.getIndices().back();
  if (auto cast = last.getDefiningOp<arith::IndexCastOp>();
      cast && cast->getBlock() == op.getBlock() &&
      cast.getIn().getType().isInteger())
    last = cast.getIn();
  const auto type = VectorType::get({lanes}, extract.getType());
  const auto masks = VectorType::get({lanes}, builder.getI1Type());
  Value all = arith::ConstantOp::create(builder, loc, masks,
                                        DenseElementsAttr::get(masks, true));
  Value none = ub::PoisonOp::create(builder, loc, type);
  return vector::GatherOp::create(builder, loc, type, extract.getTensor(),
                                  offsets, writer.getVector(last), all, none);
}

Value sched::writeElements(OpBuilder &builder, const LineGather &gather,
                           LineWriter &lines, Value dest,
                           LineWriter::Places outer, ArrayRef<Value> loops) {
  linalg::GenericOp op = gather.op;
  const Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  const int64_t count = type.getDimSize(gather.outerDims);
  const int64_t lanes =
      std::min<int64_t>(count, kVectorBits / type.getElementTypeBitWidth());
  auto write = [&](Value own, LineWriter::Places place,
                   OpFoldResult first) -> Value {
    SmallVector<Value> inside(loops), at;
    inside.push_back(getValueOrCreateConstantIndexOp(builder, loc, first));
    for (OpFoldResult number : place)
      at.push_back(getValueOrCreateConstantIndexOp(builder, loc, number));
    Value elements = gatherElements(builder, gather, inside, lanes);
    return vector::TransferWriteOp::create(builder, loc, elements, own, at,
                                           ArrayRef<bool>{true})
        .getResult();
  };
  const AffineExpr number = builder.getAffineDimExpr(0);
  dest = lines.loop(dest, outer, 0, count / lanes, lanes,
                    [&](Value own, LineWriter::Places place, OpFoldResult at) {
                      return write(own, place,
                                   affine::makeComposedFoldedAffineApply(
                                       builder, loc, number * lanes, {at}));
                    });
  if (count % lanes == 0)
    return dest;
  // The last vector overlaps the one before it.
  SmallVector<OpFoldResult> place(outer);
  place.push_back(builder.getIndexAttr(count - lanes));
  return write(dest, place, place.back());
}
