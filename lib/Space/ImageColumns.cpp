//===- ImageColumns.cpp - Convolutions as products of matrices ------------===//

#include "SchedOpt/Space/ImageColumns.h"
#include "ChannelsLast.h"
#include "ConvolutionPhases.h"
#include "ConvolutionShape.h"
#include "JoinEpilogues.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// With fewer channels taps and channels are one dimension of the reduction.
/// With more, upstream finds slices of single taps.
static constexpr int64_t kFewChannels = 16;

SmallVector<linalg::LinalgOp>
sched::collectColumnConvolutions(ModuleOp module) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk<WalkOrder::PreOrder>([&](linalg::LinalgOp op) {
    auto function = op->getParentOfType<func::FuncOp>();
    if (!function || function->hasAttr(kLeftToDefaultAttrName))
      return;
    const std::optional<ConvolutionShape> shape = getConvolutionShape(op);
    if (shape && shape->taps[0] * shape->taps[1] > 1 &&
        (!shape->channelsFirst || canMoveChannelsLast(op)) && !hasPhases(op))
      ops.push_back(op);
  });
  return ops;
}

namespace {
/// Rewrites one convolution with channels innermost.
class Rewriter {
public:
  explicit Rewriter(linalg::LinalgOp op)
      : op(op), shape(*getConvolutionShape(op)), loc(op.getLoc()), builder(op),
        filterDim(llvm::find(shape.weightDims, kFilter) -
                  shape.weightDims.begin()),
        joinsTaps(shape.channels < kFewChannels &&
                  (filterDim == 0 || filterDim == 3)) {}

  /// The op that gives the pixels their dimensions back.
  tensor::ExpandShapeOp run() {
    Value image = makeColumns(), weights = op->getOperand(1);
    if (joinsTaps)
      weights = tensor::CollapseShapeOp::create(
          builder, loc, weights,
          filterDim == 0 ? SmallVector<ReassociationIndices>{{0}, {1, 2, 3}}
                         : SmallVector<ReassociationIndices>{{0, 1, 2}, {3}});
    auto product = linalg::GenericOp::create(
        builder, loc, getRowsType(), ValueRange{image, weights},
        collapseStart(builder, loc, op.getDpsInitOperand(0)->get(),
                      getPixelGroups()),
        getMaps(), getIterators());
    IRMapping mapping;
    op->getRegion(0).cloneInto(&product.getRegion(), mapping);
    auto result =
        tensor::ExpandShapeOp::create(builder, loc, op->getResult(0).getType(),
                                      product.getResult(0), getPixelGroups());
    op->getResult(0).replaceAllUsesWith(result);
    Operation *start = op.getDpsInitOperand(0)->get().getDefiningOp();
    op->erase();
    if (start && isOpTriviallyDead(start))
      start->erase();
    return result;
  }

private:
  static constexpr unsigned kFilter = 3;

  static SmallVector<ReassociationIndices> getPixelGroups() {
    return {{0, 1, 2}, {3}};
  }

  RankedTensorType getRowsType() const {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    return RankedTensorType::get(
        {shape.images * shape.rows * shape.columns, shape.filters},
        type.getElementType());
  }

  /// Tap's row and column, and channel: as the weights have them where they are
  /// one dimension, as they lie in the image otherwise.
  SmallVector<unsigned, 3> getWindowOrder() const {
    if (!joinsTaps)
      return {0, 1, 2};
    return llvm::to_vector<3>(llvm::make_filter_range(
        shape.weightDims, [](unsigned dim) { return dim != kFilter; }));
  }

  /// [all pixels][taps and channels].
  Value makeColumns() {
    Value image = op->getOperand(0);
    const Type element = getElementTypeOrSelf(image.getType());
    const std::array<int64_t, 3> window = {shape.taps[0], shape.taps[1],
                                           shape.channels};
    SmallVector<int64_t> extents = {shape.images, shape.rows, shape.columns};
    // Loops: image, row, column, then those of the window.
    SmallVector<AffineExpr> loops(6);
    bindDimsList(op.getContext(), MutableArrayRef(loops));
    std::array<AffineExpr, 3> inWindow;
    for (auto [place, dim] : llvm::enumerate(getWindowOrder())) {
      extents.push_back(window[dim]);
      inWindow[dim] = loops[3 + place];
    }
    auto pixel = [&](unsigned i) {
      return loops[1 + i] * shape.strides[i] + inWindow[i] * shape.dilations[i];
    };
    const SmallVector<AffineMap> maps = {
        AffineMap::get(6, 0, {loops[0], pixel(0), pixel(1), inWindow[2]},
                       op.getContext()),
        builder.getMultiDimIdentityMap(6)};
    Value empty = tensor::EmptyOp::create(builder, loc, extents, element);
    Value columns =
        linalg::GenericOp::create(
            builder, loc, empty.getType(), image, empty, maps,
            SmallVector<utils::IteratorType>(6, utils::IteratorType::parallel),
            [](OpBuilder &nested, Location where, ValueRange arguments) {
              linalg::YieldOp::create(nested, where, arguments.front());
            })
            .getResult(0);
    SmallVector<ReassociationIndices> groups = {{0, 1, 2}};
    if (joinsTaps)
      groups.push_back({3, 4, 5});
    else
      groups.append({{3}, {4}, {5}});
    return tensor::CollapseShapeOp::create(builder, loc, columns, groups);
  }

  /// Loops: all pixels, the filters, then those of the reduction.
  SmallVector<AffineMap> getMaps() const {
    const unsigned count = joinsTaps ? 3 : 5;
    SmallVector<unsigned> columns = {0}, weights;
    for (unsigned loop = 2; loop != count; ++loop)
      columns.push_back(loop);
    if (joinsTaps)
      weights = filterDim == 0 ? SmallVector<unsigned>{1, 2}
                               : SmallVector<unsigned>{2, 1};
    else
      for (unsigned dim : shape.weightDims)
        weights.push_back(dim == kFilter ? 1 : 2 + dim);
    auto map = [&](ArrayRef<unsigned> dims) {
      return AffineMap::getMultiDimMapWithTargets(count, dims, op.getContext());
    };
    return {map(columns), map(weights), map({0, 1})};
  }

  SmallVector<utils::IteratorType> getIterators() const {
    SmallVector<utils::IteratorType> iterators(2,
                                               utils::IteratorType::parallel);
    iterators.append(joinsTaps ? 1 : 3, utils::IteratorType::reduction);
    return iterators;
  }

  mutable linalg::LinalgOp op;
  ConvolutionShape shape;
  Location loc;
  OpBuilder builder;
  /// Where the filters are in the weights.
  unsigned filterDim;
  bool joinsTaps;
};
} // namespace

llvm::StringSet<> sched::applyImageColumns(ModuleOp module,
                                           ArrayRef<int64_t> which) {
  llvm::MapVector<func::FuncOp, SmallVector<linalg::LinalgOp>> chosen;
  for (auto [i, op] : llvm::enumerate(collectColumnConvolutions(module)))
    if (!which.empty() && which[std::min(i, which.size() - 1)])
      chosen[op->getParentOfType<func::FuncOp>()].push_back(op);
  llvm::StringSet<> rewritten;
  for (auto &[function, ops] : chosen) {
    rewritten.insert(func::FuncOp(function).getName());
    if (llvm::any_of(ops, [](linalg::LinalgOp op) {
          return getConvolutionShape(op)->channelsFirst;
        }))
      moveChannelsLast(function, ops);
    for (linalg::LinalgOp op : ops)
      joinEpilogues(Rewriter(op).run());
  }
  return rewritten;
}
