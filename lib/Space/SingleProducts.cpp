//===- SingleProducts.cpp - A row times a column --------------------------===//
//
// A product with one row and one column is a dot product: without its loops of
// one iteration it is a reduction of all that it reads, whose vectors run along
// the steps. As a product, it would have tiles of one element.
//
//===----------------------------------------------------------------------===//

#include "SingleProducts.h"
#include "KeptDimensions.h"
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

bool sched::reduceSingleProducts(func::FuncOp function) {
  bool isChanged = false;
  for (linalg::LinalgOp op : collectLinalgOps(function)) {
    if (!isSingleProduct(op))
      continue;
    IRRewriter rewriter(op);
    auto generic = makeGeneric(rewriter, op);
    if (failed(generic))
      continue;
    if (failed(dropUnitDims(rewriter, *generic)))
      continue;
    isChanged = true;
  }
  return isChanged;
}
