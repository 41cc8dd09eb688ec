//===- BlockEmitter.cpp - The code of one block of a kernel ---------------===//

#include "BlockEmitter.h"
#include "ContractionEmitter.h"
#include "SimtOptions.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace sched;

static bool hasTensors(Operation *op) {
  return llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

FailureOr<int64_t> BlockEmitter::getBlockSize(scf::ForallOp loop) {
  int64_t most = 0;
  const WalkResult result = loop.getBody()->walk([&](Operation *op) {
    const FailureOr<SimtOptions> options = SimtOptions::get(op);
    if (failed(options))
      return WalkResult::interrupt();
    most = std::max(most, options->countThreads().value_or(0));
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return most ? llvm::alignTo(most, 32) : 256;
}

LogicalResult BlockEmitter::emit(scf::ForallOp loop) {
  for (auto [argument, init] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getOutputs()))
    state.aliases[argument] = init;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (hasTensors(&op)) {
      if (failed(emitStage(&op)))
        return failure();
      continue;
    }
    for (Value result : op.getResults())
      if (const Value scalar = reader.getScalar(result))
        state.scalars[result] = scalar;
      else
        return failure();
  }
  for (Operation &op : loop.getTerminator().getYieldingOps())
    if (failed(emitStore(cast<tensor::ParallelInsertSliceOp>(op))))
      return failure();
  return success();
}

LogicalResult BlockEmitter::emitStage(Operation *op) {
  if (std::optional<ContractionNest> nest = ContractionNest::find(op))
    return emitContraction(*nest, state, reader);
  if (isa<scf::ForOp>(op))
    return op->emitError("a kernel cannot run this loop: expected one that "
                         "adds up a contraction by tiles of its reduction");
  return success();
}

/// The tensor in registers that the elements of `tensor` are computed from, and
/// its place as a function of theirs.
static Value findRegisters(KernelState &state, Value tensor, AffineMap &map) {
  if (state.registers.count(tensor))
    return tensor;
  if (const Value alias = state.aliases.lookup(tensor))
    return findRegisters(state, alias, map);
  Operation *op = tensor.getDefiningOp();
  if (!op || state.memory.count(tensor))
    return {};
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return findRegisters(state, cast.getSource(), map);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (linalgOp.getNumLoops() != linalgOp.getNumParallelLoops())
      return {};
    const AffineMap to = linalgOp.getMatchingIndexingMap(
        linalgOp.getDpsInitOperand(cast<OpResult>(tensor).getResultNumber()));
    if (!to.isPermutation())
      return {};
    for (OpOperand &operand : op->getOpOperands()) {
      if (linalgOp.getMatchingBlockArgument(&operand).use_empty() ||
          !isa<RankedTensorType>(operand.get().getType()))
        continue;
      AffineMap inner = linalgOp.getMatchingIndexingMap(&operand).compose(
          inversePermutation(to).compose(map));
      if (const Value found = findRegisters(state, operand.get(), inner)) {
        map = inner;
        return found;
      }
    }
    return {};
  }
  if (OpTrait::hasElementwiseMappableTraits(op))
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        if (const Value found = findRegisters(state, operand, map))
          return found;
  return {};
}

LogicalResult BlockEmitter::emitStore(tensor::ParallelInsertSliceOp insert) {
  auto loop = insert->getParentOfType<scf::ForallOp>();
  const auto destination = cast<BlockArgument>(insert.getDest());
  const OpResult result =
      loop.getTiedOpResult(loop.getTiedOpOperand(destination));
  const MemoryView whole = state.memory.lookup(result);
  // The tile as a view of its own.
  MemoryView view;
  view.memory = whole.memory;
  SmallVector<Value> offsets;
  const llvm::SmallBitVector dropped = insert.getDroppedDims();
  for (int64_t dim = 0; dim != int64_t(whole.strides.size()); ++dim) {
    const std::optional<int64_t> stride =
        getConstantIntValue(insert.getMixedStrides()[dim]);
    if (!stride)
      return insert.emitError("a kernel can insert tiles of constant strides "
                              "only");
    offsets.push_back(reader.getScalar(insert.getMixedOffsets()[dim]));
    if (!offsets.back())
      return failure();
    if (!dropped[dim])
      view.strides.push_back(whole.strides[dim] * *stride);
  }
  view.offset = reader.getPosition(whole, offsets);

  const int64_t rank = insert.getSourceType().getRank();
  AffineMap map = state.builder.getMultiDimIdentityMap(rank);
  const Value stage = findRegisters(state, insert.getSource(), map);
  if (stage && map.isPermutation())
    return storeRegisters(insert, view, stage, map);
  return storeShared(insert, view);
}

