//===- PrefetchWindows.cpp - Large images are fetched ahead ---------------===//
//
// A step after Bufferize.cpp. Windows that slide over an image read pieces of
// several of its lines, and leave out others: few processors foresee that. Of
// an image that comes from memory, each register tile fetches what one shortly
// after it will read, those lines and pixels alone that no tile read before. It
// does so at its beginning; or, where these are many, as tiles of other pieces
// come between, a few in each of its steps: a core waits for what is asked for
// all at once.
//
//===----------------------------------------------------------------------===//

#include "Prefetch.h"
#include "ReadWindow.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace sched {
#define GEN_PASS_DEF_PREFETCHWINDOWSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// Lines of the cache that a tile fetches at its beginning, at most, and of an
/// image in each of its steps.
static constexpr int64_t kMostLines = 64, kMostLinesOfStep = 4;
/// Results that a step computes for each line that it fetches, at least: 16
/// vectors of AVX-512. Windows of few products are slower by it.
static constexpr int64_t kLeastResults = 256;
/// Pixels with fewer bytes share lines of the cache, which would be fetched for
/// each of them.
static constexpr int64_t kLeastPixelBytes = 32;

namespace {
/// What is read of one dimension of an image.
struct Dimension {
  Window window;
  /// The loop that moves the window by the least, and by how many elements;
  /// none if no loop moves it.
  Operation *loop = nullptr;
  int64_t advance = 0;
  /// Elements that no iteration before read.
  int64_t fresh() const {
    return loop ? std::min(window.size, advance) : window.size;
  }
  bool slides() const { return loop && advance < window.size; }
};

using Reads = SmallVector<WindowRead>;
/// The reads of one buffer in a tile's loop.
using Tiles = llvm::MapVector<std::pair<Operation *, Value>, Reads>;
} // namespace

/// The loop whose iterations are register tiles: the innermost around `read`
/// that carries no vectors.
static scf::ForOp getTileLoop(vector::TransferReadOp read) {
  auto loop = read->getParentOfType<scf::ForOp>();
  while (loop && loop.getNumResults() != 0)
    loop = loop->getParentOfType<scf::ForOp>();
  return loop;
}

/// What is read of `reads`' dimension `dim` in an iteration of `tile`, and
/// which loop around it moves that.
static std::optional<Dimension>
getDimension(scf::ForOp tile, ArrayRef<WindowRead> reads, int64_t dim) {
  auto window = getWindow(tile, reads, dim);
  if (!window || !window->begin.getInterval())
    return std::nullopt;
  Dimension found{*std::move(window)};
  for (Operation *op = tile; op; op = op->getParentOp()) {
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    auto indices = loop ? loop.getLoopInductionVars() : std::nullopt;
    auto steps = loop ? loop.getLoopSteps() : std::nullopt;
    if (!indices || !steps)
      continue;
    for (auto [index, step] : llvm::zip_equal(*indices, *steps)) {
      auto number = getConstantIntValue(step);
      const int64_t advance =
          number ? found.window.countFresh(index, *number) : 0;
      if (advance > 0 && (!found.loop || advance < found.advance)) {
        found.loop = loop;
        found.advance = advance;
      }
    }
  }
  return found;
}

/// The dimension along which the next windows are soon read: that which the
/// innermost loop slides along. None if nothing slides.
static std::optional<int64_t> getNearest(ArrayRef<Dimension> dimensions) {
  std::optional<int64_t> nearest;
  Operation *innermost = nullptr;
  for (auto [dim, dimension] : llvm::enumerate(dimensions)) {
    Operation *loop = dimension.loop;
    if (dimension.slides() &&
        (!innermost || innermost->isProperAncestor(loop))) {
      nearest = dim;
      innermost = loop;
    }
  }
  return nearest;
}

namespace {
/// Loops over steps of a tile, innermost ones, and of each which of all the
/// tile's steps an iteration is: those of the first loop come first.
struct TileSteps {
  SmallVector<std::pair<scf::ForOp, Turn>> loops;
  int64_t count = 0;
};
} // namespace

