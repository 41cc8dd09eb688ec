//===- SharePixels.cpp - Pixels that a window's columns share -------------===//
//
// A step after SkipPadding.cpp. A register tile of single vectors, as where a
// group of a convolution has few channels, takes an element of the image from
// memory for each of its products: the ports of the loads limit it, not those
// of the multiplications. But the columns of a window meet the same pixels, one
// row further each. So a tile goes through the channels once for all of the
// columns, and multiplies a pixel by the weights of each of them while it is in
// a register: of a window of 3, a third as many loads. Read next: OrderSteps.h.
//
//===----------------------------------------------------------------------===//

#include "ReadWindow.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace sched {
#define GEN_PASS_DEF_SHAREPIXELSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

namespace {
/// Products of a tile's rows with the weights of one column of a window, in a
/// loop over channels: `rows` of the sums, from `firstRow` on, each have
/// `steps` products with as many elements of a pixel.
struct Column {
  scf::ForOp channels = nullptr;
  /// The loop over columns around it and which of its iterations this is; null
  /// where it stands by itself.
  scf::ForOp window = nullptr;
  int64_t trip = 0;
  vector::TransferReadOp pixels = nullptr, weights = nullptr;
  int64_t firstRow = 0, rows = 0, steps = 0;
  /// The pixel of the first row, counted from the first one of the first
  /// column.
  int64_t pixel = 0;

  /// The outermost of its loops.
  scf::ForOp getLoop() const { return window ? window : channels; }
  /// The dimension of the image along which the rows' pixels are.
  unsigned getRowDim() {
    return cast<AffineDimExpr>(pixels.getPermutationMap().getResult(0))
        .getPosition();
  }
};

/// Where a read starts along each dimension of its tensor.
using Place = SmallVector<IndexSum, 4>;
} // namespace

/// Where `read` starts, with the iteration of the window's loop in numbers;
/// none where elements may be outside, or an index is no sum of values that are
/// known above `column`.
static std::optional<Place> getPlace(vector::TransferReadOp read,
                                     const Column &column) {
  Operation *outer = column.getLoop();
  auto isAbove = [&](Value value) {
    return !outer->isAncestor(value.getParentBlock()->getParentOp());
  };
  const std::optional<WindowRead> found =
      getWindowRead(read, read.getIndices().size());
  if (!found || !isAbove(read.getBase()) || !isAbove(read.getPadding()))
    return std::nullopt;
  Place place;
  for (const Reach &reach : found->reaches) {
    IndexSum &sum = place.emplace_back(reach.begin);
    if (scf::ForOp window = column.window) {
      const int64_t factor = sum.terms.lookup(window.getInductionVar());
      sum.terms.erase(window.getInductionVar());
      sum.constant +=
          factor * (*getConstantIntValue(window.getLowerBound()) +
                    column.trip * *getConstantIntValue(window.getStep()));
    }
    for (auto [value, factor] : sum.terms)
      if (scf::ForOp channels = column.channels;
          value != channels.getInductionVar() && !isAbove(value))
        return std::nullopt;
  }
  return place;
}

/// The only loop in `block`, if all else there computes nothing but indices.
static scf::ForOp findOnlyLoop(Block &block) {
  scf::ForOp found;
  for (Operation &op : block.without_terminator()) {
    if (auto own = dyn_cast<scf::ForOp>(op); own && !found)
      found = own;
    else if (!isa<affine::AffineApplyOp, arith::ConstantOp>(op))
      return nullptr;
  }
  return found;
}

/// Whether `read` is of two dimensions of a tensor, without a mask.
static bool isPlainRead(vector::TransferReadOp read) {
  return read && isa<RankedTensorType>(read.getBase().getType()) &&
         read->hasOneUse() && !read.getMask() &&
         read.getVectorType().getRank() == 2 &&
         !read.getVectorType().isScalable() &&
         read.getPermutationMap().isProjectedPermutation();
}

