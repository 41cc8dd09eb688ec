//===- ConvertScheduleToTransform.cpp - The pass --------------------------===//
//
// Picks the sketch, puts its script into the module, and removes the rest of
// the dialect. The conversion itself is in ScheduleToTransform.cpp.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Conversion/ScheduleToTransform/ScheduleToTransform.h"
#include "SchedOpt/Dialect/Schedule/IR/SketchEvaluator.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::schedule {
#define GEN_PASS_DEF_CONVERTSCHEDULETOTRANSFORM
#include "SchedOpt/Conversion/ScheduleToTransform/Passes.h.inc"
} // namespace mlir::schedule

using namespace mlir;
using namespace mlir::schedule;

static std::string listNames(ArrayRef<SketchOp> sketches) {
  return llvm::join(
      llvm::map_range(sketches,
                      [](SketchOp op) { return "@" + op.getSymName().str(); }),
      ", ");
}

/// Whether no decision of the sketch is open; one in an alternative that was
/// not chosen does not count.
static bool isDecided(SketchOp sketch) {
  return llvm::all_of(sketch.getDecisions(), [](DecisionOpInterface decision) {
    if (decision.getDecided())
      return true;
    for (Operation *op = decision; op; op = op->getParentOp()) {
      auto choose = dyn_cast_or_null<ChooseOp>(op->getParentOp());
      if (choose && choose.getDecided() &&
          choose.getDecided()->front() !=
              op->getBlock()->getParent()->getRegionNumber())
        return true;
    }
    return false;
  });
}

namespace {
struct ConvertScheduleToTransform final
    : schedule::impl::ConvertScheduleToTransformBase<
          ConvertScheduleToTransform> {
  using ConvertScheduleToTransformBase::ConvertScheduleToTransformBase;

  void runOnOperation() override {
    SmallVector<SketchOp> sketches;
    getOperation()->walk([&](SketchOp op) { sketches.push_back(op); });
    FailureOr<SketchOp> chosen = choose(sketches);
    if (failed(chosen))
      return signalPassFailure();
    if (*chosen && failed(insertScript(*chosen)))
      return signalPassFailure();
    removeContainers();
    WalkResult rest = getOperation()->walk([](Operation *op) {
      if (!isa_and_nonnull<ScheduleDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitOpError("is illegal outside of a sketch");
      return WalkResult::interrupt();
    });
    if (rest.wasInterrupted())
      signalPassFailure();
  }

private:
  /// The sketch to convert; null where the module has none.
  FailureOr<SketchOp> choose(ArrayRef<SketchOp> sketches);
  LogicalResult insertScript(SketchOp chosen);
  void removeContainers();
};
} // namespace

FailureOr<SketchOp>
ConvertScheduleToTransform::choose(ArrayRef<SketchOp> sketches) {
  if (!sketch.empty()) {
    const auto *it = llvm::find_if(
        sketches, [&](SketchOp op) { return op.getSymName() == sketch; });
    if (it != sketches.end())
      return *it;
    return getOperation().emitError("module has no sketch @")
           << sketch.getValue() << "; it has [" << listNames(sketches) << "]";
  }
  if (sketches.size() <= 1)
    return sketches.empty() ? SketchOp() : sketches.front();
  SmallVector<SketchOp> decided = llvm::filter_to_vector(sketches, isDecided);
  if (decided.size() == 1)
    return decided.front();
  if (decided.empty())
    return getOperation().emitError("module has no decided sketch among [")
           << listNames(sketches)
           << "]; run schedule-sample or schedule-apply-trace first";
  return getOperation().emitError("module has the decided sketches [")
         << listNames(decided) << "]; say which with the option sketch=NAME";
}

LogicalResult ConvertScheduleToTransform::insertScript(SketchOp chosen) {
  FailureOr<OwningOpRef<ModuleOp>> script = convertToTransform(chosen);
  if (failed(script))
    return failure();
  // Next to the sketch, or to the space around it.
  Operation *place = chosen;
  while (!isa<ModuleOp>(place->getParentOp()))
    place = place->getParentOp();
  ModuleOp module = cast<ModuleOp>(place->getParentOp());
  const StringRef name =
      transform::TransformDialect::kTransformEntryPointSymbolName;
  if (Operation *other = module.lookupSymbol(name))
    return other->emitError("symbol @")
           << name << " is in the way of the script of sketch @"
           << chosen.getSymName() << "; rename or remove it";
  Operation *sequence = &(*script)->getBody()->front();
  sequence->moveBefore(place);
  module->setAttr(transform::TransformDialect::kWithNamedSequenceAttrName,
                  UnitAttr::get(module.getContext()));
  return success();
}

void ConvertScheduleToTransform::removeContainers() {
  SmallVector<Operation *> containers;
  getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<SpaceOp, SketchOp, TraceOp>(op))
      return WalkResult::advance();
    containers.push_back(op);
    return WalkResult::skip();
  });
  for (Operation *op : containers)
    op->erase();
}
