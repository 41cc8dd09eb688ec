//===- SinkPads.cpp - One padded image at a time --------------------------===//
//
// A step after SkipPadding.cpp. Where a loop reads the images of a padded batch
// one after the other, it pads each when its turn has come: the copy is still
// in a cache when it is read, and each thread makes those that it needs.
// Read next: MoveLines.h, how a pad becomes loops.
//
//===----------------------------------------------------------------------===//

#include "IndexSum.h"
#include "MoveLines.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace sched {
#define GEN_PASS_DEF_SINKPADSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

namespace {
/// What an op reads of one dimension of a padded tensor.
struct Reach {
  IndexSum begin;
  int64_t extent = 1;
};

/// An op that reads a padded tensor, in the dimensions before the first that is
/// padded.
struct PadRead {
  Operation *op = nullptr;
  SmallVector<Reach> reaches;
};

/// What the iterations of a loop read of one dimension: `size` elements from
/// `begin` on, which is a sum of values that are there in each iteration.
struct Window {
  IndexSum begin;
  int64_t size = 0;
};
} // namespace

/// Dimensions before the first that is padded.
static int64_t countWholeDims(tensor::PadOp pad) {
  int64_t dim = 0;
  while (dim != pad.getSourceType().getRank() &&
         pad.getSourceType().getDimSize(dim) ==
             pad.getResultType().getDimSize(dim) &&
         pad.getStaticLow()[dim] == 0)
    ++dim;
  return dim;
}

/// None where `op` may read anything of `padded`.
static std::optional<PadRead> getRead(Operation *op, Value padded,
                                      int64_t dims) {
  PadRead read{op, {}};
  if (auto vector = dyn_cast<vector::TransferReadOp>(op)) {
    const AffineMap map = vector.getPermutationMap();
    for (int64_t dim = 0; dim != dims; ++dim) {
      Reach reach;
      const auto lane =
          map.getResultPosition(getAffineDimExpr(dim, op->getContext()));
      if (lane) {
        if (!vector.isDimInBounds(*lane))
          return std::nullopt;
        reach.extent = vector.getVectorType().getDimSize(*lane);
      }
      if (!reach.begin.add(vector.getIndices()[dim], 1))
        return std::nullopt;
      read.reaches.push_back(std::move(reach));
    }
    return read;
  }
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  if (!slice || slice.getSource() != padded)
    return std::nullopt;
  for (int64_t dim = 0; dim != dims; ++dim) {
    Reach reach;
    reach.extent = slice.getStaticSizes()[dim];
    const OpFoldResult offset = slice.getMixedOffsets()[dim];
    if (ShapedType::isDynamic(reach.extent) || !slice.hasUnitStride())
      return std::nullopt;
    if (auto number = getConstantIntValue(offset))
      reach.begin.constant = *number;
    else if (!reach.begin.add(cast<Value>(offset), 1))
      return std::nullopt;
    read.reaches.push_back(std::move(reach));
  }
  return read;
}

/// The window of all `reads` in dimension `dim`, in an iteration of `loop`;
/// none where they differ in more than a constant interval.
static std::optional<Window> getWindow(LoopLikeOpInterface loop,
                                       ArrayRef<PadRead> reads, int64_t dim) {
  Window window;
  std::optional<Interval> spread;
  for (const PadRead &read : reads) {
    const Reach &reach = read.reaches[dim];
    IndexSum fixed, moving;
    moving.constant = reach.begin.constant;
    for (auto [value, factor] : reach.begin.terms)
      (loop.isDefinedOutsideOfLoop(value) ||
               llvm::is_contained(*loop.getLoopInductionVars(), value)
           ? fixed
           : moving)
          .terms[value] += factor;
    auto interval = moving.getInterval();
    if (!interval)
      return std::nullopt;
    interval->most += reach.extent - 1;
    if (!spread) {
      window.begin = fixed;
      spread = interval;
      continue;
    }
    if (fixed.terms.size() != window.begin.terms.size() ||
        !llvm::all_of(fixed.terms, [&](const auto &term) {
          return window.begin.terms.lookup(term.first) == term.second;
        }))
      return std::nullopt;
    spread->least = std::min(spread->least, interval->least);
    spread->most = std::max(spread->most, interval->most);
  }
  window.begin.constant = spread->least;
  window.size = spread->most - spread->least + 1;
  return window;
}

