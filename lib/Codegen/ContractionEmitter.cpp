//===- ContractionEmitter.cpp - Products of tiles by a block --------------===//
//
// With N stages the tile of step s is in slot s % N. In step s the tile of step
// s + N - 1 is fetched into the slot that step s - 1 has read: one barrier, at
// the start of a step, both makes the step's own tile visible and frees that
// slot. With one stage there are two barriers a step.
//
// Where the product takes a tile in parts, copies need no registers, and there
// are three stages at least, the operands of a part are loaded while the part
// before is multiplied. The barrier then comes before the last part of a step,
// so that the first of the next tile can be loaded; copies are spread over the
// parts before. With two stages they would be waited for in the same step.
//
// A turn of the loop is one step; of steps with few matrix instructions it is
// several: one of each slot if it can be, so that slots are constants.
//
//===----------------------------------------------------------------------===//

#include "ContractionEmitter.h"
#include "BlockEmitter.h"
#include "SchedOpt/Support/KernelNumbers.h"
#include "TileProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace sched;

namespace {
class ContractionEmitter {
public:
  ContractionEmitter(const ContractionNest &nest, KernelState &state,
                     ElementReader &reader)
      : state(state), reader(reader), index(state.index),
        tile(std::make_shared<ContractionTile>(
            ContractionTile{nest, state, reader, {}, {}, {}, 1})) {}

  LogicalResult run();

private:
  /// Of a step: where its tiles are, those of the step after it (null until
  /// `findNext`), and those of the step before it, which are free.
  struct Slots {
    Value own, next, free;
  };

  LogicalResult planAxes();
  LogicalResult planSteps();
  /// The payload's scalars are those of a step of the loops over K.
  LogicalResult enterStep(Value step);
  LogicalResult enterBody(Block *body);
  LogicalResult fetchNow(Value slot);
  void commit();
  void wait(int64_t groups);
  LogicalResult emitSingleStage(SmallVector<Value> &sums);
  /// Fetches the tiles of the first steps, each into the slot of its number.
  LogicalResult emitFirstTiles(int64_t count);
  LogicalResult emitStages(int64_t stages, SmallVector<Value> &sums);
  /// Steps of a turn of the loop.
  int64_t countTurn(int64_t stages) const;
  /// Adds the product of a step's tiles; in the meantime those of a later step
  /// are on their way to the free slot.
  LogicalResult emitStep(int64_t stages, Value step, const Slots &slots,
                         SmallVector<Value> &sums);
  /// The same, of a product whose `operands`, those of the step's first part,
  /// have been loaded; in the end they are the next step's.
  LogicalResult emitParts(int64_t stages, Value step, const Slots &slots,
                          SmallVector<Value> &sums,
                          SmallVector<Value> &operands);
  /// Whether operands are loaded ahead.
  bool isAhead(int64_t stages) const {
    return stages > 2 && product->countParts() > 1 &&
           llvm::all_of(fetches,
                        [](const TileFetch &fetch) { return fetch.isAsync(); });
  }
  SmallVector<Value> loadPart(Value slot, int64_t part) {
    return product->loadPart(fetches[0].getShared(), fetches[1].getShared(),
                             slot, part);
  }
  InFlightDiagnostic report() { return tile->nest.shape.op.emitError(); }

  KernelState &state;
  ElementReader &reader;
  IndexMath &index;
  std::shared_ptr<ContractionTile> tile;
  std::shared_ptr<TileProduct> product;
  SmallVector<TileFetch, 2> fetches;
  /// Of each loop over K; their product.
  SmallVector<int64_t> trips, lows, strides;
  int64_t steps = 1;
  bool anyAsync = false;
};
} // namespace

LogicalResult ContractionEmitter::enterBody(Block *body) {
  for (Operation &op : body->without_terminator())
    if (llvm::none_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>))
      for (Value result : op.getResults()) {
        state.scalars.erase(result);
        const Value scalar = reader.getScalar(result);
        if (!scalar)
          return failure();
        state.scalars[result] = scalar;
      }
  return success();
}

