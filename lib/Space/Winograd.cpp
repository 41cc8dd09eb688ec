//===- Winograd.cpp - Convolutions of 3x3 taps by tiles -------------------===//
//
// With a = tile + 2, and a x a pixels d and 3 x 3 taps g of a channel:
//
//   U = G g G^T, V = B^T d B, M[i, j] = sum over channels U[i, j] V[i, j],
//   and tile x tile results A^T M A.
//
// V and M are tensors [a * a][tiles][channels], so that the sums are a batch of
// products of matrices with the transformed weights [a * a][C][K].
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Space/Winograd.h"
#include "ChannelsLast.h"
#include "ConvolutionShape.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Support/Target.h"
#include "WinogradEpilogue.h"
#include "WinogradFormulas.h"
#include "WinogradLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <array>

using namespace mlir;
using namespace sched;
using namespace sched::winograd;

namespace {
/// Where the pixels come from: an image without its pad.
struct Image {
  Value value;
  int64_t lowRows = 0, lowColumns = 0;
};
} // namespace

static std::optional<ConvolutionShape> getShape(linalg::LinalgOp op) {
  std::optional<ConvolutionShape> shape = getConvolutionShape(op);
  if (!shape || shape->taps != std::array{kTaps, kTaps} || !shape->isDense() ||
      llvm::any_of(op->getOperandTypes(), [](Type type) {
        return !getElementTypeOrSelf(type).isF32();
      }))
    return std::nullopt;
  return shape;
}

/// Tiles of a dimension of the result, those that stick out included.
static int64_t countTiles(int64_t pixels, int64_t tile) {
  return llvm::divideCeil(pixels, tile);
}

/// Elements of the vectors that channels come in: the target's, or half of
/// them; 0 where those do not divide the channels.
static int64_t countLanes(const ConvolutionShape &shape, const Target &target) {
  const int64_t most = std::max(1, target.vectorBytes / 4);
  for (int64_t lanes : {most, most / 2})
    if (lanes > 1 && shape.channels % lanes == 0 && shape.filters % lanes == 0)
      return lanes;
  return 0;
}

/// Whether the weights are there before any image is.
static bool isKnownBefore(Value weights) {
  if (matchPattern(weights, m_Constant()))
    return true;
  auto argument = dyn_cast<BlockArgument>(weights);
  if (!argument)
    return false;
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return function && function.isPublic() && argument.hasOneUse() &&
         function.getArgAttr(argument.getArgNumber(),
                             mlir::schedule::kLayoutFreeAttrName);
}

SmallVector<linalg::LinalgOp>
sched::collectWinogradConvolutions(ModuleOp module, const Target &target) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk<WalkOrder::PreOrder>([&](linalg::LinalgOp op) {
    auto function = op->getParentOfType<func::FuncOp>();
    if (!function || function->hasAttr(kLeftToDefaultAttrName))
      return;
    std::optional<ConvolutionShape> shape = getShape(op);
    if (shape && countLanes(*shape, target) != 0 &&
        isKnownBefore(op->getOperand(1)) &&
        (!shape->channelsFirst || canMoveChannelsLast(op)))
      ops.push_back(op);
  });
  return ops;
}

bool sched::isWinogradTile(int64_t tile) { return tile == 2 || tile == 4; }

int64_t sched::countWinogradTiles(linalg::LinalgOp convolution, int64_t tile) {
  const ConvolutionShape shape = *getShape(convolution);
  return shape.images * countTiles(shape.rows, tile) *
         countTiles(shape.columns, tile);
}

int64_t sched::suggestWinogradTile(linalg::LinalgOp convolution) {
  // Transforms pay off over the channels and the filters.
  constexpr int64_t kLeastChannels = 16;
  // Transformed weights are four times as large (1.8 times with tiles of 2),
  // and each is used once a tile.
  constexpr int64_t kLeastTiles = 16;
  const ConvolutionShape shape = *getShape(convolution);
  if (std::min(shape.channels, shape.filters) < kLeastChannels)
    return 0;
  for (int64_t tile : {4, 2})
    if (countWinogradTiles(convolution, tile) >= kLeastTiles)
      return tile;
  return 0;
}

/// The image of `op`, in front of a pad of zeros around rows and columns.
static Image getImage(linalg::LinalgOp op) {
  Image image{op->getOperand(0)};
  auto pad = image.value.getDefiningOp<tensor::PadOp>();
  if (!pad || !pad.getSourceType().hasStaticShape())
    return image;
  Value padding = pad.getConstantPaddingValue();
  auto low = getConstantIntValues(pad.getMixedLowPad());
  auto high = getConstantIntValues(pad.getMixedHighPad());
  if (!padding || !matchPattern(padding, m_AnyZeroFloat()) || !low || !high ||
      (*low)[0] != 0 || (*low)[3] != 0 || (*high)[0] != 0 || (*high)[3] != 0)
    return image;
  return {pad.getSource(), (*low)[1], (*low)[2]};
}

