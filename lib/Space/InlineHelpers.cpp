//===- InlineHelpers.cpp - Functions that others call ---------------------===//
//
// Front ends make functions of what is computed more than once, such as an
// activation behind each product, or a layer. What calls them has their ops in
// the place of the calls, so that an op is fused with its neighbours wherever
// they were written:
//
//   %p = linalg.matmul ...
//   %r = call @relu(%p)
//
// becomes one task. What is computed several times is one task nevertheless,
// as tasks that are alike are tuned once.
//
//===----------------------------------------------------------------------===//

#include "InlineHelpers.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

void sched::inlineCall(func::CallOp call, func::FuncOp callee) {
  Block &body = callee.getBody().front();
  IRMapping mapping;
  mapping.map(body.getArguments(), call.getOperands());
  OpBuilder builder(call);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

/// Whether `callee` may be put in the place of its calls. A mark of an argument
/// would be lost; that it is of no use where the function is called is said
/// later.
static bool isHelper(func::FuncOp callee) {
  return !isOutlinedTask(callee) && callee.getBody().hasOneBlock() &&
         !callee.getNoInline() &&
         llvm::none_of(callee.getArguments(), [&](BlockArgument argument) {
           return bool(callee.getArgAttr(argument.getArgNumber(),
                                         mlir::schedule::kLayoutFreeAttrName));
         });
}

llvm::SmallPtrSet<Operation *, 8>
sched::inlineHelpers(ModuleOp module,
                     SmallVectorImpl<func::FuncOp> &functions) {
  llvm::SmallPtrSet<Operation *, 8> helpers, called, changed;
  for (func::FuncOp function : functions)
    if (isHelper(function))
      helpers.insert(function);
  SymbolTableCollection symbols;
  for (func::FuncOp function : functions) {
    if (isOutlinedTask(function))
      continue;
    // What is put in may have calls of its own.
    for (bool again = true; again;) {
      again = false;
      function.walk([&](func::CallOp call) {
        auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
            call, call.getCalleeAttr());
        if (call.getNoInline() || !helpers.contains(callee))
          return;
        inlineCall(call, callee);
        called.insert(callee);
        changed.insert(function);
        again = true;
      });
    }
  }
  // Those that are called by others that are erased come later.
  for (bool again = true; again;) {
    again = false;
    llvm::erase_if(functions, [&](func::FuncOp function) {
      if (!function.isPrivate() || !called.contains(function) ||
          !SymbolTable::symbolKnownUseEmpty(function, module))
        return false;
      changed.erase(function);
      function.erase();
      return again = true;
    });
  }
  return changed;
}
