//===- WidenSums.cpp - Sums of 16 bits, computed in f32 -------------------===//

#include "WidenSums.h"
#include "Rounding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace sched;

static bool isNarrow(Type type) {
  return getElementTypeOrSelf(type).isF16() ||
         getElementTypeOrSelf(type).isBF16();
}

/// `tensor` with elements of `element`.
static Value castElements(OpBuilder &b, Location loc, Value tensor,
                          Type element) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, tensor);
  Value empty = tensor::EmptyOp::create(b, loc, sizes, element);
  const unsigned rank = sizes.size();
  const AffineMap map = b.getMultiDimIdentityMap(rank);
  return linalg::GenericOp::create(
             b, loc, empty.getType(), tensor, empty,
             ArrayRef<AffineMap>{map, map},
             SmallVector<utils::IteratorType>(rank,
                                              utils::IteratorType::parallel),
             [&](OpBuilder &nested, Location nestedLoc, ValueRange arguments) {
               Value value =
                   isNarrow(element)
                       ? arith::TruncFOp::create(nested, nestedLoc, element,
                                                 arguments.front())
                             .getResult()
                       : arith::ExtFOp::create(nested, nestedLoc, element,
                                               arguments.front())
                             .getResult();
               linalg::YieldOp::create(nested, nestedLoc, value);
             })
      .getResult(0);
}

/// Gives all arithmetic in `block` on floats of 16 bits the type f32.
static LogicalResult widenBody(Block &block, OpBuilder &b) {
  const Type wide = b.getF32Type();
  auto widenAfter = [&](Value value) {
    Operation *cast = arith::ExtFOp::create(b, value.getLoc(), wide, value);
    value.replaceAllUsesExcept(cast->getResult(0), cast);
  };
  b.setInsertionPointToStart(&block);
  for (BlockArgument argument : block.getArguments())
    if (isNarrow(argument.getType()))
      widenAfter(argument);
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (op.getNumRegions() != 0 || isa<arith::BitcastOp>(op))
      return failure();
    // The casts made above.
    if (auto cast = dyn_cast<arith::ExtFOp>(op);
        cast && isa<BlockArgument>(cast.getIn()))
      continue;
    const bool isArithmetic =
        isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) &&
        !isa<arith::ConstantOp>(op);
    b.setInsertionPoint(&op);
    if (isArithmetic)
      for (OpOperand &operand : op.getOpOperands())
        if (isNarrow(operand.get().getType()))
          operand.set(
              arith::ExtFOp::create(b, op.getLoc(), wide, operand.get()));
    for (Value result : op.getResults()) {
      if (!isNarrow(result.getType()))
        continue;
      if (isArithmetic) {
        result.setType(wide);
        continue;
      }
      b.setInsertionPointAfter(&op);
      widenAfter(result);
    }
    // What widened or rounded is f32 already.
    if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
        op.getOperand(0).getType() == op.getResult(0).getType()) {
      op.getResult(0).replaceAllUsesWith(op.getOperand(0));
      op.erase();
    }
  }
  Operation *yield = block.getTerminator();
  b.setInsertionPoint(yield);
  for (OpOperand &operand : yield->getOpOperands())
    if (isNarrow(operand.get().getType()))
      operand.set(
          arith::ExtFOp::create(b, yield->getLoc(), wide, operand.get()));
  return success();
}

static LogicalResult widenSum(linalg::GenericOp op, IRRewriter &rewriter) {
  const Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inits;
  for (Value init : op.getOutputs())
    inits.push_back(
        isNarrow(init.getType())
            ? castElements(rewriter, loc, init, rewriter.getF32Type())
            : init);
  auto widened = linalg::GenericOp::create(
      rewriter, loc, ValueRange(inits).getTypes(), op.getInputs(), inits,
      op.getIndexingMapsArray(), op.getIteratorTypesArray());
  rewriter.inlineRegionBefore(op.getRegion(), widened.getRegion(),
                              widened.getRegion().end());
  if (failed(widenBody(*widened.getBody(), rewriter)))
    return failure();
  // The body's casts of its sums read f32 now.
  for (BlockArgument sum : widened.getRegionOutputArgs()) {
    if (!isNarrow(sum.getType()))
      continue;
    sum.setType(rewriter.getF32Type());
    for (Operation *user : llvm::make_early_inc_range(sum.getUsers()))
      if (isa<arith::ExtFOp>(user)) {
        user->getResult(0).replaceAllUsesWith(sum);
        user->erase();
      }
  }
  rewriter.setInsertionPointAfter(widened);
  SmallVector<Value> results;
  for (auto [result, old] :
       llvm::zip_equal(widened.getResults(), op.getResults()))
    results.push_back(result.getType() == old.getType()
                          ? Value(result)
                          : castElements(rewriter, loc, result,
                                         getElementTypeOrSelf(old.getType())));
  rewriter.replaceOp(op, results);
  return success();
}

static void widenSoftmax(linalg::SoftmaxOp op, IRRewriter &rewriter) {
  const Location loc = op.getLoc();
  const Type narrow = getElementTypeOrSelf(op.getOutput().getType());
  rewriter.setInsertionPoint(op);
  Value input =
      castElements(rewriter, loc, op.getInput(), rewriter.getF32Type());
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, input),
      rewriter.getF32Type());
  Value result = linalg::SoftmaxOp::create(rewriter, loc, empty.getType(),
                                           input, empty, op.getDimension())
                     ->getResult(0);
  rewriter.replaceOp(op, castElements(rewriter, loc, result, narrow));
}

LogicalResult sched::widenSums(func::FuncOp function) {
  SmallVector<Operation *> sums;
  function->walk([&](Operation *op) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    auto isNarrowSum = [](Operation &inner) {
      return rounds(&inner) && inner.getNumResults() == 1 &&
             isNarrow(inner.getResult(0).getType());
    };
    if (isa<linalg::SoftmaxOp>(op)
            ? isNarrowSum(*op)
            : structured && structured.getNumReductionLoops() &&
                  llvm::any_of(*structured.getBlock(), isNarrowSum))
      sums.push_back(op);
  });
  IRRewriter rewriter(function.getContext());
  for (Operation *op : sums) {
    if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op)) {
      if (!softmax.hasPureTensorSemantics())
        return failure();
      widenSoftmax(softmax, rewriter);
      continue;
    }
    auto structured = cast<linalg::LinalgOp>(op);
    if (!structured.hasPureTensorSemantics())
      return failure();
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> general =
          linalg::generalizeNamedOp(rewriter, structured);
      if (failed(general))
        return failure();
      generic = *general;
    }
    if (failed(widenSum(generic, rewriter)))
      return failure();
  }
  return success();
}
