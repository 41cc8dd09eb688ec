//===- OutlinedNames.cpp - What outlined tasks are called -----------------===//

#include "OutlinedNames.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// The outlined functions that `function` calls, one a call, in program order.
static SmallVector<func::FuncOp> collectOutlined(func::FuncOp function,
                                                 SymbolTable &symbols) {
  SmallVector<func::FuncOp> callees;
  function.walk([&](func::CallOp call) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (callee && isOutlinedTask(callee))
      callees.push_back(callee);
  });
  return callees;
}

/// Each outlined function of `module` that is called with the name of the one
/// of `again` that is called in its place.
static llvm::MapVector<Operation *, StringAttr>
pairOutlined(ModuleOp module, SymbolTable &symbols, ModuleOp again) {
  SymbolTable others(again);
  llvm::MapVector<Operation *, StringAttr> names;
  SmallVector<std::pair<func::FuncOp, func::FuncOp>> pairs;
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (auto other = others.lookup<func::FuncOp>(function.getName());
        other && !isOutlinedTask(function) &&
        !function->hasAttr(kLeftToDefaultAttrName))
      pairs.push_back({function, other});
  // Tasks of blocks call others.
  for (size_t i = 0; i != pairs.size(); ++i) {
    auto [function, other] = pairs[i];
    SmallVector<func::FuncOp> own = collectOutlined(function, symbols),
                              theirs = collectOutlined(other, others);
    if (own.size() != theirs.size())
      continue;
    for (auto [callee, counterpart] : llvm::zip_equal(own, theirs))
      if (names.insert({callee, counterpart.getNameAttr()}).second)
        pairs.push_back({callee, counterpart});
  }
  return names;
}

void sched::takeOutlinedNames(ModuleOp module, ModuleOp again,
                              MutableArrayRef<TaskScript> scripts) {
  SymbolTable symbols(module);
  llvm::MapVector<Operation *, StringAttr> names =
      pairOutlined(module, symbols, again);
  // Not all at once: one may take the name of another.
  names.remove_if([](const auto &named) {
    return SymbolTable::getSymbolName(named.first) == named.second;
  });
  llvm::StringMap<StringAttr> changed;
  for (auto &[function, name] : names) {
    changed[SymbolTable::getSymbolName(function).getValue()] = name;
    [[maybe_unused]] auto renamed = symbols.renameToUnique(function, {});
    assert(succeeded(renamed) && "all uses are in the module");
  }
  for (auto &[function, name] : names) {
    // What was put back as a copy of another may have it.
    if (Operation *other = symbols.lookup(name)) {
      [[maybe_unused]] auto renamed = symbols.renameToUnique(other, {});
      assert(succeeded(renamed) && "all uses are in the module");
    }
    [[maybe_unused]] LogicalResult renamed = symbols.rename(function, name);
    assert(succeeded(renamed) && "the name is free");
  }
  for (TaskScript &task : scripts)
    for (std::string &function : task.functions)
      if (auto name = changed.find(function); name != changed.end())
        function = name->second.str();
}
