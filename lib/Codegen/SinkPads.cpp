//===- SinkPads.cpp - A part of a padded image at a time ------------------===//
//
// A step after SkipPadding.cpp. Where a loop reads the images of a padded batch
// one after the other, or the lines of a large image from above to below, it
// pads each part when its turn has come: the copy is still in a cache when it
// is read, and each thread makes what it needs, be it all of a small image.
// Read next: MoveLines.h, how a pad becomes loops.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "GatheredRows.h"
#include "MoveLines.h"
#include "ReadWindow.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace sched {
#define GEN_PASS_DEF_SINKPADSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// Bytes of a padded part that stay in a cache of the second level, beside what
/// else a loop reads: a quarter of the smallest there are on servers.
static constexpr int64_t kPartBytes = 1 << 18;

/// Parts of an image overlap where windows do. Of `fresh` lines, so many may be
/// padded twice.
static int64_t getMostOverlap(int64_t fresh) { return fresh / 3; }

namespace {
/// A pad, and what is needed to move it into a loop: its reads, or those of
/// rows that are taken of it or of lines that are joined, how many outer
/// dimensions are looked at, and how many lines are put above the source's. The
/// dimensions are all up to the first that is padded, which is that of lines.
struct Sinking {
  tensor::PadOp pad;
  RankedTensorType source, result;
  int64_t dims = 0, low = 0;
  GatheredRows rows = {};
  /// Lines and what is in them as one dimension, which is what is read.
  tensor::CollapseShapeOp joined = {};
  SmallVector<WindowRead> reads = {};

  /// The first dimension that is padded.
  int64_t lineDim() const { return dims - 1; }
  /// What is read.
  Value getImage() {
    if (joined)
      return joined.getResult();
    return rows.empty() ? pad.getResult() : rows.getResult();
  }
  /// Of the source.
  int64_t countLines() const { return source.getDimSize(lineDim()); }
  /// Bytes of a line: what is inside of the outer dimensions.
  int64_t countLineBytes() const {
    return llvm::product_of(result.getShape().drop_front(dims)) *
           result.getElementTypeBitWidth() / 8;
  }
  int64_t countBytes(ArrayRef<Window> windows) const {
    int64_t bytes = countLineBytes();
    for (const Window &window : windows)
      bytes *= window.size;
    return bytes;
  }
};
} // namespace

