//===- SimtProduct.cpp - Products of tiles by fused multiply-adds ---------===//
//
// A thread has a tile of sums for each of its vthreads. Of the two axes, the
// one that is contiguous in the result is called x here: sums are vectors along
// it, and neighbouring threads are neighbours along it. The other is y.
//
//===----------------------------------------------------------------------===//

#include "ElementTypes.h"
#include "TileProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

namespace {
/// How threads share M or N.
struct ThreadAxis {
  /// 0: M, the left-hand side.
  unsigned side = 0;
  int64_t threads = 1, vthreads = 1, tile = 1;
  /// The thread's number along the axis.
  Value thread;

  int64_t getCovered() const { return threads * vthreads * tile; }
  Value getPlace(IndexMath &index, int64_t vthread, int64_t i) const {
    return index.add(index.multiply(thread, tile),
                     vthread * threads * tile + i);
  }
};

class SimtProduct final : public TileProduct {
public:
  explicit SimtProduct(ContractionTile &tile)
      : tile(tile), state(tile.state), reader(tile.reader) {}

  LogicalResult plan();

  int64_t getCovered(unsigned side) const override {
    return (x.side == side ? x : y).getCovered();
  }
  FailureOr<SmallVector<Value>> start(Value init) override;
  LogicalResult multiply(const SharedTile &lhs, const SharedTile &rhs,
                         Value slot, SmallVector<Value> &sums) override;
  LogicalResult forEach(ArrayRef<Value> sums,
                        RegisterTensor::Body body) override;

private:
  /// Of an operand, the elements of `steps` successive K.
  struct Fragment {
    /// Vectors along K, one a row; or along the axis, for each step.
    SmallVector<Value> vectors;
    bool isKInner = true;
    int64_t width = 1;
  };
  FailureOr<Fragment> load(const ThreadAxis &axis, const SharedTile &shared,
                           Value slot, Value k, int64_t steps);
  Value getElement(const ThreadAxis &axis, const Fragment &fragment,
                   int64_t row, int64_t step);
  Value getVector(const ThreadAxis &axis, const Fragment &fragment, int64_t row,
                  int64_t step);
  LogicalResult addSteps(const SharedTile &lhs, const SharedTile &rhs,
                         Value slot, Value k, int64_t steps,
                         SmallVector<Value> &sums);
  int64_t countRows(const ThreadAxis &axis) const {
    return axis.vthreads * axis.tile;
  }
  int64_t countSums() const { return countRows(y) * countRows(x) / chunk; }

  ContractionTile &tile;
  KernelState &state;
  ElementReader &reader;
  ThreadAxis x, y;
  /// Elements of a vector of sums.
  int64_t chunk = 1;
  Type sumType;
};
} // namespace

/// Most power of two that divides `value`, at most `limit`.
static int64_t getPower(int64_t value, int64_t limit) {
  return std::min<int64_t>(limit, value & -value);
}

LogicalResult SimtProduct::plan() {
  const SimtOptions &options = tile.options;
  if (options.slices.value_or(1) != 1)
    return tile.nest.shape.op->emitError("sched.simt: slices = ")
           << *options.slices
           << " is for matrix instructions; expected mma = 1 or 2, or no "
              "slices";
  x.side = tile.columns;
  y.side = 1 - x.side;

  int64_t free = state.blockSize;
  for (ThreadAxis *axis : {&x, &y}) {
    const int64_t extent = tile.outer[axis->side].extent;
    axis->tile = options.tile.empty()
                     ? std::min<int64_t>(4, llvm::bit_floor(uint64_t(extent)))
                     : options.tile[tile.getEntry(axis->side)];
    const int64_t groups = llvm::divideCeil(extent, axis->tile);
    // About a square by default.
    const int64_t fair =
        axis == &x
            ? std::min<int64_t>(
                  free, std::max<int64_t>(
                            16, llvm::divideCeil(
                                    free, llvm::divideCeil(
                                              tile.outer[y.side].extent, 4))))
            : free;
    axis->threads = options.threads.empty()
                        ? std::min<int64_t>(fair, llvm::PowerOf2Ceil(groups))
                        : options.threads[tile.getEntry(axis->side)];
    free /= axis->threads;
    axis->vthreads = options.vthreads.empty()
                         ? llvm::divideCeil(groups, axis->threads)
                         : options.vthreads[tile.getEntry(axis->side)];
    if (axis->getCovered() < extent)
      return tile.nest.shape.op->emitError("sched.simt: ")
             << axis->threads << " threads of " << axis->vthreads
             << " vthreads with tiles of " << axis->tile << " cover "
             << axis->getCovered() << " of the block's " << extent
             << (axis == &y ? " rows" : " columns")
             << "; expected at least as many";
  }
  if (x.threads * y.threads > state.blockSize)
    return tile.nest.shape.op->emitError("sched.simt asks for ")
           << y.threads << " x " << x.threads << " threads; the block has "
           << state.blockSize;
  const int64_t used = x.threads * y.threads;
  const Value thread = used < state.blockSize
                           ? state.index.remainder(state.thread, used)
                           : state.thread;
  const SmallVector<Value> own =
      state.index.delinearize(thread, {y.threads, x.threads});
  y.thread = own[0];
  x.thread = own[1];
  chunk = getPower(x.tile, 4);
  sumType = cast<RankedTensorType>(tile.nest.result.getType()).getElementType();
  return success();
}

