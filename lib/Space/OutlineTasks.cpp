//===- OutlineTasks.cpp - A function for each task ------------------------===//

#include "SchedOpt/Space/OutlineTasks.h"
#include "LayoutFree.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Space/WorkloadHash.h"
#include "TaskGrouping.h"
#include "TaskInputCheck.h"
#include "TaskOutlining.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace sched;

bool sched::isOutlinedTask(func::FuncOp function) {
  return function.isPrivate() && function->hasAttr(kOutlinedAttrName);
}

/// Whether a call of one can be a call of the other. Tasks with the same
/// workload may still differ in the order of arguments or in their constants.
static bool isSameFunction(func::FuncOp a, func::FuncOp b) {
  return a.getFunctionType() == b.getFunctionType() &&
         a.getArgAttrsAttr() == b.getArgAttrsAttr() &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

namespace {
/// Outlines the tasks of one module.
class Outliner {
public:
  explicit Outliner(ModuleOp module) : module(module), symbols(module) {}

  void run(func::FuncOp function) {
    decomposeSoftmax(function);
    splitSharedInits(function);
    std::vector<TaskGroup> groups = groupTasks(collectLinalgOps(function));
    if (groups.size() == 1 && isWholeFunction(groups.front(), function))
      return;
    // Of the marks as they are now: calls take the arguments' uses over.
    llvm::DenseSet<Value> layoutFree =
        collectLayoutFree(function, module, /*remarks=*/false);
    const Block::iterator place = std::next(Block::iterator(function));
    for (auto [index, group] : llvm::enumerate(groups)) {
      SmallVector<Value> arguments = collectArguments(group);
      OwningOpRef<ModuleOp> task = outlineTask(
          group, (function.getName() + "_" + Twine(index)).str(), layoutFree);
      func::FuncOp callee =
          insert(*task->getOps<func::FuncOp>().begin(), place);
      replace(group, callee, arguments);
    }
  }

private:
  /// Moves `outlined` into the module, or finds its like there.
  func::FuncOp insert(func::FuncOp outlined, Block::iterator place) {
    auto &known = functions[hashWorkload(outlined)];
    for (func::FuncOp function : known)
      if (isSameFunction(function, outlined))
        return function;
    outlined->remove();
    outlined.setPrivate();
    outlined->setAttr(kOutlinedAttrName, UnitAttr::get(outlined.getContext()));
    // Renames where the user has a function of that name.
    symbols.insert(outlined, place);
    known.push_back(outlined);
    return outlined;
  }

  static void replace(const TaskGroup &group, func::FuncOp callee,
                      ValueRange arguments) {
    // All other ops of the group come before the one that computes its result.
    Operation *last = Value(group.result).getDefiningOp();
    OpBuilder builder(last);
    auto call = func::CallOp::create(builder, group.anchor->getLoc(), callee,
                                     arguments);
    Value(group.result).replaceAllUsesWith(call.getResult(0));
    SmallVector<Operation *> ops = collectOps(group);
    for (Operation *op : llvm::reverse(ops))
      op->erase();
  }

  ModuleOp module;
  SymbolTable symbols;
  /// What was outlined, by workload.
  llvm::StringMap<SmallVector<func::FuncOp>> functions;
};
} // namespace

/// Removes the constants and empty tensors that went into the tasks.
static void eraseUnused(func::FuncOp function) {
  function.walk<WalkOrder::PostOrder, mlir::ReverseIterator>([](Operation *op) {
    if (op->getNumResults() == 1 && op->use_empty() &&
        isFreelyCopied(op->getResult(0)))
      op->erase();
  });
}

llvm::Error sched::outlineTasks(ModuleOp module) {
  llvm::Expected<SmallVector<func::FuncOp>> functions =
      checkTaskInput(module, /*remarks=*/false);
  if (!functions)
    return functions.takeError();
  Outliner outliner(module);
  for (func::FuncOp function : *functions) {
    outliner.run(function);
    eraseUnused(function);
  }
  return llvm::Error::success();
}

void sched::inlineTasks(ModuleOp module) {
  SymbolTableCollection symbols;
  SmallVector<func::CallOp> calls;
  module.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls) {
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee || !isOutlinedTask(callee))
      continue;
    Block &body = callee.getBody().front();
    IRMapping mapping;
    mapping.map(body.getArguments(), call.getOperands());
    OpBuilder builder(call);
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping);
    for (auto [result, value] : llvm::zip_equal(
             call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(value));
    call.erase();
  }
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (isOutlinedTask(function))
      function.erase();
}
