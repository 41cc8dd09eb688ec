//===- TileFetch.cpp - Tiles of a contraction's operands in shared memory -===//

#include "TileFetch.h"
#include "ElementTypes.h"
#include "SchedOpt/Support/KernelNumbers.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

Value TileFetch::getTensor() const {
  return tile.nest.shape.getOperand(side)->get();
}

/// Registers of a thread for elements of one operand that are loaded ahead.
static constexpr int64_t maxRegistersAhead = 64;

/// Along which axis the operand's elements are next to each other.
void TileFetch::chooseAxis() {
  const AffineMap map = tile.nest.shape.getMap(side);
  const TileAxis &outer = tile.outer[side];
  auto uses = [&](AffineExpr expr, const TileAxis &axis) {
    for (auto [loop, bound] : llvm::zip_equal(axis.loops, axis.bounds))
      if (bound != 1 && expr.isFunctionOfDim(loop))
        return true;
    return false;
  };
  for (unsigned dim = map.getNumResults(); dim-- > 0;) {
    const AffineExpr expr = map.getResult(dim);
    const bool isOuter = uses(expr, outer), isK = uses(expr, tile.k);
    if (!isOuter && !isK)
      continue;
    // Windows that overlap: neighbours of the result are neighbours here.
    alongK = !isOuter;
    const TileAxis &axis = alongK ? tile.k : outer;
    const unsigned loop = axis.loops[*axis.getInnermost()];
    if (expr == getAffineDimExpr(loop, expr.getContext()))
      lanes.dim = dim;
    return;
  }
}

void TileFetch::findStrides() {
  Value tensor = getTensor();
  SmallVector<int64_t> factors(
      cast<RankedTensorType>(tensor.getType()).getRank(), 1);
  while (!tile.state.memory.count(tensor)) {
    Operation *op = tensor.getDefiningOp();
    if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(op)) {
      if (slice.getDroppedDims().any())
        return;
      for (auto [factor, mixed] :
           llvm::zip_equal(factors, slice.getMixedStrides())) {
        const std::optional<int64_t> constant = getConstantIntValue(mixed);
        if (!constant)
          return;
        factor *= *constant;
      }
    } else if (!isa_and_nonnull<tensor::PadOp, tensor::CastOp>(op)) {
      return;
    }
    tensor = op->getOperand(0);
  }
  strides = tile.state.memory.lookup(tensor).strides;
  for (auto [stride, factor] : llvm::zip_equal(strides, factors))
    stride *= factor;
}

bool TileFetch::isGapless() const {
  const TileAxis &axis = getAlong();
  if (llvm::count_if(axis.bounds, [](int64_t bound) { return bound != 1; }) < 2)
    return false;
  for (Value tensor = getTensor(); !tile.state.memory.count(tensor);) {
    // Padding is no memory.
    auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || strides.empty())
      return false;
    tensor = slice.getSource();
  }
  const AffineMap map = tile.nest.shape.getMap(side);
  int64_t stride = 1;
  bool isExact = true;
  for (unsigned i = axis.loops.size(); i-- > 0;) {
    if (axis.bounds[i] == 1)
      continue;
    // Rows of the loops inside of this one are complete.
    if (!isExact)
      return false;
    const AffineExpr loop = getAffineDimExpr(axis.loops[i], map.getContext());
    bool fits = false;
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (expr == loop)
        fits = strides[dim] == stride;
      else if (expr.isFunctionOfDim(axis.loops[i]))
        return false;
    if (!fits)
      return false;
    stride *= axis.bounds[i];
    isExact = tile.state.index.getConstant(axis.sizes[i]) == axis.bounds[i];
  }
  return true;
}

int64_t TileFetch::getWidest(int64_t limit) {
  const TileAxis &axis = getAlong();
  if (!gapless)
    return axis.getWidth(limit, tile.state.index);
  Value size = tile.state.index.constant(1);
  for (Value each : axis.sizes)
    size = tile.state.index.multiply(size, each);
  return tile.state.index.getPowerDivisor(size, limit);
}

int64_t TileFetch::countRounds() const {
  if (rowsOfRound != 0)
    return llvm::divideCeil(getAcross().extent, rowsOfRound);
  return llvm::divideCeil(tile.k.extent * tile.outer[side].extent / lanes.width,
                          tile.state.blockSize);
}

