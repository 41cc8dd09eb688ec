//===- LayoutFree.cpp - Arguments whose layout is free --------------------===//

#include "LayoutFree.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// What is computed of `value`, which has one use, beforehand can be laid out
/// beforehand, too; another look at the same elements, or zeros around them,
/// all the more.
static void insertPacked(Value value, llvm::DenseSet<Value> &layoutFree) {
  do {
    Operation *user = *value.user_begin();
    if (user->getNumResults() != 1 ||
        !(isMovedBefore(user) ||
          isPackedBefore(dyn_cast<linalg::LinalgOp>(user))))
      return;
    value = user->getResult(0);
    if (value.hasOneUse())
      layoutFree.insert(value);
  } while (value.hasOneUse());
}

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
    else if (llvm::all_of(argument.getUsers(),
                          llvm::IsaPred<tensor::ExtractSliceOp>) &&
             !argument.use_empty() && !argument.hasOneUse())
      reason = "slices of it are used";
    else if (!argument.hasOneUse())
      reason = "it is not used exactly once; it is packed beforehand all the "
               "same if its readers pack it alike, which the header then says";
    if (reason.empty()) {
      layoutFree.insert(argument);
      insertPacked(argument, layoutFree);
    } else if (remarks)
      emitRemark(argument.getLoc())
          << "argument #" << argument.getArgNumber() << " of @"
          << function.getName() << " keeps its layout: " << reason;
  }
  return layoutFree;
}
