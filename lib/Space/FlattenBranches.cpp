//===- FlattenBranches.cpp - Selects in place of branches -----------------===//
//
// Upstream vectorises no op whose body has a branch. Where neither side has an
// effect or can fail, both are computed, and their results selected.
//
//===----------------------------------------------------------------------===//

#include "FlattenBranches.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

static bool canAlwaysCompute(Block *block) {
  return llvm::all_of(block->without_terminator(),
                      [](Operation &op) { return isPure(&op); });
}

static void flatten(scf::IfOp branch) {
  IRRewriter rewriter(branch);
  SmallVector<Value> results;
  Operation *thenYield = branch.thenYield(), *elseYield = branch.elseYield();
  rewriter.inlineBlockBefore(branch.thenBlock(), branch);
  rewriter.inlineBlockBefore(branch.elseBlock(), branch);
  rewriter.setInsertionPoint(branch);
  for (auto [yes, no] :
       llvm::zip_equal(thenYield->getOperands(), elseYield->getOperands()))
    results.push_back(arith::SelectOp::create(rewriter, branch.getLoc(),
                                              branch.getCondition(), yes, no));
  rewriter.eraseOp(thenYield);
  rewriter.eraseOp(elseYield);
  rewriter.replaceOp(branch, results);
}

bool sched::flattenBranches(func::FuncOp function) {
  bool isChanged = false;
  // From the inside out, so that one around others is flat by then.
  function.walk<WalkOrder::PostOrder>([&](scf::IfOp branch) {
    if (!branch->getParentOfType<linalg::LinalgOp>() ||
        branch.getNumResults() == 0 || !canAlwaysCompute(branch.thenBlock()) ||
        !canAlwaysCompute(branch.elseBlock()))
      return;
    flatten(branch);
    isChanged = true;
  });
  return isChanged;
}