/// None where `op` may read anything of `padded`.
static std::optional<WindowRead> getRead(Operation *op, Value padded,
                                         int64_t dims) {
  if (auto vector = dyn_cast<vector::TransferReadOp>(op))
    return getWindowRead(vector, dims);
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  if (!slice || slice.getSource() != padded)
    return std::nullopt;
  WindowRead read{op, {}};
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

/// Whether a part that begins at `begin` has a line of the source in any
/// iteration: its borders are what is left of it.
static bool hasSource(const Sinking &sinking, const Window &window,
                      Interval range) {
  return range.least + window.size > sinking.low &&
         range.most < sinking.low + sinking.countLines();
}

/// The windows of an iteration of `loop`; empty where iterations share too much
/// of them. Lines may overlap a little.
static SmallVector<Window> getOwnWindows(LoopLikeOpInterface loop,
                                         const Sinking &sinking) {
  SmallVector<Window> windows;
  for (int64_t dim = 0; dim != sinking.dims; ++dim) {
    auto window = getWindow(loop, sinking.reads, dim);
    // A read that no iteration comes to may be thought to be outside.
    auto range = window ? window->begin.getInterval() : std::nullopt;
    const int64_t extent = sinking.result.getDimSize(dim);
    if (!range || range->least < 0 || range->most + window->size > extent)
      return {};
    // Borders that are known when it runs need long lines.
    if (dim == sinking.lineDim() && window->size != extent &&
        (!hasSource(sinking, *window, *range) ||
         !hasLongLines(sinking.result, dim)))
      return {};
    windows.push_back(std::move(*window));
  }
  auto steps = loop.getLoopSteps();
  if (!steps)
    return {};
  for (auto [index, step] : llvm::zip(*loop.getLoopInductionVars(), *steps)) {
    auto number = getConstantIntValue(step);
    auto isOwn = [&, index = index](auto numbered) {
      const Window &window = numbered.value();
      const int64_t fresh = window.countFresh(index, *number),
                    overlap = window.size - fresh;
      return fresh > 0 &&
             overlap <= (int64_t(numbered.index()) == sinking.lineDim()
                             ? getMostOverlap(fresh)
                             : 0);
    };
    if (!number || llvm::none_of(llvm::enumerate(windows), isOwn))
      return {};
  }
  return windows;
}

/// Whether iterations of `loop` share lines of their windows.
static bool sharesLines(LoopLikeOpInterface loop, const Window &lines) {
  return llvm::any_of(
      llvm::zip(*loop.getLoopInductionVars(), *loop.getLoopSteps()),
      [&](const auto &pair) {
        auto [index, step] = pair;
        const int64_t fresh =
            lines.countFresh(index, *getConstantIntValue(step));
        return fresh > 0 && lines.size > fresh;
      });
}

/// The loops around all `reads` below the pad's block, outermost first.
static SmallVector<LoopLikeOpInterface>
getCommonLoops(tensor::PadOp pad, ArrayRef<WindowRead> reads) {
  SmallVector<LoopLikeOpInterface> loops;
  Operation *common = nullptr;
  for (const WindowRead &read : reads)
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
  SmallVector<Value> values;
  const AffineExpr expr = sum.getExpr(builder, values);
  return affine::makeComposedFoldedAffineApply(
      builder, loc, AffineMap::get(values.size(), 0, expr),
      getAsOpFoldResult(values));
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

namespace {
/// The part of the source that a window has, and the borders around it.
struct Part {
  OpFoldResult begin, size, low, high;
};
} // namespace

/// In a dimension with borders, which depend on where the window is.
static Part getPart(OpBuilder &builder, Location loc, const Sinking &sinking,
                    const Window &window) {
  const int64_t low = sinking.low, lines = sinking.countLines();
  const OpFoldResult begin = toIndex(builder, loc, window.begin);
  const AffineExpr at = builder.getAffineDimExpr(0),
                   other = builder.getAffineDimExpr(1);
  auto number = [&](int64_t n) { return builder.getAffineConstantExpr(n); };
  Part part;
  auto atLeastZero = [&](AffineExpr expr) {
    return affine::makeComposedFoldedAffineMax(
        builder, loc,
        AffineMap::get(1, 0, {expr, number(0)}, builder.getContext()), {begin});
  };
  part.low = atLeastZero(number(low) - at);
  part.high = atLeastZero(at + (window.size - low - lines));
  part.begin = atLeastZero(at - low);
  part.size = affine::makeComposedFoldedAffineApply(
      builder, loc, number(window.size) - at - other, {part.low, part.high});
  return part;
}

/// Pads `windows` of the image in `loop` instead.
static void sink(OpBuilder &builder, const Sinking &sinking,
                 LoopLikeOpInterface loop, ArrayRef<Window> windows) {
  tensor::PadOp pad = sinking.pad;
  const Location loc = pad.getLoc();
  const RankedTensorType source = sinking.source;
  builder.setInsertionPointToStart(&loop.getLoopRegions().front()->front());
  SmallVector<OpFoldResult> offsets(source.getRank(), builder.getIndexAttr(0)),
      sizes = getAsIndexOpFoldResult(pad.getContext(), source.getShape()),
      strides(source.getRank(), builder.getIndexAttr(1)),
      low = pad.getMixedLowPad(), high = pad.getMixedHighPad();
  SmallVector<int64_t> padded(sinking.result.getShape());
  for (auto [dim, window] : llvm::enumerate(windows)) {
    padded[dim] = window.size;
    if (int64_t(dim) != sinking.lineDim()) {
      offsets[dim] = toIndex(builder, loc, window.begin);
      sizes[dim] = builder.getIndexAttr(window.size);
    } else if (window.size != sinking.result.getDimSize(dim)) {
      const Part part = getPart(builder, loc, sinking, window);
      offsets[dim] = part.begin;
      sizes[dim] = part.size;
      low[dim] = part.low;
      high[dim] = part.high;
    }
  }
  Value slice = tensor::ExtractSliceOp::create(builder, loc, pad.getSource(),
                                               offsets, sizes, strides);
  auto own = tensor::PadOp::create(
      builder, loc, RankedTensorType::get(padded, source.getElementType()),
      slice, low, high, pad.getConstantPaddingValue(), pad.getNofold());
  Value image = own.getResult();
  tensor::CollapseShapeOp joined = sinking.joined;
  if (joined)
    image = tensor::CollapseShapeOp::create(builder, loc, image,
                                            joined.getReassociationIndices());
  else if (!sinking.rows.empty())
    image = sinking.rows.clone(builder, image);
  for (const WindowRead &read : sinking.reads) {
    builder.setInsertionPoint(read.op);
    SmallVector<OpFoldResult> places;
    for (auto [reach, window] : llvm::zip(read.reaches, windows))
      places.push_back(getPlace(builder, loc, reach, window));
    // All lines are read, from the first one on.
    if (joined)
      places.pop_back();
    if (auto vector = dyn_cast<vector::TransferReadOp>(read.op)) {
      vector.getBaseMutable().assign(image);
      for (auto [dim, place] : llvm::enumerate(places))
        vector.getIndicesMutable()[dim].assign(
            getValueOrCreateConstantIndexOp(builder, loc, place));
      continue;
    }
    auto old = cast<tensor::ExtractSliceOp>(read.op);
    SmallVector<OpFoldResult> from = old.getMixedOffsets();
    llvm::copy(places, from.begin());
    Value part = tensor::ExtractSliceOp::create(
        builder, loc, old.getType(), image, from, old.getMixedSizes(),
        old.getMixedStrides());
    old.replaceAllUsesWith(part);
    old.erase();
  }
  sinking.rows.erase();
  if (joined)
    joined.erase();
  pad.erase();
}

/// The trips of `loop`, which goes down an image, that are made of one part;
/// none where all of them are, or where no number of them fits.
static std::optional<int64_t> chooseTrips(scf::ForOp loop,
                                          const Sinking &sinking) {
  auto step = getConstantIntValue(loop.getStep());
  auto trips = loop.getStaticTripCount();
  if (!step || !trips || *step <= 0 || loop.getNumResults() == 0)
    return std::nullopt;
  auto window = getWindow(loop, sinking.reads, sinking.lineDim());
  const int64_t fresh =
      window ? window->countFresh(loop.getInductionVar(), *step) : 0;
  if (fresh <= 0)
    return std::nullopt;
  int64_t lineBytes = sinking.countLineBytes();
  for (int64_t dim = 0; dim != sinking.lineDim(); ++dim) {
    auto outer = getWindow(loop, sinking.reads, dim);
    if (!outer)
      return std::nullopt;
    lineBytes *= outer->size;
  }
  const int64_t all = trips->getSExtValue();
  auto countLines = [&](int64_t number) {
    return fresh * number + window->size - fresh;
  };
  for (int64_t number = all; number != 0; --number)
    if (all % number == 0 && countLines(number) * lineBytes <= kPartBytes)
      return number != all &&
                     window->size - fresh <= getMostOverlap(fresh * number)
                 ? std::optional(number)
                 : std::nullopt;
  return std::nullopt;
}

/// A loop around `loop`, which makes `trips` of it at a time.
static void splitLoop(OpBuilder &builder, scf::ForOp loop, int64_t trips) {
  const Location loc = loop.getLoc();
  builder.setInsertionPoint(loop);
  const int64_t step = *getConstantIntValue(loop.getStep());
  auto number = [&](int64_t n) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, n);
  };
  Value zero = number(0), size = number(step * trips);
  auto outer =
      scf::ForOp::create(builder, loc, loop.getLowerBound(),
                         loop.getUpperBound(), size, loop.getInitArgs());
  loop.replaceAllUsesWith(outer.getResults());
  loop->moveBefore(outer.getBody(), outer.getBody()->end());
  loop.getInitArgsMutable().assign(outer.getRegionIterArgs());
  loop.setLowerBound(zero);
  loop.setUpperBound(size);
  builder.setInsertionPointToEnd(outer.getBody());
  scf::YieldOp::create(builder, loc, loop.getResults());
  builder.setInsertionPointToStart(loop.getBody());
  Value index = loop.getInductionVar();
  auto sum = affine::AffineApplyOp::create(
      builder, loc,
      AffineMap::get(2, 0,
                     builder.getAffineDimExpr(0) + builder.getAffineDimExpr(1)),
      ValueRange{outer.getInductionVar(), index});
  index.replaceAllUsesExcept(sum, sum);
}