LogicalResult SimtProduct::forEach(ArrayRef<Value> sums,
                                   RegisterTensor::Body body) {
  IndexMath &index = state.index;
  const TileAxis &along = tile.outer[x.side], &across = tile.outer[y.side];
  const int64_t width = along.getWidth(chunk, index);
  const int64_t used = x.threads * y.threads;
  const Value active = index.less(state.thread, index.constant(used));
  const int64_t dim = tile.getResultDim(x.side);
  struct Line {
    SmallVector<Value> places;
    Value inside;
  };
  SmallVector<Line> rows;
  for (int64_t vthread = 0; vthread != y.vthreads; ++vthread)
    for (int64_t i = 0; i != y.tile; ++i) {
      Line row;
      row.places = across.split(y.getPlace(index, vthread, i), index);
      row.inside = across.within(row.places, index);
      rows.push_back(std::move(row));
    }
  const int64_t chunks = countRows(x) / chunk;
  for (int64_t column = 0; column != countRows(x); column += width) {
    const Value place = x.getPlace(index, column / x.tile, column % x.tile);
    Line line;
    line.places = along.split(place, index);
    line.inside = index.both(active, along.within(line.places, index));
    for (auto [i, row] : llvm::enumerate(rows)) {
      RegisterTensor::Group group;
      group.indices = x.side == 1
                          ? tile.getResultPlace(row.places, line.places)
                          : tile.getResultPlace(line.places, row.places);
      group.lanes = {width, width > 1 ? dim : -1};
      group.guard = index.both(row.inside, line.inside);
      if (!sums.empty())
        group.elements = reader.slice(sums[i * chunks + column / chunk],
                                      column % chunk, width);
      if (failed(body(group)))
        return failure();
    }
  }
  return success();
}

FailureOr<SmallVector<Value>> SimtProduct::start(Value init) {
  if (const Value scalar = tile.getFillValue(init))
    return SmallVector<Value>(countSums(), reader.splat(scalar, chunk));
  // Groups come column by column; a vector of sums may be several of them.
  const int64_t rows = countRows(y), chunks = countRows(x) / chunk;
  SmallVector<SmallVector<Value>> parts(countSums());
  int64_t count = 0, columns = 0;
  const LogicalResult done =
      forEach({}, [&](const RegisterTensor::Group &group) -> LogicalResult {
        const Value value =
            reader.read(init, group.indices, group.lanes, group.guard);
        if (!value)
          return failure();
        SmallVector<Value> &part =
            parts[(count % rows) * chunks + columns / chunk];
        if (group.lanes.width == chunk)
          part.push_back(value);
        else
          for (int64_t i = 0; i != group.lanes.width; ++i)
            part.push_back(reader.extract(value, i));
        if (++count % rows == 0)
          columns += group.lanes.width;
        return success();
      });
  if (failed(done))
    return failure();
  SmallVector<Value> sums;
  for (ArrayRef<Value> part : parts)
    sums.push_back(reader.join(part));
  return sums;
}

FailureOr<SimtProduct::Fragment> SimtProduct::load(const ThreadAxis &axis,
                                                   const SharedTile &shared,
                                                   Value slot, Value k,
                                                   int64_t steps) {
  IndexMath &index = state.index;
  Fragment fragment;
  fragment.isKInner = shared.isKInner;
  const Type element =
      cast<MemRefType>(shared.memory.getType()).getElementType();
  const int64_t widest = getWidestVector(element);
  fragment.width = shared.isKInner ? steps : getPower(axis.tile, widest);
  auto read = [&](int64_t row, int64_t step) -> LogicalResult {
    const Value place = axis.getPlace(index, row / axis.tile, row % axis.tile);
    Value value =
        reader.load(shared.memory,
                    shared.getPosition(index, slot, place, index.add(k, step)),
                    fragment.width);
    llvm::DenseMap<Value, Value> values;
    for (Operation *op : tile.nest.shape.casts[axis.side]) {
      values[op->getOperand(0)] = value;
      if (failed(reader.emitScalarOp(op, fragment.width, values, {})))
        return failure();
      value = values[op->getResult(0)];
    }
    fragment.vectors.push_back(value);
    return success();
  };
  for (int64_t step = 0; step != (shared.isKInner ? 1 : steps); ++step)
    for (int64_t row = 0; row != countRows(axis);
         row += shared.isKInner ? 1 : fragment.width)
      if (failed(read(row, step)))
        return failure();
  return fragment;
}

