//===- SkipBorder.cpp - Register tiles that do not multiply padding -------===//
//
// A step before SkipPadding.cpp, which leaves out lines of padding; here it is
// single pixels of a line. A tile that holds a whole line of an image's result
// is at the same pixels in each run, and where the loop over a window's columns
// stands tells which of its rows meet padding: of a window of 3 on a line of 7,
// the first row at the first column, and the last one at the last. These
// iterations are taken out of the loop, and their products have the other rows
// alone: 2 of 21. Of a transposed convolution, whose windows are elsewhere for
// each remainder by the stride, the loop over these is taken apart before.
//
// So are rows of what is widened for the product, if the target multiplies row
// by row; images that are expanded to groups of channels are expanded before
// they are padded for that, and pixels that a stride takes apart are looked
// through (TapRows.h). Of signed bytes, the loops between then carry the rows
// alone that are multiplied, as sums are taken off before them (PackedBytes.h).
//
// Where few products are made of each pixel, as in a grouped convolution, it is
// the padded copy of the image that costs. There, tiles at a line's ends are
// taken out of their loop, too, so that no padding is read: SkipPadding.cpp
// then does without the copy.
//
//===----------------------------------------------------------------------===//

#include "PackedBytes.h"
#include "PaddedImage.h"
#include "SchedOpt/Codegen/Passes.h"
#include "SchedOpt/Support/ImageBorder.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

namespace sched {
#define GEN_PASS_DEF_SKIPBORDERPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// Where no more products are made of an element of the image, a copy of it is
/// worth avoiding: 64 results of a window of 3x3.
static constexpr int64_t kFewProducts = 576;
/// Iterations of a loop over tiles, and loops taken apart for one pad, at most.
static constexpr int64_t kMostTiles = 64, kMostLoops = 32;

namespace {
/// A read of pixels of a padded dimension, all of whose uses are products.
struct PixelRead : PaddedRead {
  PixelRead(PaddedRead read, Interval inside)
      : PaddedRead(std::move(read)), inside(inside) {}

  /// The pixels of the image, as the padded tensor counts them.
  Interval inside;
  /// It is of pixels that a tile has side by side along a line; see markTiles.
  bool isOfTile = false;

  /// Which of the rows are pixels of the image, if the first is `at`: from
  /// `least` on, to before `most`.
  Interval getRowsInside(int64_t at) const {
    return {findRow(inside.least, at, step, rows),
            findRow(inside.most + 1, at, step, rows)};
  }
};

/// Bounds of a loop that are known.
struct Trips {
  int64_t begin, step, count;
};
} // namespace

/// Whether `value` is the left-hand side of sums of products, and nothing else,
/// or what is widened for them is that, if `sparesWidened`.
static bool isMultiplied(Value value, bool sparesWidened) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (sparesWidened &&
        isa<arith::ExtFOp, arith::ExtUIOp, arith::ExtSIOp>(user))
      return isMultiplied(user->getResult(0), /*sparesWidened=*/false);
    auto product = dyn_cast<vector::ContractionOp>(user);
    return product && !product.isMasked() && product.getLhs() == value &&
           product.getRhs() != value && product.getAcc() != value &&
           product.getKind() == vector::CombiningKind::ADD;
  });
}

/// The products of `read`, which isMultiplied.
static SmallVector<vector::ContractionOp>
getProducts(vector::TransferReadOp read) {
  SmallVector<vector::ContractionOp> products;
  for (Operation *user : read->getUsers())
    if (auto product = dyn_cast<vector::ContractionOp>(user))
      products.push_back(product);
    else
      for (Operation *reader : user->getUsers())
        products.push_back(cast<vector::ContractionOp>(reader));
  return products;
}

/// The reads of what `pad` makes, along its dimension `dim` if that is padded
/// with zeros; of what is widened as well, if `sparesWidened`.
static SmallVector<PixelRead> findPixels(tensor::PadOp pad, int64_t dim,
                                         bool sparesWidened) {
  SmallVector<PixelRead> found;
  const std::optional<Interval> inside = getImageBetweenZeros(pad, dim);
  if (!inside)
    return found;
  for (PaddedRead &read : findReads(pad, dim, /*seesRows=*/sparesWidened))
    if (!read.read.getVectorType().isScalable() && mayBeLeftOut(read.read) &&
        isMultiplied(read.read, sparesWidened))
      found.emplace_back(std::move(read), *inside);
  return found;
}