/// What joins the lines of `pad`, which is its only use, with what is in them:
/// dimension `line`.
static tensor::CollapseShapeOp getJoined(tensor::PadOp pad, int64_t line) {
  auto joined = pad->hasOneUse()
                    ? dyn_cast<tensor::CollapseShapeOp>(*pad->user_begin())
                    : tensor::CollapseShapeOp();
  if (!joined || joined->getBlock() != pad->getBlock())
    return {};
  const SmallVector<ReassociationIndices> groups =
      joined.getReassociationIndices();
  return int64_t(groups.size()) > line && groups[line].front() == line &&
                 groups[line].size() > 1
             ? joined
             : tensor::CollapseShapeOp();
}

/// The pad with all that reads it; none where that is not known.
static std::optional<Sinking> getSinking(tensor::PadOp pad) {
  auto isStatic = [](int64_t size) { return !ShapedType::isDynamic(size); };
  if (!pad.getConstantPaddingValue() || pad->use_empty() ||
      !pad.getSourceType().getElementType().isIntOrFloat() ||
      !pad.getSourceType().hasStaticShape() ||
      !pad.getResultType().hasStaticShape() ||
      !llvm::all_of(pad.getStaticLow(), isStatic) ||
      isComputedInPlace(pad.getSource()))
    return std::nullopt;
  // Elements that are taken away are no borders.
  for (auto [low, from, to] :
       llvm::zip(pad.getStaticLow(), pad.getSourceType().getShape(),
                 pad.getResultType().getShape()))
    if (low < 0 || low + from > to)
      return std::nullopt;
  Sinking sinking{pad, pad.getSourceType(), pad.getResultType()};
  while (sinking.dims != sinking.source.getRank())
    if (isPadded(pad, sinking.dims++))
      break;
  if (sinking.dims == 0)
    return std::nullopt;
  sinking.low = pad.getStaticLow()[sinking.lineDim()];
  sinking.rows = GatheredRows::get(pad.getResult(), sinking.dims);
  sinking.joined = getJoined(pad, sinking.lineDim());
  Value image = sinking.getImage();
  for (Operation *user : image.getUsers()) {
    auto read = getRead(user, image, sinking.dims - (sinking.joined ? 1 : 0));
    if (!read)
      return std::nullopt;
    if (sinking.joined)
      read->reaches.push_back(
          {{}, sinking.result.getDimSize(sinking.lineDim())});
    sinking.reads.push_back(std::move(*read));
  }
  // Rows that nothing reads.
  if (sinking.reads.empty())
    return std::nullopt;
  return sinking;
}

