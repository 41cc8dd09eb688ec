//===- BlockEmitter.cpp - The code of one block of a kernel ---------------===//

#include "BlockEmitter.h"
#include "BlockGroups.h"
#include "ContractionEmitter.h"
#include "SimtOptions.h"
#include "SumsInPlace.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
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
  const FailureOr<StagePlan> plan = planStages(loop);
  if (failed(plan))
    return failure();
  int64_t most = plan->blockSize;
  const WalkResult result = loop.getBody()->walk([&](Operation *op) {
    const FailureOr<SimtOptions> options = SimtOptions::get(op);
    if (failed(options))
      return WalkResult::interrupt();
    most = std::max(most, options->countThreads().value_or(0));
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
        linalgOp && getBlockWork(linalgOp) == BlockWork::Contraction &&
        !isStage(op) && !options->countThreads())
      most = std::max<int64_t>(most, 256);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return most ? llvm::alignTo(most, 32) : 256;
}

LogicalResult BlockEmitter::emit(scf::ForallOp loop) {
  FailureOr<StagePlan> plan = planStages(loop);
  if (failed(plan))
    return failure();
  stages.emplace(state, reader, std::move(*plan));
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
  if (stages->isStage(op))
    return stages->emit(cast<linalg::LinalgOp>(op));
  if (std::optional<ContractionNest> nest = ContractionNest::find(op)) {
    if (failed(checkKeep(*nest)) ||
        failed(emitContraction(*nest, state, reader)))
      return failure();
    return staysInRegisters(*nest) ? success() : moveToShared(nest->result);
  }
  if (isa<scf::ForOp>(op))
    return op->emitError("a kernel cannot run this loop: expected one that "
                         "adds up a contraction by tiles of its reduction");
  return success();
}

LogicalResult BlockEmitter::moveToShared(Value tensor) {
  const std::shared_ptr<RegisterTensor> tile = state.registers.lookup(tensor);
  const auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> bounds;
  for (int64_t dim = 0; dim != type.getRank(); ++dim) {
    const Value size = reader.getSize(tensor, dim);
    if (!size)
      return failure();
    bounds.push_back(state.index.getFacts(size).max);
  }
  MemoryView view;
  view.memory =
      state.shared.allocate(computeProduct(bounds), type.getElementType());
  view.strides = computeSuffixProduct(bounds);
  const LogicalResult stored =
      tile->forEach([&](const RegisterTensor::Group &group) {
        return emitWhere(state, group.guard, [&] {
          storeLanes(state, reader, view, group.indices, group.lanes,
                     group.elements);
          return success();
        });
      });
  state.barrier();
  state.registers.erase(tensor);
  state.memory[tensor] = view;
  return stored;
}

/// The tensor in registers that the elements of `tensor` are computed from, and
/// its place as a function of theirs. `without` collects those that have none:
/// each is asked once, however many ops read it.
static Value findRegisters(KernelState &state, Value tensor, AffineMap &map,
                           llvm::SmallPtrSetImpl<void *> &without) {
  if (state.registers.count(tensor))
    return tensor;
  if (!without.insert(tensor.getAsOpaquePointer()).second)
    return {};
  if (const Value alias = state.aliases.lookup(tensor))
    return findRegisters(state, alias, map, without);
  Operation *op = tensor.getDefiningOp();
  if (!op || state.memory.count(tensor))
    return {};
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return findRegisters(state, cast.getSource(), map, without);
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
      if (const Value found =
              findRegisters(state, operand.get(), inner, without)) {
        map = inner;
        return found;
      }
    }
    return {};
  }
  if (OpTrait::hasElementwiseMappableTraits(op))
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        if (const Value found = findRegisters(state, operand, map, without))
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
  llvm::SmallPtrSet<void *, 16> without;
  const Value stage = findRegisters(state, insert.getSource(), map, without);
  if (stage && map.isPermutation())
    return storeRegisters(insert, view, stage, map);
  return stages->store(insert, view);
}

void sched::storeLanes(KernelState &state, ElementReader &reader,
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

LogicalResult sched::emitWhere(KernelState &state, Value guard,
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
