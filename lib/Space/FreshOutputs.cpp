//===- FreshOutputs.cpp - Outputs that are read as inputs -----------------===//
//
// An elementwise op may add to what it gets as its output, or name an output
// only for its shape, as exporters do. Tasks, fusion by upstream and the
// reshapes of packed results follow inputs alone: here the output's value
// becomes an input, if it is read, and the output an empty tensor.
//
//===----------------------------------------------------------------------===//

#include "FreshOutputs.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace sched;

bool sched::freshenOutputs(func::FuncOp function) {
  bool isChanged = false;
  for (linalg::LinalgOp linalgOp : collectLinalgOps(function)) {
    auto op = dyn_cast<linalg::GenericOp>(linalgOp.getOperation());
    if (!op || !sched::isElementwise(op) || op.getNumDpsInits() != 1)
      continue;
    OpOperand *output = op.getDpsInitOperand(0);
    Value value = output->get();
    auto type = cast<RankedTensorType>(value.getType());
    if (!value.getDefiningOp<linalg::LinalgOp>() || !type.hasStaticShape())
      continue;
    OpBuilder builder(op);
    const bool isRead = op.payloadUsesValueFromOperand(output);
    output->set(tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                        type.getElementType()));
    isChanged = true;
    if (!isRead)
      continue;
    SmallVector<Value> inputs(op.getInputs());
    inputs.push_back(value);
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps.insert(std::prev(maps.end()), maps.back());
    auto fresh = linalg::GenericOp::create(builder, op.getLoc(), type, inputs,
                                           op.getOutputs(), maps,
                                           op.getIteratorTypesArray());
    fresh.getRegion().takeBody(op.getRegion());
    Block &body = fresh.getRegion().front();
    // The last argument becomes the input's; the output's is not read.
    body.addArgument(type.getElementType(), op.getLoc());
    fresh->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    op->replaceAllUsesWith(fresh);
    op->erase();
  }
  return isChanged;
}
