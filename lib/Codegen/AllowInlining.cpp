//===- AllowInlining.cpp - Calls that were to stay until now --------------===//
//
// `no_inline` keeps a function out of those that call it until tasks are cut. A
// kernel has no calls: each would bring its own buffers, and wait for them.
//
//===----------------------------------------------------------------------===//

#include "AllowInlining.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

namespace sched {
#define GEN_PASS_DEF_ALLOWINLININGPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

namespace {
struct AllowInlining : sched::impl::AllowInliningPassBase<AllowInlining> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto function = dyn_cast<func::FuncOp>(op))
        function.setNoInline(false);
      else if (auto call = dyn_cast<func::CallOp>(op))
        call.setNoInline(false);
    });
  }
};
} // namespace

void sched::addInlining(OpPassManager &pm) {
  pm.addPass(createAllowInliningPass());
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
}