/// U of constant weights, in double precision before it is rounded.
static Value transformConstant(OpBuilder &builder, Location loc,
                               DenseFPElementsAttr weights,
                               const ConvolutionShape &shape,
                               RankedTensorType type, int64_t tile) {
  const int64_t window = getWindow(tile);
  const int64_t C = shape.channels, K = shape.filters;
  SmallVector<float> taps(weights.getValues<float>());
  std::vector<float> result(window * window * C * K);
  // Row-major, in the order of the weights' dimensions.
  const std::array<int64_t, 4> extents = {kTaps, kTaps, C, K};
  auto at = [&](const std::array<int64_t, 4> &indices) {
    int64_t place = 0;
    for (unsigned dim : shape.weightDims)
      place = place * extents[dim] + indices[dim];
    return place;
  };
  for (int64_t i = 0; i != window; ++i)
    for (int64_t j = 0; j != window; ++j) {
      ArrayRef<double> rows = getFilterRow(tile, i);
      ArrayRef<double> columns = getFilterRow(tile, j);
      for (int64_t c = 0; c != C; ++c)
        for (int64_t k = 0; k != K; ++k) {
          double sum = 0;
          for (int64_t p = 0; p != kTaps; ++p)
            for (int64_t q = 0; q != kTaps; ++q)
              sum += rows[p] * columns[q] * taps[at({p, q, c, k})];
          result[((i * window + j) * C + c) * K + k] = static_cast<float>(sum);
        }
    }
  return arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef<float>(result)));
}

static Value makeZeros(OpBuilder &builder, Location loc,
                       RankedTensorType type) {
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  return linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
}

/// U: of an argument, as a sum over the taps that depends on it alone and so
/// is computed with its packing, beforehand (sched-outline-packing).
static Value transformWeights(OpBuilder &builder, Location loc, Value weights,
                              const ConvolutionShape &shape, int64_t tile) {
  const int64_t window = getWindow(tile), products = window * window;
  Type f32 = builder.getF32Type();
  auto type =
      RankedTensorType::get({products, shape.channels, shape.filters}, f32);
  DenseFPElementsAttr constant;
  if (matchPattern(weights, m_Constant(&constant)))
    return transformConstant(builder, loc, constant, shape, type, tile);
  std::vector<float> factors;
  for (int64_t i = 0; i != window; ++i)
    for (int64_t j = 0; j != window; ++j)
      for (double row : getFilterRow(tile, i))
        for (double column : getFilterRow(tile, j))
          factors.push_back(static_cast<float>(row * column));
  Value factor = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          RankedTensorType::get({products, kTaps, kTaps}, f32),
          ArrayRef<float>(factors)));
  // Loops: product, channel, filter, tap's row, tap's column.
  MLIRContext *context = builder.getContext();
  AffineExpr t, c, k, p, q;
  bindDims(context, t, c, k, p, q);
  const std::array<AffineExpr, 4> loops = {p, q, c, k};
  const SmallVector<AffineExpr> read = llvm::map_to_vector(
      shape.weightDims, [&](unsigned dim) { return loops[dim]; });
  SmallVector<AffineMap> maps = {AffineMap::get(5, 0, {t, p, q}, context),
                                 AffineMap::get(5, 0, read, context),
                                 AffineMap::get(5, 0, {t, c, k}, context)};
  SmallVector<utils::IteratorType> iterators(3, utils::IteratorType::parallel);
  iterators.append(2, utils::IteratorType::reduction);
  return linalg::GenericOp::create(
             builder, loc, type, ValueRange{factor, weights},
             makeZeros(builder, loc, type), maps, iterators,
             [](OpBuilder &nested, Location where, ValueRange arguments) {
               Value product = arith::MulFOp::create(
                   nested, where, arguments[0], arguments[1]);
               Value sum =
                   arith::AddFOp::create(nested, where, arguments[2], product);
               linalg::YieldOp::create(nested, where, sum);
             })
      .getResult(0);
}

namespace {
/// Rewrites one convolution.
class Rewriter {
public:
  Rewriter(linalg::LinalgOp op, int64_t tile, const Target &target)
      : op(op), tile(tile), target(target), shape(*getShape(op)),
        lanes(countLanes(shape, target)),
        tileRows(countTiles(shape.rows, tile)),
        tileColumns(countTiles(shape.columns, tile)), loc(op.getLoc()) {}