/// Marks those of `reads` that a tile has side by side along a line: of several
/// pixels each, or, where windows are more than a pixel apart, of one each. A
/// line is along the innermost of the padded dimensions.
static void markTiles(MutableArrayRef<PixelRead> reads) {
  int64_t line = 0;
  for (const PixelRead &read : reads)
    line = std::max(line, read.dim);
  // The first of the single pixels that a block reads.
  llvm::DenseMap<Block *, int64_t> firsts;
  llvm::SmallPtrSet<Block *, 4> several;
  for (PixelRead &read : reads)
    if (read.vectorDim)
      read.isOfTile = true;
    else if (read.dim == line) {
      Block *block = read.read->getBlock();
      if (firsts.try_emplace(block, read.first.constant).first->second !=
          read.first.constant)
        several.insert(block);
    }
  for (PixelRead &read : reads)
    read.isOfTile |= !read.vectorDim && read.dim == line &&
                     several.contains(read.read->getBlock());
}

/// `loop` runs at most `most` times, and at least twice.
static std::optional<Trips> getTrips(scf::ForOp loop, int64_t most) {
  auto begin = getConstantIntValue(loop.getLowerBound()),
       step = getConstantIntValue(loop.getStep());
  auto count = loop.getStaticTripCount();
  if (!begin || !step || !count || count->getSExtValue() < 2 ||
      count->getSExtValue() > most)
    return std::nullopt;
  return Trips{*begin, *step, count->getSExtValue()};
}

namespace {
/// The iterations of a loop in which reads meet padding.
struct Border {
  explicit Border(const Trips &trips) : trips(trips.count), kept(trips.count) {}

  /// Counts `read` in iteration `trip`, when its first row is at `at`.
  void add(const PixelRead &read, int64_t trip, int64_t at) {
    const Interval inside = read.getRowsInside(at);
    const int64_t outside = read.rows - (inside.most - inside.least);
    all += read.rows;
    skipped += outside;
    trips[trip] |= outside != 0;
    kept[trip] += read.rows - outside;
  }

  /// Whether enough of the rows are padding.
  bool isWorthWhile() const { return isWorthSkipping(skipped, all); }

  SmallVector<bool> trips;
  /// Rows in each iteration that are of the image.
  SmallVector<int64_t> kept;
  int64_t all = 0, skipped = 0;
};
} // namespace

/// The iterations of the loop over `index` in which `reads`, which stand at
/// constant pixels then, meet padding. Empty if it is not worth while, or if
/// these iterations multiply nothing else: SkipPadding.cpp shortens the loop.
static SmallVector<bool> findBorder(const Trips &trips, Value index,
                                    ArrayRef<PixelRead> reads) {
  Border border(trips);
  for (const PixelRead &read : reads) {
    if (read.first.terms.size() != 1 || read.first.terms.front().first != index)
      continue;
    const int64_t factor = read.first.terms.front().second;
    for (int64_t trip = 0; trip != trips.count; ++trip)
      border.add(read, trip,
                 read.first.constant +
                     factor * (trips.begin + trip * trips.step));
  }
  if (!border.isWorthWhile() ||
      llvm::all_of(llvm::zip_equal(border.trips, border.kept), [](auto trip) {
        return !std::get<0>(trip) || std::get<1>(trip) == 0;
      }))
    return {};
  return border.trips;
}

/// The same of tiles whose place depends on one more loop that is as short,
/// inside of the one over `index`, as the taps of a window are inside of the
/// remainders by a stride. That loop is next.
static SmallVector<bool> findOuterBorder(const Trips &trips, Value index,
                                         ArrayRef<PixelRead> reads) {
  Border border(trips);
  for (const PixelRead &read : reads) {
    IndexSum rest = read.first;
    const int64_t factor = rest.terms.lookup(index);
    rest.terms.erase(index);
    // Lines are SkipPadding.cpp's.
    if (factor == 0 || !read.vectorDim || rest.terms.size() != 1)
      continue;
    const auto [inner, step] = rest.terms.front();
    scf::ForOp loop = getLoopOver(inner);
    const std::optional<Trips> taps =
        loop ? getTrips(loop, kMostTaps) : std::nullopt;
    if (!taps)
      continue;
    for (int64_t trip = 0; trip != trips.count; ++trip)
      for (int64_t tap = 0; tap != taps->count; ++tap)
        border.add(read, trip,
                   rest.constant + factor * (trips.begin + trip * trips.step) +
                       step * (taps->begin + tap * taps->step));
  }
  return border.isWorthWhile() ? border.trips : SmallVector<bool>();
}

