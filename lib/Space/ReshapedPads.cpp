//===- ReshapedPads.cpp - Pads behind the reshape of an image -------------===//
//
// A grouped convolution reads an image whose channels are two dimensions,
// groups and what is in them. Where a pad comes before that reshape, it is no
// argument of the convolution's task, and would not be timed with it
// (TaskPads.h).
//
//===----------------------------------------------------------------------===//

#include "ReshapedPads.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// Replaces `expand`, of what `pad` makes for it alone. Returns whether it
/// could.
static bool expandFirst(IRRewriter &rewriter, tensor::ExpandShapeOp expand,
                        tensor::PadOp pad) {
  Value padding = pad.getConstantPaddingValue();
  if (!padding || !pad->hasOneUse() || pad->getBlock() != expand->getBlock() ||
      !pad.getSourceType().hasStaticShape() ||
      !expand.getResultType().hasStaticShape())
    return false;
  SmallVector<OpFoldResult> low, high;
  SmallVector<int64_t> shape;
  const ArrayRef<int64_t> result = expand.getResultType().getShape();
  for (auto [dim, group] : llvm::enumerate(expand.getReassociationIndices())) {
    const int64_t extent = pad.getSourceType().getDimSize(dim);
    if (group.size() == 1) {
      low.push_back(pad.getMixedLowPad()[dim]);
      high.push_back(pad.getMixedHighPad()[dim]);
      shape.push_back(extent);
      continue;
    }
    if (extent != pad.getResultType().getDimSize(dim))
      return false;
    for (int64_t part : group) {
      low.push_back(rewriter.getIndexAttr(0));
      high.push_back(rewriter.getIndexAttr(0));
      shape.push_back(result[part]);
    }
  }
  rewriter.setInsertionPoint(pad);
  // The constant may be in the region, which goes with the pad.
  if (Operation *constant = padding.getDefiningOp();
      constant && pad->isProperAncestor(constant))
    rewriter.moveOpBefore(constant, pad);
  Value image = tensor::ExpandShapeOp::create(
      rewriter, expand.getLoc(), expand.getResultType().clone(shape),
      pad.getSource(), expand.getReassociationIndices());
  rewriter.replaceOpWithNewOp<tensor::PadOp>(expand, expand.getResultType(),
                                             image, low, high, padding,
                                             pad.getNofold());
  rewriter.eraseOp(pad);
  return true;
}

bool sched::padReshapedImages(func::FuncOp function) {
  bool changed = false;
  SmallVector<tensor::ExpandShapeOp> ops;
  function.walk([&](tensor::ExpandShapeOp op) { ops.push_back(op); });
  IRRewriter rewriter(function.getContext());
  for (tensor::ExpandShapeOp expand : ops)
    if (auto pad = expand.getSrc().getDefiningOp<tensor::PadOp>())
      changed |= expandFirst(rewriter, expand, pad);
  return changed;
}
