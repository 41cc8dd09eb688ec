//===- ComputeParts.cpp - Elementwise ops of what is joined ---------------===//
//
// Rotary embeddings multiply the halves of each head, exchanged and joined, by
// sines. What is joined is written to memory by one task, and read by another:
//
//   f(concat(a, b), x)  =  concat(f(a, x's first part), f(b, x's second part))
//
// writes each element once, where it ends up. The elementwise ops that only the
// one reads are computed part by part as well, so that they stay in its task.
//
// A product that sums over what is joined adds up the products of the parts:
//
//   x concat(a, b)^T  =  x's first part a^T  +  x's second part b^T
//
// where these are computed, as halves of bytes that are weights: each part is
// decoded as it is read. Parts that are there already are copied: the product
// reads them more often than the copy does.
//
//===----------------------------------------------------------------------===//

#include "ComputeParts.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// More parts would be more tasks than they are worth.
static constexpr size_t kMostParts = 4;
/// Elements of a part that lie beside each other, at least: a vector of most
/// machines.
static constexpr int64_t kFewestBeside = 16;
/// A product's result is read and written again for each part, which a row or a
/// few do not notice: its other operand has so many times its elements. Not
/// measured more closely.
static constexpr int64_t kLeastShare = 2;

namespace {
/// Elements `begin` to `begin + size` of a tensor's dimension, or of a loop.
struct Part {
  unsigned dim;
  int64_t begin, size;
};

/// A tensor that others are side by side along a dimension.
struct Joined {
  unsigned dim;
  SmallVector<Value> parts;

  int64_t getSize(Value part) const {
    return cast<RankedTensorType>(part.getType()).getDimSize(dim);
  }
  /// Where its parts are along dimension or loop `along`.
  SmallVector<Part> locate(unsigned along) const {
    SmallVector<Part> located;
    int64_t end = 0;
    for (Value part : parts) {
      located.push_back({along, end, getSize(part)});
      end += getSize(part);
    }
    return located;
  }
};
} // namespace

/// Whether `insert` puts a slice into dimension `dim` from `begin` on, all of
/// the others.
static bool isBehind(tensor::InsertSliceOp insert, unsigned dim,
                     int64_t begin) {
  const RankedTensorType part = insert.getSourceType(), all = insert.getType();
  if (!part.hasStaticShape() || part.getRank() != all.getRank() ||
      !insert.hasUnitStride() ||
      llvm::any_of(insert.getStaticOffsets(), ShapedType::isDynamic))
    return false;
  return llvm::all_of(llvm::seq<unsigned>(0, all.getRank()), [&](unsigned i) {
    return insert.getStaticOffset(i) == (i == dim ? begin : 0) &&
           (i == dim || part.getDimSize(i) == all.getDimSize(i));
  });
}

/// `value` as a concatenation: also what is inserted into an empty tensor slice
/// by slice, as TOSA's is lowered.
static std::optional<Joined> matchJoined(Value value) {
  if (auto concat = value.getDefiningOp<tensor::ConcatOp>())
    return Joined{unsigned(concat.getDim()), concat.getInputs()};
  SmallVector<tensor::InsertSliceOp> inserts;
  while (auto insert = value.getDefiningOp<tensor::InsertSliceOp>()) {
    if (!inserts.empty() && !insert->hasOneUse())
      return std::nullopt;
    inserts.push_back(insert);
    value = insert.getDest();
  }
  if (inserts.size() < 2 || !value.getDefiningOp<tensor::EmptyOp>())
    return std::nullopt;
  std::reverse(inserts.begin(), inserts.end());
  const RankedTensorType all = inserts.back().getType(),
                         first = inserts.front().getSourceType();
  if (first.getRank() != all.getRank())
    return std::nullopt;
  Joined joined{0, {}};
  while (joined.dim != all.getRank() &&
         first.getDimSize(joined.dim) == all.getDimSize(joined.dim))
    ++joined.dim;
  // What is inserted is all of it.
  if (joined.dim == all.getRank())
    return std::nullopt;
  int64_t end = 0;
  for (tensor::InsertSliceOp insert : inserts) {
    if (!isBehind(insert, joined.dim, end))
      return std::nullopt;
    joined.parts.push_back(insert.getSource());
    end += joined.getSize(insert.getSource());
  }
  if (end != all.getDimSize(joined.dim))
    return std::nullopt;
  return joined;
}

/// The one dimension of the tensor that `loop` indexes by `map`, element by
/// element; none if it indexes none so.
static std::optional<unsigned> getDim(AffineMap map, unsigned loop) {
  return map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
}