  void run() {
    SmallVector<linalg::LinalgOp> epilogue = collectEpilogue(op);
    Operation *last = epilogue.empty() ? op : epilogue.back();
    // Epilogues may read what comes after the convolution.
    OpBuilder builder(last);
    Value weights =
        transformWeights(builder, loc, op->getOperand(1), shape, tile);
    Value image = transformImage(builder);
    Value products = multiply(builder, image, weights);
    Value result = transformResult(builder, products, epilogue);
    last->getResult(0).replaceAllUsesWith(result);
    auto pad = op->getOperand(0).getDefiningOp<tensor::PadOp>();
    auto fill = op.getDpsInitOperand(0)->get().getDefiningOp<linalg::FillOp>();
    for (linalg::LinalgOp next : llvm::reverse(epilogue))
      next->erase();
    op->erase();
    for (Operation *unused : {pad.getOperation(), fill.getOperation()})
      if (unused && unused->use_empty())
        unused->erase();
  }

private:
  VectorType getVectorType(OpBuilder &builder) const {
    return VectorType::get({lanes}, builder.getF32Type());
  }

  /// [product][image][tile row][tile column][channel].
  SmallVector<int64_t> getTiledShape(int64_t channels) const {
    const int64_t window = getWindow(tile);
    return {window * window, shape.images, tileRows, tileColumns, channels};
  }
  static SmallVector<ReassociationIndices, 3> getReassociation() {
    return {{0}, {1, 2, 3}, {4}};
  }

  /// One read or write of all that a tile has: where tensors become buffers,
  /// each access is compared with each.
  Value read(OpBuilder &builder, Value from, ArrayRef<int64_t> shape,
             ArrayRef<Value> indices) const {
    auto type = VectorType::get(shape, builder.getF32Type());
    return vector::TransferReadOp::create(
        builder, loc, type, from, indices, /*padding=*/std::nullopt,
        SmallVector<bool>(shape.size(), true));
  }
  Value write(OpBuilder &builder, ArrayRef<Value> vectors,
              ArrayRef<SmallVector<int64_t>> places, ArrayRef<int64_t> shape,
              Value to, ArrayRef<Value> indices) const {
    auto type = VectorType::get(shape, builder.getF32Type());
    Value all =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    for (auto [vector, place] : llvm::zip_equal(vectors, places))
      all = vector::InsertOp::create(builder, loc, vector, all, place);
    return vector::TransferWriteOp::create(
               builder, loc, all, to, indices,
               SmallVector<bool>(shape.size(), true))
        .getResult();
  }

  Value transformImage(OpBuilder &builder) {
    const Image image = getImage(op);
    const int64_t window = getWindow(tile);
    ArrayRef<int64_t> extents =
        cast<RankedTensorType>(image.value.getType()).getShape();
    Value dest = tensor::EmptyOp::create(
        builder, loc, getTiledShape(shape.channels), builder.getF32Type());
    VectorType vector = getVectorType(builder);
    auto body = [&](OpBuilder &nested, Value to, const TilePlace &place) {
      const TileRange &rows = place.rows, &columns = place.columns;
      // Nothing, where all of the tile is in the pad.
      Value there;
      if (rows.count() != 0 && columns.count() != 0)
        there =
            read(nested, image.value, {rows.count(), columns.count(), lanes},
                 {place.image,
                  TilePlace::getElement(nested, loc, place.row, tile,
                                        rows.first - image.lowRows),
                  TilePlace::getElement(nested, loc, place.column, tile,
                                        columns.first - image.lowColumns),
                  place.channel});
      Value zero =
          arith::ConstantOp::create(nested, loc, nested.getZeroAttr(vector));
      SmallVector<Value> pixels;
      for (int64_t p = 0; p != window; ++p)
        for (int64_t q = 0; q != window; ++q)
          pixels.push_back(
              rows.contains(p) && columns.contains(q)
                  ? vector::ExtractOp::create(
                        nested, loc, there,
                        ArrayRef<int64_t>{p - rows.first, q - columns.first})
                        .getResult()
                  : zero);
      SmallVector<Value> results =
          transformSquare(nested, loc, getInputTransform(tile), pixels, window);
      SmallVector<SmallVector<int64_t>> places;
      for (int64_t product = 0; product != window * window; ++product)
        places.push_back({product, 0, 0, 0});
      return write(nested, results, places, {window * window, 1, 1, 1, lanes},
                   to,
                   {arith::ConstantIndexOp::create(nested, loc, 0), place.image,
                    place.row, place.column, place.ownChannel});
    };
    dest = buildTileLoops(
        builder, loc, dest, shape.images,
        cutRanges(tileRows, tile, window, image.lowRows, extents[1]),
        cutRanges(tileColumns, tile, window, image.lowColumns, extents[2]),
        lanes, target.threads, body);
    return tensor::CollapseShapeOp::create(builder, loc, dest,
                                           getReassociation());
  }

