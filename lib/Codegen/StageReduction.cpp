//===- StageReduction.cpp - The code of a reduction -----------------------===//
//
// Each thread reduces its own elements into partial results: a few that are
// independent, so that one need not wait for the other. Then lanes, partial
// results and threads are combined, and all threads that have shared a
// reduction get its result. Where the order of elements may matter, one thread
// goes through them in order.
//
// Read next: ThreadReduction.h.
//
//===----------------------------------------------------------------------===//

#include "BlockEmitter.h"
#include "StageEmitter.h"
#include "ThreadReduction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace sched;

/// Partial results of scalars that are independent of each other.
static constexpr int64_t kPartials = 4;

namespace sched {
class ReductionStage {
public:
  ReductionStage(StageEmitter &stages, linalg::LinalgOp op)
      : stages(stages), state(stages.state), reader(stages.reader), op(op),
        layout(stages.plan.layouts.find(op)->second),
        combiners(matchCombiners(op)), laneLoop(layout.getVectorLoop()),
        width(layout.getWidth()),
        inRegisters(stages.plan.inRegisters.contains(op)) {}

  LogicalResult emit();

private:
  /// By result of the op.
  using Values = SmallVector<Value>;

  FailureOr<SmallVector<Value>> getSizes();
  FailureOr<Values> start(const StagePoint &point);
  LogicalResult step(const StagePoint &point, Values &sums);
  FailureOr<Values> combine(ArrayRef<Value> first, ArrayRef<Value> second);
  LogicalResult reduce(StageWalk &walk, ArrayRef<StagePoint> points);
  LogicalResult finish(const StagePoint &point, Values sums);
  bool isReduction(unsigned loop) {
    return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
  }

  StageEmitter &stages;
  KernelState &state;
  ElementReader &reader;
  linalg::LinalgOp op;
  const StageLayout &layout;
  const SmallVector<Combiner> combiners;
  const int64_t laneLoop, width;
  const bool inRegisters;
  SmallVector<unsigned> kept, reduced;
  /// Lanes, threads or several sums have parts of one result.
  bool isPartial = false;
  int64_t partials = 1;
  bool isRepeated = false;
  Value first;
  /// Of results in shared memory.
  SmallVector<MemoryView> views;
};
} // namespace sched

LogicalResult StageEmitter::emit(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return keep(op);
  return ReductionStage(*this, op).emit();
}

FailureOr<SmallVector<Value>> ReductionStage::getSizes() {
  SmallVector<Value> sizes(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    const AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        if (Value &size = sizes[loop.getPosition()]; !size)
          if (!(size = reader.getSize(operand.get(), dim)))
            return failure();
  }
  return sizes;
}

LogicalResult ReductionStage::emit() {
  FailureOr<SmallVector<Value>> sizes = getSizes();
  if (failed(sizes))
    return failure();
  StageLayout outer;
  int64_t steps = 1;
  llvm::SmallBitVector serial(op.getNumLoops());
  for (unsigned loop = 0; loop != op.getNumLoops(); ++loop) {
    const LoopLayout &own = layout.loops[loop];
    if (!isReduction(loop)) {
      kept.push_back(loop);
      outer.loops.push_back(own);
      continue;
    }
    reduced.push_back(loop);
    serial[loop] = own.threads == 1;
    steps *= own.countSteps();
    isPartial |= own.threads > 1 || own.vector > 1;
  }
  // A reduction in one thread needs no more than its order; one by many has
  // few elements a thread, which are all independent.
  if (isPartial && width == 1)
    partials = std::min(kPartials, steps);
  if (!inRegisters) {
    for (OpOperand &operand : op.getDpsInitsMutable()) {
      SmallVector<int64_t> extents;
      for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
        auto loop = dyn_cast<AffineDimExpr>(expr);
        if (!loop)
          return op->emitError("a kernel cannot compute this reduction: "
                               "expected a result that loops index one by one");
        extents.push_back(layout.loops[loop.getPosition()].extent);
      }
      views.push_back(stages.allocate(
          getElementTypeOrSelf(operand.get().getType()), extents));
    }
    first = stages.isFirst(outer);
  }
  StageWalk walk(stages, op, *sizes, serial);
  isRepeated =
      llvm::any_of(kept, [&](unsigned loop) { return walk.isRolled(loop); });
  Values none;
  if (failed(walk.forEachRolled(
          kept, none, [&] { return reduce(walk, walk.getPoints(kept)); })))
    return failure();
  if (inRegisters)
    return success();
  state.barrier();
  for (auto [result, view] : llvm::zip_equal(op->getResults(), views))
    state.memory[result] = view;
  return success();
}

