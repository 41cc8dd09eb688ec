//===- SketchCompiler.cpp - The abstract interpreter ----------------------===//

#include "SchedOpt/Model/SketchCompiler.h"
#include "PayloadModel.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "SchedOpt/Dialect/Schedule/Transforms/FuseElementwise.h"
#include "SchedOpt/Model/LoopModelInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/Diagnostics.h"
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

namespace {
/// Runs the ops of a sketch over the model.
class Interpreter {
public:
  Interpreter(ModelState &state, const Alternatives &alternatives,
              SmallVectorImpl<Operation *> *unmodelled)
      : state(state), alternatives(alternatives), unmodelled(unmodelled) {}

  LogicalResult run(Block &block) {
    for (Operation &op : block) {
      if (op.hasTrait<OpTrait::IsTerminator>())
        continue;
      if (failed(visit(op)))
        return failure();
      isOfSketch.resize(state.builder.countRequirements(),
                        isa<schedule::RequireOp>(op));
    }
    return success();
  }

  /// Takes back the requirements of models that are not those of all ops.
  void dropDoubtfulRequirements() {
    if (isPartial())
      state.builder.keepRequirements(isOfSketch);
  }

private:
  /// Whether the model is less than what the script does: then it says nothing
  /// about what is legal, and an op need not apply to it.
  bool isPartial() const { return unmodelled && !unmodelled->empty(); }

  LogicalResult visit(Operation &op) {
    if (auto choose = dyn_cast<schedule::ChooseOp>(op))
      return visitChoose(choose);
    state.builder.beginAction();
    auto model = dyn_cast<LoopModelOpInterface>(op);
    if (model && (!isOutside || decides(op))) {
      if (!isPartial() || decides(op)) {
        if (failed(model.applyToModel(state)))
          return failure();
      } else if (failed(tryToApply(model))) {
        return passOver(op);
      }
    } else if (unmodelled) {
      return passOver(op);
    } else {
      return op.emitOpError(
          "has no loop model, so the search cannot look through it; use an op "
          "with a model or attach one with LoopModelOpInterface");
    }
    if (std::string problem = state.builder.findProblem(); !problem.empty())
      return op.emitOpError(problem);
    return success();
  }

  /// Decisions, their arithmetic and what is required of them: known whatever
  /// becomes of the loops.
  static bool decides(Operation &op) {
    return isa<schedule::DecisionOpInterface, schedule::AlgebraOpInterface,
               schedule::RequireOp>(op);
  }

  LogicalResult tryToApply(LoopModelOpInterface model) {
    ScopedDiagnosticHandler quiet(model->getContext(),
                                  [](Diagnostic &) { return success(); });
    return model.applyToModel(state);
  }

  /// Its results stand for what its first handle stands for. The decisions
  /// inside of it count.
  LogicalResult passOver(Operation &op) {
    if (!isOutside)
      unmodelled->push_back(&op);
    state.noteParams(&op);
    if (op.getNumOperands())
      for (Value result : op.getResults())
        state.setHandle(result, state.getHandle(op.getOperand(0)));
    const bool wasOutside = std::exchange(isOutside, true);
    for (Region &region : op.getRegions())
      for (Block &block : region)
        if (failed(run(block)))
          return failure();
    isOutside = wasOutside;
    return success();
  }

  LogicalResult visitChoose(schedule::ChooseOp choose) {
    auto taken = alternatives.find(choose.getDecisionName());
    if (taken == alternatives.end())
      return choose.emitOpError("has no alternative that is taken");
    Block &block = choose.getAlternatives()[taken->second].front();
    if (failed(run(block)))
      return failure();
    for (auto [yielded, result] : llvm::zip_equal(
             block.getTerminator()->getOperands(), choose.getResults()))
      state.copyValue(yielded, result);
    return success();
  }

  ModelState &state;
  const Alternatives &alternatives;
  SmallVectorImpl<Operation *> *unmodelled;
  /// Inside of an op that the model passed over.
  bool isOutside = false;
  /// Which requirements the sketch has itself.
  std::vector<bool> isOfSketch;
};
} // namespace

FailureOr<Program>
sched::compileSketch(schedule::SketchOp sketch, func::FuncOp payload,
                     const Target &target, double flops,
                     const Alternatives &alternatives,
                     SmallVectorImpl<Operation *> *unmodelled) {
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
  Interpreter interpreter(state, alternatives, unmodelled);
  if (failed(interpreter.run(body)))
    return failure();
  interpreter.dropDoubtfulRequirements();
  return std::move(state.builder).finish(target, flops);
}

/// Extends each of `prefixes` by what the `choose` ops of `block`, and those
/// inside of the regions taken, may be. Stops where there are more than `most`.
static void listAlternatives(Block &block, std::vector<Alternatives> &prefixes,
                             size_t most) {
  block.walk<WalkOrder::PreOrder>([&](schedule::ChooseOp choose) {
    if (prefixes.size() > most)
      return WalkResult::interrupt();
    SmallVector<int64_t> order;
    if (auto decided = choose.getDecided()) {
      order.push_back(decided->front());
    } else {
      if (auto chosen = choose.getDefaultValues())
        order.push_back(chosen->front());
      for (int64_t i = 0, e = choose.getAlternatives().size(); i != e; ++i)
        if (!llvm::is_contained(order, i))
          order.push_back(i);
    }
    std::vector<Alternatives> extended;
    for (int64_t i : order) {
      std::vector<Alternatives> taken = prefixes;
      for (Alternatives &prefix : taken)
        prefix[choose.getDecisionName()] = i;
      listAlternatives(choose.getAlternatives()[i].front(), taken, most);
      llvm::append_range(extended, taken);
    }
    prefixes = std::move(extended);
    return WalkResult::skip();
  });
}

FailureOr<std::vector<Alternatives>>
sched::listAlternatives(schedule::SketchOp sketch, size_t most) {
  std::vector<Alternatives> result(1);
  ::listAlternatives(sketch.getBody().front(), result, most);
  if (result.size() > most)
    return sketch.emitOpError("has more than ")
           << most
           << " combinations of alternatives, each of which is a loop nest of "
              "its own; take some apart into sketches";
  return result;
}

namespace sched {
void attachActionModels(MLIRContext *context);
void attachKernelModels(MLIRContext *context);
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
    attachKernelModels(context);
    attachScheduleModels(context);
    attachStageModels(context);
    attachTileModels(context);
    attachUpstreamModels(context);
  });
}