/// `loop` as a column, but for where it stands.
static std::optional<Column> describeChannels(scf::ForOp loop) {
  if (!loop || loop.getNumRegionIterArgs() != 1 || loop.getUnsignedCmp() ||
      !loop.getInductionVar().getType().isIndex())
    return std::nullopt;
  vector::ContractionOp product;
  vector::ExtractStridedSliceOp part;
  vector::InsertStridedSliceOp whole;
  unsigned reads = 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto own = dyn_cast<vector::ContractionOp>(op); own && !product)
      product = own;
    else if (auto own = dyn_cast<vector::ExtractStridedSliceOp>(op);
             own && !part)
      part = own;
    else if (auto own = dyn_cast<vector::InsertStridedSliceOp>(op);
             own && !whole)
      whole = own;
    else if (isa<vector::TransferReadOp>(op))
      ++reads;
    else if (!isa<affine::AffineApplyOp, arith::ConstantOp>(op))
      return std::nullopt;
  }
  if (!product || reads != 2 || product.isMasked() ||
      product.getKind() != vector::CombiningKind::ADD)
    return std::nullopt;
  Column column;
  column.channels = loop;
  column.pixels = product.getLhs().getDefiningOp<vector::TransferReadOp>();
  column.weights = product.getRhs().getDefiningOp<vector::TransferReadOp>();
  auto sums = dyn_cast<VectorType>(product.getAccType());
  if (!isPlainRead(column.pixels) || !isPlainRead(column.weights) || !sums ||
      sums.getRank() != 2)
    return std::nullopt;
  const Type type = sums.getElementType();
  if (!(type.isF32() || type.isF64()) ||
      column.pixels.getVectorType().getElementType() != type ||
      column.weights.getVectorType().getElementType() != type)
    return std::nullopt;
  // Rows times steps, steps times vectors, however they are numbered.
  const SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  if (maps[0].getNumResults() != 2 || maps[1].getNumResults() != 2 ||
      maps[2].getNumResults() != 2 || maps[0].getNumDims() != 3 ||
      maps[0].getResult(0) != maps[2].getResult(0) ||
      maps[0].getResult(1) != maps[1].getResult(0) ||
      maps[1].getResult(1) != maps[2].getResult(1) ||
      maps[0].getResult(0) == maps[1].getResult(1))
    return std::nullopt;
  column.rows = sums.getDimSize(0);
  column.steps = column.pixels.getVectorType().getDimSize(1);
  // Of all rows, or of some.
  const Value before = loop.getRegionIterArg(0),
              after = loop.getYieldedValues().front();
  if (!part && !whole)
    return product.getAcc() == before && after == product.getResult()
               ? std::optional(column)
               : std::nullopt;
  if (!part || !whole || part.getSource() != before ||
      product.getAcc() != part.getResult() ||
      whole.getValueToStore() != product.getResult() ||
      whole.getDest() != before || after != whole.getResult() ||
      part.getOffsets() != whole.getOffsets() ||
      part.getOffsets().size() != 2 || part.hasNonUnitStrides() ||
      whole.hasNonUnitStrides() ||
      cast<IntegerAttr>(part.getOffsets()[1]).getInt() != 0 ||
      sums.getDimSize(1) != cast<VectorType>(before.getType()).getDimSize(1))
    return std::nullopt;
  column.firstRow = cast<IntegerAttr>(part.getOffsets()[0]).getInt();
  return column;
}

/// Whether loops over channels have the same iterations.
static bool areAlike(scf::ForOp loop, scf::ForOp other) {
  auto isSame = [](Value value, Value otherValue) {
    return isEqualConstantIntOrValue(OpFoldResult(value),
                                     OpFoldResult(otherValue));
  };
  return isSame(loop.getLowerBound(), other.getLowerBound()) &&
         isSame(loop.getUpperBound(), other.getUpperBound()) &&
         isSame(loop.getStep(), other.getStep());
}

namespace {
struct SharePixels : sched::impl::SharePixelsPassBase<SharePixels> {
  using SharePixelsPassBase::SharePixelsPassBase;

  void runOnOperation() override {
    if (vectorBytes <= 0)
      return;
    SmallVector<scf::ForOp> loops;
    getOperation()->walk<WalkOrder::PreOrder>(
        [&](scf::ForOp loop) { loops.push_back(loop); });
    llvm::SmallPtrSet<Operation *, 8> taken;
    for (scf::ForOp loop : loops) {
      if (taken.contains(loop))
        continue;
      // All that stand one behind another, each adding to what was summed up.
      SmallVector<Column> columns;
      for (scf::ForOp next = loop; next && append(columns, next);) {
        taken.insert(next);
        next->walk([&](scf::ForOp inner) { taken.insert(inner); });
        next = next->hasOneUse() ? dyn_cast<scf::ForOp>(*next->user_begin())
                                 : nullptr;
        if (next && next->getBlock() != loop->getBlock())
          break;
      }
      if (join(columns))
        continue;
      // Not all of them together.
      for (MutableArrayRef<Column> rest = columns; !rest.empty();) {
        MutableArrayRef<Column> own =
            rest.take_while([&](const Column &column) {
              return column.window && column.window == rest.front().window;
            });
        join(own);
        rest = rest.drop_front(std::max<size_t>(1, own.size()));
      }
    }
  }

