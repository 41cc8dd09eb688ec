//===- WideSums.cpp - Sums of 16 bits in f32 ------------------------------===//
//
// Instructions for bf16 add products up in f32, and so does what takes their
// place where there is no arithmetic on a type, step by step. So the whole sum
// of a product or a pooling is one of f32, which an elementwise op of the same
// task rounds once:
//
//   sums = sums_of_f32(a, b)
//   result = round(sums), or round(init + sums) where init is no constant
//
//===----------------------------------------------------------------------===//

#include "WideSums.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// What combines a result with one more term in the body of `op`: nothing else
/// is rounded.
static Operation *getCombiner(linalg::LinalgOp op) {
  Operation *combiner =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_nonnull<arith::AddFOp, arith::MaximumFOp, arith::MaxNumFOp,
                         arith::MinimumFOp, arith::MinNumFOp>(combiner)
             ? combiner
             : nullptr;
}

/// The inputs whose product `op` adds to its result, or the one that it
/// combines with it, as a pooling does; none if it does anything else.
static SmallVector<unsigned, 2> getFactors(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  Operation *combiner = getCombiner(op);
  // No casts.
  if (!combiner || !llvm::all_of(body.without_terminator(), [&](Operation &op) {
        return &op == combiner || isa<arith::MulFOp>(op);
      }))
    return {};
  if (isMultiplyAdd(body))
    return {0, 1};
  const Value result = body.getArguments().back();
  for (unsigned i : {0, 1})
    if (auto input = dyn_cast<BlockArgument>(combiner->getOperand(i));
        input && input != result && combiner->getOperand(1 - i) == result)
      return {input.getArgNumber()};
  return {};
}

/// What `init` is full of; null if that is not known.
static Value getFilled(Value init) {
  auto fill = init.getDefiningOp<linalg::FillOp>();
  return fill ? fill.value() : Value();
}

/// Whether `op` is a product or pooling of 16 bits.
static bool hasNarrowSums(linalg::LinalgOp op, bool half) {
  if (!isMovable(op) || !matchContraction(op) || getFactors(op).empty() ||
      isPackedBefore(op) ||
      (!isa<arith::AddFOp>(getCombiner(op)) && !getFilled(op.getDpsInits()[0])))
    return false;
  Block &body = *op.getBlock();
  const Type type = body.getArgumentTypes().front();
  return (type.isBF16() || (half && type.isF16())) &&
         llvm::all_equal(body.getArgumentTypes());
}

static Value makeEmpty(OpBuilder &builder, Location loc, Value like,
                       Type element) {
  return tensor::EmptyOp::create(
      builder, loc, cast<RankedTensorType>(like.getType()).getShape(), element);
}

/// `op` with sums of f32, which start at `start`.
static Value makeSums(RewriterBase &rewriter, linalg::LinalgOp op,
                      Value start) {
  const Type f32 = rewriter.getF32Type();
  Operation *combiner = getCombiner(op);
  auto flags =
      cast<arith::ArithFastMathInterface>(combiner).getFastMathFlagsAttr();
  auto sums = linalg::GenericOp::create(
      rewriter, op.getLoc(), start.getType(), op.getDpsInputs(), start,
      op.getIndexingMapsArray(), op.getIteratorTypesArray(),
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        Value term;
        for (unsigned i : getFactors(op)) {
          Value factor = arith::ExtFOp::create(builder, loc, f32, arguments[i]);
          term = term ? arith::MulFOp::create(builder, loc, term, factor, flags)
                      : factor;
        }
        OperationState state(loc, combiner->getName(), {arguments.back(), term},
                             {f32}, combiner->getAttrs());
        Value sum = builder.create(state)->getResult(0);
        linalg::YieldOp::create(builder, loc, sum);
      });
  return sums.getResult(0);
}

static void widen(RewriterBase &rewriter, linalg::LinalgOp op) {
  rewriter.setInsertionPoint(op);
  const Location loc = op.getLoc();
  Value init = op.getDpsInits()[0], filled = getFilled(init);
  const Type f32 = rewriter.getF32Type(), narrow = getElementTypeOrSelf(init);
  Value start = filled ? rewriter.createOrFold<arith::ExtFOp>(loc, f32, filled)
                       : arith::ConstantOp::create(rewriter, loc,
                                                   rewriter.getF32FloatAttr(0));
  Value starts = linalg::FillOp::create(rewriter, loc, start,
                                        makeEmpty(rewriter, loc, init, f32))
                     .getResult(0);
  SmallVector<Value> inputs = {makeSums(rewriter, op, starts)};
  if (!filled)
    inputs.push_back(init);
  const auto rank = cast<RankedTensorType>(init.getType()).getRank();
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, init.getType(), inputs, makeEmpty(rewriter, loc, init, narrow),
      SmallVector<AffineMap>(inputs.size() + 1,
                             rewriter.getMultiDimIdentityMap(rank)),
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        Value sum = arguments[0];
        if (!filled) {
          Value first = arith::ExtFOp::create(builder, loc, f32, arguments[1]);
          sum = arith::AddFOp::create(builder, loc, first, sum);
        }
        Value rounded = arith::TruncFOp::create(builder, loc, narrow, sum);
        linalg::YieldOp::create(builder, loc, rounded);
      });
}

bool sched::widenSums(func::FuncOp function, bool half) {
  bool isChanged = false;
  for (linalg::LinalgOp op : collectLinalgOps(function)) {
    if (!hasNarrowSums(op, half))
      continue;
    IRRewriter rewriter(op);
    widen(rewriter, op);
    isChanged = true;
  }
  return isChanged;
}
