//===- SingleProducts.cpp - A row times a column --------------------------===//
//
// A product with one row and one column is a dot product: without its loops of
// one iteration it is a reduction of all that it reads, whose vectors run along
// the steps. As a product, it would have tiles of one element.
//
//===----------------------------------------------------------------------===//

#include "SingleProducts.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// Fewer steps are not worth adding up lanes.
static constexpr int64_t kLeastSteps = 32;

static bool isSingleProduct(linalg::LinalgOp op) {
  const std::optional<ContractionShape> shape = matchContraction(op);
  return shape && shape->m == 1 && shape->n == 1 && shape->k >= kLeastSteps &&
         shape->outer.empty() && !shape->isWindowed &&
         op.getNumParallelLoops() != 0 && op.getNumReductionLoops() == 1;
}

/// A start value that is the same everywhere needs no reshape.
static void refill(linalg::GenericOp op, RewriterBase &rewriter) {
  OpOperand &init = op.getDpsInitsMutable()[0];
  auto reshape = init.get().getDefiningOp<tensor::CollapseShapeOp>();
  auto fill =
      reshape ? reshape.getSrc().getDefiningOp<linalg::FillOp>() : nullptr;
  if (!fill)
    return;
  rewriter.setInsertionPoint(op);
  auto type = cast<RankedTensorType>(init.get().getType());
  Value empty = tensor::EmptyOp::create(rewriter, fill.getLoc(),
                                        type.getShape(), type.getElementType());
  Value filled = linalg::FillOp::create(rewriter, fill.getLoc(),
                                        fill.getInputs().front(), empty)
                     .getResult(0);
  rewriter.modifyOpInPlace(op, [&] { init.set(filled); });
  rewriter.eraseOp(reshape);
  if (fill->use_empty())
    rewriter.eraseOp(fill);
}

bool sched::reduceSingleProducts(func::FuncOp function) {
  bool isChanged = false;
  for (linalg::LinalgOp op : collectLinalgOps(function)) {
    if (!isSingleProduct(op))
      continue;
    IRRewriter rewriter(op);
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      auto general = linalg::generalizeNamedOp(rewriter, op);
      if (failed(general))
        continue;
      generic = *general;
    }
    rewriter.setInsertionPoint(generic);
    auto dropped =
        linalg::dropUnitDims(rewriter, generic, linalg::ControlDropUnitDims());
    if (failed(dropped))
      continue;
    rewriter.replaceOp(generic, dropped->replacements);
    refill(cast<linalg::GenericOp>(dropped->resultOp.getOperation()), rewriter);
    isChanged = true;
  }
  return isChanged;
}
