//===- ReferenceSample.cpp - A part of what is expected -------------------===//

#include "ReferenceSample.h"
#include "SchedOpt/Space/Task.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <algorithm>

using namespace mlir;

namespace sched::worker {

/// A sample that takes more than this times its share is none.
static constexpr double kMostEffort = 8;

/// Sizes of a share of a tensor's elements that are next to each other: one of
/// each outer dimension, some of the next, all of the others.
static SmallVector<int64_t> shareSizes(ArrayRef<int64_t> shape, double share) {
  SmallVector<int64_t> sizes;
  for (int64_t extent : shape) {
    const double wanted = share * static_cast<double>(extent);
    sizes.push_back(std::clamp<int64_t>(static_cast<int64_t>(wanted),
                                        std::min<int64_t>(1, extent), extent));
    share = sizes.back() > 1 ? 1 : wanted;
  }
  return sizes;
}

FailureOr<SmallVector<int64_t>> takeSample(func::FuncOp function, double share,
                                           double position) {
  const double whole = countFlops(function);
  // Of the result that it is the most of.
  double taken = 0;
  SmallVector<int64_t> firsts;
  Operation *end = function.getBody().front().getTerminator();
  OpBuilder builder(end);
  for (OpOperand &result : end->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(result.get().getType());
    if (!type || !type.hasStaticShape())
      return failure();
    const SmallVector<int64_t> sizes = shareSizes(type.getShape(), share);
    taken = std::max(taken, static_cast<double>(computeProduct(sizes)) /
                                std::max<int64_t>(1, type.getNumElements()));
    SmallVector<OpFoldResult> offsets, counts,
        strides(sizes.size(), builder.getIndexAttr(1));
    int64_t first = 0;
    for (auto [size, extent] : llvm::zip_equal(sizes, type.getShape())) {
      const auto offset =
          static_cast<int64_t>(position * static_cast<double>(extent - size));
      first = first * extent + offset;
      offsets.push_back(builder.getIndexAttr(offset));
      counts.push_back(builder.getIndexAttr(size));
    }
    firsts.push_back(first);
    result.set(tensor::ExtractSliceOp::create(
        builder, end->getLoc(), result.get(), offsets, counts, strides));
  }
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           end->getOperandTypes()));
  RewritePatternSet patterns(function.getContext());
  linalg::populateBubbleUpExtractSliceOpPatterns(patterns);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  tensor::populateMergeConsecutiveInsertExtractSlicePatterns(patterns);
  if (failed(applyPatternsGreedily(function, std::move(patterns))))
    return failure();
  if (countFlops(function) > kMostEffort * taken * whole)
    return failure();
  return firsts;
}

} // namespace sched::worker