/// Whether each thread could have `op` for itself, together with what it reads.
static bool isShape(Operation *op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp, tensor::InsertSliceOp>(op);
}

/// The parallel loop, in the block of `pad`, around all that reads what `pad`
/// makes, of one iteration for each of `threads` or fewer; null if there is
/// none. Ops between them that give it another shape are added to `shapes`.
static scf::ForallOp getTeam(tensor::PadOp pad, int64_t threads,
                             SetVector<Operation *> &shapes) {
  scf::ForallOp team;
  shapes.insert(pad);
  for (unsigned i = 0; i != shapes.size(); ++i)
    for (Operation *user : shapes[i]->getUsers()) {
      if (user->getBlock() == pad->getBlock() && isShape(user)) {
        shapes.insert(user);
        continue;
      }
      auto loop = dyn_cast_or_null<scf::ForallOp>(
          pad->getBlock()->findAncestorOpInBlock(*user));
      // What it begins with is read before it.
      if (!loop || loop == user || (team && loop != team))
        return {};
      team = loop;
    }
  // A tensor is put together of nothing else.
  auto isOwn = [&](Operation *shape) {
    if (!team || !shape->isBeforeInBlock(team))
      return false;
    auto insert = dyn_cast<tensor::InsertSliceOp>(shape);
    return !insert || (shapes.contains(insert.getSource().getDefiningOp()) &&
                       (insert.getDest().getDefiningOp<tensor::EmptyOp>() ||
                        shapes.contains(insert.getDest().getDefiningOp())));
  };
  if (!team || !team.isNormalized() || !llvm::all_of(shapes, isOwn))
    return {};
  shapes.remove(pad);
  int64_t trips = 1;
  for (int64_t extent : team.getStaticUpperBound()) {
    if (ShapedType::isDynamic(extent))
      return {};
    trips *= extent;
  }
  return trips > 1 && trips <= threads ? team : scf::ForallOp();
}

