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

/// Exchanges the two inputs of `op`.
static void exchangeInputs(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  std::swap(maps[0], maps[1]);
  op.setIndexingMapsAttr(Builder(op).getAffineMapArrayAttr(maps));
  const Value first = op.getInputs()[0];
  op->setOperand(0, op.getInputs()[1]);
  op->setOperand(1, first);
  Block *body = op.getBody();
  BlockArgument rows =
      body->insertArgument(0u, body->getArgument(1).getType(), op.getLoc());
  body->getArgument(2).replaceAllUsesWith(rows);
  body->eraseArgument(2);
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
    exchangeInputs(*generic);
    isChanged = true;
  }
  return isChanged;
}