/// Whether `op` can be computed for a part of each loop alone.
static bool isSplittable(linalg::LinalgOp op) {
  return op && sched::isElementwise(op) && sched::hasNumbers(op) &&
         !op.hasIndexSemantics() && !op->hasAttr(kAloneAttrName);
}

/// The elementwise op that computes `value` for one reader alone, and as often
/// as it is read; null if that is none.
static linalg::LinalgOp getOwnProducer(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  return isSplittable(op) && value.hasOneUse() &&
                 value.getUsers().begin()->getBlock() == op->getBlock()
             ? op
             : linalg::LinalgOp();
}

/// Whether `value` is the result of more than elementwise work, which a reader
/// may be an epilogue of.
static bool isReduced(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  return op && op.getNumReductionLoops() > 0;
}

/// Whether parts of `value` may be computed alone: an elementwise op that
/// follows more than elementwise work is its epilogue.
static bool isOfParts(Value value) {
  if (isReduced(value))
    return false;
  linalg::LinalgOp op = getOwnProducer(value);
  return !op || llvm::all_of(op->getOperands(), isOfParts);
}

static Value computePart(OpBuilder &builder, linalg::LinalgOp op, Part loops);

/// The part of `value`, computed where it is an elementwise op's that is no
/// epilogue.
static Value takePart(OpBuilder &builder, Value value, Part part) {
  if (auto op = getOwnProducer(value); op && isOfParts(value)) {
    const AffineMap map = op.getIndexingMapsArray().back();
    return computePart(builder, op,
                       {map.getDimPosition(part.dim), part.begin, part.size});
  }
  if (auto joined = matchJoined(value); joined && joined->dim == part.dim)
    for (auto [each, at] :
         llvm::zip_equal(joined->parts, joined->locate(part.dim)))
      if (at.begin == part.begin && at.size == part.size)
        return each;
  const Location loc = value.getLoc();
  if (value.getDefiningOp<tensor::EmptyOp>()) {
    const auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> sizes(type.getShape());
    sizes[part.dim] = part.size;
    return tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  }
  return sliceDim(builder, loc, value, part.dim, part.begin, part.size);
}

/// What `op` reads and writes in a part of the iterations of a loop.
static SmallVector<Value> takeOperands(OpBuilder &builder, linalg::LinalgOp op,
                                       Part loops) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    const auto dim = getDim(op.getMatchingIndexingMap(&operand), loops.dim);
    operands.push_back(
        dim ? takePart(builder, operand.get(), {*dim, loops.begin, loops.size})
            : operand.get());
  }
  return operands;
}

/// The result of `op`, which is elementwise, for a part of the iterations of a
/// loop.
static Value computePart(OpBuilder &builder, linalg::LinalgOp op, Part loops) {
  const SmallVector<Value> operands = takeOperands(builder, op, loops);
  return clone(builder, op.getOperation(), operands.back().getType(), operands)
      ->getResult(0);
}

/// Whether a product or a reduction reads `value`, perhaps in another shape: it
/// computes cheap operands on the way.
static bool isReadByReduction(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user))
      return isReadByReduction(user->getResult(0));
    auto op = dyn_cast<linalg::LinalgOp>(user);
    return op && op.getNumReductionLoops() > 0;
  });
}

static int64_t countBits(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getNumElements() * tensor.getElementTypeBitWidth();
}

/// Whether parts of `joined` are long enough where `type` has its dimension
/// `dim` in their place.
static bool hasLongParts(const Joined &joined, RankedTensorType type,
                         unsigned dim) {
  const int64_t inside =
      ShapedType::getNumElements(type.getShape().drop_front(dim + 1));
  return llvm::all_of(joined.parts, [&](Value part) {
    return inside * joined.getSize(part) >= kFewestBeside;
  });
}

/// `value` as a concatenation of a few long parts that `reader` alone reads, as
/// often as it is made; none if it is no such.
static std::optional<Joined> getJoined(Value value, Operation *reader) {
  std::optional<Joined> joined = matchJoined(value);
  if (!joined || joined->parts.size() > kMostParts ||
      value.getDefiningOp()->getBlock() != reader->getBlock() ||
      !llvm::all_of(value.getUsers(),
                    [&](Operation *user) { return user == reader; }) ||
      !hasLongParts(*joined, cast<RankedTensorType>(value.getType()),
                    joined->dim))
    return std::nullopt;
  return joined;
}

