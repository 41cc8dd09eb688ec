//===- Decompose.cpp - Ops without a bufferization of their own -----------===//
//
// The first step that changes what is computed, and only for what a schedule
// left alone. Read next: KernelABI.cpp.
//
//===----------------------------------------------------------------------===//

#include "MoveLines.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace sched {
#define GEN_PASS_DEF_DECOMPOSEPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

static bool isNegative(int64_t size) {
  return size < 0 && !ShapedType::isDynamic(size);
}

/// A negative amount takes elements away: `pad` of a slice of its source. Fails
/// where no element of the source stays.
static LogicalResult cutNegative(IRRewriter &rewriter, tensor::PadOp pad) {
  if (llvm::none_of(pad.getStaticLow(), isNegative) &&
      llvm::none_of(pad.getStaticHigh(), isNegative))
    return success();
  const RankedTensorType source = pad.getSourceType();
  if (!source.hasStaticShape())
    return failure();
  SmallVector<int64_t> low(pad.getStaticLow()), high(pad.getStaticHigh());
  SmallVector<OpFoldResult> offsets, sizes,
      strides(source.getRank(), rewriter.getIndexAttr(1));
  for (int64_t dim = 0; dim != source.getRank(); ++dim) {
    auto cut = [](int64_t &amount) {
      return isNegative(amount) ? -std::exchange(amount, 0) : 0;
    };
    const int64_t begin = cut(low[dim]), end = cut(high[dim]);
    const int64_t size = source.getDimSize(dim) - begin - end;
    if (size <= 0)
      return failure();
    offsets.push_back(rewriter.getIndexAttr(begin));
    sizes.push_back(rewriter.getIndexAttr(size));
  }
  Value slice = tensor::ExtractSliceOp::create(
      rewriter, pad.getLoc(), pad.getSource(), offsets, sizes, strides);
  rewriter.modifyOpInPlace(pad, [&] {
    pad.getSourceMutable().assign(slice);
    pad.setStaticLow(low);
    pad.setStaticHigh(high);
  });
  return success();
}

/// Writes the borders and the middle of a padded tensor, each element once; a
/// fill of all of it would write the middle twice.
static LogicalResult writePadded(IRRewriter &rewriter, tensor::PadOp pad) {
  const RankedTensorType source = pad.getSourceType(),
                         result = pad.getResultType();
  const Value padding = pad.getConstantPaddingValue();
  auto isStatic = [](int64_t size) { return !ShapedType::isDynamic(size); };
  if (!padding || !source.hasStaticShape() || !result.hasStaticShape() ||
      !llvm::all_of(pad.getStaticLow(), isStatic) ||
      2 * source.getNumElements() < result.getNumElements())
    return failure();
  takeOutPadding(pad);
  const Location loc = pad.getLoc();
  SmallVector<OpFoldResult> offsets, sizes, low, inner,
      strides(source.getRank(), rewriter.getIndexAttr(1));
  for (int64_t dim = 0; dim != source.getRank(); ++dim) {
    low.push_back(rewriter.getIndexAttr(pad.getStaticLow()[dim]));
    inner.push_back(rewriter.getIndexAttr(source.getDimSize(dim)));
    offsets.push_back(rewriter.getIndexAttr(0));
    sizes.push_back(rewriter.getIndexAttr(result.getDimSize(dim)));
  }
  Value whole = tensor::EmptyOp::create(rewriter, loc, result.getShape(),
                                        result.getElementType());
  // The middle first: a slice of an empty tensor is another empty tensor.
  whole = tensor::InsertSliceOp::create(rewriter, loc, pad.getSource(), whole,
                                        low, inner, strides);
  auto fill = [&](int64_t dim, int64_t offset, int64_t size) {
    if (size == 0)
      return;
    offsets[dim] = rewriter.getIndexAttr(offset);
    sizes[dim] = rewriter.getIndexAttr(size);
    Value border = tensor::ExtractSliceOp::create(rewriter, loc, whole, offsets,
                                                  sizes, strides);
    border =
        linalg::FillOp::create(rewriter, loc, padding, border).getResult(0);
    whole = tensor::InsertSliceOp::create(rewriter, loc, border, whole, offsets,
                                          sizes, strides);
  };
  for (int64_t dim = 0; dim != source.getRank(); ++dim) {
    const int64_t begin = pad.getStaticLow()[dim],
                  end = begin + source.getDimSize(dim);
    fill(dim, 0, begin);
    fill(dim, end, result.getDimSize(dim) - end);
    // The corners are filled: other dimensions' borders lie between.
    offsets[dim] = low[dim];
    sizes[dim] = inner[dim];
  }
  rewriter.replaceOp(pad, whole);
  return success();
}

