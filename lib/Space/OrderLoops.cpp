//===- OrderLoops.cpp - Reductions in the order of their result -----------===//
//
// A reduction whose result has its dimensions in another order than the loops
// gets loops in that order: rows are then taken as they are written, wherever
// they are read.
//
//===----------------------------------------------------------------------===//

#include "OrderLoops.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// The loops of `op` with the parallel ones, in their places, in the order of
/// the result; empty if they are, or if there is no such order.
static SmallVector<unsigned> getOrder(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      !op.hasPureTensorSemantics() ||
      !llvm::all_of(
          op.getIndexingMapsArray(),
          [](AffineMap map) { return map.isProjectedPermutation(); }) ||
      sched::matchContraction(op))
    return {};
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (result.getNumResults() != op.getNumParallelLoops())
    return {};
  SmallVector<unsigned> order;
  unsigned next = 0;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    order.push_back(type == utils::IteratorType::parallel
                        ? result.getDimPosition(next++)
                        : loop);
  if (llvm::is_sorted(order))
    order.clear();
  return order;
}

bool sched::orderLoops(func::FuncOp function) {
  bool isChanged = false;
  function.walk([&](linalg::GenericOp op) {
    SmallVector<unsigned> order = getOrder(op);
    if (order.empty())
      return;
    IRRewriter rewriter(op);
    isChanged |= succeeded(linalg::interchangeGenericOp(rewriter, op, order));
  });
  return isChanged;
}
