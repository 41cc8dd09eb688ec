//===- ExportKnobs.cpp - Sketches to transform.tune ops -------------------===//

#include "KnobAttributes.h"
#include "SchedOpt/Dialect/Schedule/Transforms/Passes.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::schedule {
#define GEN_PASS_DEF_SCHEDULEEXPORTKNOBS
#include "SchedOpt/Dialect/Schedule/Transforms/Passes.h.inc"
} // namespace mlir::schedule

using namespace mlir;
using namespace mlir::schedule;
namespace tune = mlir::transform::tune;

/// Keeps what the tune ops have no place for.
static void keepDetails(DecisionOpInterface from, Operation *to) {
  OpBuilder builder(to);
  if (std::optional<ArrayRef<double>> weights = from.getWeights())
    to->setDiscardableAttr(kKnobWeightsName,
                           builder.getDenseF64ArrayAttr(*weights));
  if (std::optional<ArrayRef<int64_t>> values = from.getDefaultValues())
    to->setDiscardableAttr(kKnobDefaultName,
                           builder.getDenseI64ArrayAttr(*values));
}

static LogicalResult exportKnob(DecisionOpInterface decision) {
  if (decision->getNumResults() != 1)
    return decision->emitOpError("decision '")
           << decision.getDecisionName()
           << "' has more than one result, which a knob cannot have";
  FailureOr<DecisionDomain> domain = decision.getDomain();
  if (failed(domain))
    return failure();
  OpBuilder builder(decision);
  SmallVector<int64_t> options;
  for (const std::vector<int64_t> &entry : *domain)
    options.push_back(entry.front());
  Attribute selected;
  if (std::optional<ArrayRef<int64_t>> values = decision.getDecided())
    selected = builder.getI64IntegerAttr(values->front());
  auto knob = tune::KnobOp::create(
      builder, decision.getLoc(), decision->getResult(0).getType(),
      builder.getStringAttr(decision.getDecisionName()),
      builder.getI64ArrayAttr(options), selected);
  keepDetails(decision, knob);
  decision->replaceAllUsesWith(knob);
  decision->erase();
  return success();
}

static LogicalResult exportBlock(Block &block);

static LogicalResult exportAlternatives(ChooseOp choose) {
  OpBuilder builder(choose);
  IntegerAttr selected;
  if (std::optional<ArrayRef<int64_t>> values = choose.getDecided())
    selected = builder.getI64IntegerAttr(values->front());
  auto alternatives = tune::AlternativesOp::create(
      builder, choose.getLoc(), choose.getResultTypes(),
      builder.getStringAttr(choose.getDecisionName()), selected,
      /*selected_region_param=*/Value(), choose.getAlternatives().size());
  keepDetails(cast<DecisionOpInterface>(choose.getOperation()), alternatives);
  for (auto [from, to] : llvm::zip_equal(choose.getAlternatives(),
                                         alternatives.getAlternatives())) {
    to.takeBody(from);
    if (failed(exportBlock(to.front())))
      return failure();
  }
  choose->replaceAllUsesWith(alternatives);
  choose->erase();
  return success();
}

static LogicalResult exportBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto choose = dyn_cast<ChooseOp>(op)) {
      if (failed(exportAlternatives(choose)))
        return failure();
    } else if (auto decision = dyn_cast<DecisionOpInterface>(op)) {
      if (failed(exportKnob(decision)))
        return failure();
    } else if (auto yield = dyn_cast<YieldOp>(op)) {
      OpBuilder builder(yield);
      transform::YieldOp::create(builder, yield.getLoc(), yield->getOperands());
      yield->erase();
    } else if (isa_and_present<ScheduleDialect>(op.getDialect())) {
      return op.emitOpError("has no counterpart among the transform.tune ops; "
                            "a sketch with it cannot be exported");
    } else {
      for (Region &region : op.getRegions())
        for (Block &nested : region)
          if (failed(exportBlock(nested)))
            return failure();
    }
  }
  return success();
}

static LogicalResult exportSketch(SketchOp sketch) {
  Block &body = sketch.getBody().front();
  if (failed(exportBlock(body)))
    return failure();
  // The sequence goes next to the space, if there is one.
  Operation *place = sketch;
  while (!isa<ModuleOp>(place->getParentOp()))
    place = place->getParentOp();
  OpBuilder builder(place);
  const SmallVector<Attribute> argAttrs(
      body.getNumArguments(),
      builder.getDictionaryAttr(builder.getNamedAttr(
          transform::TransformDialect::kArgReadOnlyAttrName,
          builder.getUnitAttr())));
  auto sequence = transform::NamedSequenceOp::create(
      builder, sketch.getLoc(), sketch.getSymNameAttr(),
      TypeAttr::get(
          builder.getFunctionType(body.getArgumentTypes(), TypeRange())),
      /*sym_visibility=*/nullptr, builder.getArrayAttr(argAttrs),
      /*res_attrs=*/nullptr);
  sequence.getBody().takeBody(sketch.getBody());
  sequence->getParentOp()->setAttr(
      transform::TransformDialect::kWithNamedSequenceAttrName,
      builder.getUnitAttr());
  sketch.erase();
  return success();
}

namespace {
struct ScheduleExportKnobs final
    : schedule::impl::ScheduleExportKnobsBase<ScheduleExportKnobs> {
  void runOnOperation() override {
    SmallVector<SketchOp> sketches;
    getOperation()->walk([&](SketchOp op) { sketches.push_back(op); });
    for (SketchOp sketch : sketches)
      if (failed(exportSketch(sketch)))
        return signalPassFailure();
    SmallVector<Operation *> empty;
    getOperation()->walk([&](SpaceOp space) {
      if (space.getBody().front().empty())
        empty.push_back(space);
    });
    for (Operation *space : empty)
      space->erase();
  }
};
} // namespace