/// The iterations of the loop over `index` in which `reads` may meet padding,
/// wherever other loops are; empty if there is none.
static SmallVector<bool> findAnyBorder(const Trips &trips, Value index,
                                       ArrayRef<PixelRead> reads) {
  SmallVector<bool> border(trips.count);
  for (const PixelRead &read : reads) {
    IndexSum rest = read.first;
    const int64_t factor = rest.terms.lookup(index);
    rest.terms.erase(index);
    const std::optional<Interval> range = rest.getInterval();
    if (factor == 0 || !range)
      continue;
    for (int64_t trip = 0; trip != trips.count; ++trip)
      for (int64_t end : {range->least, range->most}) {
        const Interval inside = read.getRowsInside(
            end + factor * (trips.begin + trip * trips.step));
        border[trip] |= inside.most - inside.least != read.rows;
      }
  }
  if (!llvm::is_contained(border, true))
    return {};
  return border;
}

/// How many pixels are from one to the next of those that tiles have side by
/// side along a line: the stride of windows; 1 where it is not known.
static int64_t getStride(ArrayRef<PixelRead> tiles) {
  // In a tile, single pixels are at the same sum of indices but for a constant.
  llvm::DenseMap<Block *, const IndexSum *> firsts;
  int64_t stride = 0;
  for (const PixelRead &pixel : tiles) {
    if (pixel.vectorDim)
      return 1;
    const IndexSum &own = pixel.first,
                   &first = *firsts.try_emplace(pixel.read->getBlock(), &own)
                                 .first->second;
    if (llvm::equal(own.terms, first.terms))
      stride = std::gcd(stride, own.constant - first.constant);
  }
  return std::max<int64_t>(stride, 1);
}

/// Whether there are `tiles` of the image of `pad`, and at most `kFewProducts`
/// products are made of an element of it: of windows that are a stride apart,
/// taken to be the same along all padded dimensions, a part of the weights'. Of
/// what is widened there are taken to be many.
static bool hasFewProducts(tensor::PadOp pad, ArrayRef<PixelRead> tiles) {
  const RankedTensorType type = pad.getResultType();
  // Larger strides are no windows'.
  const int64_t stride = std::min<int64_t>(getStride(tiles), 8);
  int64_t most = kFewProducts;
  bool isChannel = true;
  for (int64_t dim = type.getRank(); dim-- > 0;) {
    const bool isPadded =
        type.getDimSize(dim) != pad.getSourceType().getDimSize(dim);
    isChannel &= !isPadded;
    most *= isPadded ? stride : isChannel ? type.getDimSize(dim) : 1;
  }
  return !tiles.empty() && llvm::all_of(tiles, [&](const PixelRead &pixels) {
    vector::TransferReadOp read = pixels.read;
    return llvm::all_of(getProducts(read), [&](vector::ContractionOp product) {
      auto weights = product.getRhs().getDefiningOp<vector::TransferReadOp>();
      auto all = weights ? dyn_cast<RankedTensorType>(weights.getShapedType())
                         : RankedTensorType();
      return all && all.hasStaticShape() && all.getNumElements() <= most;
    });
  });
}

/// `loop` in parts: an iteration by itself where `apart` says so, and loops of
/// those between them.
static void takeApart(IRRewriter &rewriter, scf::ForOp loop, const Trips &trips,
                      ArrayRef<bool> apart) {
  const Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> values(loop.getInitArgs());
  auto getIndex = [&](int64_t trip) {
    return arith::ConstantOp::create(
               rewriter, loc,
               rewriter.getIntegerAttr(loop.getInductionVar().getType(),
                                       trips.begin + trip * trips.step))
        .getResult();
  };
  auto cloneBody = [&](Value index, ValueRange arguments) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), index);
    mapping.map(loop.getRegionIterArgs(), arguments);
    for (Operation &op : loop.getBody()->without_terminator())
      rewriter.clone(op, mapping);
    return llvm::map_to_vector(loop.getYieldedValues(), [&](Value value) {
      return mapping.lookupOrDefault(value);
    });
  };
  for (int64_t trip = 0; trip != trips.count;) {
    int64_t next = trip + 1;
    while (!apart[trip] && next != trips.count && !apart[next])
      ++next;
    if (next == trip + 1) {
      values = cloneBody(getIndex(trip), values);
    } else {
      auto part = scf::ForOp::create(
          rewriter, loc, getIndex(trip), getIndex(next), loop.getStep(), values,
          [&](OpBuilder &, Location, Value index, ValueRange arguments) {
            SmallVector<Value> yielded = cloneBody(index, arguments);
            scf::YieldOp::create(rewriter, loc, yielded);
          });
      part.setUnsignedCmp(loop.getUnsignedCmp());
      part->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
      values.assign(part.getResults().begin(), part.getResults().end());
    }
    trip = next;
  }
  rewriter.replaceOp(loop, values);
}