/// Stores lanes, one by one where the buffer has them apart.
static void storeLanes(KernelState &state, ElementReader &reader,
                       const MemoryView &view, ArrayRef<Value> indices,
                       Lanes lanes, Value elements) {
  const Value position = reader.getPosition(view, indices);
  if (lanes.width == 1 || view.strides[lanes.dim] == 1) {
    reader.store(elements, view.memory, position);
    return;
  }
  for (int64_t i = 0; i != lanes.width; ++i)
    reader.store(reader.extract(elements, i), view.memory,
                 state.index.add(position, i * view.strides[lanes.dim]));
}

/// Runs `body` where `guard` holds.
static LogicalResult emitWhere(KernelState &state, Value guard,
                               llvm::function_ref<LogicalResult()> body) {
  if (!guard)
    return body();
  auto branch = scf::IfOp::create(state.builder, state.loc, guard,
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard insertion(state.builder);
  state.builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  return body();
}

LogicalResult BlockEmitter::storeRegisters(tensor::ParallelInsertSliceOp insert,
                                           const MemoryView &view, Value stage,
                                           AffineMap map) {
  const std::shared_ptr<RegisterTensor> tile = state.registers.lookup(stage);
  return tile->forEach([&](const RegisterTensor::Group &group) {
    // The same place, in the order of the tile's dimensions.
    SmallVector<Value> indices(group.indices.size());
    Lanes lanes = group.lanes;
    for (auto [i, expr] : llvm::enumerate(map.getResults())) {
      const unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      indices[dim] = group.indices[i];
      if (int64_t(i) == group.lanes.dim)
        lanes.dim = dim;
    }
    tile->current = &group;
    const LogicalResult stored =
        emitWhere(state, group.guard, [&]() -> LogicalResult {
          const Value elements =
              reader.read(insert.getSource(), indices, lanes);
          if (!elements)
            return failure();
          storeLanes(state, reader, view, indices, lanes, elements);
          return success();
        });
    tile->current = nullptr;
    return stored;
  });
}

LogicalResult BlockEmitter::storeShared(tensor::ParallelInsertSliceOp insert,
                                        const MemoryView &view) {
  const int64_t rank = insert.getSourceType().getRank();
  SimtOptions options;
  if (Operation *op = insert.getSource().getDefiningOp()) {
    const FailureOr<SimtOptions> found = SimtOptions::get(op);
    if (failed(found))
      return failure();
    options = *found;
    if (!options.threads.empty() && int64_t(options.threads.size()) != rank)
      return op->emitError("sched.simt: threads has ")
             << options.threads.size() << " numbers; expected one for each of "
             << "the " << rank << " dimensions of the result";
  }
  SmallVector<Value> sizes;
  SmallVector<int64_t> bounds;
  const llvm::SmallBitVector dropped = insert.getDroppedDims();
  for (auto [dim, mixed] : llvm::enumerate(insert.getMixedSizes())) {
    if (dropped[dim])
      continue;
    const Value size = reader.getScalar(mixed);
    if (!size)
      return failure();
    bounds.push_back(state.index.getFacts(size).max);
    if (bounds.back() >= IndexFacts::highest)
      return insert.emitError("the tile's dimension ")
             << sizes.size() << " has no bound: expected a constant, or the "
             << "minimum of one and what is left";
    sizes.push_back(size);
  }
  // Vectors along the dimension that is contiguous in the result.
  Lanes lanes{1, rank - 1};
  if (rank && view.strides[rank - 1] == 1) {
    const Type element = insert.getSourceType().getElementType();
    const int64_t bits =
        element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
    const int64_t widest =
        bits < 8 ? 1
                 : options.vector.value_or(std::max<int64_t>(128 / bits, 1));
    lanes.width = state.index.getPowerDivisor(sizes[rank - 1], widest);
    // An access that is not aligned would be split.
    if (view.offset)
      lanes.width = state.index.getPowerDivisor(view.offset, lanes.width);
    for (int64_t dim = 0; dim + 1 < rank; ++dim)
      if (bounds[dim] != 1)
        lanes.width = std::min<int64_t>(lanes.width,
                                        view.strides[dim] & -view.strides[dim]);
  }
  return dealElements(state, sizes, bounds, options.threads, lanes.width,
                      [&](ArrayRef<Value> indices, Value guard) {
                        return emitWhere(state, guard, [&]() -> LogicalResult {
                          const Value elements =
                              reader.read(insert.getSource(), indices, lanes);
                          if (!elements)
                            return failure();
                          storeLanes(state, reader, view, indices, lanes,
                                     elements);
                          return success();
                        });
                      });
}

/// Threads along each dimension, innermost first, as many as it has lanes for.
static SmallVector<int64_t> chooseThreads(ArrayRef<int64_t> bounds,
                                          int64_t width, int64_t all) {
  SmallVector<int64_t> threads(bounds.size(), 1);
  for (size_t dim = bounds.size(); dim-- > 0;) {
    const int64_t groups =
        llvm::divideCeil(bounds[dim], dim + 1 == bounds.size() ? width : 1);
    threads[dim] = std::min<int64_t>(all, llvm::PowerOf2Ceil(groups));
    all /= threads[dim];
  }
  return threads;
}

LogicalResult sched::dealElements(
    KernelState &state, ArrayRef<Value> sizes, ArrayRef<int64_t> bounds,
    ArrayRef<int64_t> given, int64_t width,
    llvm::function_ref<LogicalResult(ArrayRef<Value>, Value)> body) {
  IndexMath &index = state.index;
  const size_t rank = bounds.size();
  SmallVector<int64_t> threads(given);
  if (threads.empty())
    threads = chooseThreads(bounds, width,
                            int64_t(1) << llvm::Log2_64(state.blockSize));
  const int64_t used = std::accumulate(threads.begin(), threads.end(),
                                       int64_t(1), std::multiplies<>());
  const Value active = index.less(state.thread, index.constant(used));
  const SmallVector<Value> own = index.delinearize(
      used < state.blockSize ? index.remainder(state.thread, used)
                             : state.thread,
      threads);
  SmallVector<int64_t> steps(rank), trips(rank);
  int64_t total = 1;
  for (size_t dim = 0; dim != rank; ++dim) {
    steps[dim] = threads[dim] * (dim + 1 == rank ? width : 1);
    trips[dim] = llvm::divideCeil(bounds[dim], steps[dim]);
    total *= trips[dim];
  }
  // A few rounds are written out; more are loops.
  const bool isLoop = total > 8;
  OpBuilder::InsertionGuard insertion(state.builder);
  SmallVector<Value> rounds(rank, index.constant(0));
  auto emit = [&]() -> LogicalResult {
    SmallVector<Value> indices(rank);
    Value guard = active;
    for (size_t dim = 0; dim != rank; ++dim) {
      const int64_t lanes = dim + 1 == rank ? width : 1;
      indices[dim] = index.add(index.multiply(own[dim], lanes),
                               index.multiply(rounds[dim], steps[dim]));
      guard = index.both(guard, index.less(indices[dim], sizes[dim]));
    }
    return body(indices, guard);
  };
  if (isLoop) {
    for (size_t dim = 0; dim != rank; ++dim) {
      if (trips[dim] == 1)
        continue;
      auto loop =
          scf::ForOp::create(state.builder, state.loc, index.constant(0),
                             index.constant(trips[dim]), index.constant(1));
      rounds[dim] = loop.getInductionVar();
      index.setFacts(rounds[dim], {0, trips[dim] - 1, 1});
      state.builder.setInsertionPoint(loop.getBody()->getTerminator());
    }
    return emit();
  }
  for (int64_t round = 0; round != total; ++round) {
    int64_t rest = round;
    for (size_t dim = rank; dim-- > 0; rest /= trips[dim])
      rounds[dim] = index.constant(rest % trips[dim]);
    if (failed(emit()))
      return failure();
  }
  return success();
}
