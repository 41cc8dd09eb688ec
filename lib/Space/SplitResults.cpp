//===- SplitResults.cpp - A reduction for each result ---------------------===//
//
// One op may sum elements and their squares, as statistics of batches do, or
// keep the elements that it sums. Rules, and upstream's vectorisation, know
// reductions with one result: by the default, such an op takes an element at a
// time, on one thread. Here it becomes an op for each result, which reads the
// elements again, where rules know each of them: one that is left to the
// default takes as long alone as with the others.
//
// Read next: OutlineTasks.cpp, which calls this, and StageGrouping.cpp, which
// says what rules know.
//
//===----------------------------------------------------------------------===//

#include "SplitResults.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

namespace {
/// What computes one result.
struct ResultBody {
  /// In the order of the whole body.
  SmallVector<Operation *> ops;
  /// What they read, arguments of the body among it.
  llvm::DenseSet<Value> needed;

  ResultBody(linalg::GenericOp op, unsigned number);
};
} // namespace

ResultBody::ResultBody(linalg::GenericOp op, unsigned number) {
  Block &body = *op.getBlock();
  needed.insert(body.getTerminator()->getOperand(number));
  for (Operation &inner : llvm::reverse(body.without_terminator())) {
    if (llvm::none_of(inner.getResults(),
                      [&](Value value) { return needed.contains(value); }))
      continue;
    needed.insert(inner.operand_begin(), inner.operand_end());
    ops.push_back(&inner);
  }
  std::reverse(ops.begin(), ops.end());
}

/// An op that computes result `number` of `op` alone; null where it depends on
/// another result.
static linalg::GenericOp createOp(OpBuilder &builder, linalg::GenericOp op,
                                  unsigned number) {
  const ResultBody result(op, number);
  OpOperand &output = *op.getDpsInitOperand(number);
  for (OpOperand &other : op.getDpsInitsMutable())
    if (&other != &output &&
        result.needed.contains(op.getMatchingBlockArgument(&other)))
      return nullptr;
  SmallVector<OpOperand *> inputs;
  SmallVector<Value> values;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands())
    if (result.needed.contains(op.getMatchingBlockArgument(input))) {
      inputs.push_back(input);
      values.push_back(input->get());
      maps.push_back(op.getMatchingIndexingMap(input));
    }
  const AffineMap map = op.getMatchingIndexingMap(&output);
  maps.push_back(map);
  // What was reduced for another result may be an element each of this one.
  SmallVector<utils::IteratorType> loops(op.getNumLoops(),
                                         utils::IteratorType::reduction);
  for (AffineExpr index : map.getResults())
    if (auto loop = dyn_cast<AffineDimExpr>(index))
      loops[loop.getPosition()] = utils::IteratorType::parallel;
  auto created = linalg::GenericOp::create(
      builder, op.getLoc(), op->getResult(number).getType(), values,
      output.get(), maps, loops,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        IRMapping mapping;
        for (auto [input, argument] :
             llvm::zip_equal(inputs, arguments.drop_back()))
          mapping.map(op.getMatchingBlockArgument(input), argument);
        mapping.map(op.getMatchingBlockArgument(&output), arguments.back());
        for (Operation *each : result.ops)
          inner.clone(*each, mapping);
        linalg::YieldOp::create(
            inner, loc,
            mapping.lookupOrDefault(
                op.getBlock()->getTerminator()->getOperand(number)));
      });
  created->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return created;
}

/// Whether rules know `op`, or will once its dimensions are in order and those
/// that are kept are dropped.
static bool isKnown(linalg::GenericOp op) {
  if (!hasVectorElements(op))
    return false;
  return op.isAllParallelLoops()
             ? sched::isElementwise(op) && !op.hasIndexSemantics()
             : isReductionInSomeOrder(op);
}

/// Replaces `op` by an op for each of its results that is used; whether it
/// could.
static bool split(linalg::GenericOp op) {
  OpBuilder builder(op);
  SmallVector<std::pair<OpResult, linalg::GenericOp>> created;
  bool isPossible = true;
  for (OpResult result : op->getResults()) {
    if (!isPossible || result.use_empty())
      continue;
    linalg::GenericOp own = createOp(builder, op, result.getResultNumber());
    isPossible = own && isKnown(own);
    if (own)
      created.push_back({result, own});
  }
  for (auto [result, own] : created) {
    if (isPossible)
      result.replaceAllUsesWith(own->getResult(0));
    else
      own.erase();
  }
  if (isPossible)
    op.erase();
  return isPossible;
}

bool sched::splitResults(func::FuncOp function) {
  SmallVector<linalg::GenericOp> ops;
  function.walk([&](linalg::GenericOp op) {
    if (op.getNumResults() > 1 && op.hasPureTensorSemantics() &&
        !op.hasDynamicShape() && op.getNumReductionLoops() > 0)
      ops.push_back(op);
  });
  bool isChanged = false;
  for (linalg::GenericOp op : ops)
    isChanged |= split(op);
  return isChanged;
}