/// Of `slice`, which takes rows out of the sums that a loop carries, and
/// `insert`, which puts them back at the end of each iteration: lets the loop
/// carry these rows alone, and so on outwards.
static void carryRows(IRRewriter &rewriter, vector::ExtractStridedSliceOp slice,
                      vector::InsertStridedSliceOp insert) {
  while (true) {
    auto sums = dyn_cast<BlockArgument>(slice.getSource());
    auto loop = sums ? dyn_cast<scf::ForOp>(sums.getOwner()->getParentOp())
                     : scf::ForOp();
    OpOperand *init = loop ? loop.getTiedLoopInit(sums) : nullptr;
    if (!init || insert.getDest() != sums || !insert->hasOneUse() ||
        llvm::range_size(sums.getUses()) != 2 ||
        loop.getTiedLoopYieldedValue(sums)->get() != insert.getResult())
      return;
    const Location loc = loop.getLoc();
    const unsigned number = loop.getTiedLoopResult(init).getResultNumber();
    Value all = init->get();
    rewriter.setInsertionPoint(loop);
    auto before = vector::ExtractStridedSliceOp::create(
        rewriter, loc, slice.getType(), all, slice.getOffsets(),
        slice.getSizes(), slice.getStrides());
    SmallVector<Value> inits(loop.getInitArgs());
    inits[number] = before;
    auto narrower =
        scf::ForOp::create(rewriter, loc, loop.getLowerBound(),
                           loop.getUpperBound(), loop.getStep(), inits);
    narrower.setUnsignedCmp(loop.getUnsignedCmp());
    narrower->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    rewriter.replaceOp(slice, narrower.getRegionIterArg(number));
    rewriter.replaceOp(insert, insert.getValueToStore());
    rewriter.mergeBlocks(loop.getBody(), narrower.getBody(),
                         narrower.getBody()->getArguments());
    auto after = vector::InsertStridedSliceOp::create(
        rewriter, loc, narrower.getResult(number), all, before.getOffsets(),
        before.getStrides());
    SmallVector<Value> results(narrower.getResults());
    results[number] = after;
    rewriter.replaceOp(loop, results);
    slice = before;
    insert = after;
  }
}

/// `product` with the rows `inside` of what `pixels` reads alone.
static void narrow(IRRewriter &rewriter, vector::ContractionOp product,
                   const PixelRead &pixels, Interval inside) {
  if (inside.least == inside.most) {
    rewriter.replaceOp(product, product.getAcc());
    return;
  }
  auto sums = dyn_cast<VectorType>(product.getAccType());
  SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  if (!sums || !pixels.vectorDim)
    return;
  const AffineExpr row = maps[0].getResult(*pixels.vectorDim);
  const std::optional<unsigned> at = maps[2].getResultPosition(row);
  if (!at || maps[1].isFunctionOfDim(cast<AffineDimExpr>(row).getPosition()))
    return;
  const Location loc = product.getLoc();
  const int64_t numRows = inside.most - inside.least;
  auto resize = [&](VectorType type, int64_t dim) {
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = numRows;
    return VectorType::get(shape, type.getElementType());
  };
  vector::TransferReadOp read = pixels.read;
  rewriter.setInsertionPoint(read);
  SmallVector<Value> indices(read.getIndices());
  indices[pixels.dim] = getValueOrCreateConstantIndexOp(
      rewriter, loc,
      affine::makeComposedFoldedAffineApply(
          rewriter, loc, rewriter.getAffineDimExpr(0) + inside.least,
          OpFoldResult(indices[pixels.dim])));
  auto less = vector::TransferReadOp::create(
      rewriter, loc, resize(read.getVectorType(), *pixels.vectorDim),
      read.getBase(), indices, read.getPermutationMapAttr(), read.getPadding(),
      /*mask=*/Value(), read.getInBoundsAttr());
  rewriter.setInsertionPoint(product);
  SmallVector<int64_t> offsets(sums.getRank(), 0), ones(sums.getRank(), 1);
  offsets[*at] = inside.least;
  const VectorType part = resize(sums, *at);
  auto start = vector::ExtractStridedSliceOp::create(
      rewriter, loc, product.getAcc(), offsets, part.getShape(), ones);
  IRMapping mapping;
  Value rows = less.getResult();
  // What is widened is after the read.
  if (Operation *widened = product.getLhs().getDefiningOp();
      widened != read.getOperation()) {
    const auto type = cast<VectorType>(product.getLhs().getType());
    Operation *own = rewriter.clone(*widened);
    own->setOperand(0, rows);
    own->getResult(0).setType(resize(type, *pixels.vectorDim));
    rows = own->getResult(0);
  }
  mapping.map(product.getLhs(), rows);
  mapping.map(product.getAcc(), start);
  Operation *narrower = rewriter.clone(*product, mapping);
  narrower->getResult(0).setType(part);
  // Sums of columns are taken off what loops of these rows begin with.
  const bool isCorrected = getSignedBytes(product.getLhs()) != nullptr;
  auto whole = rewriter.replaceOpWithNewOp<vector::InsertStridedSliceOp>(
      product, narrower->getResult(0), product.getAcc(), offsets, ones);
  if (isCorrected)
    carryRows(rewriter, start, whole);
}