/// The loops inside of `tile` around an op, from the innermost one; none where
/// anything else is around it, as branches of which one is taken.
static SmallVector<scf::ForOp> getLoops(Operation *op, scf::ForOp tile) {
  SmallVector<scf::ForOp> loops;
  for (Operation *parent = op->getParentOp(); parent != tile;
       parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop)
      return {};
    loops.push_back(loop);
  }
  return loops;
}

/// Of each nest of loops, innermost first, the outermost `depth` at most. None
/// where one of them has no known number of iterations.
static std::optional<TileSteps>
findSteps(Builder &builder, ArrayRef<SmallVector<scf::ForOp>> nests,
          size_t depth) {
  TileSteps steps;
  llvm::SmallDenseSet<Operation *> seen;
  for (ArrayRef<scf::ForOp> nest : nests) {
    const ArrayRef<scf::ForOp> own =
        nest.take_back(std::min(depth, nest.size()));
    scf::ForOp innermost = own.front();
    if (!seen.insert(innermost).second)
      continue;
    std::optional<Turn> turn = Turn::get(builder, own, /*asIfUncut=*/true);
    if (!turn)
      return std::nullopt;
    turn->number = turn->number + steps.count;
    steps.count += turn->count;
    steps.loops.emplace_back(innermost, *std::move(turn));
  }
  return steps;
}

/// Elements that an iteration of a loop computes: of each product of a
/// contraction, and of each vector.
static int64_t countResults(scf::ForOp loop) {
  int64_t count = 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto inner = dyn_cast<scf::ForOp>(op))
      count += countTrips(inner).value_or(1) * countResults(inner);
    else if (auto contract = dyn_cast<vector::ContractionOp>(op))
      count += llvm::product_of(
          contract.getShapeForUnroll().value_or(SmallVector<int64_t>()));
    else if (OpTrait::hasElementwiseMappableTraits(&op))
      for (Type type : op.getResultTypes())
        if (auto vector = dyn_cast<VectorType>(type))
          count += vector.getNumElements();
  }
  return count;
}

namespace {
/// What a tile fetches of an image.
class WindowFetch {
public:
  /// None where nothing slides, pixels are small, or the tile's own loop does
  /// not move the window.
  static std::optional<WindowFetch> get(scf::ForOp tile,
                                        TypedValue<MemRefType> image,
                                        ArrayRef<WindowRead> reads);
  /// Whether tiles of other pieces come first.
  bool isFar() const { return dimensions[nearest].loop != tile; }
  int64_t countLines() const { return pieces * lines; }
  /// Fetches all at the beginning of the tile.
  void emitAtOnce(OpBuilder &builder);
  /// Fetches a few pieces in each step, into the second level, as the first may
  /// be too small; false if the tile has no steps for that.
  bool emitInSteps(OpBuilder &builder, ArrayRef<WindowRead> reads);

private:
  /// The first place of what is fetched, at the beginning of the tile.
  SmallVector<Value> emitBegins(OpBuilder &builder) const;
  /// Fetches `piece`, which is a sum of `operands` as dimensions; `locality` as
  /// of `memref.prefetch`.
  void emitPiece(OpBuilder &builder, ArrayRef<Value> begins, AffineExpr piece,
                 ValueRange operands, unsigned locality) const;
  int64_t getElementBytes() const {
    return image.getType().getElementTypeBitWidth() / 8;
  }

  scf::ForOp tile;
  TypedValue<MemRefType> image;
  SmallVector<Dimension> dimensions;
  /// The dimension that the next windows are along, and how far ahead.
  int64_t nearest = 0, ahead = 0;
  /// Elements of all dimensions but the innermost, each a piece of so many
  /// lines of the cache.
  SmallVector<int64_t> fresh;
  int64_t pieces = 1, lines = 1;
};
} // namespace

