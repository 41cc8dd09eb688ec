//===- MoveChannels.cpp - Moves of few channels ---------------------------===//
//
// A picture that gets a fourth channel, or loses it, is copied three elements
// at a time, as these are what is side by side in both. As an op with a loop
// over channels it is vectors of several pixels, whose elements are shuffled
// (Codegen/ShortRows.cpp):
//
//   result[h, w, c]  =  c == 0 ? red[h, w] : c == 1 ? green[h, w] : ...
//
// where each channel is a slice of a picture, or a constant. So are pads,
// concatenations and slices written that end in what a function returns: others
// may be a part of what reads them. A single channel at a time is moved well as
// it is.
//
//===----------------------------------------------------------------------===//

#include "MoveChannels.h"
#include "StackParts.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// More channels are moved in vectors as they are.
static constexpr int64_t kMostChannels = 8;
/// Pixels of a line, at least: elements of a vector of most machines.
static constexpr int64_t kFewestPixels = 16;

namespace {
/// What channels of a result are.
struct Channels {
  /// A picture and its channel each; of no picture is what is padded.
  SmallVector<std::pair<Value, int64_t>> sources;
  TypedAttr padding;

  void add(Value source, int64_t first, int64_t count, int64_t stride = 1) {
    for (int64_t i = 0; i < count; ++i)
      sources.push_back({source, first + i * stride});
  }
};
} // namespace

static int64_t countChannels(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape().back();
}

/// Channels are added by `pad`, and nothing else.
static std::optional<Channels> matchPad(tensor::PadOp pad) {
  const int64_t last = pad.getSourceType().getRank() - 1;
  auto isZero = [](int64_t size) { return size == 0; };
  Channels channels;
  const int64_t low = pad.getStaticLow()[last],
                high = pad.getStaticHigh()[last];
  // Less than none is a slice; a size that is not known is less than none.
  if (low < 0 || high < 0 || low + high == 0 ||
      countChannels(pad.getSource()) == 1 || pad.getNofold() ||
      !pad.getConstantPaddingValue() ||
      !matchPattern(pad.getConstantPaddingValue(),
                    m_Constant(&channels.padding)) ||
      !llvm::all_of(pad.getStaticLow().take_front(last), isZero) ||
      !llvm::all_of(pad.getStaticHigh().take_front(last), isZero))
    return std::nullopt;
  channels.add({}, 0, low);
  channels.add(pad.getSource(), 0, countChannels(pad.getSource()));
  channels.add({}, 0, high);
  return channels;
}

static std::optional<Channels> matchConcatenation(tensor::ConcatOp concat) {
  if (concat.getDim() + 1 != uint64_t(concat.getResultType().getRank()) ||
      llvm::all_of(concat.getInputs(),
                   [](Value part) { return countChannels(part) == 1; }))
    return std::nullopt;
  Channels channels;
  for (Value part : concat.getInputs())
    channels.add(part, 0, countChannels(part));
  return channels;
}

/// Channels are left out by `slice`, and nothing else.
static std::optional<Channels> matchSlice(tensor::ExtractSliceOp slice) {
  const ArrayRef<int64_t> from = slice.getSourceType().getShape(),
                          to = slice.getType().getShape();
  const int64_t last = from.size() - 1;
  if (from.size() != to.size() || from.drop_back() != to.drop_back() ||
      from.back() > kMostChannels || to.back() == 1 ||
      from.back() == to.back() ||
      ShapedType::isDynamic(slice.getStaticOffsets()[last]) ||
      ShapedType::isDynamic(slice.getStaticStrides()[last]))
    return std::nullopt;
  Channels channels;
  channels.add(slice.getSource(), slice.getStaticOffsets()[last], to.back(),
               slice.getStaticStrides()[last]);
  return channels;
}

static std::optional<Channels> matchChannels(Operation *op) {
  if (op->getNumResults() != 1 ||
      !llvm::all_of(op->getUsers(), llvm::IsaPred<func::ReturnOp>))
    return std::nullopt;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  auto hasShape = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  if (!type || type.getRank() < 2 || !isLaneType(type.getElementType()) ||
      !llvm::all_of(op->getOperandTypes(), hasShape) ||
      !type.hasStaticShape() || type.getNumElements() == 0 ||
      type.getShape().back() > kMostChannels ||
      type.getShape()[type.getRank() - 2] < kFewestPixels)
    return std::nullopt;
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return matchPad(pad);
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return matchConcatenation(concat);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return matchSlice(slice);
  return std::nullopt;
}

static void move(RewriterBase &rewriter, Operation *op,
                 const Channels &channels) {
  rewriter.setInsertionPoint(op);
  const Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  const int64_t last = type.getRank() - 1;
  SmallVector<Value> inputs;
  for (auto [source, channel] : channels.sources)
    if (source)
      inputs.push_back(takePlace(rewriter, loc, source, last, channel));
  const AffineMap all = rewriter.getMultiDimIdentityMap(last + 1);
  SmallVector<AffineMap> maps(inputs.size(), all.dropResult(last));
  maps.push_back(all);
  const Value out = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                            type.getElementType());
  auto build = [&](OpBuilder &builder, Location loc, ValueRange elements) {
    Value padding;
    if (channels.padding)
      padding = arith::ConstantOp::create(builder, loc, channels.padding);
    SmallVector<Value> values;
    for (auto [source, channel] : channels.sources) {
      values.push_back(source ? elements.front() : padding);
      if (source)
        elements = elements.drop_front();
    }
    linalg::YieldOp::create(builder, loc,
                            selectPlace(builder, loc, last, values));
  };
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, type, inputs, out, maps,
      SmallVector<utils::IteratorType>(last + 1, utils::IteratorType::parallel),
      build);
}

bool sched::moveChannels(func::FuncOp function) {
  SmallVector<std::pair<Operation *, Channels>> found;
  for (Operation &op : function.getBody().getOps())
    if (std::optional<Channels> channels = matchChannels(&op))
      found.push_back({&op, *channels});
  IRRewriter rewriter(function.getContext());
  for (auto &[op, channels] : found)
    move(rewriter, op, channels);
  return !found.empty();
}