static LogicalResult decompose(IRRewriter &rewriter, Operation *op,
                               int64_t threads) {
  rewriter.setInsertionPoint(op);
  if (auto pack = dyn_cast<linalg::PackOp>(op))
    return linalg::lowerPack(rewriter, pack);
  if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
    return linalg::lowerUnPack(rewriter, unpack);
  // In destination style, a padded result is written where it ends up.
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    if (failed(cutNegative(rewriter, pad)))
      return failure();
    if (succeeded(padByLines(rewriter, pad, threads)) ||
        succeeded(writePadded(rewriter, pad)))
      return success();
    return linalg::rewriteInDestinationPassingStyle(rewriter, pad);
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return concatByLines(rewriter, concat, threads);
  if (auto gather = dyn_cast<tensor::GatherOp>(op)) {
    auto generic = generalizeGather(rewriter, gather);
    if (succeeded(generic))
      (void)gatherByLines(rewriter, *generic, threads);
    return generic;
  }
  if (auto transform = dyn_cast<linalg::WinogradFilterTransformOp>(op))
    return linalg::decomposeWinogradFilterTransformOp(rewriter, transform);
  if (auto transform = dyn_cast<linalg::WinogradInputTransformOp>(op))
    return linalg::decomposeWinogradInputTransformOp(rewriter, transform);
  if (auto transform = dyn_cast<linalg::WinogradOutputTransformOp>(op))
    return linalg::decomposeWinogradOutputTransformOp(rewriter, transform);
  FailureOr<SmallVector<Value>> values =
      cast<linalg::AggregatedOpInterface>(op).decomposeOperation(rewriter);
  if (failed(values))
    return failure();
  rewriter.replaceOp(op, *values);
  return success();
}

namespace {
struct Decompose : sched::impl::DecomposePassBase<Decompose> {
  using DecomposePassBase::DecomposePassBase;

  void runOnOperation() override {
    // Ops of one kind may become ops of another (a pack has a pad in it).
    SmallVector<Operation *> ops;
    auto collect = [&] {
      ops.clear();
      getOperation()->walk([&](Operation *op) {
        if (isa<linalg::PackOp, linalg::UnPackOp, tensor::PadOp,
                tensor::ConcatOp, tensor::GatherOp,
                linalg::WinogradFilterTransformOp,
                linalg::WinogradInputTransformOp,
                linalg::WinogradOutputTransformOp,
                linalg::AggregatedOpInterface>(op) &&
            llvm::all_of(op->getOperandTypes(),
                         llvm::IsaPred<RankedTensorType, FloatType, IntegerType,
                                       IndexType>))
          ops.push_back(op);
      });
      return !ops.empty();
    };
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> gathers;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (matchGather(op))
        gathers.push_back(op);
    });
    for (linalg::GenericOp op : gathers) {
      rewriter.setInsertionPoint(op);
      // One that reads elements of several lines is a nest of loops.
      (void)gatherByLines(rewriter, op, threads);
    }
    while (collect())
      for (Operation *op : ops)
        if (failed(decompose(rewriter, op, threads))) {
          op->emitOpError(
              "cannot be split into simpler ops; expected a form "
              "with constant sizes, or linalg.generic in its place");
          return signalPassFailure();
        }
  }
};
} // namespace
