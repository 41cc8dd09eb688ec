//===- ImportKnobs.cpp - transform.tune ops to sketches -------------------===//

#include "KnobAttributes.h"
#include "SchedOpt/Dialect/Schedule/Transforms/Passes.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

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

/// The decision goes in front of `place`.
static LogicalResult importKnob(tune::KnobOp knob, Operation *place) {
  FailureOr<SmallVector<int64_t>> options = getOptions(knob);
  if (failed(options))
    return failure();
  OpBuilder builder(place);
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

static LogicalResult importBlock(Block &block, Operation *around = nullptr);

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
    if (failed(importBlock(to.front())))
      return failure();
  }
  alternatives->replaceAllUsesWith(choose);
  alternatives->erase();
  return success();
}

/// `around`: the op of the sketch or an alternative that `block` is inside of.
/// A knob has the same value wherever it stands, so it moves in front of that.
static LogicalResult importBlock(Block &block, Operation *around) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto knob = dyn_cast<tune::KnobOp>(op)) {
      if (failed(importKnob(knob, around ? around : &op)))
        return failure();
    } else if (auto alternatives = dyn_cast<tune::AlternativesOp>(op)) {
      if (around)
        return op.emitOpError("is inside of '")
               << around->getName()
               << "', where a sketch has no alternatives; choose outside of it";
      if (failed(importAlternatives(alternatives)))
        return failure();
    } else if (isa<transform::YieldOp>(op) && !around) {
      OpBuilder builder(&op);
      YieldOp::create(builder, op.getLoc(), op.getOperands());
      op.erase();
    } else {
      for (Region &region : op.getRegions())
        for (Block &nested : region)
          if (failed(importBlock(nested, around ? around : &op)))
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
  return importBlock(sketch.getBody().front());
}

/// Whether `sequence` or one that it includes has a decision. `open`: those
/// that are being looked at.
static bool hasDecision(transform::NamedSequenceOp sequence,
                        SmallVectorImpl<Operation *> &open) {
  if (llvm::is_contained(open, sequence.getOperation()))
    return false;
  open.push_back(sequence);
  const bool found =
      sequence
          ->walk([&](Operation *op) {
            if (isa<tune::KnobOp, tune::AlternativesOp>(op))
              return WalkResult::interrupt();
            auto include = dyn_cast<transform::IncludeOp>(op);
            if (!include)
              return WalkResult::advance();
            auto target = SymbolTable::lookupNearestSymbolFrom<
                transform::NamedSequenceOp>(include, include.getTarget());
            return target && hasDecision(target, open) ? WalkResult::interrupt()
                                                       : WalkResult::advance();
          })
          .wasInterrupted();
  open.pop_back();
  return found;
}

static bool hasDecision(transform::NamedSequenceOp sequence) {
  SmallVector<Operation *> open;
  return hasDecision(sequence, open);
}

/// Puts the bodies of sequences in the place where `root` includes them, and
/// collects the sequences in `included`.
static LogicalResult inlineIncludes(Operation *root,
                                    llvm::SetVector<Operation *> &included) {
  // More than this deep, one includes itself.
  constexpr unsigned kMostDepth = 64;
  SmallVector<std::pair<transform::IncludeOp, unsigned>> includes;
  auto collect = [&](Operation *op, unsigned depth) {
    op->walk([&](transform::IncludeOp include) {
      includes.emplace_back(include, depth);
    });
  };
  collect(root, 0);
  while (!includes.empty()) {
    auto [include, depth] = includes.pop_back_val();
    auto target =
        SymbolTable::lookupNearestSymbolFrom<transform::NamedSequenceOp>(
            include, include.getTarget());
    if (!target || target.isExternal())
      return include.emitOpError("includes ")
             << include.getTarget()
             << ", which has no body here; put the sequence into this module";
    if (depth == kMostDepth)
      return include.emitOpError("is in a sequence that includes itself");
    included.insert(target);
    OpBuilder builder(include);
    IRMapping mapping;
    Block &body = target.getBody().front();
    mapping.map(body.getArguments(), include.getOperands());
    for (Operation &op : body.without_terminator())
      collect(builder.clone(op, mapping), depth + 1);
    for (auto [result, yielded] : llvm::zip_equal(
             include.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(yielded));
    include.erase();
  }
  return success();
}

LogicalResult mlir::schedule::importKnobs(
    ModuleOp module,
    llvm::function_ref<bool(transform::NamedSequenceOp)> isScript) {
  SmallVector<transform::NamedSequenceOp> tuned;
  llvm::SetVector<Operation *> modules, included;
  module.walk([&](transform::NamedSequenceOp sequence) {
    if (!sequence.isExternal() &&
        (hasDecision(sequence) || (isScript && isScript(sequence))))
      tuned.push_back(sequence);
  });
  for (transform::NamedSequenceOp sequence : tuned) {
    if (failed(inlineIncludes(sequence, included)))
      return failure();
    modules.insert(sequence->getParentOp());
  }
  for (transform::NamedSequenceOp sequence : tuned) {
    if (included.contains(sequence))
      sequence.erase();
    else if (failed(importSequence(sequence)))
      return failure();
  }
  for (Operation *parent : modules)
    if (parent->getRegion(0).getOps<transform::NamedSequenceOp>().empty())
      parent->removeAttr(
          transform::TransformDialect::kWithNamedSequenceAttrName);
  return success();
}

namespace {
struct ScheduleImportKnobs final
    : schedule::impl::ScheduleImportKnobsBase<ScheduleImportKnobs> {
  void runOnOperation() override {
    if (failed(importKnobs(getOperation())))
      signalPassFailure();
  }
};
} // namespace
