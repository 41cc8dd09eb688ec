//===- ChannelMultiplier.cpp - Several results a channel ------------------===//
//
// A depthwise convolution with a channel multiplier has the results of a
// channel side by side: too few for a vector. Where each channel of the image
// stands as often, it is one without a multiplier, whose vectors run along all
// results. The other tensors are only viewed with both dimensions as one.
//
//===----------------------------------------------------------------------===//

#include "ChannelMultiplier.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// With more results a channel than this, they are vectors.
static constexpr int64_t kMostResults = 7;

static RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// All dimensions as they are, but the last two as one.
static SmallVector<ReassociationIndices> joinLast(int64_t rank) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim != rank - 1; ++dim)
    groups.push_back({dim});
  groups.back().push_back(rank - 1);
  return groups;
}

static Value collapse(OpBuilder &builder, Location loc, Value value) {
  return tensor::CollapseShapeOp::create(builder, loc, value,
                                         joinLast(getType(value).getRank()));
}

/// `image` with each element of its last dimension `count` times.
static Value repeat(OpBuilder &builder, Location loc, Value image,
                    int64_t count) {
  const RankedTensorType type = getType(image);
  const int64_t rank = type.getRank();
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(count);
  // A pad is repeated by padding what is.
  auto pad = image.getDefiningOp<tensor::PadOp>();
  Value padding = pad ? pad.getConstantPaddingValue() : Value();
  if (padding && !pad.getNofold() && pad.getSourceType().hasStaticShape() &&
      pad.getSourceType().getDimSize(rank - 1) == type.getDimSize(rank - 1)) {
    Value source = repeat(builder, loc, pad.getSource(), count);
    SmallVector<int64_t> padded(type.getShape());
    padded.back() *= count;
    return tensor::PadOp::create(
        builder, loc, RankedTensorType::get(padded, type.getElementType()),
        source, pad.getMixedLowPad(), pad.getMixedHighPad(), padding);
  }
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  Value repeated = linalg::BroadcastOp::create(builder, loc, image, empty,
                                               ArrayRef<int64_t>{rank})
                       ->getResult(0);
  return collapse(builder, loc, repeated);
}

/// What the convolution starts from, with both dimensions as one.
static Value collapseInit(OpBuilder &builder, Location loc, Value init) {
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (!fill)
    return collapse(builder, loc, init);
  SmallVector<int64_t> shape(getType(init).getShape());
  const int64_t last = shape.pop_back_val();
  shape.back() *= last;
  Value empty = tensor::EmptyOp::create(builder, loc, shape,
                                        getType(init).getElementType());
  return linalg::FillOp::create(builder, loc, fill.getInputs().front(), empty)
      .getResult(0);
}

static bool rewrite(linalg::DepthwiseConv2DNhwcHwcmOp op) {
  const auto type = dyn_cast<RankedTensorType>(
      op->getResultTypes().empty() ? Type() : op->getResultTypes()[0]);
  if (!type || !type.hasStaticShape() ||
      !llvm::all_of(op->getOperandTypes(), [](Type operand) {
        return cast<ShapedType>(operand).hasStaticShape();
      }))
    return false;
  const int64_t results = type.getDimSize(4);
  if (results < 2 || results > kMostResults)
    return false;
  OpBuilder builder(op);
  const Location loc = op.getLoc();
  Value image = repeat(builder, loc, op.getInputs()[0], results);
  Value weights = collapse(builder, loc, op.getInputs()[1]);
  Value init = collapseInit(builder, loc, op.getOutputs()[0]);
  Value made =
      linalg::DepthwiseConv2DNhwcHwcOp::create(
          builder, loc, TypeRange{init.getType()}, ValueRange{image, weights},
          ValueRange{init}, op.getStrides(), op.getDilations())
          ->getResult(0);
  // Readers that want it so take it as it is.
  for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
    if (auto reshape = dyn_cast<tensor::CollapseShapeOp>(user))
      if (reshape.getResultType() == made.getType() &&
          reshape.getReassociationIndices() == joinLast(5)) {
        reshape.replaceAllUsesWith(made);
        reshape.erase();
      }
  if (!op->use_empty())
    op->getResult(0).replaceAllUsesWith(
        tensor::ExpandShapeOp::create(builder, loc, type, made, joinLast(5)));
  op.erase();
  return true;
}

bool sched::repeatChannels(func::FuncOp function) {
  SmallVector<linalg::DepthwiseConv2DNhwcHwcmOp> ops;
  function.walk(
      [&](linalg::DepthwiseConv2DNhwcHwcmOp op) { ops.push_back(op); });
  bool isChanged = false;
  for (linalg::DepthwiseConv2DNhwcHwcmOp op : ops)
    isChanged |= rewrite(op);
  return isChanged;
}