Value SimtProduct::getElement(const ThreadAxis &axis, const Fragment &fragment,
                              int64_t row, int64_t step) {
  if (fragment.isKInner)
    return reader.extract(fragment.vectors[row], step);
  const int64_t each = countRows(axis) / fragment.width;
  return reader.extract(fragment.vectors[step * each + row / fragment.width],
                        row % fragment.width);
}

Value SimtProduct::getVector(const ThreadAxis &axis, const Fragment &fragment,
                             int64_t row, int64_t step) {
  if (!fragment.isKInner && fragment.width >= chunk) {
    const int64_t each = countRows(axis) / fragment.width;
    return reader.slice(fragment.vectors[step * each + row / fragment.width],
                        row % fragment.width, chunk);
  }
  SmallVector<Value> elements;
  for (int64_t i = 0; i != chunk; ++i)
    elements.push_back(getElement(axis, fragment, row + i, step));
  return reader.join(elements);
}

LogicalResult SimtProduct::addSteps(const SharedTile &lhs,
                                    const SharedTile &rhs, Value slot, Value k,
                                    int64_t steps, SmallVector<Value> &sums) {
  const auto across = load(y, y.side == 0 ? lhs : rhs, slot, k, steps);
  const auto along = load(x, x.side == 0 ? lhs : rhs, slot, k, steps);
  if (failed(across) || failed(along))
    return failure();
  OpBuilder &builder = state.builder;
  const int64_t rows = countRows(y), chunks = countRows(x) / chunk;
  for (int64_t step = 0; step != steps; ++step) {
    SmallVector<Value> columns;
    for (int64_t i = 0; i != chunks; ++i)
      columns.push_back(getVector(x, *along, i * chunk, step));
    for (int64_t row = 0; row != rows; ++row) {
      const Value factor =
          reader.splat(getElement(y, *across, row, step), chunk);
      for (int64_t i = 0; i != chunks; ++i) {
        Value &sum = sums[row * chunks + i];
        if (isa<FloatType>(sumType)) {
          sum =
              LLVM::FMAOp::create(builder, state.loc, factor, columns[i], sum);
          continue;
        }
        const Value product =
            arith::MulIOp::create(builder, state.loc, factor, columns[i]);
        sum = arith::AddIOp::create(builder, state.loc, sum, product);
      }
    }
  }
  return success();
}

LogicalResult SimtProduct::multiply(const SharedTile &lhs,
                                    const SharedTile &rhs, Value slot,
                                    SmallVector<Value> &sums) {
  // Steps that are read at once: those of a vector along K.
  const int64_t extent = tile.k.extent;
  int64_t group = 1;
  for (const SharedTile *shared : {&lhs, &rhs}) {
    if (!shared->isKInner)
      continue;
    const Type element =
        cast<MemRefType>(shared->memory.getType()).getElementType();
    const int64_t widest = getWidestVector(element);
    group = std::max(group, getPower(extent, getPower(shared->row, widest)));
  }
  int64_t unroll = std::min(tile.options.unroll.value_or(16), extent);
  unroll = std::max(unroll - unroll % group, group);
  while (extent % unroll != 0)
    unroll -= group;
  IndexMath &index = state.index;
  OpBuilder &builder = state.builder;
  auto addAll = [&](Value k, SmallVector<Value> &into) -> LogicalResult {
    for (int64_t step = 0; step != unroll; step += group)
      if (failed(addSteps(lhs, rhs, slot, index.add(k, step), group, into)))
        return failure();
    return success();
  };
  if (unroll == extent)
    return addAll(index.constant(0), sums);
  auto loop =
      scf::ForOp::create(builder, state.loc, index.constant(0),
                         index.constant(extent), index.constant(unroll), sums);
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  index.setFacts(loop.getInductionVar(), {0, extent - unroll, unroll});
  SmallVector<Value> inner(loop.getRegionIterArgs());
  if (failed(addAll(loop.getInductionVar(), inner)))
    return failure();
  scf::YieldOp::create(builder, state.loc, inner);
  sums.assign(loop->result_begin(), loop->result_end());
  return success();
}

std::unique_ptr<TileProduct> sched::createSimtProduct(ContractionTile &tile) {
  auto product = std::make_unique<SimtProduct>(tile);
  if (failed(product->plan()))
    return nullptr;
  return product;
}