LogicalResult ContractionEmitter::enterStep(Value step) {
  reader.forget();
  const SmallVector<Value> places = index.delinearize(step, trips);
  for (auto [i, loop] : llvm::enumerate(tile->nest.loops)) {
    state.scalars[loop.getInductionVar()] =
        index.add(index.multiply(places[i], strides[i]), lows[i]);
    if (failed(enterBody(loop.getBody())))
      return failure();
  }
  // Sizes along K, from an operand that has them as dimensions.
  TileAxis &k = tile->k;
  k.sizes.clear();
  const ContractionLoops &shape = tile->nest.shape;
  for (unsigned loop : k.loops) {
    Value size;
    for (unsigned side : {0u, 1u})
      for (auto [dim, expr] : llvm::enumerate(shape.getMap(side).getResults()))
        if (!size && expr == getAffineDimExpr(loop, expr.getContext()))
          size = reader.getSize(shape.getOperand(side)->get(), dim);
    if (!size)
      return report() << "a kernel needs the size of loop " << loop
                      << " of the reduction as a dimension of an operand";
    k.sizes.push_back(size);
  }
  return success();
}

/// The largest value that the size of a tile has.
static FailureOr<int64_t> getBound(Value size, const IndexMath &index,
                                   linalg::LinalgOp op, unsigned loop) {
  const int64_t bound = index.getFacts(size).max;
  if (bound < IndexFacts::highest)
    return bound;
  return op.emitError("the tile's size along loop ")
         << loop << " has no bound: expected a constant, or the minimum of one "
         << "and what is left";
}

/// Size of what a loop's dimension of an operand is a tile of; 0 if no operand
/// has it as a dimension.
static int64_t getWholeSize(const ContractionLoops &shape, unsigned loop) {
  for (unsigned side : {0u, 1u})
    for (auto [dim, expr] : llvm::enumerate(shape.getMap(side).getResults())) {
      if (expr != getAffineDimExpr(loop, expr.getContext()))
        continue;
      Value tensor = shape.getOperand(side)->get();
      int64_t size = cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
      while (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>()) {
        if (slice.getSourceType().getRank() != slice.getType().getRank())
          break;
        tensor = slice.getSource();
        size = std::max(size, slice.getSourceType().getDimSize(dim));
      }
      return size;
    }
  return 0;
}

LogicalResult ContractionEmitter::planAxes() {
  const ContractionLoops &shape = tile->nest.shape;
  for (auto [dim, expr] : llvm::enumerate(shape.getResultMap().getResults())) {
    const unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    const Value size = reader.getSize(tile->nest.init, dim);
    if (!size)
      return failure();
    const FailureOr<int64_t> bound = getBound(size, index, shape.op, loop);
    if (failed(bound))
      return failure();
    if (llvm::is_contained(shape.batch, loop)) {
      if (*bound != 1)
        return report() << "a block multiplies tiles of one batch; loop "
                        << loop << " has " << *bound
                        << " of them: tile it by 1";
      continue;
    }
    TileAxis &axis = tile->outer[llvm::is_contained(shape.n, loop)];
    axis.loops.push_back(loop);
    axis.bounds.push_back(*bound);
    axis.sizes.push_back(size);
    axis.extent *= *bound;
    if (*bound != 1 || getWholeSize(shape, loop) > 1)
      tile->columns = llvm::is_contained(shape.n, loop);
  }
  return success();
}

LogicalResult ContractionEmitter::planSteps() {
  for (scf::ForOp loop : tile->nest.loops) {
    const Value bounds[] = {reader.getScalar(loop.getLowerBound()),
                            reader.getScalar(loop.getUpperBound()),
                            reader.getScalar(loop.getStep())};
    std::optional<int64_t> numbers[3];
    for (unsigned i = 0; i != 3; ++i)
      if (bounds[i])
        numbers[i] = index.getConstant(bounds[i]);
    if (!numbers[0] || !numbers[1] || !numbers[2] || *numbers[2] <= 0 ||
        *numbers[1] <= *numbers[0])
      return loop.emitError("a kernel's loop over a reduction has constant "
                            "bounds and at least one iteration");
    lows.push_back(*numbers[0]);
    strides.push_back(*numbers[2]);
    trips.push_back(llvm::divideCeil(*numbers[1] - *numbers[0], *numbers[2]));
    steps *= trips.back();
  }
  // Bounds are those of any step. Nothing is left of this one but facts.
  const Value any = arith::ConstantIndexOp::create(state.builder, state.loc, 0);
  if (steps > 1)
    index.setFacts(any, {0, steps - 1, 1});
  tile->k.loops.assign(tile->nest.shape.k);
  if (failed(enterStep(steps > 1 ? any : index.constant(0))))
    return failure();
  for (auto [loop, size] : llvm::zip_equal(tile->k.loops, tile->k.sizes)) {
    const FailureOr<int64_t> bound =
        getBound(size, index, tile->nest.shape.op, loop);
    if (failed(bound))
      return failure();
    tile->k.bounds.push_back(*bound);
    tile->k.extent *= *bound;
  }
  return success();
}

