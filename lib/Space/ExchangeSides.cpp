//===- ExchangeSides.cpp - Products with rows on the left -----------------===//
//
// The columns of a product may be its first input, as in an einsum that names
// the weights first. What packs columns in panels takes them to be the second:
//
//   sum[m, n] += B[k, n] * A[m, k]  ->  sum[m, n] += A[m, k] * B[k, n]
//
// Images, whose windows are never panels, stay where they are.
//
//===----------------------------------------------------------------------===//

#include "ExchangeSides.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace sched;

/// `op`, of two inputs, with these exchanged.
static void exchangeInputs(RewriterBase &rewriter, linalg::GenericOp op) {
  SmallVector<Value> inputs(op.getInputs());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  std::swap(inputs[0], inputs[1]);
  std::swap(maps[0], maps[1]);
  auto exchanged = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(), maps,
      op.getIteratorTypesArray());
  exchanged.getRegion().takeBody(op.getRegion());
  Block *body = exchanged.getBody();
  BlockArgument first =
      body->insertArgument(0u, body->getArgument(1).getType(), op.getLoc());
  body->getArgument(2).replaceAllUsesWith(first);
  body->eraseArgument(2);
  rewriter.replaceOp(op, exchanged.getResults());
}

bool sched::exchangeSides(func::FuncOp function) {
  bool isChanged = false;
  for (linalg::LinalgOp op : collectLinalgOps(function)) {
    const std::optional<ContractionShape> shape = matchContraction(op);
    if (!shape || shape->lhsOperand == 0 || !shape->unrollable ||
        !op.getMatchingIndexingMap(op.getDpsInputOperand(shape->rhsOperand))
             .isProjectedPermutation())
      continue;
    IRRewriter rewriter(op);
    FailureOr<linalg::GenericOp> generic = makeGeneric(rewriter, op);
    if (failed(generic))
      continue;
    rewriter.setInsertionPoint(*generic);
    exchangeInputs(rewriter, *generic);
    isChanged = true;
  }
  return isChanged;
}
