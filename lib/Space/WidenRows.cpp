//===- WidenRows.cpp - Rows of bytes in 16 bits ---------------------------===//
//
// x86 without dot products of bytes multiplies two neighbours of 16 bits and
// adds both products up exactly (`pmaddwd`), twice as many as numbers of 32
// bits, and in one instruction where these take two. A vector of the right-hand
// side is widened on the way, for all rows of a tile. A pair of the left-hand
// side would be for each row, beside as few products as a tile has vectors: so
// it is widened beforehand, once for all columns.
//
//===----------------------------------------------------------------------===//

#include "WidenRows.h"
#include "NarrowOperands.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace sched;

static bool isByte(std::optional<NarrowType> type) {
  return type == NarrowType::SignedByte || type == NarrowType::UnsignedByte;
}

namespace {
/// Widens tensors, each once.
class Widener {
public:
  explicit Widener(RewriterBase &rewriter) : rewriter(rewriter) {}

  /// `value`, bytes with or without a sign, in 16 bits.
  Value widen(Value value, bool isSigned) {
    if (Value widened = known.lookup({value, isSigned}))
      return widened;
    Value widened = create(value, isSigned);
    known[{value, isSigned}] = widened;
    return widened;
  }

private:
  Value create(Value value, bool isSigned) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfterValue(value);
    const Location loc = value.getLoc();
    const Type wide = rewriter.getI16Type();
    const auto type = cast<RankedTensorType>(value.getType()).clone(wide);
    // Zeros around an image are copied with it, in one pass.
    auto pad = value.getDefiningOp<tensor::PadOp>();
    if (pad && pad.getConstantPaddingValue() && !pad.getNofold() &&
        matchPattern(pad.getConstantPaddingValue(), m_Zero())) {
      Value zero =
          arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(wide));
      return tensor::PadOp::create(
          rewriter, loc, type, widen(pad.getSource(), isSigned),
          pad.getMixedLowPad(), pad.getMixedHighPad(), zero);
    }
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), wide);
    const int64_t rank = type.getRank();
    return linalg::GenericOp::create(
               rewriter, loc, type, value, empty,
               SmallVector<AffineMap>(2, rewriter.getMultiDimIdentityMap(rank)),
               SmallVector<utils::IteratorType>(rank,
                                                utils::IteratorType::parallel),
               [&](OpBuilder &builder, Location loc, ValueRange elements) {
                 Value byte = elements.front();
                 Value element =
                     isSigned
                         ? arith::ExtSIOp::create(builder, loc, wide, byte)
                               .getResult()
                         : arith::ExtUIOp::create(builder, loc, wide, byte);
                 linalg::YieldOp::create(builder, loc, element);
               })
        .getResult(0);
  }

  RewriterBase &rewriter;
  llvm::DenseMap<std::pair<Value, unsigned>, Value> known;
};
} // namespace

bool sched::widenRows(func::FuncOp function, bool onlyUnsigned) {
  IRRewriter rewriter(function.getContext());
  Widener widener(rewriter);
  bool isChanged = false;
  for (linalg::LinalgOp op : collectLinalgOps(function)) {
    const std::optional<ContractionShape> shape =
        isMovable(op) && !isPackedBefore(op) ? matchContraction(op)
                                             : std::nullopt;
    const auto steps = shape ? getGroupSteps(op, *shape) : std::nullopt;
    if (!steps || !fillsGroups(shape->k, *steps / 2))
      continue;
    const auto lhs = getNarrowType(op, shape->lhsOperand),
               rhs = getNarrowType(op, shape->rhsOperand);
    auto isUnsigned = [](std::optional<NarrowType> type) {
      return type == NarrowType::UnsignedByte;
    };
    if (!isByte(lhs) || !isByte(rhs) ||
        (onlyUnsigned && !(isUnsigned(lhs) && isUnsigned(rhs))))
      continue;
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> generic = makeGeneric(rewriter, op);
    if (failed(generic))
      continue;
    OpOperand *operand = generic->getDpsInputOperand(shape->lhsOperand);
    operand->set(widener.widen(operand->get(), !isUnsigned(lhs)));
    BlockArgument element = generic->getMatchingBlockArgument(operand);
    element.setType(rewriter.getI16Type());
    assert(element.hasOneUse() && "it is a narrow type for its widening");
    Operation *widening = *element.user_begin();
    rewriter.setInsertionPoint(widening);
    rewriter.replaceOpWithNewOp<arith::ExtSIOp>(
        widening, widening->getResult(0).getType(), element);
    isChanged = true;
  }
  return isChanged;
}
