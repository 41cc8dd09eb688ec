//===- SingleLines.cpp - Windows along one line ---------------------------===//
//
// A convolution or a pooling of a signal without channels has one parallel
// loop, which its vectors run along; register tiles have rows as well. So it
// gets a dimension of lines, of which there is one,
//
//   result[w] += signal[w + k] * taps[k]
//   result[l, w] += signal[l, w + k] * taps[k]
//
// as reshapes of the signal and the result; so do the elementwise ops that read
// it alone, one after the other.
//
//===----------------------------------------------------------------------===//

#include "SingleLines.h"
#include "RepeatAlong.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Support/AffineTerms.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// `value` with a first dimension of one element. What is the same everywhere
/// needs no reshape.
static Value expand(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape = {1};
  llvm::append_range(shape, type.getShape());
  if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
      collapse && collapse.getSrcType() == type.clone(shape))
    return collapse.getSrc();
  auto fill = value.getDefiningOp<linalg::FillOp>();
  if (!fill && !value.getDefiningOp<tensor::EmptyOp>())
    return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value,
                                         joinAt(shape.size(), 0));
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return fill ? linalg::FillOp::create(builder, loc, fill.value(), empty)
                    .getResult(0)
              : empty;
}

/// `op`, of one parallel loop, with a loop over one line outside of its own;
/// its result is that line.
static linalg::GenericOp addLine(OpBuilder &builder, linalg::LinalgOp op) {
  const Location loc = op.getLoc();
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  const AffineExpr line = builder.getAffineDimExpr(0);
  SmallVector<AffineMap> maps;
  SmallVector<Value> operands;
  for (auto [map, operand] :
       llvm::zip_equal(op.getIndexingMapsArray(), op->getOperands())) {
    const AffineMap shifted = map.shiftDims(1);
    const bool isAlong = map.isFunctionOfDim(parallel.front());
    maps.push_back(isAlong ? shifted.insertResult(line, 0) : shifted);
    operands.push_back(isAlong ? expand(builder, loc, operand) : operand);
  }
  SmallVector<utils::IteratorType> types = {utils::IteratorType::parallel};
  llvm::append_range(types, op.getIteratorTypesArray());
  const ValueRange all = operands;
  auto lines =
      linalg::GenericOp::create(builder, loc, all.back().getType(),
                                all.drop_back(), all.take_back(), maps, types);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&lines.getRegion(), mapping);
  return lines;
}

/// Erases what was made for `op`, and nothing else reads.
static void eraseWithOperands(RewriterBase &rewriter, Operation *op) {
  const SmallVector<Value> operands = op->getOperands();
  rewriter.eraseOp(op);
  for (Value operand : operands)
    if (Operation *producer = operand.getDefiningOp();
        producer && producer->use_empty() &&
        isa<tensor::ExpandShapeOp, tensor::EmptyOp, linalg::FillOp>(producer))
      eraseWithOperands(rewriter, producer);
}

/// Whether `op` has one parallel loop, which the windows of an input slide
/// along: whose index is a sum of it and others.
static bool isSingleLine(linalg::LinalgOp op) {
  if (op.getNumParallelLoops() != 1 || op.getNumReductionLoops() == 0 ||
      !op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op->getNumResults() != 1 || op.getNumDpsInputs() != 2 ||
      op.hasIndexSemantics() || matchContraction(op))
    return false;
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  auto slides = [&](AffineExpr index) {
    const auto terms = getAffineTerms(index);
    return terms && terms->size() > 1 &&
           index.isFunctionOfDim(parallel.front());
  };
  const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  return maps.back().getNumResults() == 1 &&
         llvm::any_of(ArrayRef(maps).drop_back(), [&](AffineMap map) {
           return llvm::any_of(map.getResults(), slides);
         });
}

/// Whether `op` is elementwise along one loop, over tensors of it and scalars.
static bool isElementwiseLine(linalg::LinalgOp op) {
  return sched::isElementwise(op) && op.getNumLoops() == 1 &&
         !op.hasDynamicShape() && !op.hasIndexSemantics() &&
         op->getNumResults() == 1;
}

/// Puts `lines` in the place of `op`, and gives the elementwise ops that follow
/// a line, too.
static void replaceByLines(RewriterBase &rewriter, linalg::LinalgOp op,
                           linalg::GenericOp lines) {
  Operation *line = nullptr;
  while (op) {
    Operation *before = line;
    line = rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        op, op->getResultTypes().front(), lines.getResult(0), joinAt(2, 0));
    // It would count as a reader.
    if (before)
      rewriter.eraseOp(before);
    op = line->hasOneUse()
             ? dyn_cast<linalg::LinalgOp>(*line->getUsers().begin())
             : linalg::LinalgOp();
    if (!op || !isElementwiseLine(op))
      return;
    rewriter.setInsertionPoint(op);
    lines = addLine(rewriter, op);
  }
}

bool sched::addLines(func::FuncOp function) {
  const SmallVector<linalg::LinalgOp> candidates =
      llvm::filter_to_vector(collectLinalgOps(function), isSingleLine);
  bool isChanged = false;
  IRRewriter rewriter(function.getContext());
  for (linalg::LinalgOp op : candidates) {
    rewriter.setInsertionPoint(op);
    linalg::GenericOp lines = addLine(rewriter, op);
    if (auto shape = matchContraction(lines); !shape || !shape->isWindowed) {
      eraseWithOperands(rewriter, lines);
      continue;
    }
    replaceByLines(rewriter, op, lines);
    isChanged = true;
  }
  return isChanged;
}
