//===- StageEmitter.cpp - The code of reductions and stored tiles ---------===//
//
// Stored tiles, tensors that are kept in shared memory, and the loops of all
// stages. Read next: StageReduction.cpp.
//
//===----------------------------------------------------------------------===//

#include "StageEmitter.h"
#include "BlockEmitter.h"
#include "SchedOpt/Support/KernelNumbers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

/// Points of windows that are written out.
static constexpr int64_t kWindowPoints = 36;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Value StageEmitter::atTop(llvm::function_ref<Value()> make) {
  OpBuilder::InsertionGuard insertion(state.builder);
  Block *block = state.builder.getInsertionBlock();
  if (block != top)
    state.builder.setInsertionPoint(
        top->findAncestorOpInBlock(*block->getParentOp()));
  return make();
}

Value StageEmitter::getDigit(int64_t stride, int64_t count) {
  Value &digit = indices[{stride, count, 0, -1}];
  if (!digit)
    digit = atTop([&] {
      IndexMath &index = state.index;
      const Value rest = index.divide(state.thread, stride);
      return stride * count < state.blockSize ? index.remainder(rest, count)
                                              : rest;
    });
  return digit;
}

Value StageEmitter::getIndex(const LoopLayout &loop, int64_t step) {
  const int64_t stride = loop.threads == 1 ? 1 : loop.stride;
  Value &place = indices[{stride, loop.threads, loop.vector, step}];
  if (place)
    return place;
  IndexMath &index = state.index;
  const Value first = index.constant(step * loop.threads * loop.vector);
  if (loop.threads == 1)
    return place = first;
  const Value digit = getDigit(stride, loop.threads);
  return place = atTop([&] {
           return index.add(index.multiply(digit, loop.vector), first);
         });
}

Value StageEmitter::isInside(Value index, Value size) {
  if (index.getParentBlock() != top || size.getParentBlock() != top)
    return state.index.less(index, size);
  auto [found, isNew] = conditions.try_emplace(
      {this, index.getAsOpaquePointer(), size.getAsOpaquePointer()});
  if (isNew)
    found->second = atTop([&] { return state.index.less(index, size); });
  return found->second;
}

Value StageEmitter::both(Value lhs, Value rhs) {
  if (!lhs || !rhs || lhs == rhs)
    return lhs ? lhs : rhs;
  if (lhs.getParentBlock() != top || rhs.getParentBlock() != top)
    return state.index.both(lhs, rhs);
  auto [found, isNew] = conditions.try_emplace(
      {nullptr, lhs.getAsOpaquePointer(), rhs.getAsOpaquePointer()});
  if (isNew)
    found->second = atTop([&] { return state.index.both(lhs, rhs); });
  return found->second;
}