/// Rounds of whole rows are a constant apart, in shared memory and often in
/// the operand: they share what is computed of addresses. Where rounds also
/// begin at the same place of the inner loops, as of a filter's window, they
/// share guards and quotients. That is worth idle threads, but no more rounds.
void TileFetch::dealOut() {
  const TileAxis &across = getAcross();
  IndexMath &index = tile.state.index;
  const int64_t groups = getAlong().extent / lanes.width,
                rows = tile.state.blockSize / groups;
  const uint64_t least =
      llvm::divideCeil(groups * across.extent, tile.state.blockSize);
  rowsOfRound = 0;
  int64_t unit = across.extent;
  for (const int64_t bound : across.bounds) {
    unit /= bound;
    const int64_t whole = rows - rows % unit;
    if (whole != 0 && llvm::divideCeil(across.extent, whole) == least) {
      rowsOfRound = whole;
      break;
    }
  }
  dealt = rowsOfRound == 0 ? Value()
                           : index.less(tile.state.thread,
                                        index.constant(rowsOfRound * groups));
}

/// Copies have offsets of 12 bits. Rows that are less than half of that apart
/// share addresses, which are two instructions otherwise. Eight lanes that have
/// a row together meet in no bank, however far the next row is.
bool TileFetch::isRowByRow() const {
  const TileAxis &across = getAcross();
  const int64_t bytes = getElementBytes(
      cast<MemRefType>(shared.memory.getType()).getElementType());
  const std::optional<unsigned> loop = across.getInnermost();
  if (!async || rolled || strides.empty() || rowsOfRound == 0 || !loop ||
      across.bounds[*loop] != across.extent ||
      across.extent % rowsOfRound != 0 ||
      getAlong().extent * bytes % kBankBytes != 0 || lanes.width * bytes != 16)
    return false;
  const AffineMap map = tile.nest.shape.getMap(side);
  for (auto [stride, expr] : llvm::zip_equal(strides, map.getResults()))
    if (expr == getAffineDimExpr(across.loops[*loop], map.getContext()))
      return 2 * stride * bytes <= kCopyReach;
  return false;
}

TileFetch::Round TileFetch::makeRound(Value number) {
  KernelState &state = tile.state;
  IndexMath &index = state.index;
  const TileAxis &along = getAlong(), &across = getAcross();
  const int64_t groups = along.extent / lanes.width;
  Round round;
  Value group, row;
  int64_t ahead = 0;
  // What holds for threads that have a place is all that matters of a row, but
  // not of a thread's number, which a row of one vector is.
  auto limit = [&](int64_t rows) {
    IndexFacts facts = index.getFacts(row);
    facts.max = std::min(facts.max, rows - 1);
    if (groups != 1 && !index.getConstant(row))
      index.setFacts(row, facts);
  };
  if (rowsOfRound != 0) {
    group = index.remainder(state.thread, groups);
    row = index.divide(state.thread, groups);
    limit(rowsOfRound);
    if (const std::optional<int64_t> constant = index.getConstant(number)) {
      ahead = *constant * (adjacent > 1 ? 1 : rowsOfRound);
      row = index.multiply(row, adjacent);
    } else {
      row = index.add(row, index.multiply(number, rowsOfRound));
    }
    round.active = index.both(
        dealt, index.less(row, index.constant(across.extent - ahead)));
  } else {
    const Value place =
        index.add(state.thread, index.multiply(number, state.blockSize));
    round.active = index.less(place, index.constant(groups * across.extent));
    row = index.divide(place, groups);
    group = index.remainder(place, groups);
  }
  limit(across.extent - ahead);
  const Value lane = index.multiply(group, lanes.width);
  SmallVector<Value> alongPlaces = along.split(lane, index),
                     acrossPlaces = across.split(row, index, ahead);
  row = index.add(row, ahead);
  round.outer = alongK ? row : lane;
  round.k = alongK ? lane : row;
  round.outerPlaces = alongK ? acrossPlaces : alongPlaces;
  round.kPlaces = alongK ? alongPlaces : acrossPlaces;
  round.inside = tile.outer[side].within(round.outerPlaces, index);
  return round;
}

