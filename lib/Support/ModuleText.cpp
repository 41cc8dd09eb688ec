//===- ModuleText.cpp - A module for another process ----------------------===//

#include "SchedOpt/Support/ModuleText.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// Whether bytes that `module` names are apart from it, as `dense_resource`.
static bool hasResources(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return op->getAttrDictionary().walk(
            [](DenseResourceElementsAttr) { return WalkResult::interrupt(); });
      })
      .wasInterrupted();
}

std::string sched::printForProcess(ModuleOp module) {
  OpPrintingFlags flags;
  flags.enableDebugInfo(false);
  // A local scope has no names for maps, and none for resources.
  if (!hasResources(module))
    flags.useLocalScope();
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, flags);
  return text;
}