void ContractionEmitter::commit() {
  if (anyAsync)
    NVVM::CpAsyncCommitGroupOp::create(state.builder, state.loc);
}

void ContractionEmitter::wait(int64_t groups) {
  if (anyAsync)
    NVVM::CpAsyncWaitGroupOp::create(state.builder, state.loc,
                                     state.builder.getI32IntegerAttr(groups));
}

LogicalResult ContractionEmitter::fetchNow(Value slot) {
  for (TileFetch &fetch : fetches) {
    if (fetch.isDirect()) {
      if (failed(fetch.copy(slot)))
        return failure();
      continue;
    }
    const FailureOr<SmallVector<Value>> elements = fetch.load();
    if (failed(elements))
      return failure();
    fetch.store(*elements, slot);
  }
  commit();
  return success();
}

LogicalResult ContractionEmitter::emitSingleStage(SmallVector<Value> &sums) {
  OpBuilder &builder = state.builder;
  const Value zero = index.constant(0);
  auto emitStep = [&](Value step, SmallVector<Value> &into) -> LogicalResult {
    if (failed(enterStep(step)) || failed(fetchNow(zero)))
      return failure();
    wait(0);
    state.barrier();
    return product->multiply(fetches[0].getShared(), fetches[1].getShared(),
                             zero, into);
  };
  if (steps == 1)
    return emitStep(zero, sums);
  auto loop = scf::ForOp::create(
      builder, state.loc, zero, index.constant(steps), index.constant(1), sums);
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  index.setFacts(loop.getInductionVar(), {0, steps - 1, 1});
  SmallVector<Value> inner(loop.getRegionIterArgs());
  if (failed(emitStep(loop.getInductionVar(), inner)))
    return failure();
  state.barrier();
  scf::YieldOp::create(builder, state.loc, inner);
  sums.assign(loop->result_begin(), loop->result_end());
  return success();
}

LogicalResult ContractionEmitter::emitFirstTiles(int64_t count) {
  OpBuilder &builder = state.builder;
  if (count == 1) {
    const Value zero = index.constant(0);
    return failure(failed(enterStep(zero)) || failed(fetchNow(zero)));
  }
  auto loop = scf::ForOp::create(builder, state.loc, index.constant(0),
                                 index.constant(count), index.constant(1));
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  const Value step = loop.getInductionVar();
  index.setFacts(step, {0, count - 1, 1});
  return failure(failed(enterStep(step)) || failed(fetchNow(step)));
}

int64_t ContractionEmitter::countTurn(int64_t stages) const {
  const int64_t work = product->countAtOnce();
  for (const int64_t turn : {stages, int64_t(2)})
    if (work != 0 && work * turn <= kMatricesOfTurn && steps % turn == 0 &&
        steps >= 2 * turn)
      return turn;
  return 1;
}

