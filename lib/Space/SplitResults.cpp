//===- SplitResults.cpp - A reduction for each result ---------------------===//
//
// One op may sum elements and their squares, as statistics of batches do, or
// keep the elements that it sums. Rules, and upstream's vectorisation, know
// reductions with one result: by the default, such an op takes an element at a
// time, on one thread, for ten times as long as all of the reductions that it
// becomes here, each of which reads the elements again.
//
//===----------------------------------------------------------------------===//

#include "SplitResults.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace {
/// What computes one result.
struct Slice {
  /// In the order of the body.
  SmallVector<Operation *> ops;
  /// What they read, arguments of the body among it.
  llvm::DenseSet<Value> needed;

  Slice(linalg::GenericOp op, unsigned number);
};
} // namespace

Slice::Slice(linalg::GenericOp op, unsigned number) {
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

/// Whether it has results that do not depend on each other, of forms that rules
/// know: one that is left to the default takes as long alone as with the
/// others.
static bool isSplittable(linalg::GenericOp op) {
  if (op.getNumResults() < 2 || !op.hasPureTensorSemantics() ||
      op.getNumReductionLoops() == 0)
    return false;
  Block &body = *op.getBlock();
  if (llvm::any_of(body, [](Operation &inner) {
        return inner.getNumRegions() != 0 || !isMemoryEffectFree(&inner) ||
               isa<linalg::IndexOp>(inner);
      }))
    return false;
  for (unsigned number = 0; number != op.getNumResults(); ++number) {
    const AffineMap map =
        op.getMatchingIndexingMap(op.getDpsInitOperand(number));
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return false;
    const Slice slice(op, number);
    for (OpOperand &output : op.getDpsInitsMutable())
      if (output.getOperandNumber() != op.getNumDpsInputs() + number &&
          slice.needed.contains(op.getMatchingBlockArgument(&output)))
        return false;
  }
  return true;
}

/// An op that computes result `number` of `op` alone.
static linalg::GenericOp
createReduction(OpBuilder &builder, linalg::GenericOp op, unsigned number) {
  const Slice slice(op, number);
  OpOperand &output = *op.getDpsInitOperand(number);
  const AffineMap outputMap = op.getMatchingIndexingMap(&output);
  SmallVector<OpOperand *> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands())
    if (slice.needed.contains(op.getMatchingBlockArgument(input))) {
      inputs.push_back(input);
      maps.push_back(op.getMatchingIndexingMap(input));
    }
  maps.push_back(outputMap);
  MLIRContext *context = op.getContext();
  if (!inversePermutation(concatAffineMaps(maps, context))) {
    // Another input says how long a loop is.
    inputs = op.getDpsInputOperands();
    maps = llvm::map_to_vector(inputs, [&](OpOperand *input) {
      return op.getMatchingIndexingMap(input);
    });
    maps.push_back(outputMap);
  }
  // What was reduced for another result may be an element each of this one.
  SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
  for (AffineExpr index : outputMap.getResults())
    if (auto loop = dyn_cast<AffineDimExpr>(index))
      loops[loop.getPosition()] = utils::IteratorType::parallel;
  auto reduction = linalg::GenericOp::create(
      builder, op.getLoc(), op->getResult(number).getType(),
      llvm::map_to_vector(inputs,
                          [](OpOperand *input) { return input->get(); }),
      output.get(), maps, loops,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        IRMapping values;
        for (auto [input, argument] :
             llvm::zip_first(inputs, arguments.drop_back()))
          values.map(op.getMatchingBlockArgument(input), argument);
        values.map(op.getMatchingBlockArgument(&output), arguments.back());
        for (Operation *each : slice.ops)
          inner.clone(*each, values);
        linalg::YieldOp::create(
            inner, loc,
            values.lookupOrDefault(
                op.getBlock()->getTerminator()->getOperand(number)));
      });
  reduction->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return reduction;
}

bool sched::splitResults(func::FuncOp function) {
  SmallVector<linalg::GenericOp> ops;
  function.walk([&](linalg::GenericOp op) {
    if (isSplittable(op))
      ops.push_back(op);
  });
  for (linalg::GenericOp op : ops) {
    OpBuilder builder(op);
    for (OpResult result : op->getResults())
      if (!result.use_empty())
        result.replaceAllUsesWith(
            createReduction(builder, op, result.getResultNumber())
                .getResult(0));
    op.erase();
  }
  return !ops.empty();
}