  /// Adds what `loop` is of: a column or all of a window's. False, and adds
  /// nothing, where it is of something else than the others.
  bool append(SmallVectorImpl<Column> &columns, scf::ForOp loop) const;

  /// Says of each of `columns` which pixels it multiplies, and returns those of
  /// all. None where they share none, leave out some between, or where the
  /// registers do not hold what is in them at a time.
  std::optional<Interval> locate(MutableArrayRef<Column> columns) const;
  /// Whether `columns` became one loop.
  bool join(MutableArrayRef<Column> columns);
};
} // namespace

bool SharePixels::append(SmallVectorImpl<Column> &columns,
                         scf::ForOp loop) const {
  SmallVector<Column> added;
  if (std::optional<Column> column = describeChannels(loop)) {
    added.push_back(*column);
  } else {
    if (loop.getNumRegionIterArgs() != 1)
      return false;
    auto channels = findOnlyLoop(*loop.getBody());
    column = describeChannels(channels);
    const auto begin = getConstantIntValue(loop.getLowerBound()),
               step = getConstantIntValue(loop.getStep());
    const std::optional<APInt> trips = loop.getStaticTripCount();
    if (!column || !begin || !step || !trips || !trips->sge(1) ||
        !trips->sle(vectorRegisters) || loop.getUnsignedCmp() ||
        channels.getInits().front() != loop.getRegionIterArg(0) ||
        !loop.isDefinedOutsideOfLoop(channels.getLowerBound()) ||
        !loop.isDefinedOutsideOfLoop(channels.getUpperBound()) ||
        !loop.isDefinedOutsideOfLoop(channels.getStep()) ||
        loop.getYieldedValues().front() != channels.getResult(0))
      return false;
    column->window = loop;
    for (; column->trip != trips->getSExtValue(); ++column->trip)
      added.push_back(*column);
  }
  if (!columns.empty()) {
    const Column &last = columns.back();
    if (loop.getInits().front() != last.getLoop().getResult(0) ||
        !areAlike(last.channels, added.front().channels) ||
        last.steps != added.front().steps)
      return false;
  }
  llvm::append_range(columns, added);
  return true;
}

std::optional<Interval>
SharePixels::locate(MutableArrayRef<Column> columns) const {
  Column &first = columns.front();
  auto sums = cast<VectorType>(first.channels.getResult(0).getType());
  const int64_t lineBytes =
      sums.getDimSize(1) * sums.getElementTypeBitWidth() / 8;
  // With two vectors a row, two products are made of each load.
  if (lineBytes > vectorBytes ||
      sums.getDimSize(0) + int64_t(columns.size()) + 1 > vectorRegisters)
    return std::nullopt;
  const std::optional<Place> origin = getPlace(first.pixels, first);
  if (!origin)
    return std::nullopt;
  const unsigned along = first.getRowDim();
  llvm::SmallDenseSet<int64_t, 32> pixels;
  int64_t numProducts = 0;
  for (Column &column : columns) {
    const std::optional<Place> place = getPlace(column.pixels, column);
    if (!place || !getPlace(column.weights, column) ||
        column.pixels.getBase() != first.pixels.getBase() ||
        column.pixels.getPermutationMap() != first.pixels.getPermutationMap())
      return std::nullopt;
    for (unsigned dim = 0; dim != place->size(); ++dim) {
      const IndexSum &own = (*place)[dim], &other = (*origin)[dim];
      // The loops over channels become one.
      auto isSameTerm = [&](auto term) {
        auto [value, factor] = term;
        scf::ForOp channels = column.channels;
        scf::ForOp firstChannels = first.channels;
        const Value known = value == channels.getInductionVar()
                                ? Value(firstChannels.getInductionVar())
                                : value;
        return other.terms.lookup(known) == factor;
      };
      if (own.terms.size() != other.terms.size() ||
          !llvm::all_of(own.terms, isSameTerm) ||
          (dim != along && own.constant != other.constant))
        return std::nullopt;
    }
    column.pixel = (*place)[along].constant - (*origin)[along].constant -
                   column.firstRow + first.firstRow;
    for (int64_t row = 0; row != column.rows; ++row)
      pixels.insert(column.pixel + column.firstRow + row);
    numProducts += column.rows;
  }
  const auto [least, most] = std::minmax_element(pixels.begin(), pixels.end());
  const Interval all{*least, *most};
  const int64_t numPixels = pixels.size();
  if (numPixels == numProducts || numPixels != all.most - all.least + 1)
    return std::nullopt;
  return all;
}

