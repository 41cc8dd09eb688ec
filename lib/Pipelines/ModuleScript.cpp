//===- ModuleScript.cpp - One script for all tasks of a module ------------===//

#include "ModuleScript.h"
#include "SchedOpt/Pipelines/AutoSchedule.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

static transform::NamedSequenceOp getSequence(ModuleOp script) {
  return cast<transform::NamedSequenceOp>(script.lookupSymbol(
      transform::TransformDialect::kTransformEntryPointSymbolName));
}

TaskScript::TaskScript(const Task &task, OwningOpRef<ModuleOp> script)
    : script(std::move(script)) {
  for (const TaskOccurrence &occurrence : task.occurrences)
    functions.push_back(occurrence.function);
}

/// A module with an empty `__transform_main`.
static OwningOpRef<ModuleOp> createModuleScript(MLIRContext *context) {
  context->getOrLoadDialect<transform::TransformDialect>();
  OpBuilder builder(context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> script = ModuleOp::create(loc);
  (*script)->setAttr(transform::TransformDialect::kWithNamedSequenceAttrName,
                     builder.getUnitAttr());
  builder.setInsertionPointToEnd(script->getBody());
  auto root = transform::AnyOpType::get(context);
  NamedAttribute readonly(
      builder.getStringAttr(transform::TransformDialect::kArgReadOnlyAttrName),
      builder.getUnitAttr());
  auto sequence = transform::NamedSequenceOp::create(
      builder, loc, transform::TransformDialect::kTransformEntryPointSymbolName,
      TypeAttr::get(builder.getFunctionType({root}, {})),
      /*sym_visibility=*/StringAttr(),
      builder.getArrayAttr({builder.getDictionaryAttr({readonly})}),
      /*res_attrs=*/ArrayAttr());
  Block &body = sequence.getBody().emplaceBlock();
  body.addArgument(root, loc);
  builder.setInsertionPointToEnd(&body);
  transform::YieldOp::create(builder, loc);
  return script;
}

void sched::renameMatchedFunction(Operation *root, StringAttr name) {
  root->walk([&](transform::MatchOp match) {
    DictionaryAttr attributes = match.getOpAttrsAttr();
    if (!attributes || !attributes.get("sym_name"))
      return;
    NamedAttrList list(attributes);
    list.set("sym_name", name);
    match.setOpAttrsAttr(list.getDictionary(name.getContext()));
  });
}

OwningOpRef<ModuleOp> sched::joinScripts(MLIRContext *context,
                                         ArrayRef<TaskScript> scripts) {
  OwningOpRef<ModuleOp> joined = createModuleScript(context);
  Block &to = getSequence(*joined).getBody().front();
  OpBuilder builder = OpBuilder::atBlockTerminator(&to);
  for (const TaskScript &task : scripts) {
    Block &from = getSequence(*task.script).getBody().front();
    for (const std::string &function : task.functions) {
      IRMapping mapping;
      mapping.map(from.getArgument(0), to.getArgument(0));
      StringAttr name = builder.getStringAttr(function);
      for (Operation &op : from.without_terminator())
        renameMatchedFunction(builder.clone(op, mapping), name);
    }
  }
  return joined;
}

void sched::attachScript(ModuleOp module, ModuleOp script,
                         llvm::StringRef target, int threads) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  module->setAttr(transform::TransformDialect::kWithNamedSequenceAttrName,
                  builder.getUnitAttr());
  module->setAttr(kTargetAttrName, builder.getStringAttr(target));
  module->setAttr(kThreadsAttrName, builder.getI64IntegerAttr(threads));
  builder.clone(*getSequence(script));
}