/// The concatenation that `value` is, or that an elementwise op reads which
/// computes `value` for `reader` alone, and the dimension of `value` along
/// which it is.
static std::optional<std::pair<Joined, unsigned>>
findBehind(Value value, Operation *reader) {
  if (std::optional<Joined> joined = getJoined(value, reader))
    return std::pair(*joined, joined->dim);
  linalg::LinalgOp op = getOwnProducer(value);
  if (!op)
    return std::nullopt;
  const AffineMap result = op.getIndexingMapsArray().back();
  for (OpOperand *input : op.getDpsInputOperands()) {
    const auto found = findBehind(input->get(), op);
    const std::optional<unsigned> dim =
        found ? getDim(result, op.getMatchingIndexingMap(input).getDimPosition(
                                   found->second))
              : std::nullopt;
    if (dim)
      return std::pair(found->first, *dim);
  }
  return std::nullopt;
}

/// Computes `op`, which is elementwise, in parts where it reads a
/// concatenation; whether it does.
static bool computeParts(linalg::LinalgOp op) {
  if (!isSplittable(op) || !llvm::all_of(op->getOperands(), isOfParts))
    return false;
  const AffineMap result = op.getIndexingMapsArray().back();
  const auto type = cast<RankedTensorType>(op->getResult(0).getType());
  for (OpOperand *input : op.getDpsInputOperands()) {
    const std::optional<Joined> joined = getJoined(input->get(), op);
    if (!joined)
      continue;
    const unsigned loop =
        op.getMatchingIndexingMap(input).getDimPosition(joined->dim);
    const std::optional<unsigned> dim = getDim(result, loop);
    if (!dim || !hasLongParts(*joined, type, *dim))
      continue;
    // What is broadcast or widened on the way would be more to write and read.
    if (isReadByReduction(op->getResult(0)) &&
        countBits(type) > countBits(input->get().getType()))
      continue;
    OpBuilder builder(op);
    SmallVector<Value> parts;
    for (Part part : joined->locate(loop))
      parts.push_back(computePart(builder, op, part));
    Value whole =
        tensor::ConcatOp::create(builder, op.getLoc(), type, *dim, parts);
    op->getResult(0).replaceAllUsesWith(whole);
    return true;
  }
  return false;
}

/// Whether `value` may be packed beforehand, which a part of it could not be.
static bool mayBePacked(Value value) {
  if (isMarkedLayoutFree(value))
    return true;
  while (isMovedBefore(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  Operation *op = value.getDefiningOp();
  return op && (op->hasTrait<OpTrait::ConstantLike>() ||
                isPackedBefore(dyn_cast<linalg::LinalgOp>(op)));
}

/// Whether the product `op` may add up what parts of its operand `input` along
/// `loop` add to it, of which `joined` has the parts.
static bool mayAddParts(linalg::LinalgOp op, OpOperand *input,
                        const Joined &joined, unsigned loop) {
  const auto numElements = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getNumElements();
  };
  OpOperand *other = op.getDpsInputOperand(1 - input->getOperandNumber());
  // Sums of loops, as in a convolution, have no parts.
  return numElements(input->get()) >=
             kLeastShare * numElements(op->getResult(0)) &&
         getDim(op.getMatchingIndexingMap(other), loop) &&
         !op.getIndexingMapsArray().back().isFunctionOfDim(loop) &&
         !mayBePacked(other->get()) && isOfParts(input->get()) &&
         llvm::all_of(joined.parts, [](Value part) {
           return getOwnProducer(part) && isOfParts(part);
         });
}

/// Adds up what parts of a concatenation add to `op`, a product, where each is
/// computed for it alone and there is more of it than of the result; whether it
/// does.
static bool addParts(linalg::LinalgOp op) {
  if (!matchContraction(op) || op->hasAttr(kAloneAttrName))
    return false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    const auto found = findBehind(input->get(), op);
    auto loop =
        found ? dyn_cast<AffineDimExpr>(
                    op.getMatchingIndexingMap(input).getResult(found->second))
              : AffineDimExpr(nullptr);
    if (!loop || !mayAddParts(op, input, found->first, loop.getPosition()))
      continue;
    OpBuilder builder(op);
    Value sum = op.getDpsInits().front();
    for (Part part : found->first.locate(loop.getPosition())) {
      SmallVector<Value> operands = takeOperands(builder, op, part);
      operands.back() = sum;
      sum = clone(builder, op.getOperation(), sum.getType(), operands)
                ->getResult(0);
    }
    op->getResult(0).replaceAllUsesWith(sum);
    return true;
  }
  return false;
}

bool sched::computeParts(func::FuncOp function) {
  bool isChanged = false;
  // In program order: what an op makes of it is a concatenation for the next.
  for (linalg::LinalgOp op : collectLinalgOps(function))
    isChanged |= ::computeParts(op) || addParts(op);
  // What was computed in parts is read no more.
  if (isChanged)
    eraseUnread(function);
  return isChanged;
}