FailureOr<SmallVector<Value>> ReductionStage::start(const StagePoint &point) {
  Values sums;
  if (isPartial) {
    for (const Combiner &combiner : combiners)
      sums.push_back(reader.splat(state.literal(combiner.neutral), width));
    return sums;
  }
  for (OpOperand &operand : op.getDpsInitsMutable()) {
    const Value value = reader.readOperand(op, operand, point.indices, laneLoop,
                                           width, point.guard);
    if (!value)
      return failure();
    sums.push_back(reader.splat(value, width));
  }
  return sums;
}

LogicalResult ReductionStage::step(const StagePoint &point, Values &sums) {
  Block *body = op.getBlock();
  llvm::DenseMap<Value, Value> values;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    const BlockArgument argument = op.getMatchingBlockArgument(operand);
    if (argument.use_empty())
      continue;
    values[argument] = isa<RankedTensorType>(operand->get().getType())
                           ? reader.readOperand(op, *operand, point.indices,
                                                laneLoop, width, point.guard)
                           : reader.getScalar(operand->get());
    if (!values[argument])
      return failure();
  }
  for (auto [argument, sum] : llvm::zip_equal(op.getRegionOutputArgs(), sums))
    values[argument] = sum;
  // A product is added to a sum by one instruction.
  auto findProduct = [&](arith::AddFOp sum) -> arith::MulFOp {
    for (auto [value, other] : {std::pair(sum.getLhs(), sum.getRhs()),
                                std::pair(sum.getRhs(), sum.getLhs())})
      if (auto product = value.getDefiningOp<arith::MulFOp>();
          product && product->getBlock() == body && product->hasOneUse() &&
          llvm::is_contained(op.getRegionOutputArgs(), other))
        return product;
    return {};
  };
  for (Operation &inner : body->without_terminator()) {
    if (auto place = dyn_cast<linalg::IndexOp>(inner)) {
      values[place.getResult()] =
          reader.getLoopIndex(point.indices, place.getDim(), laneLoop, width);
      continue;
    }
    if (isa<arith::MulFOp>(inner) && inner.hasOneUse())
      if (auto sum = dyn_cast<arith::AddFOp>(*inner.user_begin());
          sum && findProduct(sum) == &inner)
        continue;
    if (auto sum = dyn_cast<arith::AddFOp>(inner))
      if (auto product = findProduct(sum)) {
        const Value other =
            sum.getLhs() == product.getResult() ? sum.getRhs() : sum.getLhs();
        SmallVector<Value> factors;
        for (Value factor : {product.getLhs(), product.getRhs(), other}) {
          Value value = values.lookup(factor);
          if (!value)
            value = reader.getScalar(factor);
          if (!value)
            return failure();
          factors.push_back(reader.splat(value, width));
        }
        values[sum.getResult()] = math::FmaOp::create(
            state.builder, state.loc, factors[0], factors[1], factors[2]);
        continue;
      }
    if (failed(reader.emitScalarOp(&inner, width, values, point.guard)))
      return failure();
  }
  for (auto [yielded, sum] :
       llvm::zip_equal(body->getTerminator()->getOperands(), sums)) {
    Value value = values.lookup(yielded);
    if (!value)
      value = reader.getScalar(yielded);
    if (!value)
      return failure();
    value = reader.splat(value, width);
    sum = state.index.select(point.guard, value, sum);
  }
  return success();
}

FailureOr<SmallVector<Value>> ReductionStage::combine(ArrayRef<Value> first,
                                                      ArrayRef<Value> second) {
  Values result;
  for (auto [number, combiner] : llvm::enumerate(combiners)) {
    llvm::DenseMap<Value, Value> values;
    const bool isLeft =
        combiner.op->getOperand(0) == op.getRegionOutputArgs()[number];
    values[combiner.op->getOperand(0)] =
        isLeft ? first[number] : second[number];
    values[combiner.op->getOperand(1)] =
        isLeft ? second[number] : first[number];
    auto vector = dyn_cast<VectorType>(first[number].getType());
    if (failed(reader.emitScalarOp(
            combiner.op, vector ? vector.getDimSize(0) : 1, values, {})))
      return failure();
    result.push_back(values[combiner.op->getResult(0)]);
  }
  return result;
}