/// `place`, of a read in `column`, in terms of `channel` instead of that loop's
/// index.
static SmallVector<Value> getIndices(OpBuilder &builder, Location loc,
                                     Place place, const Column &column,
                                     Value channel) {
  SmallVector<Value> indices;
  for (IndexSum &sum : place) {
    scf::ForOp channels = column.channels;
    const Value own = channels.getInductionVar();
    if (const int64_t factor = sum.terms.lookup(own)) {
      sum.terms.erase(own);
      sum.terms[channel] += factor;
    }
    SmallVector<Value> values;
    const AffineExpr expr = sum.getExpr(builder, values);
    indices.push_back(affine::AffineApplyOp::create(
        builder, loc, AffineMap::get(values.size(), 0, expr), values));
  }
  return indices;
}

bool SharePixels::join(MutableArrayRef<Column> columns) {
  const std::optional<Interval> all =
      columns.size() > 1 ? locate(columns) : std::nullopt;
  if (!all)
    return false;
  Column &first = columns.front();
  scf::ForOp begin = first.getLoop(), end = columns.back().getLoop(),
             channels = first.channels;
  const Location loc = begin.getLoc();
  IRRewriter rewriter(&getContext());
  rewriter.setInsertionPoint(end);
  auto sums = cast<VectorType>(begin.getResult(0).getType());
  const auto readsPlain = [&](vector::TransferReadOp like, VectorType type,
                              Place place, const Column &column,
                              Value channel) {
    return vector::TransferReadOp::create(
               rewriter, loc, type, like.getBase(),
               getIndices(rewriter, loc, std::move(place), column, channel),
               like.getPermutationMapAttr(), like.getPadding(),
               /*mask=*/Value(), like.getInBoundsAttr())
        .getResult();
  };
  auto joined = scf::ForOp::create(rewriter, loc, channels.getLowerBound(),
                                   channels.getUpperBound(), channels.getStep(),
                                   begin.getInits());
  joined->setDiscardableAttrs(channels->getDiscardableAttrDictionary());
  rewriter.setInsertionPointToStart(joined.getBody());
  const Value channel = joined.getInductionVar();

  Place place = *getPlace(first.pixels, first);
  place[first.getRowDim()].constant +=
      all->least - first.pixel - first.firstRow;
  const Value pixels =
      readsPlain(first.pixels,
                 VectorType::get({all->most - all->least + 1, first.steps},
                                 sums.getElementType()),
                 std::move(place), first, channel);
  SmallVector<Value> weights;
  for (Column &column : columns)
    weights.push_back(readsPlain(column.weights, column.weights.getVectorType(),
                                 *getPlace(column.weights, column), column,
                                 channel));

  SmallVector<Value> rows;
  Value sum = joined.getRegionIterArg(0);
  for (int64_t row = 0; row != sums.getDimSize(0); ++row)
    rows.push_back(vector::ExtractOp::create(rewriter, loc, sum, row));
  for (int64_t step = 0; step != first.steps; ++step) {
    SmallVector<Value> lines;
    for (Value read : weights)
      lines.push_back(vector::ExtractOp::create(rewriter, loc, read, step));
    for (int64_t pixel = all->least; pixel <= all->most; ++pixel) {
      Value value = vector::ExtractOp::create(
          rewriter, loc, pixels, ArrayRef<int64_t>{pixel - all->least, step});
      value =
          vector::BroadcastOp::create(rewriter, loc, lines[0].getType(), value);
      for (auto [column, line] : llvm::zip_equal(columns, lines)) {
        const int64_t row = pixel - column.pixel;
        if (row >= column.firstRow && row < column.firstRow + column.rows)
          rows[row] =
              vector::FMAOp::create(rewriter, loc, value, line, rows[row]);
      }
    }
  }
  for (auto [row, value] : llvm::enumerate(rows))
    sum = vector::InsertOp::create(rewriter, loc, value, sum,
                                   static_cast<int64_t>(row));
  scf::YieldOp::create(rewriter, loc, sum);
  rewriter.replaceAllUsesWith(end.getResult(0), joined.getResult(0));
  // The last first, as each is used by the next.
  for (const Column &column : llvm::reverse(columns))
    if (column.trip == 0)
      rewriter.eraseOp(column.getLoop());
  return true;
}
