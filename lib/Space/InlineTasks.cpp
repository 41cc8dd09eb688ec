//===- InlineTasks.cpp - Back from functions to one -----------------------===//
//
// Apart from OutlineTasks.cpp, as the builders of candidates need no more.
//
//===----------------------------------------------------------------------===//

#include "InlineHelpers.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

bool sched::isOutlinedTask(func::FuncOp function) {
  return function.isPrivate() && function->hasAttr(kOutlinedAttrName);
}

namespace {
/// Looks for calls in circles among outlined tasks.
class CircleFinder {
public:
  LogicalResult visit(func::FuncOp function) {
    if (done.contains(function))
      return success();
    if (!open.insert(function).second) {
      emitError(function.getLoc())
          << "found the function @" << function.getName() << ", marked "
          << kOutlinedAttrName
          << ", which calls itself; expected one that can be put in the place "
             "of its calls: remove the mark or the recursion";
      return failure();
    }
    const WalkResult result = function.walk([&](func::CallOp call) {
      auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      return !callee || !isOutlinedTask(callee) || succeeded(visit(callee))
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    });
    open.erase(function);
    done.insert(function);
    return failure(result.wasInterrupted());
  }

private:
  SymbolTableCollection symbols;
  /// On the way here, and those without a circle.
  llvm::SmallPtrSet<Operation *, 8> open, done;
};
} // namespace

LogicalResult sched::checkOutlinedTasks(ModuleOp module) {
  CircleFinder finder;
  for (auto function : module.getOps<func::FuncOp>())
    if (isOutlinedTask(function) && failed(finder.visit(function)))
      return failure();
  return success();
}

LogicalResult sched::inlineTasks(ModuleOp module) {
  if (failed(checkOutlinedTasks(module)))
    return failure();
  SymbolTableCollection symbols;
  auto inlineTask = [&](func::CallOp call) {
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee || !isOutlinedTask(callee))
      return false;
    inlineCall(call, callee);
    return true;
  };
  // A body may have such calls of its own.
  for (bool changed = true; changed;) {
    changed = false;
    SmallVector<func::CallOp> calls;
    module.walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls)
      changed |= inlineTask(call);
  }
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (isOutlinedTask(function))
      function.erase();
  return success();
}
