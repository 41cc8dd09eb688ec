//===- FuseElementwise.cpp - One op of each elementwise chain -------------===//

#include "SchedOpt/Dialect/Schedule/Transforms/FuseElementwise.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// Marks the op that keeps its operands.
static constexpr llvm::StringLiteral kApartAttrName = "schedule.apart";

/// Upstream's pass, but that operands of marked ops stay as they are. A script
/// has the same from slices in between, which are gone afterwards.
static LogicalResult fuseApart(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  const linalg::ControlFusionFn control = [](OpOperand *operand) {
    Operation *producer = operand->get().getDefiningOp();
    return producer && producer->hasOneUse() &&
           !operand->getOwner()->hasAttr(kApartAttrName);
  };
  RewritePatternSet patterns(context);
  linalg::populateElementwiseOpsFusionPatterns(patterns, control);
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, control);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  context->getLoadedDialect<linalg::LinalgDialect>()
      ->getCanonicalizationPatterns(patterns);
  linalg::populateConstantFoldLinalgOperations(patterns, control);
  return applyPatternsGreedily(function, std::move(patterns));
}

LogicalResult
schedule::fuseElementwise(func::FuncOp function,
                          llvm::ArrayRef<llvm::StringRef> generalize,
                          std::optional<OpPosition> apart) {
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
  unsigned number = 0;
  function.walk([&](linalg::LinalgOp op) {
    if (apart && op->getName().getStringRef() == apart->name &&
        number++ == apart->number)
      op->setAttr(kApartAttrName, UnitAttr::get(op.getContext()));
  });
  PassManager pm(function.getContext(), func::FuncOp::getOperationName());
  if (!apart)
    pm.addPass(createLinalgElementwiseOpFusionPass());
  else if (failed(fuseApart(function)))
    return failure();
  pm.addPass(createCanonicalizerPass());
  const LogicalResult result = pm.run(function);
  function.walk([](Operation *op) { op->removeAttr(kApartAttrName); });
  return result;
}
