//===- SketchCompiler.cpp - The abstract interpreter ----------------------===//

#include "SchedOpt/Model/SketchCompiler.h"
#include "PayloadModel.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "SchedOpt/Dialect/Schedule/Transforms/FuseElementwise.h"
#include "SchedOpt/Model/LoopModelInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// Where the sketch begins with `fuse_elementwise`, replaces `payload` by what
/// that makes of it: the model's blocks are those that the other actions see.
static LogicalResult fusePayload(schedule::SketchOp sketch,
                                 func::FuncOp &payload,
                                 OwningOpRef<ModuleOp> &fused) {
  bool isFirst = true;
  for (Operation &op : sketch.getBody().front()) {
    auto fuse = dyn_cast<schedule::FuseElementwiseOp>(op);
    if (fuse && !isFirst)
      return fuse.emitOpError("comes after another action; make it the first "
                              "action of the sketch");
    isFirst &= !isa<schedule::ScheduleActionOpInterface>(op);
    if (!fuse)
      continue;
    fused = ModuleOp::create(payload.getLoc());
    auto copy = cast<func::FuncOp>(payload->clone());
    fused->push_back(copy);
    payload = copy;
    SmallVector<StringRef> names =
        llvm::map_to_vector(fuse.getGeneralize().getAsRange<StringAttr>(),
                            [](StringAttr name) { return name.getValue(); });
    std::optional<schedule::OpPosition> apart;
    if (fuse.getApart())
      apart = {fuse.getApart()->str(), static_cast<unsigned>(fuse.getAt()),
               static_cast<unsigned>(fuse.getOf())};
    if (failed(schedule::fuseElementwise(payload, names, apart)))
      return fuse.emitOpError("cannot fuse the ops of the payload");
  }
  return success();
}

FailureOr<Program> sched::compileSketch(schedule::SketchOp sketch,
                                        func::FuncOp payload,
                                        const Target &target, double flops) {
  ModelState state;
  OwningOpRef<ModuleOp> fused;
  if (failed(fusePayload(sketch, payload, fused)) ||
      failed(buildPayloadModel(payload, state)))
    return failure();
  if (std::string problem = state.builder.findProblem(); !problem.empty())
    return sketch.emitOpError("is for a payload that ") << problem;
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
    if (std::string problem = state.builder.findProblem(); !problem.empty())
      return op.emitOpError(problem);
  }
  return std::move(state.builder).finish(target, flops);
}

namespace sched {
void attachActionModels(MLIRContext *context);
void attachScheduleModels(MLIRContext *context);
void attachStageModels(MLIRContext *context);
void attachTileModels(MLIRContext *context);
void attachUpstreamModels(MLIRContext *context);
} // namespace sched

void sched::registerLoopModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context,
                            schedule::ScheduleDialect *dialect,
                            transform::TransformDialect *upstream) {
    attachActionModels(context);
    attachScheduleModels(context);
    attachStageModels(context);
    attachTileModels(context);
    attachUpstreamModels(context);
  });
}