Value StageEmitter::isFirst(const StageLayout &layout) {
  Value result;
  for (auto [stride, count] : layout.getDuplicates(state.blockSize))
    result = both(result,
                  isInside(getDigit(stride, count), state.index.constant(1)));
  return result;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

StageWalk::StageWalk(StageEmitter &stages, Operation *stage,
                     ArrayRef<Value> sizes, const llvm::SmallBitVector &serial)
    : stages(stages), layout(stages.plan.layouts.find(stage)->second),
      keepsNothing(stages.plan.inLoops.contains(stage)), sizes(sizes),
      bases(sizes.size()) {
  const llvm::SmallBitVector &writtenOut =
      stages.plan.writtenOut.find(stage)->second;
  const size_t count = layout.loops.size();
  unrolled.resize(count, 1);
  const int64_t width = layout.getWidth();
  int64_t inOrder = 1, outer = 1;
  for (size_t loop = 0; loop != count; ++loop)
    if (serial[loop] || writtenOut[loop])
      (serial[loop] ? inOrder : outer) *= layout.loops[loop].countSteps();
  // Windows are small.
  const bool hasWindow = inOrder > 1 && inOrder * outer <= kWindowPoints;
  const bool all = !keepsNothing && layout.countElements() <=
                                        getUnrollLimit(stages.state.blockSize);
  int64_t points = std::max<int64_t>(
      (hasWindow ? kWindowPoints / inOrder
                 : std::max(kVectorsAtOnce, kElementsAtOnce / width)) /
          outer,
      1);
  // Innermost loops first.
  for (size_t loop = count; loop-- != 0;) {
    const int64_t steps = layout.loops[loop].countSteps();
    if (all || writtenOut[loop] || (serial[loop] && hasWindow)) {
      unrolled[loop] = steps;
    } else if (steps <= points) {
      unrolled[loop] = steps;
      points /= steps;
    } else {
      // Without a remainder, if there is such a number.
      int64_t best = points;
      while (best > 1 && steps % best != 0)
        --best;
      unrolled[loop] = best > 1 ? best : points;
      points = 1;
    }
  }
}

LogicalResult
StageWalk::forEachRolled(ArrayRef<unsigned> loops,
                         SmallVectorImpl<Value> &values,
                         llvm::function_ref<LogicalResult()> body) {
  while (!loops.empty() && !isRolled(loops.front()))
    loops = loops.drop_front();
  if (loops.empty())
    return body();
  const unsigned number = loops.front();
  const LoopLayout &own = layout.loops[number];
  KernelState &state = stages.state;
  const int64_t trips = llvm::divideCeil(own.countSteps(), unrolled[number]);
  auto loop = scf::ForOp::create(
      state.builder, state.loc, state.index.constant(0),
      state.index.constant(trips), state.index.constant(1), values);
  state.index.setFacts(loop.getInductionVar(), {0, trips - 1, 1});
  // The loop of a lone reduction is LLVM's to write out. Where it writes
  // several stages' loops out, all that two of them read stays in registers.
  if (stages.plan.layouts.size() > 2)
    setNotUnrolled(loop);
  {
    OpBuilder::InsertionGuard insertion(state.builder);
    if (values.empty())
      state.builder.setInsertionPoint(loop.getBody()->getTerminator());
    else
      state.builder.setInsertionPointToStart(loop.getBody());
    bases[number] = state.index.multiply(
        loop.getInductionVar(), unrolled[number] * own.threads * own.vector);
    values.assign(loop.getRegionIterArgs().begin(),
                  loop.getRegionIterArgs().end());
    if (failed(forEachRolled(loops.drop_front(), values, body)))
      return failure();
    if (!values.empty())
      scf::YieldOp::create(state.builder, state.loc, values);
    bases[number] = {};
  }
  values.assign(loop.getResults().begin(), loop.getResults().end());
  return success();
}

SmallVector<StagePoint> StageWalk::getPoints(ArrayRef<unsigned> loops) {
  SmallVector<StagePoint> points(1);
  points.front().indices.resize(layout.loops.size());
  for (unsigned loop : loops) {
    SmallVector<StagePoint> next;
    SmallVector<std::pair<Value, Value>> steps;
    for (int64_t step = 0; step != unrolled[loop]; ++step) {
      Value index = stages.getIndex(layout.loops[loop], step);
      if (bases[loop])
        index = stages.state.index.add(bases[loop], index);
      steps.push_back({index, stages.isInside(index, sizes[loop])});
    }
    for (const StagePoint &point : points)
      for (auto [index, guard] : steps) {
        StagePoint inner = point;
        inner.indices[loop] = index;
        inner.guard = stages.both(point.guard, guard);
        next.push_back(std::move(inner));
      }
    points = std::move(next);
  }
  return points;
}

StagePoint StageWalk::join(const StagePoint &lhs, const StagePoint &rhs) {
  StagePoint point = lhs;
  for (auto [index, other] : llvm::zip_equal(point.indices, rhs.indices))
    if (other)
      index = other;
  point.guard = stages.both(lhs.guard, rhs.guard);
  return point;
}

//===----------------------------------------------------------------------===//
// Tiles in memory
//===----------------------------------------------------------------------===//

MemoryView StageEmitter::allocate(Type element, ArrayRef<int64_t> extents) {
  MemoryView view;
  view.strides = computeSuffixProduct(extents);
  view.memory = state.shared.allocate(computeProduct(extents), element);
  return view;
}

LogicalResult StageEmitter::keep(linalg::LinalgOp op) {
  const StageLayout &layout = plan.layouts.find(op)->second;
  SmallVector<Value> sizes;
  SmallVector<unsigned> loops;
  for (auto [number, operand] : llvm::enumerate(op.getDpsInitsMutable())) {
    const AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!map.isPermutation())
      return op->emitError("sched.simt: keep is \"shared\", and a dimension of "
                           "the result goes with no loop of the op alone; "
                           "expected \"recompute\"");
    if (number != 0)
      continue;
    for (unsigned loop = 0; loop != op.getNumLoops(); ++loop) {
      const unsigned dim = inversePermutation(map).getDimPosition(loop);
      sizes.push_back(reader.getSize(operand.get(), dim));
      if (!sizes.back())
        return failure();
      loops.push_back(loop);
    }
  }
  SmallVector<MemoryView> views;
  for (OpOperand &operand : op.getDpsInitsMutable()) {
    SmallVector<int64_t> extents;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
      extents.push_back(
          layout.loops[cast<AffineDimExpr>(expr).getPosition()].extent);
    views.push_back(
        allocate(getElementTypeOrSelf(operand.get().getType()), extents));
  }
  const Value first = isFirst(layout);
  StageWalk walk(*this, op, sizes, llvm::SmallBitVector(loops.size()));
  SmallVector<Value> none;
  if (failed(walk.forEachRolled(loops, none, [&]() -> LogicalResult {
        for (const StagePoint &point : walk.getPoints(loops))
          for (auto [number, view] : llvm::enumerate(views)) {
            const AffineMap map =
                op.getMatchingIndexingMap(op.getDpsInitOperand(number));
            SmallVector<Value> indices;
            Lanes lanes{layout.getWidth(), -1};
            for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
              const unsigned loop = cast<AffineDimExpr>(expr).getPosition();
              indices.push_back(point.indices[loop]);
              if (int64_t(loop) == layout.getVectorLoop())
                lanes.dim = dim;
            }
            const Value elements =
                reader.read(op->getResult(number), indices, lanes, point.guard);
            if (!elements)
              return failure();
            if (failed(emitWhere(
                    state, both(first, point.guard), [&, &view = view] {
                      storeLanes(state, reader, view, indices, lanes, elements);
                      return success();
                    })))
              return failure();
          }
        return success();
      })))
    return failure();
  state.barrier();
  for (auto [result, view] : llvm::zip_equal(op->getResults(), views))
    state.memory[result] = view;
  return success();
}

