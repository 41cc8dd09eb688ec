//===- ScriptView.cpp - A sketch seen by the code that it makes -----------===//

#include "ScriptView.h"
#include "SchedOpt/Model/ScheduledModel.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

void ScriptView::evaluate(llvm::ArrayRef<uint16_t> choices,
                          Evaluation &result) const {
  known.evaluate(choices, result);
  if (!result.legal())
    return;
  if (const Program *code = find(choices)) {
    Evaluation own;
    code->evaluate({}, own);
    if (own.legal()) {
      result.features = own.features;
      result.copies = own.copies;
    }
  }
}

void ScriptView::describeBlocks(llvm::ArrayRef<uint16_t> choices,
                                std::vector<BlockFeatureVector> &rows) const {
  if (const Program *code = find(choices))
    code->describeBlocks({}, rows);
  else
    known.describeBlocks(choices, rows);
}

const Program *ScriptView::find(llvm::ArrayRef<uint16_t> choices) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto [it, isNew] = programs.try_emplace(choices.vec());
  if (isNew)
    it->second = read(choices);
  return it->second.get();
}

/// Ends a script before its first op that makes vectors, which say less than
/// the structured ops that they are made of.
static void stopAtVectors(Block &script) {
  Operation *first = nullptr;
  for (Operation &op : script)
    if (isa<transform::VectorizeOp,
            transform::VectorizeChildrenAndApplyPatternsOp>(op)) {
      first = &op;
      break;
    }
  if (first)
    while (&*std::prev(script.getTerminator()->getIterator()) != first)
      std::prev(script.getTerminator()->getIterator())->erase();
  if (first)
    first->erase();
}

std::unique_ptr<Program>
ScriptView::read(llvm::ArrayRef<uint16_t> choices) const {
  // A script that does not apply is told of when it is measured.
  ScopedDiagnosticHandler quiet(payload.getContext(),
                                [](Diagnostic &) { return success(); });
  auto script = makeScript(choices);
  if (!script) {
    llvm::consumeError(script.takeError());
    return nullptr;
  }
  auto sequence = cast<transform::NamedSequenceOp>((*script)->lookupSymbol(
      transform::TransformDialect::kTransformEntryPointSymbolName));
  stopAtVectors(sequence.getBody().front());
  OwningOpRef<ModuleOp> module(cast<ModuleOp>(payload->getParentOp()).clone());
  if (failed(transform::applyTransformNamedSequence(
          *module, sequence, ModuleOp(), transform::TransformOptions())))
    return nullptr;
  auto scheduled = module->lookupSymbol<func::FuncOp>(payload.getSymName());
  if (!scheduled)
    return nullptr;
  FailureOr<Program> code =
      readScheduledCode(scheduled, program.getTarget(), program.getFlops());
  return succeeded(code) ? std::make_unique<Program>(std::move(*code))
                         : nullptr;
}