LogicalResult ContractionEmitter::emitStep(int64_t stages, Value step,
                                           const Slots &slots,
                                           SmallVector<Value> &sums) {
  OpBuilder &builder = state.builder;
  const Location loc = state.loc;
  wait(stages - 2);
  state.barrier();
  const Value ahead = index.add(step, stages - 1);
  const Value more = index.less(ahead, index.constant(steps));
  if (more)
    index.setFacts(ahead, {stages - 1, steps - 1, 1});
  auto fetchAhead = [&](SmallVector<Value> &loaded) -> LogicalResult {
    if (failed(enterStep(ahead)))
      return failure();
    for (TileFetch &fetch : fetches) {
      if (fetch.isDirect()) {
        if (failed(fetch.copy(slots.free)))
          return failure();
        continue;
      }
      const FailureOr<SmallVector<Value>> elements = fetch.load();
      if (failed(elements))
        return failure();
      llvm::append_range(loaded, *elements);
    }
    return success();
  };
  SmallVector<Type> types;
  for (TileFetch &fetch : fetches)
    if (!fetch.isDirect())
      llvm::append_range(types, fetch.getLoadedTypes());
  SmallVector<Value> loaded;
  if (!more) {
    if (failed(fetchAhead(loaded)))
      return failure();
  } else {
    auto branch = scf::IfOp::create(builder, loc, types, more,
                                    /*withElseRegion=*/!types.empty());
    OpBuilder::InsertionGuard inside(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    if (failed(fetchAhead(loaded)))
      return failure();
    if (!types.empty()) {
      scf::YieldOp::create(builder, loc, loaded);
      builder.setInsertionPointToStart(branch.elseBlock());
      SmallVector<Value> nothing;
      for (Type type : types)
        nothing.push_back(state.zero(type));
      scf::YieldOp::create(builder, loc, nothing);
    }
    loaded.assign(branch->result_begin(), branch->result_end());
  }
  commit();
  if (failed(product->multiply(fetches[0].getShared(), fetches[1].getShared(),
                               slots.own, sums)))
    return failure();
  if (types.empty())
    return success();
  return emitWhere(state, more, [&] {
    ValueRange rest = loaded;
    for (TileFetch &fetch : fetches)
      if (!fetch.isDirect()) {
        const size_t count = fetch.getLoadedTypes().size();
        fetch.store(rest.take_front(count), slots.free);
        rest = rest.drop_front(count);
      }
    return success();
  });
}

LogicalResult ContractionEmitter::emitParts(int64_t stages, Value step,
                                            const Slots &slots,
                                            SmallVector<Value> &sums,
                                            SmallVector<Value> &operands) {
  const Value ahead = index.add(step, stages - 1);
  const Value more = index.less(ahead, index.constant(steps));
  // No branch for that: beyond the last tile nothing is read, and zeros are
  // written.
  const Value clamped = index.minimum(ahead, index.constant(steps - 1));
  if (failed(enterStep(clamped)))
    return failure();
  const int64_t parts = product->countParts();
  SmallVector<Value> following;
  for (int64_t part = 0; part + 1 != parts; ++part) {
    following = loadPart(slots.own, part + 1);
    for (TileFetch &fetch : fetches)
      if (failed(fetch.copy(slots.free, more, part, parts - 1)))
        return failure();
    product->multiplyPart(operands, sums);
    operands = std::move(following);
  }
  commit();
  wait(stages - 2);
  state.barrier();
  following = loadPart(slots.next, 0);
  product->multiplyPart(operands, sums);
  operands = std::move(following);
  return success();
}

LogicalResult ContractionEmitter::emitStages(int64_t stages,
                                             SmallVector<Value> &sums) {
  OpBuilder &builder = state.builder;
  const Location loc = state.loc;
  const Value zero = index.constant(0);
  if (failed(emitFirstTiles(stages - 1)))
    return failure();
  const int64_t turn = countTurn(stages);
  const bool isFixed = turn == stages, ahead = isAhead(stages);
  SmallVector<Value> carried(sums);
  if (ahead) {
    wait(stages - 2);
    state.barrier();
    llvm::append_range(carried, loadPart(zero, 0));
  }
  const size_t numOperands = carried.size() - sums.size();
  // The slot of the step, and that of the one before, which is free: of two,
  // the other one.
  const Value last = index.constant(stages - 1);
  if (!isFixed)
    carried.push_back(zero);
  if (!isFixed && stages > 2)
    carried.push_back(last);
  auto loop = scf::ForOp::create(builder, loc, zero, index.constant(steps),
                                 index.constant(turn), carried);
  // A turn is as long as it should be; LLVM would take the first or last apart,
  // where what is copied is known.
  if (ahead)
    setNotUnrolled(loop);
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  const Value first = loop.getInductionVar();
  index.setFacts(first, {0, steps - turn, turn});
  SmallVector<Value> inner(loop.getRegionIterArgs());
  Slots slots;
  if (!isFixed && stages > 2)
    slots.free = inner.pop_back_val();
  if (!isFixed)
    slots.own = inner.pop_back_val();
  SmallVector<Value> operands(ArrayRef(inner).take_back(numOperands));
  inner.truncate(sums.size());
  for (int64_t i = 0; i != turn; ++i) {
    if (isFixed) {
      slots = {index.constant(i), index.constant((i + 1) % stages),
               index.constant((i + stages - 1) % stages)};
    } else {
      index.setFacts(slots.own, {0, stages - 1, 1});
      if (stages == 2)
        slots.free = index.subtract(last, slots.own);
      index.setFacts(slots.free, {0, stages - 1, 1});
      slots.next = stages == 2 ? slots.free : Value();
    }
    auto findNext = [&] {
      const Value isLast = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, slots.own, last);
      slots.next = index.select(isLast, zero, index.add(slots.own, 1));
      index.setFacts(slots.next, {0, stages - 1, 1});
    };
    if (ahead && !slots.next)
      findNext();
    const Value step = index.add(first, i);
    if (failed(ahead ? emitParts(stages, step, slots, inner, operands)
                     : emitStep(stages, step, slots, inner)))
      return failure();
    if (isFixed)
      continue;
    if (!slots.next)
      findNext();
    slots.free = slots.own;
    slots.own = slots.next;
  }
  llvm::append_range(inner, operands);
  if (!isFixed)
    inner.push_back(slots.own);
  if (!isFixed && stages > 2)
    inner.push_back(slots.free);
  scf::YieldOp::create(builder, loc, inner);
  sums.assign(loop->result_begin(), loop->result_begin() + sums.size());
  if (ahead) {
    // What the tiles' memory is used for next, after a barrier, is not to
    // become zeros.
    builder.setInsertionPointAfter(loop);
    wait(0);
  }
  return success();
}