  Value multiply(OpBuilder &builder, Value image, Value weights) {
    auto type = cast<RankedTensorType>(image.getType());
    auto resultType = RankedTensorType::get(
        {type.getDimSize(0), type.getDimSize(1), shape.filters},
        type.getElementType());
    Value products =
        linalg::BatchMatmulOp::create(builder, loc, ValueRange{image, weights},
                                      makeZeros(builder, loc, resultType))
            .getResult(0);
    return tensor::ExpandShapeOp::create(
        builder, loc,
        RankedTensorType::get(getTiledShape(shape.filters),
                              type.getElementType()),
        products, getReassociation());
  }

  /// What the convolution adds its sums to; null for zeros.
  Value getStart() {
    Value init = op.getDpsInitOperand(0)->get();
    if (auto fill = init.getDefiningOp<linalg::FillOp>())
      if (matchPattern(fill.getInputs().front(), m_AnyZeroFloat()))
        return Value();
    return init;
  }

  Value transformResult(OpBuilder &builder, Value products,
                        ArrayRef<linalg::LinalgOp> epilogue) {
    const int64_t window = getWindow(tile);
    Value start = getStart();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Value dest = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                         type.getElementType());
    auto body = [&](OpBuilder &nested, Value to, const TilePlace &place) {
      const int64_t rows = place.rows.last, columns = place.columns.last;
      Value tiles = read(nested, products, {window * window, 1, 1, 1, lanes},
                         {arith::ConstantIndexOp::create(nested, loc, 0),
                          place.image, place.row, place.column, place.channel});
      SmallVector<Value> values;
      for (int64_t product = 0; product != window * window; ++product)
        values.push_back(vector::ExtractOp::create(
            nested, loc, tiles, ArrayRef<int64_t>{product, 0, 0, 0}));
      SmallVector<Value> square = transformSquare(
          nested, loc, getOutputTransform(tile), values, window);
      auto indicesOf = [&](int64_t p, int64_t q, Value channel) {
        return SmallVector<Value>{
            place.image, TilePlace::getElement(nested, loc, place.row, tile, p),
            TilePlace::getElement(nested, loc, place.column, tile, q), channel};
      };
      Value started;
      if (start)
        started = read(nested, start, {rows, columns, lanes},
                       indicesOf(0, 0, place.channel));
      SmallVector<Value> results;
      SmallVector<SmallVector<int64_t>> places;
      for (int64_t p = 0; p != rows; ++p)
        for (int64_t q = 0; q != columns; ++q) {
          Value value = square[p * tile + q];
          if (start)
            value = arith::AddFOp::create(
                nested, loc, value,
                vector::ExtractOp::create(nested, loc, started,
                                          ArrayRef<int64_t>{p, q}));
          Value produced = op->getResult(0);
          for (linalg::LinalgOp next : epilogue) {
            value = applyEpilogue(nested, next, produced, value,
                                  indicesOf(p, q, place.channel));
            produced = next->getResult(0);
          }
          results.push_back(value);
          places.push_back({p, q});
        }
      return write(nested, results, places, {rows, columns, lanes}, to,
                   indicesOf(0, 0, place.ownChannel));
    };
    return buildTileLoops(builder, loc, dest, shape.images,
                          cutRanges(tileRows, tile, tile, 0, shape.rows),
                          cutRanges(tileColumns, tile, tile, 0, shape.columns),
                          lanes, target.threads, body);
  }

  linalg::LinalgOp op;
  int64_t tile;
  const Target &target;
  ConvolutionShape shape;
  int64_t lanes, tileRows, tileColumns;
  Location loc;
};
} // namespace

llvm::StringSet<> sched::applyWinograd(ModuleOp module, ArrayRef<int64_t> tiles,
                                       const Target &target) {
  llvm::MapVector<func::FuncOp,
                  SmallVector<std::pair<linalg::LinalgOp, int64_t>>>
      chosen;
  for (auto [i, op] :
       llvm::enumerate(collectWinogradConvolutions(module, target)))
    if (const int64_t tile = tiles[std::min(i, tiles.size() - 1)])
      chosen[op->getParentOfType<func::FuncOp>()].push_back({op, tile});
  llvm::StringSet<> rewritten;
  for (auto &[function, convolutions] : chosen) {
    rewritten.insert(func::FuncOp(function).getName());
    auto ops = llvm::map_to_vector(
        convolutions, [](const auto &entry) { return entry.first; });
    // With channels outside, they are moved first, together with all others
    // that gain by it: what stands between two of them is not transposed.
    if (llvm::any_of(ops, [](linalg::LinalgOp op) {
          return getShape(op)->channelsFirst;
        }))
      moveChannelsLast(function, ops);
    for (auto [op, entry] : llvm::zip_equal(ops, convolutions))
      Rewriter(op, entry.second, target).run();
  }
  return rewritten;
}
