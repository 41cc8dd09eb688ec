//===- FreshOutputs.cpp - Outputs that are read as inputs -----------------===//
//
// An op may name another's result as its output only for its shape, as
// exporters do; an elementwise one may add to it. Tasks, fusion by upstream and
// the reshapes of packed results follow inputs alone: here an output that is
// not read becomes an empty tensor, and one that an elementwise op reads an
// input.
//
//===----------------------------------------------------------------------===//

#include "FreshOutputs.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace sched;

/// Puts an empty tensor in the place of another op's result.
static void makeEmpty(OpOperand &output) {
  auto type = cast<RankedTensorType>(output.get().getType());
  OpBuilder builder(output.getOwner());
  output.set(tensor::EmptyOp::create(builder, output.getOwner()->getLoc(),
                                     type.getShape(), type.getElementType()));
}

/// Makes the value of the output of `op` its last input.
static void readAsInput(linalg::GenericOp op) {
  OpOperand *output = op.getDpsInitOperand(0);
  SmallVector<Value> inputs(op.getInputs());
  inputs.push_back(output->get());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.insert(std::prev(maps.end()), maps.back());
  makeEmpty(*output);
  OpBuilder builder(op);
  auto fresh = linalg::GenericOp::create(
      builder, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(), maps,
      op.getIteratorTypesArray());
  fresh.getRegion().takeBody(op.getRegion());
  // The last argument is the input's now; nothing reads the output's.
  fresh.getRegion().front().addArgument(
      getElementTypeOrSelf(fresh.getResultTypes().front()), op.getLoc());
  fresh->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op->replaceAllUsesWith(fresh);
  op->erase();
}

bool sched::freshenOutputs(func::FuncOp function) {
  bool isChanged = false;
  for (linalg::LinalgOp op : collectLinalgOps(function)) {
    if (!op.hasPureTensorSemantics())
      continue;
    bool isRead = false;
    for (OpOperand &output : op.getDpsInitsMutable()) {
      auto type = dyn_cast<RankedTensorType>(output.get().getType());
      if (!type || !type.hasStaticShape() ||
          !output.get().getDefiningOp<linalg::LinalgOp>())
        continue;
      if (op.payloadUsesValueFromOperand(&output)) {
        isRead = true;
        continue;
      }
      makeEmpty(output);
      isChanged = true;
    }
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (isRead && generic && generic.getNumDpsInits() == 1 &&
        sched::isElementwise(op)) {
      readAsInput(generic);
      isChanged = true;
    }
  }
  return isChanged;
}
