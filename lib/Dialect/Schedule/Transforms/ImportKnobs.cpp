//===- ImportKnobs.cpp - transform.tune ops to sketches -------------------===//

#include "KnobAttributes.h"
#include "SchedOpt/Dialect/Schedule/Transforms/Passes.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::schedule {
#define GEN_PASS_DEF_SCHEDULEIMPORTKNOBS
#include "SchedOpt/Dialect/Schedule/Transforms/Passes.h.inc"
} // namespace mlir::schedule

using namespace mlir;
using namespace mlir::schedule;
namespace tune = mlir::transform::tune;

static DenseF64ArrayAttr getWeights(Operation *op) {
  return dyn_cast_or_null<DenseF64ArrayAttr>(
      op->getDiscardableAttr(kKnobWeightsName));
}

static DenseI64ArrayAttr getDefault(Operation *op) {
  return dyn_cast_or_null<DenseI64ArrayAttr>(
      op->getDiscardableAttr(kKnobDefaultName));
}

/// The integers of a knob's options.
static FailureOr<SmallVector<int64_t>> getOptions(tune::KnobOp knob) {
  if (auto dense = dyn_cast<DenseI64ArrayAttr>(knob.getOptions()))
    return llvm::to_vector(dense.asArrayRef());
  SmallVector<int64_t> options;
  if (auto list = dyn_cast<ArrayAttr>(knob.getOptions())) {
    for (Attribute option : list)
      if (auto value = dyn_cast<IntegerAttr>(option))
        options.push_back(value.getValue().getSExtValue());
    if (options.size() == list.size())
      return options;
  }
  return knob.emitOpError("has options ")
         << knob.getOptions()
         << "; expected a list of integers, the only ones that a decision "
            "takes";
}

static LogicalResult importKnob(tune::KnobOp knob) {
  FailureOr<SmallVector<int64_t>> options = getOptions(knob);
  if (failed(options))
    return failure();
  OpBuilder builder(knob);
  DenseI64ArrayAttr decided;
  if (auto selected = dyn_cast_or_null<IntegerAttr>(knob.getSelectedAttr()))
    decided = builder.getDenseI64ArrayAttr(selected.getValue().getSExtValue());
  auto type =
      transform::ParamType::get(knob.getContext(), builder.getI64Type());
  auto decision = SampleCategoricalOp::create(
      builder, knob.getLoc(), type, knob.getNameAttr(),
      builder.getDenseI64ArrayAttr(*options), getWeights(knob),
      getDefault(knob), decided);
  knob.replaceAllUsesWith(decision.getResult());
  knob.erase();
  return success();
}

static LogicalResult importBlock(Block &block, bool yields);

static LogicalResult importAlternatives(tune::AlternativesOp alternatives) {
  if (alternatives.getSelectedRegionParam())
    return alternatives.emitOpError(
        "selects its region by a parameter; expected a number or none");
  OpBuilder builder(alternatives);
  DenseI64ArrayAttr decided;
  if (IntegerAttr selected = alternatives.getSelectedRegionAttrAttr())
    decided = builder.getDenseI64ArrayAttr(selected.getValue().getSExtValue());
  auto choose = ChooseOp::create(
      builder, alternatives.getLoc(), alternatives.getResultTypes(),
      alternatives.getNameAttr(), getWeights(alternatives),
      getDefault(alternatives), decided, alternatives.getAlternatives().size());
  for (auto [from, to] : llvm::zip_equal(alternatives.getAlternatives(),
                                         choose.getAlternatives())) {
    to.takeBody(from);
    if (failed(importBlock(to.front(), /*yields=*/true)))
      return failure();
  }
  alternatives->replaceAllUsesWith(choose);
  alternatives->erase();
  return success();
}

/// `yields`: the block ends a decision's alternative or the sketch.
static LogicalResult importBlock(Block &block, bool yields) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto knob = dyn_cast<tune::KnobOp>(op)) {
      if (failed(importKnob(knob)))
        return failure();
    } else if (auto alternatives = dyn_cast<tune::AlternativesOp>(op)) {
      if (failed(importAlternatives(alternatives)))
        return failure();
    } else if (isa<transform::YieldOp>(op) && yields) {
      OpBuilder builder(&op);
      YieldOp::create(builder, op.getLoc(), op.getOperands());
      op.erase();
    } else {
      for (Region &region : op.getRegions())
        for (Block &nested : region)
          if (failed(importBlock(nested, /*yields=*/false)))
            return failure();
    }
  }
  return success();
}

static LogicalResult importSequence(transform::NamedSequenceOp sequence) {
  if (!sequence.getResultTypes().empty())
    return sequence.emitOpError("has results; a sketch yields nothing");
  OpBuilder builder(sequence);
  auto sketch =
      SketchOp::create(builder, sequence.getLoc(), sequence.getSymNameAttr());
  sketch.getBody().takeBody(sequence.getBody());
  sequence.erase();
  return importBlock(sketch.getBody().front(), /*yields=*/true);
}

namespace {
struct ScheduleImportKnobs final
    : schedule::impl::ScheduleImportKnobsBase<ScheduleImportKnobs> {
  void runOnOperation() override {
    SmallVector<transform::NamedSequenceOp> sequences;
    llvm::SmallPtrSet<Operation *, 4> modules;
    getOperation()->walk([&](transform::NamedSequenceOp sequence) {
      WalkResult tuned = sequence->walk([](Operation *op) {
        return isa<tune::KnobOp, tune::AlternativesOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      });
      if (!tuned.wasInterrupted())
        return;
      sequences.push_back(sequence);
      modules.insert(sequence->getParentOp());
    });
    for (transform::NamedSequenceOp sequence : sequences)
      if (failed(importSequence(sequence)))
        return signalPassFailure();
    for (Operation *module : modules)
      if (module->getRegion(0).getOps<transform::NamedSequenceOp>().empty())
        module->removeAttr(
            transform::TransformDialect::kWithNamedSequenceAttrName);
  }
};
} // namespace
