//===- ScheduleToTransform.cpp - Decided sketch to upstream IR ------------===//
//
// The sketch is evaluated first: that checks decisions and requirements and
// gives every parameter its value. What is left is to write the values in.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Conversion/ScheduleToTransform/ScheduleToTransform.h"
#include "SchedOpt/Dialect/Schedule/IR/SketchEvaluator.h"
#include "StaticParams.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::schedule;

namespace {
class Converter {
public:
  Converter(Block &body, const SketchEvaluation &evaluation)
      : body(body), evaluation(evaluation), rewriter(body.getParentOp()) {}

  /// Leaves upstream ops only, but for the terminator.
  LogicalResult run();

private:
  LogicalResult convert(Block &block);
  LogicalResult convert(Operation &op);
  LogicalResult inlineChosen(ChooseOp choose);
  void replaceByConstants(Operation &op);
  LogicalResult expand(ScheduleActionOpInterface action);

  Block &body;
  const SketchEvaluation &evaluation;
  IRRewriter rewriter;
  /// One constant a value, at the top of the script.
  llvm::MapVector<int64_t, Value> constants;
};
} // namespace

LogicalResult Converter::run() {
  if (failed(convert(body)))
    return failure();
  // Most constants have become attributes.
  body.getParentOp()->walk([&](transform::ParamConstantOp constant) {
    if (constant->use_empty())
      rewriter.eraseOp(constant);
  });
  WalkResult result = body.walk([&](Operation *op) {
    if (isa_and_present<transform::TransformDialect>(op->getDialect()) ||
        op == body.getTerminator())
      return WalkResult::advance();
    // Upstream's interpreter crashes on an op that is not its own.
    if (isa_and_present<ScheduleDialect>(op->getDialect()))
      op->emitOpError("has no conversion to the transform dialect; implement "
                      "ScheduleActionOpInterface");
    else
      op->emitOpError("is no op of the transform dialect, and a script runs "
                      "nothing else; move it out of the sketch");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult Converter::convert(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(convert(op)))
      return failure();
  return success();
}

LogicalResult Converter::convert(Operation &op) {
  if (auto choose = dyn_cast<ChooseOp>(op))
    return inlineChosen(choose);
  if (isa<DecisionOpInterface, AlgebraOpInterface>(op)) {
    replaceByConstants(op);
    return success();
  }
  if (isa<RequireOp>(op)) {
    rewriter.eraseOp(&op);
    return success();
  }
  if (auto action = dyn_cast<ScheduleActionOpInterface>(op))
    return expand(action);
  makeParamsStatic(&op);
  for (Region &region : op.getRegions())
    for (Block &block : region)
      if (failed(convert(block)))
        return failure();
  return success();
}

LogicalResult Converter::inlineChosen(ChooseOp choose) {
  Block &chosen =
      choose.getAlternatives()[choose.getDecided()->front()].front();
  if (failed(convert(chosen)))
    return failure();
  Operation *yield = chosen.getTerminator();
  rewriter.inlineBlockBefore(&chosen, choose);
  rewriter.replaceOp(choose, yield->getOperands());
  rewriter.eraseOp(yield);
  return success();
}

void Converter::replaceByConstants(Operation &op) {
  for (Value result : op.getResults()) {
    if (result.use_empty())
      continue;
    const int64_t value = evaluation.params.lookup(result);
    auto [it, isNew] = constants.try_emplace(value);
    if (isNew) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&body);
      it->second = createConstantParam(rewriter, op.getLoc(), value);
    }
    rewriter.replaceAllUsesWith(result, it->second);
  }
  rewriter.eraseOp(&op);
}

LogicalResult Converter::expand(ScheduleActionOpInterface action) {
  rewriter.setInsertionPoint(action);
  if (failed(action.expand(rewriter)))
    return failure();
  if (!action->use_empty())
    return action->emitOpError("left uses of its results when it expanded");
  rewriter.eraseOp(action);
  return success();
}

/// Moves the body of `sketch` into a named sequence at the builder's place.
static transform::NamedSequenceOp makeSequence(OpBuilder &builder,
                                               SketchOp sketch) {
  Block &body = sketch.getBody().front();
  Operation *yield = body.getTerminator();
  OpBuilder end(yield);
  transform::YieldOp::create(end, yield->getLoc());
  yield->erase();

  llvm::SmallDenseSet<unsigned> consumed;
  transform::getConsumedBlockArguments(body, consumed);
  SmallVector<Attribute> argAttrs;
  for (unsigned i = 0, e = body.getNumArguments(); i != e; ++i) {
    StringRef name = consumed.contains(i)
                         ? transform::TransformDialect::kArgConsumedAttrName
                         : transform::TransformDialect::kArgReadOnlyAttrName;
    argAttrs.push_back(builder.getDictionaryAttr(
        builder.getNamedAttr(name, builder.getUnitAttr())));
  }
  FunctionType type =
      builder.getFunctionType(body.getArgumentTypes(), TypeRange());
  auto sequence = transform::NamedSequenceOp::create(
      builder, sketch.getLoc(),
      builder.getStringAttr(
          transform::TransformDialect::kTransformEntryPointSymbolName),
      TypeAttr::get(type), /*sym_visibility=*/nullptr,
      builder.getArrayAttr(argAttrs), /*res_attrs=*/nullptr);
  sequence.getBody().takeBody(sketch.getBody());
  return sequence;
}

/// Converts a sketch that is ours to take apart, the only op of `module`.
static LogicalResult convertInPlace(SketchOp sketch, ModuleOp module) {
  FailureOr<SketchEvaluation> evaluation =
      evaluateSketch(sketch, getDecidedValues);
  if (failed(evaluation))
    return failure();
  if (evaluation->failedRequire)
    return emitFailedRequire(*evaluation);
  if (failed(Converter(sketch.getBody().front(), *evaluation).run()))
    return failure();
  OpBuilder builder(sketch);
  makeSequence(builder, sketch);
  sketch.erase();
  module->setAttr(transform::TransformDialect::kWithNamedSequenceAttrName,
                  builder.getUnitAttr());
  return success();
}

/// A module that holds a copy of `sketch`.
static std::pair<OwningOpRef<ModuleOp>, SketchOp> copy(SketchOp sketch) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(sketch.getLoc());
  OpBuilder builder = OpBuilder::atBlockBegin(module->getBody());
  auto copied = cast<SketchOp>(builder.clone(*sketch));
  return {std::move(module), copied};
}

FailureOr<OwningOpRef<ModuleOp>>
mlir::schedule::convertToTransform(SketchOp sketch) {
  auto [module, copied] = copy(sketch);
  if (failed(convertInPlace(copied, *module)))
    return failure();
  return std::move(module);
}

FailureOr<OwningOpRef<ModuleOp>>
mlir::schedule::convertToTransform(SketchOp sketch, const Trace &trace) {
  auto [module, copied] = copy(sketch);
  if (failed(applyTrace(copied, trace, sketch.getLoc())) ||
      failed(convertInPlace(copied, *module)))
    return failure();
  return std::move(module);
}