/// The windows of an iteration of `loop` in the dimensions of these `extents`,
/// if no two iterations share any of them; empty otherwise.
static SmallVector<Window> getOwnWindows(LoopLikeOpInterface loop,
                                         ArrayRef<PadRead> reads,
                                         ArrayRef<int64_t> extents) {
  SmallVector<Window> windows;
  for (int64_t dim = 0, dims = extents.size(); dim != dims; ++dim) {
    auto window = getWindow(loop, reads, dim);
    if (!window)
      return {};
    windows.push_back(std::move(*window));
  }
  // A read that no iteration comes to may be thought to be outside.
  for (auto [window, extent] : llvm::zip(windows, extents)) {
    auto range = window.begin.getInterval();
    if (!range || range->least < 0 || range->most + window.size > extent)
      return {};
  }
  auto steps = loop.getLoopSteps();
  if (!steps)
    return {};
  for (auto [index, step] : llvm::zip(*loop.getLoopInductionVars(), *steps)) {
    auto number = getConstantIntValue(step);
    if (!number || llvm::none_of(windows, [&, index = index](const Window &w) {
          return w.begin.terms.lookup(index) * *number >= w.size;
        }))
      return {};
  }
  return windows;
}

/// The loops around all `reads` below the pad's block, outermost first.
static SmallVector<LoopLikeOpInterface>
getCommonLoops(tensor::PadOp pad, ArrayRef<PadRead> reads) {
  SmallVector<LoopLikeOpInterface> loops;
  Operation *common = nullptr;
  for (const PadRead &read : reads)
    while (common ? !common->isAncestor(read.op) : true) {
      common = common ? common->getParentOp() : read.op;
      if (common == pad->getParentOp())
        return {};
    }
  for (; common != pad->getParentOp(); common = common->getParentOp())
    if (isa<scf::ForOp, scf::ForallOp>(common))
      loops.insert(loops.begin(), cast<LoopLikeOpInterface>(common));
    else if (!isa<vector::TransferReadOp, tensor::ExtractSliceOp>(common))
      return {};
  return loops;
}

static OpFoldResult toIndex(OpBuilder &builder, Location loc,
                            const IndexSum &sum) {
  AffineExpr expr = builder.getAffineConstantExpr(sum.constant);
  SmallVector<OpFoldResult> values;
  for (auto [value, factor] : sum.terms) {
    expr = expr + builder.getAffineDimExpr(values.size()) * factor;
    values.push_back(value);
  }
  return affine::makeComposedFoldedAffineApply(
      builder, loc, AffineMap::get(values.size(), 0, expr), values);
}

/// What `reach` begins at, counted from `window`.
static OpFoldResult getPlace(OpBuilder &builder, Location loc,
                             const Reach &reach, const Window &window) {
  IndexSum place = reach.begin;
  place.constant -= window.begin.constant;
  for (auto [value, factor] : window.begin.terms)
    place.terms.erase(value);
  return toIndex(builder, loc, place);
}

