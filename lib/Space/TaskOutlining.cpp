//===- TaskOutlining.cpp - A task in a module of its own ------------------===//

#include "TaskOutlining.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sched;

bool sched::isWholeFunction(const TaskGroup &group, func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return false;
  Block &body = function.getBody().front();
  auto returnOp = dyn_cast<func::ReturnOp>(body.getTerminator());
  if (!returnOp || returnOp.getNumOperands() != 1 ||
      returnOp.getOperand(0) != group.result)
    return false;
  return llvm::all_of(body.without_terminator(), [&](Operation &op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(&op);
    return linalgOp ? llvm::is_contained(group.ops, linalgOp)
                    : llvm::is_contained(group.reshapes, &op) ||
                          (op.getNumResults() == 1 &&
                           isFreelyCopied(op.getResult(0)));
  });
}

SmallVector<Operation *> sched::collectOps(const TaskGroup &group) {
  SmallVector<Operation *> ops(group.reshapes.begin(), group.reshapes.end());
  for (linalg::LinalgOp op : group.ops)
    ops.push_back(op);
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ops;
}

/// Values that the group uses and does not compute, in the order of use.
static llvm::SetVector<Value> collectInputs(const TaskGroup &group) {
  llvm::SetVector<Value> inputs;
  llvm::DenseSet<Value> computed;
  for (Operation *op : collectOps(group)) {
    for (Value operand : op->getOperands())
      if (!computed.contains(operand))
        inputs.insert(operand);
    getUsedValuesDefinedAbove(op->getRegions(), inputs);
    computed.insert(op->result_begin(), op->result_end());
  }
  return inputs;
}

SmallVector<Value> sched::collectArguments(const TaskGroup &group) {
  llvm::SetVector<Value> inputs = collectInputs(group);
  inputs.remove_if(isFreelyCopied);
  return inputs.takeVector();
}

TaskPads sched::collectGroupPads(const TaskGroup &group) {
  SmallVector<Operation *> ops = collectOps(group);
  return collectPads(collectArguments(group), [&](Operation *user) {
    return llvm::is_contained(ops, user);
  });
}

OwningOpRef<ModuleOp>
sched::outlineTask(const TaskGroup &group, StringRef name,
                   const llvm::DenseSet<Value> &layoutFree) {
  const Location loc = group.anchor->getLoc();
  llvm::SetVector<Value> inputs = collectInputs(group);
  SmallVector<Value> arguments = collectArguments(group);
  SmallVector<Type> types(ValueRange(arguments).getTypes());
  SmallVector<Location> locations = llvm::map_to_vector(
      arguments, [](Value argument) { return argument.getLoc(); });

  OpBuilder builder(group.anchor->getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, loc);
  builder.setInsertionPointToStart(module->getBody());
  auto function = func::FuncOp::create(
      builder, loc, name,
      builder.getFunctionType(types, group.result.getType()));
  Block *body = builder.createBlock(&function.getBody(), {}, types, locations);
  IRMapping mapping;
  mapping.map(arguments, body->getArguments());
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (layoutFree.contains(argument))
      function.setArgAttr(index, mlir::schedule::kLayoutFreeAttrName,
                          builder.getUnitAttr());
  for (Value input : inputs)
    if (isFreelyCopied(input))
      builder.clone(*input.getDefiningOp(), mapping);
  for (Operation *op : collectOps(group))
    builder.clone(*op, mapping);
  func::ReturnOp::create(builder, loc, mapping.lookup(group.result));
  return module;
}