std::optional<WindowFetch> WindowFetch::get(scf::ForOp tile,
                                            TypedValue<MemRefType> image,
                                            ArrayRef<WindowRead> reads) {
  WindowFetch fetch;
  fetch.tile = tile;
  fetch.image = image;
  const MemRefType type = image.getType();
  const int64_t rank = type.getRank(), bytes = fetch.getElementBytes();
  for (int64_t dim = 0; dim != rank; ++dim) {
    auto dimension = getDimension(tile, reads, dim);
    if (!dimension)
      return std::nullopt;
    fetch.dimensions.push_back(*std::move(dimension));
  }
  const ArrayRef<Dimension> dimensions = fetch.dimensions;
  // A loop over what is made of the same pixels would fetch them each time.
  if (llvm::none_of(dimensions, [&](const Dimension &dimension) {
        return dimension.window.begin.terms.contains(tile.getInductionVar());
      }))
    return std::nullopt;
  if (dimensions.back().window.size * bytes < kLeastPixelBytes)
    return std::nullopt;
  const std::optional<int64_t> nearest = getNearest(dimensions);
  // Along the innermost dimension, all lines of the cache are new.
  if (!nearest || *nearest == rank - 1)
    return std::nullopt;
  fetch.nearest = *nearest;
  fetch.lines =
      llvm::divideCeil(dimensions.back().window.size * bytes, kLineBytes);
  for (const Dimension &dimension : dimensions.drop_back()) {
    fetch.fresh.push_back(dimension.fresh());
    fetch.pieces *= dimension.fresh();
  }
  const Dimension &near = dimensions[*nearest];
  const int64_t stride =
      llvm::product_of(type.getShape().drop_front(*nearest + 1)) * bytes;
  fetch.ahead =
      near.advance * llvm::divideCeil(kBytesAhead, near.advance * stride);
  return fetch;
}

SmallVector<Value> WindowFetch::emitBegins(OpBuilder &builder) const {
  const Location loc = image.getLoc();
  const int64_t rank = image.getType().getRank();
  SmallVector<Value> begins;
  for (int64_t dim = 0; dim != rank; ++dim) {
    const Dimension &dimension = dimensions[dim];
    IndexSum begin = dimension.window.begin;
    begin.constant +=
        dim == rank - 1 ? 0 : dimension.window.size - dimension.fresh();
    if (dim == nearest)
      begin.constant += ahead;
    SmallVector<Value> values;
    SmallVector<AffineExpr> exprs = {begin.getExpr(builder, values)};
    // The last ones again where a line of the image ends.
    if (dim == nearest)
      exprs.push_back(builder.getAffineConstantExpr(
          image.getType().getDimSize(dim) - dimension.fresh()));
    const AffineMap map =
        AffineMap::get(values.size(), 0, exprs, builder.getContext());
    if (dim == nearest)
      begins.push_back(affine::AffineMinOp::create(builder, loc, map, values));
    else if (values.empty())
      begins.push_back(
          arith::ConstantIndexOp::create(builder, loc, begin.constant));
    else
      begins.push_back(
          affine::AffineApplyOp::create(builder, loc, map, values));
  }
  return begins;
}

void WindowFetch::emitPiece(OpBuilder &builder, ArrayRef<Value> begins,
                            AffineExpr piece, ValueRange operands,
                            unsigned locality) const {
  const Location loc = image.getLoc();
  const unsigned count = operands.size();
  const AffineExpr begin = builder.getAffineDimExpr(count);
  auto shift = [&](Value index, AffineExpr by) -> Value {
    if (by == builder.getAffineConstantExpr(0))
      return index;
    SmallVector<Value> values(operands);
    values.push_back(index);
    return affine::AffineApplyOp::create(
        builder, loc, AffineMap::get(count + 1, 0, begin + by), values);
  };
  SmallVector<Value> place(begins);
  AffineExpr rest = piece;
  for (int64_t dim = fresh.size(); dim-- > 0;) {
    if (fresh[dim] == 1)
      continue;
    const bool isLast = llvm::all_of(ArrayRef(fresh).take_front(dim),
                                     [](int64_t size) { return size == 1; });
    place[dim] = shift(begins[dim], isLast ? rest : rest % fresh[dim]);
    rest = rest.floorDiv(fresh[dim]);
  }
  for (int64_t line = 0; line != lines; ++line) {
    place.back() = shift(
        begins.back(),
        builder.getAffineConstantExpr(line * (kLineBytes / getElementBytes())));
    memref::PrefetchOp::create(builder, loc, image, place, /*isWrite=*/false,
                               locality, /*isDataCache=*/true);
  }
}

void WindowFetch::emitAtOnce(OpBuilder &builder) {
  builder.setInsertionPointToStart(tile.getBody());
  const SmallVector<Value> begins = emitBegins(builder);
  for (int64_t piece = 0; piece != pieces; ++piece)
    emitPiece(builder, begins, builder.getAffineConstantExpr(piece), {},
              /*locality=*/3);
}