/// Pads `windows` of the image in `loop` instead.
static void sink(OpBuilder &builder, tensor::PadOp pad,
                 LoopLikeOpInterface loop, ArrayRef<Window> windows,
                 ArrayRef<PadRead> reads) {
  const Location loc = pad.getLoc();
  const RankedTensorType source = pad.getSourceType();
  builder.setInsertionPointToStart(&loop.getLoopRegions().front()->front());
  SmallVector<OpFoldResult> offsets(source.getRank(), builder.getIndexAttr(0)),
      sizes = getAsIndexOpFoldResult(pad.getContext(), source.getShape()),
      strides(source.getRank(), builder.getIndexAttr(1));
  SmallVector<int64_t> padded(pad.getResultType().getShape());
  for (auto [dim, window] : llvm::enumerate(windows)) {
    offsets[dim] = toIndex(builder, loc, window.begin);
    sizes[dim] = builder.getIndexAttr(window.size);
    padded[dim] = window.size;
  }
  Value slice = tensor::ExtractSliceOp::create(builder, loc, pad.getSource(),
                                               offsets, sizes, strides);
  auto type = RankedTensorType::get(padded, source.getElementType());
  auto own = tensor::PadOp::create(
      builder, loc, type, slice, pad.getMixedLowPad(), pad.getMixedHighPad(),
      pad.getConstantPaddingValue(), pad.getNofold());
  for (const PadRead &read : reads) {
    builder.setInsertionPoint(read.op);
    SmallVector<OpFoldResult> places;
    for (auto [reach, window] : llvm::zip(read.reaches, windows))
      places.push_back(getPlace(builder, loc, reach, window));
    if (auto vector = dyn_cast<vector::TransferReadOp>(read.op)) {
      vector.getBaseMutable().assign(own.getResult());
      for (auto [dim, place] : llvm::enumerate(places))
        vector.getIndicesMutable()[dim].assign(
            getValueOrCreateConstantIndexOp(builder, loc, place));
      continue;
    }
    auto old = cast<tensor::ExtractSliceOp>(read.op);
    SmallVector<OpFoldResult> from = old.getMixedOffsets();
    llvm::copy(places, from.begin());
    Value part = tensor::ExtractSliceOp::create(
        builder, loc, old.getType(), own.getResult(), from, old.getMixedSizes(),
        old.getMixedStrides());
    old.replaceAllUsesWith(part);
    old.erase();
  }
}

/// Leaves `pad` alone where not all of its reads are in such a loop.
static void sinkPad(OpBuilder &builder, tensor::PadOp pad) {
  auto isStatic = [](int64_t size) { return !ShapedType::isDynamic(size); };
  Value padding = pad.getConstantPaddingValue();
  if (!padding || !pad.getSourceType().hasStaticShape() ||
      !pad.getResultType().hasStaticShape() ||
      !llvm::all_of(pad.getStaticLow(), isStatic) ||
      isComputedInPlace(pad.getSource()))
    return;
  const int64_t dims = countWholeDims(pad);
  SmallVector<PadRead> reads;
  for (Operation *user : pad->getUsers()) {
    auto read = getRead(user, pad.getResult(), dims);
    if (!read)
      return;
    reads.push_back(std::move(*read));
  }
  LoopLikeOpInterface best;
  SmallVector<Window> windows;
  for (LoopLikeOpInterface loop : getCommonLoops(pad, reads)) {
    auto own = getOwnWindows(loop, reads,
                             pad.getSourceType().getShape().take_front(dims));
    if (own.empty())
      break;
    best = loop;
    windows = std::move(own);
  }
  if (!best)
    return;
  // The constant may be in the region, which goes with the pad.
  if (Operation *constant = padding.getDefiningOp();
      constant && pad->isProperAncestor(constant))
    constant->moveBefore(pad);
  sink(builder, pad, best, windows, reads);
  pad.erase();
}

namespace {
struct SinkPads : sched::impl::SinkPadsPassBase<SinkPads> {
  void runOnOperation() override {
    SmallVector<tensor::PadOp> pads;
    getOperation()->walk([&](tensor::PadOp pad) { pads.push_back(pad); });
    OpBuilder builder(&getContext());
    for (tensor::PadOp pad : pads)
      sinkPad(builder, pad);
  }
};
} // namespace