LogicalResult ContractionEmitter::run() {
  const ContractionLoops &shape = tile->nest.shape;
  const FailureOr<SimtOptions> options = SimtOptions::get(shape.op);
  if (failed(options))
    return failure();
  if (const size_t count = options->threads.size(); count != 0 && count != 2)
    return report() << "sched.simt: threads has " << count
                    << " numbers; a product of matrices takes 2, of threads "
                    << "along the rows and along the columns";
  tile->options = *options;
  if (failed(planAxes()) || failed(planSteps()))
    return failure();
  product = options->mma == SimtOptions::Mma::None ? createSimtProduct(*tile)
                                                   : createMatrixProduct(*tile);
  if (!product)
    return failure();

  const int64_t mark = state.shared.getMark();
  const int64_t stages = std::min(tile->options.stages.value_or(2), steps);
  for (unsigned side : {0u, 1u}) {
    fetches.emplace_back(*tile, side);
    if (failed(fetches.back().plan(stages, product->getCovered(side))))
      return failure();
    anyAsync |= fetches.back().isAsync();
  }
  if (failed(
          product->checkRows(fetches[0].getShared(), fetches[1].getShared())))
    return failure();
  FailureOr<SmallVector<Value>> sums = product->start(tile->nest.init);
  if (failed(sums) ||
      failed(stages == 1 ? emitSingleStage(*sums) : emitStages(stages, *sums)))
    return failure();
  state.shared.release(mark);
  reader.forget();
  if (failed(product->finish(tile->nest.init, *sums)))
    return failure();
  state.shared.release(mark);
  // How many blocks a multiprocessor holds is the schedule's choice: told
  // nothing, ptxas spills sums to make room for more of them.
  if (!state.kernel->hasAttr(NVVM::NVVMDialect::getMaxnregAttrName()))
    state.kernel->setAttr(
        NVVM::NVVMDialect::getMinctasmAttrName(),
        IntegerAttr::get(IntegerType::get(state.kernel.getContext(), 32), 1));

  auto result = std::make_shared<RegisterTensor>();
  result->forEach = [tile = tile, product = product,
                     sums = *sums](RegisterTensor::Body body) {
    return product->forEach(sums, body);
  };
  state.registers[tile->nest.result] = result;
  return success();
}

LogicalResult sched::emitContraction(const ContractionNest &nest,
                                     KernelState &state,
                                     ElementReader &reader) {
  return ContractionEmitter(nest, state, reader).run();
}
