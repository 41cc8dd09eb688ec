//===- LayoutFree.cpp - Arguments whose layout is free --------------------===//

#include "LayoutFree.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "TaskGrouping.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace sched;

llvm::DenseSet<Value> sched::collectLayoutFree(func::FuncOp function,
                                               ModuleOp module, bool remarks) {
  // The mark of an outlined task was checked in the function it comes from.
  const bool isOutlined = isOutlinedTask(function);
  llvm::DenseSet<Value> layoutFree;
  for (BlockArgument argument : function.getArguments()) {
    if (!function.getArgAttr(argument.getArgNumber(),
                             mlir::schedule::kLayoutFreeAttrName))
      continue;
    StringRef reason;
    if (!isOutlined && (!function.isPublic() ||
                        !SymbolTable::symbolKnownUseEmpty(function, module)))
      reason = "its function is called from within the module";
    else if (!argument.hasOneUse())
      reason = "it is not used exactly once";
    if (reason.empty()) {
      layoutFree.insert(argument);
      // What is computed of it beforehand can be laid out beforehand, too.
      if (auto op = dyn_cast<linalg::LinalgOp>(*argument.user_begin());
          op && op->getNumResults() == 1 && op->getResult(0).hasOneUse() &&
          isPackedBefore(op))
        layoutFree.insert(op->getResult(0));
    } else if (remarks)
      emitRemark(argument.getLoc())
          << "argument #" << argument.getArgNumber() << " of @"
          << function.getName() << " keeps its layout: " << reason;
  }
  return layoutFree;
}