LogicalResult ReductionStage::reduce(StageWalk &walk,
                                     ArrayRef<StagePoint> points) {
  // All partial results of all points, one after the other.
  const size_t results = op->getNumResults();
  Values sums;
  for (const StagePoint &point : points) {
    FailureOr<Values> start = this->start(point);
    if (failed(start))
      return failure();
    for (int64_t partial = 0; partial != partials; ++partial)
      llvm::append_range(sums, *start);
  }
  auto body = [&]() -> LogicalResult {
    for (auto [turn, inner] : llvm::enumerate(walk.getPoints(reduced)))
      for (auto [number, point] : llvm::enumerate(points)) {
        auto own = MutableArrayRef(sums).slice(
            (number * partials + turn % partials) * results, results);
        Values values(own.begin(), own.end());
        if (failed(step(walk.join(point, inner), values)))
          return failure();
        llvm::copy(values, own.begin());
      }
    return success();
  };
  if (failed(walk.forEachRolled(reduced, sums, body)))
    return failure();

  SmallVector<Values> totals;
  for (size_t number = 0; number != points.size(); ++number) {
    auto part = [&](int64_t partial) {
      return ArrayRef(sums).slice((number * partials + partial) * results,
                                  results);
    };
    Values total(part(0));
    for (int64_t partial = 1; partial < partials; ++partial) {
      FailureOr<Values> both = combine(total, part(partial));
      if (failed(both))
        return failure();
      total = *both;
    }
    // Lanes of the reduction are partial results as well.
    if (laneLoop >= 0 && isReduction(laneLoop)) {
      SmallVector<Values> lanes(width);
      for (int64_t lane = 0; lane != width; ++lane)
        for (Value value : total)
          lanes[lane].push_back(reader.extract(value, lane));
      for (; lanes.size() > 1; lanes.resize(lanes.size() / 2))
        for (size_t lane = 0; lane != lanes.size() / 2; ++lane) {
          FailureOr<Values> both =
              combine(lanes[2 * lane], lanes[2 * lane + 1]);
          if (failed(both))
            return failure();
          lanes[lane] = *both;
        }
      total = lanes.front();
    }
    totals.push_back(std::move(total));
  }
  SmallVector<LoopLayout> shared;
  for (unsigned loop : reduced)
    shared.push_back(layout.loops[loop]);
  int64_t used = 1;
  for (const LoopLayout &own : layout.loops)
    used = std::max(used, own.stride * own.threads);
  if (failed(combineThreads(state, reader, shared, used, totals, isRepeated,
                            [&](ArrayRef<Value> lhs, ArrayRef<Value> rhs) {
                              return combine(lhs, rhs);
                            })))
    return failure();
  for (auto [point, total] : llvm::zip_equal(points, totals))
    if (failed(finish(point, total)))
      return failure();
  return success();
}

LogicalResult ReductionStage::finish(const StagePoint &point, Values sums) {
  const int64_t lane = laneLoop >= 0 && !isReduction(laneLoop) ? laneLoop : -1;
  const int64_t lanes = lane < 0 ? 1 : width;
  if (isPartial) {
    Values starts;
    for (OpOperand &operand : op.getDpsInitsMutable()) {
      starts.push_back(reader.readOperand(op, operand, point.indices, lane,
                                          lanes, point.guard));
      if (!starts.back())
        return failure();
      starts.back() = reader.splat(starts.back(), lanes);
    }
    FailureOr<Values> both = combine(starts, sums);
    if (failed(both))
      return failure();
    sums = *both;
  }
  for (auto [number, operand] : llvm::enumerate(op.getDpsInitsMutable())) {
    SmallVector<Value> indices;
    Lanes at{lanes, -1};
    for (auto [dim, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      const unsigned loop = cast<AffineDimExpr>(expr).getPosition();
      indices.push_back(point.indices[loop]);
      if (int64_t(loop) == lane)
        at.dim = dim;
    }
    if (inRegisters) {
      reader.provide(op->getResult(number), indices, at, sums[number]);
      continue;
    }
    if (failed(emitWhere(state, stages.both(first, point.guard),
                         [&, number = number] {
                           storeLanes(state, reader, views[number], indices, at,
                                      sums[number]);
                           return success();
                         })))
      return failure();
  }
  return success();
}