LogicalResult StageEmitter::store(tensor::ParallelInsertSliceOp insert,
                                  const MemoryView &view) {
  const StageLayout &layout = plan.layouts.find(insert)->second;
  SmallVector<Value> sizes;
  SmallVector<unsigned> loops;
  for (int64_t dim = 0; dim != insert.getSourceType().getRank(); ++dim) {
    sizes.push_back(reader.getSize(insert.getSource(), dim));
    if (!sizes.back())
      return failure();
    loops.push_back(dim);
  }
  const Lanes lanes{layout.getWidth(), layout.getVectorLoop()};
  const Value first = isFirst(layout);
  StageWalk walk(*this, insert, sizes, llvm::SmallBitVector(loops.size()));
  SmallVector<Value> none;
  return walk.forEachRolled(loops, none, [&]() -> LogicalResult {
    const SmallVector<StagePoint> points = walk.getPoints(loops);
    // All loads are on their way before the first store.
    SmallVector<Value> elements;
    for (const StagePoint &point : points) {
      elements.push_back(
          reader.read(insert.getSource(), point.indices, lanes, point.guard));
      if (!elements.back())
        return failure();
    }
    for (auto [point, value] : llvm::zip_equal(points, elements))
      if (failed(emitWhere(state, both(first, point.guard),
                           [&, &point = point, &value = value] {
                             storeLanes(state, reader, view, point.indices,
                                        lanes, value);
                             return success();
                           })))
        return failure();
    return success();
  });
}
