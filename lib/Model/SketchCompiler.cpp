//===- SketchCompiler.cpp - The abstract interpreter ----------------------===//

#include "SchedOpt/Model/SketchCompiler.h"
#include "PayloadModel.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "SchedOpt/Model/LoopModelInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace sched;

FailureOr<Program> sched::compileSketch(schedule::SketchOp sketch,
                                        func::FuncOp payload,
                                        const Target &target, double flops) {
  ModelState state;
  if (failed(buildPayloadModel(payload, state)))
    return failure();
  ModelHandle all;
  all.blocks.assign(state.payloadBlocks.begin(), state.payloadBlocks.end());
  Block &body = sketch.getBody().front();
  for (BlockArgument argument : body.getArguments())
    state.setHandle(argument, all);
  for (Operation &op : body.without_terminator()) {
    auto model = dyn_cast<LoopModelOpInterface>(op);
    if (!model)
      return op.emitOpError(
          "has no loop model, so the search cannot look through it; use an op "
          "with a model or attach one with LoopModelOpInterface");
    state.builder.beginAction();
    if (failed(model.applyToModel(state)))
      return failure();
  }
  return std::move(state.builder).finish(target, flops);
}

namespace sched {
void attachActionModels(MLIRContext *context);
void attachScheduleModels(MLIRContext *context);
void attachUpstreamModels(MLIRContext *context);
} // namespace sched

void sched::registerLoopModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context,
                            schedule::ScheduleDialect *dialect,
                            transform::TransformDialect *upstream) {
    attachActionModels(context);
    attachScheduleModels(context);
    attachUpstreamModels(context);
  });
}