void TileFetch::makeRounds() {
  rounds.clear();
  for (int64_t i = 0; i != countRounds(); ++i)
    rounds.push_back(makeRound(tile.state.index.constant(i)));
}

SmallVector<Value> TileFetch::getPlace(const Round &round) const {
  IndexMath &index = tile.state.index;
  const ContractionLoops &shape = tile.nest.shape;
  SmallVector<Value> loops(shape.op.getNumLoops(), index.constant(0));
  for (auto [loop, place] :
       llvm::zip_equal(tile.outer[side].loops, round.outerPlaces))
    loops[loop] = place;
  for (auto [loop, place] : llvm::zip_equal(tile.k.loops, round.kPlaces))
    loops[loop] = place;
  SmallVector<Value> result;
  for (AffineExpr expr : shape.getMap(side).getResults())
    result.push_back(index.apply(expr, loops));
  return result;
}

Value TileFetch::findStart() {
  if (strides.empty())
    return {};
  const AffineMap map = tile.nest.shape.getMap(side);
  IndexMath &index = tile.state.index;
  const SmallVector<Value> zeros(map.getNumDims(), index.constant(0));
  SmallVector<Value> at;
  for (AffineExpr expr : map.getResults())
    at.push_back(index.apply(expr, zeros));
  const std::optional<ElementReader::Place> place =
      tile.reader.findPlace(getTensor(), at, {});
  return place ? place->position : Value();
}

std::optional<ElementReader::Place> TileFetch::findPlace(const Round &round,
                                                         Value start) {
  std::optional<ElementReader::Place> place = tile.reader.findPlace(
      getTensor(), getPlace(round), gapless ? Lanes() : lanes);
  if (!place || !start)
    return place;
  // What the thread adds to the start of the tile is the same in all steps.
  IndexMath &index = tile.state.index;
  Round offset = round;
  if (gapless)
    llvm::fill(alongK ? offset.kPlaces : offset.outerPlaces, index.constant(0));
  Value sum = gapless ? alongK ? round.k : round.outer : index.constant(0);
  for (auto [at, stride] : llvm::zip_equal(getPlace(offset), strides))
    sum = index.add(sum, index.multiply(at, stride));
  place->position = index.add(start, sum);
  return place;
}

Value TileFetch::getInside(const Round &round) const {
  IndexMath &index = tile.state.index;
  return index.both(round.inside, tile.k.within(round.kPlaces, index));
}

LogicalResult TileFetch::plan(int64_t stages, int64_t covered) {
  KernelState &state = tile.state;
  IndexMath &index = state.index;
  ElementReader &reader = tile.reader;
  const SimtOptions &options = tile.options;
  const Type element =
      cast<RankedTensorType>(getTensor().getType()).getElementType();
  const int64_t bytes = getElementBytes(element);
  chooseAxis();

  // As wide as the edges, the layout in memory and its alignment allow.
  const TileAxis &axis = getAlong();
  int64_t width =
      options.fetch.empty() ? 16 / bytes : options.fetch[tile.getEntry(side)];
  width = lanes.dim < 0 ? 1 : std::min(width, 16 / bytes);
  findStrides();
  gapless = lanes.dim >= 0 && isGapless();
  const Value start = findStart();
  width = getWidest(width);
  while (axis.extent % width != 0)
    width /= 2;
  std::optional<ElementReader::Place> place;
  for (;; width /= 2) {
    lanes.width = width;
    dealOut();
    const Round round = makeRound(index.constant(0));
    place = findPlace(round, start);
    if (width == 1 || (place && reader.getWidth(*place, width) == width))
      break;
    // What is computed is computed for all lanes at once.
    if (!place && !reader.findPlace(getTensor(), getPlace(round), {}))
      break;
  }

  // The layout in shared memory.
  const bool transposed =
      !options.transpose.empty() && options.transpose[tile.getEntry(side)] != 0;
  shared.isKInner = alongK != transposed;
  int64_t pad = 0;
  if (!options.pad.empty())
    pad = options.pad[tile.getEntry(side)];
  else if (options.mma != SimtOptions::Mma::None)
    pad = 16 / bytes;
  covered = std::max(covered, tile.outer[side].extent);
  shared.row = (shared.isKInner ? tile.k.extent : covered) + pad;
  shared.stage = llvm::alignTo(
      shared.row * (shared.isKInner ? covered : tile.k.extent), 16 / bytes);
  shared.memory = state.shared.allocate(shared.stage * stages, element);

  clearSurplus(stages, covered);
  const int64_t moved = lanes.width * bytes;
  const bool isGlobal =
      place && !cast<MemRefType>(place->memory.getType()).getMemorySpace();
  // Upstream lowers no copy of elements that are indices.
  async = options.async && isGlobal && !element.isIndex() &&
          (!transposed || lanes.width == 1) &&
          (moved == 4 || moved == 8 || moved == 16) &&
          shared.row % lanes.width == 0;
  // Many rounds are a loop, for the sake of the compiler's time; more of them
  // are not where places are found by divisions, which a loop would repeat in
  // each step. Elements that are loaded ahead must leave registers for the
  // sums.
  const bool divides = [&] {
    for (const TileAxis *each : {&tile.outer[side], &tile.k})
      if (llvm::count_if(each->bounds,
                         [](int64_t bound) { return bound != 1; }) > 1)
        return true;
    return false;
  }();
  rolled = countRounds() > (divides && !gapless ? 40 : kCopiesWrittenOut) ||
           (!async && countRounds() * moved > 4 * maxRegistersAhead);
  if (isRowByRow())
    adjacent = countRounds();
  if (!rolled)
    makeRounds();
  return success();
}

