//===- ScriptBeginning.cpp - What a script begins with --------------------===//

#include "ScriptBeginning.h"
#include "SchedOpt/Pipelines/AutoSchedule.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace sched;

static transform::NamedSequenceOp getEntry(ModuleOp script) {
  return cast<transform::NamedSequenceOp>(script.lookupSymbol(
      transform::TransformDialect::kTransformEntryPointSymbolName));
}

/// Lets `script` begin with pass `name`.
static void prependPass(ModuleOp script, llvm::StringRef name,
                        ArrayRef<NamedAttribute> options = {}) {
  transform::NamedSequenceOp sequence = getEntry(script);
  Block &body = sequence.getBody().front();
  Value root = body.getArgument(0);
  Builder attributes(script.getContext());
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  auto pass = transform::ApplyRegisteredPassOp::create(
      builder, sequence.getLoc(), root.getType(), root,
      attributes.getStringAttr(name), attributes.getDictionaryAttr(options),
      ValueRange());
  root.replaceAllUsesExcept(pass.getResult(), pass);
  sequence.removeArgAttr(0, transform::TransformDialect::kArgReadOnlyAttrName);
  sequence.setArgAttr(0, transform::TransformDialect::kArgConsumedAttrName,
                      attributes.getUnitAttr());
}

void sched::prependOutlining(ModuleOp script, const OutlineOptions &outlining) {
  Builder b(script.getContext());
  SmallVector<NamedAttribute> options;
  for (llvm::StringRef name : outlining.getNames())
    options.push_back(b.getNamedAttr(name, b.getBoolAttr(true)));
  prependPass(script, "schedule-outline-tasks", options);
}

bool sched::prependForms(ModuleOp script, ModuleOp module, const Target &target,
                         llvm::StringRef spec) {
  auto columns =
      module->getAttrOfType<DenseI64ArrayAttr>(kImageColumnsAttrName);
  auto tiles = module->getAttrOfType<DenseI64ArrayAttr>(kWinogradAttrName);
  if (!columns && !tiles)
    return false;
  Builder b(script.getContext());
  // From the last to the first.
  prependOutlining(script, OutlineOptions::of(target));
  if (tiles)
    prependPass(
        script, "schedule-winograd",
        {b.getNamedAttr("tile", b.getI64ArrayAttr(tiles.asArrayRef())),
         b.getNamedAttr("target", b.getStringAttr(spec)),
         b.getNamedAttr("threads", b.getI64IntegerAttr(target.threads))});
  if (columns)
    prependPass(
        script, "schedule-im2col",
        {b.getNamedAttr("which", b.getI64ArrayAttr(columns.asArrayRef()))});
  return true;
}

/// The function of the input that `function` was put back as.
static StringAttr getPutBack(func::FuncOp function) {
  return function->getAttrOfType<StringAttr>(kLeftToDefaultAttrName);
}

/// Whether the function of the input that `name` is of is scheduled, too, for
/// others than those that it was put back for.
static bool isScheduledToo(ModuleOp module, StringAttr name) {
  auto function = module.lookupSymbol<func::FuncOp>(name);
  return function && !getPutBack(function);
}

llvm::Error sched::checkScriptPutsBack(ModuleOp module) {
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    StringAttr name = getPutBack(function);
    if (name && isScheduledToo(module, name))
      return llvm::createStringError(
          "a script cannot leave @" + name.getValue() +
          " as it is for one of the functions that call it and schedule it for "
          "the others; give those that the remarks name the attribute "
          "schedule.left_to_default in the input, or emit code instead of a "
          "script");
  }
  return llvm::Error::success();
}

/// Lets `script` begin with marking what was put back in `module`.
static void prependPutBack(ModuleOp script, ModuleOp module) {
  transform::NamedSequenceOp sequence = getEntry(script);
  Block &body = sequence.getBody().front();
  Location loc = sequence.getLoc();
  Builder attributes(script.getContext());
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    StringAttr name = getPutBack(function);
    if (!name || isScheduledToo(module, name))
      continue;
    Value root = body.getArgument(0);
    auto match = transform::MatchOp::create(
        builder, loc, root.getType(), root,
        attributes.getStrArrayAttr({func::FuncOp::getOperationName()}),
        /*interface=*/nullptr,
        attributes.getDictionaryAttr(
            attributes.getNamedAttr(SymbolTable::getSymbolAttrName(), name)),
        /*filter_result_type=*/nullptr, /*filter_operand_types=*/nullptr);
    transform::AnnotateOp::create(builder, loc, match, kLeftToDefaultAttrName,
                                  /*param=*/Value());
  }
}

bool sched::prependRewriting(ModuleOp script, ModuleOp module,
                             const Target &target) {
  auto spec = module->getAttrOfType<StringAttr>(kTargetAttrName);
  return prependRewriting(script, module, target,
                          spec ? spec.getValue() : "native");
}

bool sched::prependRewriting(ModuleOp script, ModuleOp module,
                             const Target &target, llvm::StringRef spec) {
  // Each is put before what is there.
  bool begins = prependForms(script, module, target, spec);
  const bool isEmpty =
      llvm::hasSingleElement(getEntry(script).getBody().front());
  if (!begins && !isEmpty &&
      llvm::any_of(module.getOps<func::FuncOp>(), getPutBack)) {
    prependOutlining(script, OutlineOptions::of(target));
    begins = true;
  }
  prependPutBack(script, module);
  return begins;
}
