//===- SinkRows.cpp - The rows of an image at a time ----------------------===//
//
// A step before SinkPads.cpp. Rows that a convolution of few channels copies of
// its image (Space/JoinTaps.cpp) are several times as large: those of a batch
// go through all caches before they are read. Where a loop reads them image by
// image, each iteration copies its own:
//
//   rows = copy(images)                 for n:
//   for n:                        =>      part = copy(images[n])
//     .. rows[n, ..] ..                   .. part[0, ..] ..
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/STLExtras.h"

namespace sched {
#define GEN_PASS_DEF_SINKROWSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

/// Fewer bytes stay in a cache of the second level.
static constexpr int64_t kLeastBytes = 1 << 20;

namespace {
/// A copy of images, and the slices of single ones that are read of it.
struct ImageCopy {
  linalg::GenericOp op;
  SmallVector<tensor::ExtractSliceOp> reads;
  /// Which image, and the loop whose variable that is.
  Value number;
  Operation *loop = nullptr;

  static std::optional<ImageCopy> match(linalg::GenericOp op, int64_t threads);
  void sink() const;

private:
  bool findLoop(int64_t threads);
};
} // namespace

/// Whether image n of the result is what is copied of image n alone, some of it
/// several times.
static bool isOfImages(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getOps<tensor::ExtractOp>().empty() ||
      !op.getDpsInits().front().getDefiningOp<tensor::EmptyOp>())
    return false;
  const auto from =
      dyn_cast<RankedTensorType>(op.getDpsInputs().front().getType());
  // A fill reads a number.
  if (!from)
    return false;
  const auto to = cast<RankedTensorType>(op.getResult(0).getType());
  const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  const AffineExpr image = getAffineDimExpr(0, op.getContext());
  auto isElsewhere = [](AffineExpr index) { return index.isFunctionOfDim(0); };
  return to.getElementType().isIntOrFloat() &&
         to.getNumElements() > from.getNumElements() &&
         to.getNumElements() * to.getElementTypeBitWidth() / 8 >= kLeastBytes &&
         maps[1].isIdentity() && !maps[0].isProjectedPermutation() &&
         maps[0].getNumResults() > 1 && maps[0].getResult(0) == image &&
         llvm::none_of(maps[0].getResults().drop_front(), isElsewhere) &&
         llvm::none_of(op.getOps<linalg::IndexOp>(), [](linalg::IndexOp index) {
           return index.getDim() == 0;
         });
}

/// What `value` is a view of; null if something else reads that, too.
static Value getOwnSource(Value value) {
  while (value.hasOneUse() &&
         isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
             value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value.hasOneUse() ? value : Value();
}

/// Finds the loop over the images, each of which it meets once, and which all
/// threads share.
bool ImageCopy::findLoop(int64_t threads) {
  loop = number.getParentBlock()->getParentOp();
  auto like = dyn_cast<LoopLikeOpInterface>(loop);
  if (!like || !isa<scf::ForOp, scf::ForallOp>(loop) ||
      loop->getBlock() != op->getBlock() ||
      (threads > 1 && !isa<scf::ForallOp>(loop)))
    return false;
  const auto variables = like.getLoopInductionVars();
  const auto begins = like.getLoopLowerBounds(),
             ends = like.getLoopUpperBounds();
  if (!variables || !begins || !ends)
    return false;
  const int64_t images =
      cast<RankedTensorType>(op->getResult(0).getType()).getDimSize(0);
  bool isFound = false;
  for (auto [variable, begin, end] :
       llvm::zip_equal(*variables, *begins, *ends)) {
    const auto first = getConstantIntValue(begin),
               last = getConstantIntValue(end);
    if (!first || !last)
      return false;
    // There is no image for what is beyond, and none is met twice.
    if (variable != number
            ? *last - *first != 1
            : *first < 0 || *last > images || *last - *first < threads)
      return false;
    isFound |= variable == number;
  }
  // Each iteration that meets an image reads it.
  return isFound && llvm::all_of(reads, [&](tensor::ExtractSliceOp read) {
           Operation *around = read->getParentOp();
           while (around != loop && isa<scf::ForOp, scf::ForallOp>(around))
             around = around->getParentOp();
           return around == loop;
         });
}

std::optional<ImageCopy> ImageCopy::match(linalg::GenericOp op,
                                          int64_t threads) {
  // What the loop writes over would have to be copied first.
  if (!isOfImages(op) || !getOwnSource(op.getDpsInputs().front()))
    return std::nullopt;
  ImageCopy copy{op, {}, {}};
  for (Operation *user : op->getUsers()) {
    auto read = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!read || read.getStaticSizes()[0] != 1 || !read.hasUnitStride())
      return std::nullopt;
    const OpFoldResult first = read.getMixedOffsets()[0];
    auto number = dyn_cast_if_present<BlockArgument>(dyn_cast<Value>(first));
    if (!number || (copy.number && copy.number != number))
      return std::nullopt;
    copy.number = number;
    copy.reads.push_back(read);
  }
  if (!copy.number || !copy.findLoop(threads))
    return std::nullopt;
  return copy;
}

/// Image `number` of `images`, or of what they are a view of.
static Value sliceImage(OpBuilder &builder, Location loc, Value images,
                        Value number) {
  auto view = images.getDefiningOp<tensor::CollapseShapeOp>();
  if (view && view.getReassociationIndices().front().size() == 1) {
    Value source = sliceImage(builder, loc, view.getSrc(), number);
    return tensor::CollapseShapeOp::create(builder, loc, source,
                                           view.getReassociationIndices());
  }
  auto type = cast<RankedTensorType>(images.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      sizes = getAsIndexOpFoldResult(builder.getContext(), type.getShape()),
      strides(type.getRank(), builder.getIndexAttr(1));
  offsets[0] = number;
  sizes[0] = builder.getIndexAttr(1);
  return tensor::ExtractSliceOp::create(builder, loc, images, offsets, sizes,
                                        strides);
}

void ImageCopy::sink() const {
  const Location loc = op->getLoc();
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToStart(&loop->getRegion(0).front());
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = 1;
  Value image = sliceImage(builder, loc, op->getOperand(0), number);
  Value empty = tensor::EmptyOp::create(
      builder, loc, shape, type.getElementType(), type.getEncoding());
  Operation *part = clone(builder, op, empty.getType(), {image, empty});
  for (tensor::ExtractSliceOp read : reads) {
    builder.setInsertionPoint(read);
    SmallVector<OpFoldResult> offsets = read.getMixedOffsets();
    offsets[0] = builder.getIndexAttr(0);
    Value moved = tensor::ExtractSliceOp::create(
        builder, read.getLoc(), read.getType(), part->getResult(0), offsets,
        read.getMixedSizes(), read.getMixedStrides());
    read.replaceAllUsesWith(moved);
    read.erase();
  }
  op->erase();
}

namespace {
struct SinkRows : sched::impl::SinkRowsPassBase<SinkRows> {
  using SinkRowsPassBase::SinkRowsPassBase;

  void runOnOperation() override {
    SmallVector<ImageCopy> copies;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (std::optional<ImageCopy> copy = ImageCopy::match(op, threads))
        copies.push_back(*copy);
    });
    for (const ImageCopy &copy : copies)
      copy.sink();
  }
};
} // namespace
