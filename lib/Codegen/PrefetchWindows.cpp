//===- PrefetchWindows.cpp - Large images are fetched ahead ---------------===//
//
// A step after Bufferize.cpp. Windows that slide over an image read pieces of
// several of its lines, and leave out others: few processors foresee that. Of
// an image that comes from memory, each register tile fetches what one shortly
// after it will read, those lines and pixels alone that no tile read before.
//
//===----------------------------------------------------------------------===//

#include "Prefetch.h"
#include "ReadWindow.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace sched {
#define GEN_PASS_DEF_PREFETCHWINDOWSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// Lines of the cache that a tile fetches, at most.
static constexpr int64_t kMostLines = 64;
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

/// Fetches, at the beginning of `tile`, the elements of `image` that are new
/// some iterations later.
static void prefetch(OpBuilder &builder, scf::ForOp tile,
                     TypedValue<MemRefType> image, ArrayRef<WindowRead> reads) {
  const MemRefType type = image.getType();
  const int64_t rank = type.getRank(),
                bytes = type.getElementTypeBitWidth() / 8;
  SmallVector<Dimension> dimensions;
  for (int64_t dim = 0; dim != rank; ++dim) {
    auto dimension = getDimension(tile, reads, dim);
    if (!dimension)
      return;
    dimensions.push_back(*std::move(dimension));
  }
  // A loop over what is made of the same pixels would fetch them each time.
  if (llvm::none_of(dimensions, [&](const Dimension &dimension) {
        return dimension.window.begin.terms.contains(tile.getInductionVar());
      }))
    return;
  if (dimensions.back().window.size * bytes < kLeastPixelBytes)
    return;
  const std::optional<int64_t> nearest = getNearest(dimensions);
  // Along the innermost dimension, all lines of the cache are new.
  if (!nearest || *nearest == rank - 1)
    return;
  const int64_t across =
      llvm::divideCeil(dimensions.back().window.size * bytes, kLineBytes);
  SmallVector<int64_t> fresh;
  int64_t pieces = 1;
  for (const Dimension &dimension : ArrayRef(dimensions).drop_back()) {
    fresh.push_back(dimension.fresh());
    pieces *= dimension.fresh();
  }
  if (pieces * across > kMostLines)
    return;

  // How far ahead, in elements of the nearest dimension.
  const Dimension &near = dimensions[*nearest];
  const int64_t stride =
      llvm::product_of(type.getShape().drop_front(*nearest + 1)) * bytes;
  const int64_t ahead =
      near.advance * llvm::divideCeil(kBytesAhead, near.advance * stride);
  const Location loc = image.getLoc();
  builder.setInsertionPointToStart(tile.getBody());
  auto getIndex = [&](const Dimension &dimension, int64_t dim) -> Value {
    IndexSum begin = dimension.window.begin;
    begin.constant +=
        dim == rank - 1 ? 0 : dimension.window.size - dimension.fresh();
    if (dim == *nearest)
      begin.constant += ahead;
    SmallVector<Value> values;
    const AffineExpr expr = begin.getExpr(builder, values);
    // The last ones again where a line of the image ends.
    const AffineExpr last =
        builder.getAffineConstantExpr(type.getDimSize(dim) - dimension.fresh());
    if (dim == *nearest)
      return affine::AffineMinOp::create(
          builder, loc,
          AffineMap::get(values.size(), 0, {expr, last}, builder.getContext()),
          values);
    if (values.empty())
      return arith::ConstantIndexOp::create(builder, loc, begin.constant);
    return affine::AffineApplyOp::create(
        builder, loc, AffineMap::get(values.size(), 0, expr), values);
  };
  SmallVector<Value> begins;
  for (auto [dim, dimension] : llvm::enumerate(dimensions))
    begins.push_back(getIndex(dimension, dim));
  auto shift = [&](Value index, int64_t by) -> Value {
    if (by == 0)
      return index;
    return affine::AffineApplyOp::create(
        builder, loc, AffineMap::get(1, 0, builder.getAffineDimExpr(0) + by),
        index);
  };
  for (int64_t piece = 0; piece != pieces; ++piece) {
    SmallVector<Value> place = begins;
    int64_t rest = piece;
    for (int64_t dim = rank - 1; dim-- > 0;) {
      place[dim] = shift(begins[dim], rest % fresh[dim]);
      rest /= fresh[dim];
    }
    for (int64_t line = 0; line != across; ++line) {
      place.back() = shift(begins.back(), line * (kLineBytes / bytes));
      memref::PrefetchOp::create(builder, loc, image, place, /*isWrite=*/false,
                                 /*localityHint=*/3, /*isDataCache=*/true);
    }
  }
}

namespace {
struct PrefetchWindows : sched::impl::PrefetchWindowsPassBase<PrefetchWindows> {
  using PrefetchWindowsPassBase::PrefetchWindowsPassBase;

  void runOnOperation() override {
    if (minBytes == 0)
      return;
    Tiles tiles;
    getOperation()->walk([&](vector::TransferReadOp read) {
      auto type = dyn_cast<MemRefType>(read.getBase().getType());
      if (!type || !isLargeImage(type))
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
    for (auto &[place, reads] : tiles)
      prefetch(builder, cast<scf::ForOp>(place.first),
               cast<TypedValue<MemRefType>>(place.second), reads);
  }

private:
  bool isLargeImage(MemRefType type) const {
    const Type element = type.getElementType();
    if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
        type.getRank() < 2 || !element.isIntOrFloat())
      return false;
    const unsigned bits = element.getIntOrFloatBitWidth();
    return bits % 8 == 0 && bits <= 64 &&
           uint64_t(type.getNumElements()) * (bits / 8) >= minBytes;
  }
};
} // namespace