/// Lets each of the threads that read of `pad`, or of what it is reshaped to,
/// pad all of it: what another one has just written comes from further away.
static void copyForThreads(tensor::PadOp pad, int64_t threads) {
  if (!pad.getResultType().getElementType().isIntOrFloat() ||
      !pad.getSourceType().hasStaticShape() ||
      !pad.getResultType().hasStaticShape() ||
      isComputedInPlace(pad.getSource()))
    return;
  SetVector<Operation *> shapes;
  scf::ForallOp team = getTeam(pad, threads, shapes);
  if (!team)
    return;
  int64_t bytes = countBytes(pad.getResultType());
  for (Operation *shape : shapes)
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(shape))
      if (insert.getDest().getDefiningOp<tensor::EmptyOp>())
        bytes += countBytes(insert.getType());
  if (bytes > kPartBytes)
    return;
  pad->moveBefore(&team.getBody()->front());
  Operation *last = pad;
  for (Operation *shape : topologicalSort(shapes)) {
    shape->moveAfter(last);
    last = shape;
    auto insert = dyn_cast<tensor::InsertSliceOp>(shape);
    auto empty = insert ? insert.getDest().getDefiningOp<tensor::EmptyOp>()
                        : tensor::EmptyOp();
    // One for each thread.
    if (empty)
      insert.getDestMutable().assign(
          OpBuilder(insert).clone(*empty)->getResult(0));
  }
}

/// Moves `pad` into the innermost loop that owns what it reads. Splits a loop
/// over lines where its part of the image is too large.
static void sinkPad(OpBuilder &builder, tensor::PadOp pad, int64_t threads) {
  takeOutPadding(pad);
  for (bool isSplit = false;; isSplit = true) {
    auto sinking = getSinking(pad);
    if (!sinking)
      return copyForThreads(pad, threads);
    LoopLikeOpInterface best;
    SmallVector<Window> windows;
    scf::ForOp next;
    for (LoopLikeOpInterface loop : getCommonLoops(pad, sinking->reads)) {
      auto own = getOwnWindows(loop, *sinking);
      if (own.empty()) {
        next = dyn_cast<scf::ForOp>(*loop);
        break;
      }
      // What is in the cache already is not padded twice for nothing.
      if (best && sinking->countBytes(windows) <= kPartBytes &&
          sharesLines(loop, own.back()))
        break;
      best = loop;
      windows = std::move(own);
    }
    auto trips = next && !isSplit ? chooseTrips(next, *sinking) : std::nullopt;
    if (trips) {
      splitLoop(builder, next, *trips);
      continue;
    }
    if (best)
      sink(builder, *sinking, best, windows);
    else
      copyForThreads(pad, threads);
    return;
  }
}

namespace {
struct SinkPads : sched::impl::SinkPadsPassBase<SinkPads> {
  using SinkPadsPassBase::SinkPadsPassBase;

  void runOnOperation() override {
    SmallVector<tensor::PadOp> pads;
    getOperation()->walk([&](tensor::PadOp pad) { pads.push_back(pad); });
    OpBuilder builder(&getContext());
    for (tensor::PadOp pad : pads)
      sinkPad(builder, pad, threads);
  }
};
} // namespace