void TileFetch::clearSurplus(int64_t stages, int64_t covered) {
  const int64_t extent = tile.outer[side].extent, surplus = covered - extent;
  if (surplus == 0)
    return;
  KernelState &state = tile.state;
  IndexMath &index = state.index;
  OpBuilder &builder = state.builder;
  const int64_t total = stages * surplus * tile.k.extent;
  auto loop = scf::ForOp::create(builder, state.loc, state.thread,
                                 index.constant(total),
                                 index.constant(state.blockSize));
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  index.setFacts(loop.getInductionVar(), {0, total - 1, 1});
  const SmallVector<Value> places = index.delinearize(
      loop.getInductionVar(), {stages, surplus, tile.k.extent});
  const Type element =
      cast<MemRefType>(shared.memory.getType()).getElementType();
  tile.reader.store(state.zero(element), shared.memory,
                    shared.getPosition(index, places[0],
                                       index.add(places[1], extent),
                                       places[2]));
}

/// Runs `body` where the round is one of the tile.
static LogicalResult emitActive(KernelState &state, Value active,
                                llvm::function_ref<LogicalResult()> body) {
  OpBuilder::InsertionGuard insertion(state.builder);
  if (active) {
    auto branch = scf::IfOp::create(state.builder, state.loc, active,
                                    /*withElseRegion=*/false);
    state.builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  return body();
}

LogicalResult
TileFetch::forEachRound(unsigned first, unsigned last,
                        llvm::function_ref<LogicalResult(unsigned)> body) {
  // One branch for all that have the same guard.
  for (unsigned begin = first, end = first; begin != last; begin = end) {
    const Value active = rounds[begin].active;
    while (end != last && rounds[end].active == active)
      ++end;
    if (failed(emitActive(tile.state, active, [&] {
          return success(llvm::all_of(llvm::seq(begin, end), [&](unsigned i) {
            return succeeded(body(i));
          }));
        })))
      return failure();
  }
  return success();
}

LogicalResult TileFetch::copyRound(const Round &round, Value slot, Value start,
                                   Value wanted) {
  KernelState &state = tile.state;
  IndexMath &index = state.index;
  OpBuilder &builder = state.builder;
  const std::optional<ElementReader::Place> place = findPlace(round, start);
  if (!place)
    return emitError(getTensor().getLoc(),
                     "a kernel cannot copy this tensor's tile to shared "
                     "memory: expected a view of a buffer; give the product "
                     "`sched.simt = {async = 0}`");
  // Outside, none is read, wherever it would be.
  const Value inside =
      index.both(wanted, index.both(getInside(round), place->inside));
  const Value count = inside ? index.select(inside, index.constant(lanes.width),
                                            index.constant(0))
                             : Value();
  const Type element =
      cast<MemRefType>(shared.memory.getType()).getElementType();
  const bool bypass = lanes.width * getElementBytes(element) == 16;
  nvgpu::DeviceAsyncCopyOp::create(
      builder, state.loc,
      nvgpu::DeviceAsyncTokenType::get(builder.getContext()), shared.memory,
      ValueRange(shared.getPosition(index, slot, round.outer, round.k)),
      place->memory, ValueRange(place->position),
      builder.getIndexAttr(lanes.width), count,
      bypass ? builder.getUnitAttr() : UnitAttr());
  return success();
}

LogicalResult TileFetch::copy(Value slot, Value wanted, int64_t part,
                              int64_t parts) {
  if (rolled && part != 0)
    return success();
  const Value start = findStart();
  if (!rolled)
    return forEachRound(
        rounds.size() * part / parts, rounds.size() * (part + 1) / parts,
        [&](unsigned i) { return copyRound(rounds[i], slot, start, wanted); });
  KernelState &state = tile.state;
  IndexMath &index = state.index;
  const int64_t count = countRounds();
  auto loop = scf::ForOp::create(state.builder, state.loc, index.constant(0),
                                 index.constant(count), index.constant(1));
  OpBuilder::InsertionGuard insertion(state.builder);
  state.builder.setInsertionPoint(loop.getBody()->getTerminator());
  index.setFacts(loop.getInductionVar(), {0, count - 1, 1});
  const Round round = makeRound(loop.getInductionVar());
  // All lanes load something, wherever they are: no branch.
  const Value elements = async ? Value() : loadRound(round, start);
  if (!async && !elements)
    return failure();
  return emitActive(state, round.active, [&] {
    if (async)
      return copyRound(round, slot, start, wanted);
    storeRound(round, elements, slot);
    return success();
  });
}

Value TileFetch::loadRound(const Round &round, Value start) {
  IndexMath &index = tile.state.index;
  Value guard = round.active;
  Round near = round;
  if (gapless) {
    guard = index.both(guard, getInside(round));
  } else {
    // Outside, the nearest element is read: places have no guards then, and
    // those along the result's axis are the same in all steps.
    const TileAxis &outer = tile.outer[side];
    near.outerPlaces =
        outer.clamp(round.outerPlaces, alongK ? 1 : lanes.width, index);
    near.kPlaces = tile.k.clamp(round.kPlaces, alongK ? lanes.width : 1, index);
  }
  Value value;
  if (std::optional<ElementReader::Place> place =
          start ? findPlace(near, start) : std::nullopt)
    value = tile.reader.loadPlace(*place, lanes, guard);
  else
    value = tile.reader.read(getTensor(), getPlace(near), lanes, guard);
  if (!value)
    return {};
  // Sums of what is outside of the result are not used.
  const Value inside = tile.k.within(round.kPlaces, index);
  return index.select(inside, value,
                      inside ? tile.state.zero(value.getType()) : value);
}

FailureOr<SmallVector<Value>> TileFetch::load() {
  const Value start = findStart();
  SmallVector<Value> elements;
  for (const Round &round : rounds) {
    elements.push_back(loadRound(round, start));
    if (!elements.back())
      return failure();
  }
  return elements;
}

SmallVector<Type> TileFetch::getLoadedTypes() const {
  Type type = cast<RankedTensorType>(getTensor().getType()).getElementType();
  if (lanes.width > 1)
    type = VectorType::get(lanes.width, type);
  return SmallVector<Type>(rounds.size(), type);
}

void TileFetch::storeRound(const Round &round, Value elements, Value slot) {
  IndexMath &index = tile.state.index;
  const Value position = shared.getPosition(index, slot, round.outer, round.k);
  if (alongK == shared.isKInner) {
    tile.reader.store(elements, shared.memory, position);
    return;
  }
  for (int64_t lane = 0; lane != lanes.width; ++lane)
    tile.reader.store(tile.reader.extract(elements, lane), shared.memory,
                      index.add(position, lane * shared.row));
}

void TileFetch::store(ValueRange elements, Value slot) {
  (void)forEachRound(0, rounds.size(), [&](unsigned i) {
    storeRound(rounds[i], elements[i], slot);
    return success();
  });
}
