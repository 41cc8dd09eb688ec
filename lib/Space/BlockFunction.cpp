//===- BlockFunction.cpp - The function of a block ------------------------===//

#include "BlockFunction.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sched;

func::FuncOp sched::makeBlockFunction(func::FuncOp parent, Location loc,
                                      TypeRange arguments, TypeRange results) {
  OpBuilder builder(parent.getContext());
  auto function =
      func::FuncOp::create(builder, loc, (parent.getName() + "_rows").str(),
                           builder.getFunctionType(arguments, results));
  function.setPrivate();
  function->setAttr(kOutlinedAttrName, builder.getUnitAttr());
  function->setAttr(kInParallelAttrName, builder.getUnitAttr());
  function.addEntryBlock();
  return function;
}

Value sched::cloneToBlock(OpBuilder &builder, linalg::LinalgOp op, Type type,
                          IRMapping &made,
                          llvm::function_ref<Value(OpOperand &)> getTensor) {
  auto copy = [&](Value value) {
    if (!made.contains(value))
      builder.clone(*value.getDefiningOp(), made);
    return made.lookup(value);
  };
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    copy(value);
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(isa<RankedTensorType>(operand.get().getType())
                           ? getTensor(operand)
                           : copy(operand.get()));
  Operation *clone = mlir::clone(builder, op, type, operands);
  for (Region &region : clone->getRegions())
    region.walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        operand.set(made.lookupOrDefault(operand.get()));
    });
  return clone->getResult(0);
}
