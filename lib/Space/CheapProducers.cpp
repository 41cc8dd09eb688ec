//===- CheapProducers.cpp - Computed again instead of stored --------------===//

#include "CheapProducers.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sched;

/// Arithmetic of an element that costs no more than loading it.
static constexpr int64_t kMostOps = 2;

/// Whether the body is a few operations, each of a cycle.
static bool hasCheapBody(linalg::LinalgOp op) {
  int64_t count = 0;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
             arith::AddIOp, arith::SubIOp, arith::ExtFOp, arith::ConstantOp>(
            inner))
      return false;
    count += !isa<arith::ConstantOp>(inner);
  }
  return count <= kMostOps;
}

/// Whether computing it again reads no more than its result: one tensor of its
/// size, and smaller ones.
static bool readsNoMore(linalg::LinalgOp op) {
  const int64_t rank = op.getNumLoops();
  return llvm::count_if(op.getDpsInputOperands(), [&](OpOperand *operand) {
           return op.getMatchingIndexingMap(operand).getNumResults() == rank;
         }) <= 1;
}

/// Whether a copy of `op` would be fused with every reader, of which there are
/// several, and one reduces it: others can be computed in one loop.
static bool isReadToReduce(linalg::LinalgOp op) {
  bool isReduced = false;
  const bool areReaders = llvm::all_of(op->getUsers(), [&](Operation *user) {
    auto reader = dyn_cast<linalg::LinalgOp>(user);
    if (!reader || reader->getBlock() != op->getBlock() ||
        !reader.hasPureTensorSemantics() || matchContraction(reader))
      return false;
    isReduced |= reader.getNumReductionLoops() > 0;
    return true;
  });
  return areReaders && isReduced && !llvm::all_equal(op->getUsers());
}

bool sched::copyIfCheap(linalg::LinalgOp op) {
  if (!isa<linalg::GenericOp>(op) || !sched::isElementwise(op) ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
      !hasCheapBody(op) || !readsNoMore(op) || !isReadToReduce(op))
    return false;
  // A square reads it twice.
  llvm::SetVector<Operation *> users(op->user_begin(), op->user_end());
  for (Operation *user : users) {
    OpBuilder builder(user);
    Operation *copy = builder.clone(*op);
    user->replaceUsesOfWith(op->getResult(0), copy->getResult(0));
  }
  op->erase();
  return true;
}

bool sched::copyCheapProducers(func::FuncOp function) {
  bool changed = false;
  const SmallVector<linalg::LinalgOp> ops = collectLinalgOps(function);
  // A copy's own producers come later.
  for (linalg::LinalgOp op : llvm::reverse(ops))
    changed |= copyIfCheap(op);
  return changed;
}