bool WindowFetch::emitInSteps(OpBuilder &builder, ArrayRef<WindowRead> reads) {
  // The innermost loops of which the steps have work enough for what they
  // fetch, and fetch few pieces again: the last one, where there is none left.
  SmallVector<SmallVector<scf::ForOp>> nests;
  size_t deepest = 0;
  for (const WindowRead &read : reads) {
    nests.push_back(getLoops(read.op, tile));
    if (nests.back().empty())
      return false;
    deepest = std::max(deepest, nests.back().size());
  }
  TileSteps steps;
  int64_t ofStep = 0;
  for (size_t depth = 1; depth <= deepest; ++depth) {
    std::optional<TileSteps> found = findSteps(builder, nests, depth);
    if (!found)
      break;
    const int64_t wanted = llvm::divideCeil(pieces, found->count);
    if (2 * wanted * found->count > 3 * pieces ||
        wanted * lines > kMostLinesOfStep ||
        llvm::any_of(found->loops, [&](const auto &own) {
          return countResults(own.first) < kLeastResults * wanted * lines;
        }))
      continue;
    ofStep = wanted;
    steps = *std::move(found);
  }
  if (steps.loops.empty())
    return false;
  builder.setInsertionPointToStart(tile.getBody());
  const SmallVector<Value> begins = emitBegins(builder);
  for (auto &[loop, turn] : steps.loops) {
    builder.setInsertionPointToStart(loop.getBody());
    for (int64_t i = 0; i != ofStep; ++i) {
      auto piece = affine::AffineMinOp::create(
          builder, image.getLoc(),
          AffineMap::get(turn.operands.size(), 0,
                         {turn.number * ofStep + i,
                          builder.getAffineConstantExpr(pieces - 1)},
                         builder.getContext()),
          turn.operands);
      emitPiece(builder, begins, builder.getAffineDimExpr(0), piece.getResult(),
                /*locality=*/2);
    }
  }
  return true;
}

namespace {
struct PrefetchWindows : sched::impl::PrefetchWindowsPassBase<PrefetchWindows> {
  using PrefetchWindowsPassBase::PrefetchWindowsPassBase;

  void runOnOperation() override {
    Tiles tiles;
    getOperation()->walk([&](vector::TransferReadOp read) {
      auto type = dyn_cast<MemRefType>(read.getBase().getType());
      if (!type || !isImage(type) ||
          !(isLarge(type, minBytes) || isLarge(type, farMinBytes)))
        return;
      scf::ForOp tile = getTileLoop(read);
      auto found = getWindowRead(read, type.getRank());
      // Pixels next to a border are read by other forms of a tile.
      if (tile && tile.isDefinedOutsideOfLoop(read.getBase()) && found &&
          llvm::all_of(found->reaches, [](const Reach &reach) {
            return reach.begin.getInterval().has_value();
          }))
        tiles[{tile, read.getBase()}].push_back(*std::move(found));
    });
    OpBuilder builder(&getContext());
    for (auto &[place, reads] : tiles) {
      auto image = cast<TypedValue<MemRefType>>(place.second);
      auto fetch =
          WindowFetch::get(cast<scf::ForOp>(place.first), image, reads);
      if (!fetch)
        continue;
      if (isLarge(image.getType(), farMinBytes) && fetch->isFar() &&
          fetch->emitInSteps(builder, reads))
        continue;
      if (isLarge(image.getType(), minBytes) &&
          fetch->countLines() <= kMostLines)
        fetch->emitAtOnce(builder);
    }
  }

private:
  static bool isImage(MemRefType type) {
    const Type element = type.getElementType();
    if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
        type.getRank() < 2 || !element.isIntOrFloat())
      return false;
    const unsigned bits = element.getIntOrFloatBitWidth();
    return bits % 8 == 0 && bits <= 64;
  }
  static bool isLarge(MemRefType type, uint64_t least) {
    return least != 0 && uint64_t(type.getNumElements()) *
                                 (type.getElementTypeBitWidth() / 8) >=
                             least;
  }
};
} // namespace
