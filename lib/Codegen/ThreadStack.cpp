//===- ThreadStack.cpp - Buffers on the stack of a thread -----------------===//
//
// convert-scf-to-openmp wraps what a thread does in an iteration in a scope of
// its own for the stack. A scope is a single block, so loops in one that stays,
// as it has buffers, can become no branches; and it moves the stack pointer in
// each iteration.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"

namespace sched {
#define GEN_PASS_DEF_THREADSTACKPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

namespace {
struct ThreadStack : sched::impl::ThreadStackPassBase<ThreadStack> {
  void runOnOperation() override {
    SmallVector<memref::AllocaScopeOp> scopes;
    getOperation()->walk(
        [&](memref::AllocaScopeOp scope) { scopes.push_back(scope); });
    IRRewriter rewriter(&getContext());
    for (memref::AllocaScopeOp scope : scopes)
      giveToThread(rewriter, scope);
  }

private:
  void giveToThread(IRRewriter &rewriter, memref::AllocaScopeOp scope) {
    Operation *thread = scope->getParentOp();
    while (isa_and_present<omp::LoopNestOp, omp::WsloopOp>(thread))
      thread = thread->getParentOp();
    if (!isa_and_present<omp::ParallelOp>(thread) ||
        scope.getNumResults() != 0 ||
        !llvm::hasSingleElement(scope.getBodyRegion()))
      return;
    Block *body = &scope.getBodyRegion().front();
    SmallVector<memref::AllocaOp> buffers(body->getOps<memref::AllocaOp>());
    // Others would be left to grow the stack in each iteration.
    const WalkResult others = body->walk([&](Operation *op) {
      const bool isOther =
          isa<memref::AllocaOp, LLVM::AllocaOp>(op) &&
          (op->getNumOperands() != 0 || op->getBlock() != body);
      return isOther ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (others.wasInterrupted())
      return;
    Block *begin = &thread->getRegion(0).front();
    for (memref::AllocaOp buffer : llvm::reverse(buffers))
      rewriter.moveOpBefore(buffer, begin, begin->begin());
    rewriter.eraseOp(body->getTerminator());
    rewriter.inlineBlockBefore(body, scope);
    rewriter.eraseOp(scope);
  }
};
} // namespace