static bool hasPads(scf::ForOp loop) {
  return loop.walk([](tensor::PadOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

namespace {
struct SkipBorder : sched::impl::SkipBorderPassBase<SkipBorder> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<tensor::PadOp> pads;
    getOperation()->walk([&](tensor::PadOp pad) { pads.push_back(pad); });
    IRRewriter rewriter(&getContext());
    for (tensor::PadOp pad : pads) {
      if (sparesWidened)
        pad = expandImage(rewriter, pad, /*rowByRow=*/true);
      // Said once: a loop that is taken apart leaves pixels of several tiles in
      // one block.
      const bool hasFew = hasFewProducts(pad, getTiles(findAllReads(pad)));
      for (int64_t loops = 0; loops != kMostLoops && takeLoopApart(pad, hasFew);
           ++loops)
        ;
      // One after another: a read of a corner is replaced more than once.
      for (int64_t dim = 0; dim != pad.getSourceType().getRank(); ++dim)
        skip(pad, dim);
    }
  }

  /// Of pixels; lines are SkipPadding.cpp's.
  SmallVector<PixelRead> findAllReads(tensor::PadOp pad) const {
    SmallVector<PixelRead> reads;
    for (int64_t dim = 0; dim != pad.getSourceType().getRank(); ++dim)
      llvm::append_range(reads, findPixels(pad, dim, sparesWidened));
    markTiles(reads);
    return reads;
  }

  static SmallVector<PixelRead> getTiles(ArrayRef<PixelRead> reads) {
    return llvm::filter_to_vector(
        reads, [](const PixelRead &read) { return read.isOfTile; });
  }

  /// Whether there was a loop that is worth while. `hasFew`: few products are
  /// made of an element.
  bool takeLoopApart(tensor::PadOp pad, bool hasFew) {
    const SmallVector<PixelRead> reads = findAllReads(pad),
                                 tiles = getTiles(reads);
    for (const PixelRead &read : reads) {
      const bool avoidsCopy = hasFew && read.isOfTile;
      const size_t numLoops = read.first.terms.size();
      if (numLoops == 0 || (!avoidsCopy && numLoops > 2))
        continue;
      // The outermost first: its border alone has what is inside twice.
      scf::ForOp loop;
      for (auto [index, factor] : read.first.terms) {
        scf::ForOp parent = getLoopOver(index);
        if (parent && (!loop || parent->isProperAncestor(loop)))
          loop = parent;
      }
      const std::optional<Trips> trips =
          loop ? getTrips(loop, avoidsCopy ? kMostTiles : kMostTaps)
               : std::nullopt;
      // A pad in there is one of those that are looked at next.
      if (!trips || hasPads(loop))
        continue;
      const SmallVector<bool> border =
          avoidsCopy ? findAnyBorder(*trips, loop.getInductionVar(), tiles)
          : numLoops == 1
              ? findBorder(*trips, loop.getInductionVar(), reads)
              : findOuterBorder(*trips, loop.getInductionVar(), reads);
      if (border.empty())
        continue;
      IRRewriter rewriter(&getContext());
      takeApart(rewriter, loop, *trips, border);
      return true;
    }
    return false;
  }

  void skip(tensor::PadOp pad, int64_t dim) {
    IRRewriter rewriter(&getContext());
    for (const PixelRead &read : findPixels(pad, dim, sparesWidened)) {
      const Interval inside = read.getRowsInside(read.first.constant);
      if (!read.first.terms.empty() || inside.most - inside.least == read.rows)
        continue;
      for (vector::ContractionOp product : getProducts(read.read))
        narrow(rewriter, product, read, inside);
      for (Operation *user : llvm::make_early_inc_range(read.read->getUsers()))
        if (user->use_empty())
          rewriter.eraseOp(user);
      if (read.read->use_empty())
        rewriter.eraseOp(read.read);
    }
  }
};
} // namespace
