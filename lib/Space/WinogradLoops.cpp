//===- WinogradLoops.cpp - Loops over the tiles of an image ---------------===//

#include "WinogradLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <algorithm>

using namespace mlir;
using namespace sched::winograd;

SmallVector<TileRange> sched::winograd::cutRanges(int64_t tiles, int64_t step,
                                                  int64_t window, int64_t low,
                                                  int64_t extent) {
  SmallVector<TileRange> ranges;
  for (int64_t tile = 0; tile != tiles; ++tile) {
    const int64_t start = tile * step - low;
    const int64_t first = std::clamp<int64_t>(-start, 0, window);
    const int64_t last = std::clamp<int64_t>(extent - start, first, window);
    if (!ranges.empty() && ranges.back().first == first &&
        ranges.back().last == last)
      ranges.back().end = tile + 1;
    else
      ranges.push_back({tile, tile + 1, first, last});
  }
  return ranges;
}

Value TilePlace::getElement(OpBuilder &builder, Location loc, Value tile,
                            int64_t step, int64_t offset) {
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  return arith::AddIOp::create(
      builder, loc, arith::MulIOp::create(builder, loc, tile, index(step)),
      index(offset));
}

/// The loops of one thread, over `channels` from `firstChannel` on.
static Value buildOwnLoops(OpBuilder &builder, Location loc, Value dest,
                           int64_t images, ArrayRef<TileRange> rows,
                           ArrayRef<TileRange> columns, int64_t lanes,
                           int64_t channels, Value firstChannel,
                           TileBody body) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  for (const TileRange &row : rows)
    for (const TileRange &column : columns) {
      SmallVector<Value> lower = {index(0), index(row.begin),
                                  index(column.begin), index(0)};
      SmallVector<Value> upper = {index(images), index(row.end),
                                  index(column.end), index(channels)};
      SmallVector<Value> steps = {index(1), index(1), index(1), index(lanes)};
      scf::LoopNest nest = scf::buildLoopNest(
          builder, loc, lower, upper, steps, dest,
          [&](OpBuilder &nested, Location, ValueRange at,
              ValueRange dests) -> scf::ValueVector {
            Value channel =
                firstChannel
                    ? arith::AddIOp::create(nested, loc, firstChannel, at[3])
                          .getResult()
                    : at[3];
            return {body(nested, dests.front(),
                         {at[0], at[1], at[2], channel, at[3], row, column})};
          });
      dest = nest.results.front();
    }
  return dest;
}

Value sched::winograd::buildTileLoops(OpBuilder &builder, Location loc,
                                      Value dest, int64_t images,
                                      ArrayRef<TileRange> rows,
                                      ArrayRef<TileRange> columns,
                                      int64_t lanes, int64_t threads,
                                      TileBody body) {
  auto type = cast<RankedTensorType>(dest.getType());
  const int64_t channels = type.getShape().back();
  while (threads > 1 && channels % (threads * lanes) != 0)
    --threads;
  if (threads <= 1)
    return buildOwnLoops(builder, loc, dest, images, rows, columns, lanes,
                         channels, Value(), body);
  const int64_t share = channels / threads;
  auto forall = scf::ForallOp::create(
      builder, loc, ArrayRef<OpFoldResult>{builder.getIndexAttr(threads)}, dest,
      std::nullopt, [&](OpBuilder &nested, Location, ValueRange arguments) {
        Value first = arith::MulIOp::create(
            nested, loc, arguments[0],
            arith::ConstantIndexOp::create(nested, loc, share));
        SmallVector<OpFoldResult> offsets(type.getRank(),
                                          nested.getIndexAttr(0));
        SmallVector<OpFoldResult> ones(type.getRank(), nested.getIndexAttr(1));
        SmallVector<OpFoldResult> sizes;
        for (int64_t extent : type.getShape().drop_back())
          sizes.push_back(nested.getIndexAttr(extent));
        offsets.back() = first;
        sizes.push_back(nested.getIndexAttr(share));
        Value own = tensor::ExtractSliceOp::create(nested, loc, arguments[1],
                                                   offsets, sizes, ones);
        own = buildOwnLoops(nested, loc, own, images, rows, columns, lanes,
                            share, first, body);
        auto parallel = scf::InParallelOp::create(nested, loc);
        nested.setInsertionPointToStart(parallel.getBody());
        tensor::ParallelInsertSliceOp::create(nested, loc, own, arguments[1],
                                              offsets, sizes, ones);
      });
  return forall.getResult(0);
}
