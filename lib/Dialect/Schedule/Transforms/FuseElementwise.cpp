//===- FuseElementwise.cpp - One op of each elementwise chain -------------===//

#include "SchedOpt/Dialect/Schedule/Transforms/FuseElementwise.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

LogicalResult
schedule::fuseElementwise(func::FuncOp function,
                          llvm::ArrayRef<llvm::StringRef> generalize) {
  SmallVector<linalg::LinalgOp> ops;
  function.walk([&](linalg::LinalgOp op) {
    if (llvm::is_contained(generalize, op->getName().getStringRef()) &&
        !isa<linalg::GenericOp>(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(function.getContext());
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::generalizeNamedOp(rewriter, op)))
      return failure();
  }
  PassManager pm(function.getContext(), func::FuncOp::getOperationName());
  pm.addPass(createLinalgElementwiseOpFusionPass());
  pm.addPass(createCanonicalizerPass());
  return pm.run(function);
}
