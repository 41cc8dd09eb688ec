//===- LoopOps.cpp - Upstream actions with parameters ---------------------===//

#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::schedule;

LogicalResult UnrollOp::expand(RewriterBase &rewriter) {
  FailureOr<int64_t> factor = getConstantParam(getFactor());
  if (failed(factor))
    return emitOpError("has a factor that is not constant");
  if (*factor < 1)
    return emitOpError("needs a factor of at least 1; found ") << *factor;
  if (*factor == 1)
    return success();
  transform::LoopUnrollOp::create(rewriter, getLoc(), getLoops(),
                                  rewriter.getI64IntegerAttr(*factor));
  return success();
}

LogicalResult InterchangeOp::verify() {
  if (getOrder().empty())
    return emitOpError("needs one position a dimension");
  return success();
}

LogicalResult InterchangeOp::expand(RewriterBase &rewriter) {
  FailureOr<SmallVector<int64_t>> order = getConstantParams(getOrder());
  if (failed(order))
    return emitOpError("has an order that is not constant");
  SmallVector<int64_t> sorted(*order);
  llvm::sort(sorted);
  for (auto [position, value] : llvm::enumerate(sorted))
    if (value != static_cast<int64_t>(position))
      return emitOpError("needs a permutation of its dimensions; found ")
             << printValues(*order);
  Value result = getTarget();
  if (!llvm::is_sorted(*order))
    result = transform::InterchangeOp::create(rewriter, getLoc(), getType(),
                                              getTarget(), *order);
  rewriter.replaceAllUsesWith(getTransformed(), result);
  return success();
}
