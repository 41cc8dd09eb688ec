//===- DecomposeArgmax.cpp - The place of the largest as two reductions ---===//
//
// An op that finds the largest element of a row and its place has two results
// that depend on each other: upstream neither splits nor vectorises it. Here it
// becomes three ops with one result each, of forms that tasks are made of:
//
//   largest[r] = max over i of x[r, i], from the same start
//   place[r]   = min over i of (x[r, i] is largest[r] ? i : none)
//   result[r]  = largest[r] exceeds the start ? place[r] : the place given
//
// The first of equal elements wins, as in the op. Where it takes a NaN for the
// largest, so does the maximum, and the place is that of the first; where it
// passes over NaNs, the maximum does, too. The largest element itself may be a
// zero of the other sign; so where an op of floats has its value used, it is
// read from its place, by a third reduction:
//
//   found[r] = max over i of (i is place[r] ? x[r, i] : the start)
//   value[r] = largest[r] exceeds the start ? found[r] : the start
//
// Places are read from a constant: upstream's partial reduction forgets the
// offset of linalg.index.
//
//===----------------------------------------------------------------------===//

#include "DecomposeArgmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include <limits>
#include <numeric>

using namespace mlir;

namespace {
/// What an op looks for, and how.
struct Argmax {
  /// Numbers of its results.
  unsigned value = 0, place = 1;
  arith::CmpFPredicate floatPredicate = arith::CmpFPredicate::OGT;
  arith::CmpIPredicate intPredicate = arith::CmpIPredicate::sgt;
  /// A NaN is larger, or smaller, than all else.
  bool takesNaN = false;
  /// What the two results start from.
  TypedAttr start, placeStart;
};
} // namespace

/// Whether `condition` is true where `in` is better than `best`; fills the
/// predicate.
static bool matchFloatCompare(Value condition, Value in, Value best,
                              Argmax &result) {
  using P = arith::CmpFPredicate;
  auto matchOrder = [&](Value value, P greater, P less) {
    auto compare = value.getDefiningOp<arith::CmpFOp>();
    if (!compare || compare.getLhs() != in || compare.getRhs() != best)
      return false;
    result.floatPredicate = compare.getPredicate();
    return compare.getPredicate() == greater || compare.getPredicate() == less;
  };
  if (matchOrder(condition, P::OGT, P::OLT))
    return true;
  auto both = condition.getDefiningOp<arith::AndIOp>();
  if (!both)
    return false;
  auto isNumber = [&](Value value) {
    auto compare = value.getDefiningOp<arith::CmpFOp>();
    return compare && compare.getPredicate() == P::ORD &&
           compare.getLhs() == best && compare.getRhs() == best;
  };
  result.takesNaN = true;
  return (matchOrder(both.getLhs(), P::UGT, P::ULT) &&
          isNumber(both.getRhs())) ||
         (matchOrder(both.getRhs(), P::UGT, P::ULT) && isNumber(both.getLhs()));
}

static bool matchIntCompare(Value condition, Value in, Value best,
                            Argmax &result) {
  using P = arith::CmpIPredicate;
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getLhs() != in || compare.getRhs() != best)
    return false;
  result.intPredicate = compare.getPredicate();
  return llvm::is_contained({P::sgt, P::slt, P::ugt, P::ult},
                            compare.getPredicate());
}

/// The constant that a fill, if it is one, makes `tensor` of.
static TypedAttr getFilled(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  TypedAttr value;
  if (!fill || !matchPattern(fill.getInputs().front(), m_Constant(&value)))
    return nullptr;
  return value;
}

static std::optional<Argmax> matchArgmax(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 2 ||
      op.getNumReductionLoops() != 1 || op.getNumParallelLoops() == 0)
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!maps[0].isPermutation() || maps[1] != maps[2] ||
      !maps[1].isProjectedPermutation() ||
      maps[1].getNumResults() != op.getNumParallelLoops())
    return std::nullopt;
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (op.getStaticLoopRanges()[reductions.front()] >
      std::numeric_limits<int32_t>::max())
    return std::nullopt;

  Block &body = *op.getBlock();
  Value in = body.getArgument(0);
  auto yield = cast<linalg::YieldOp>(body.getTerminator());
  for (unsigned value : {0, 1}) {
    Argmax result;
    result.value = value;
    result.place = 1 - value;
    Value best = body.getArgument(1 + value),
          bestPlace = body.getArgument(2 - value);
    auto selected = yield.getOperand(value).getDefiningOp<arith::SelectOp>();
    auto placed = yield.getOperand(1 - value).getDefiningOp<arith::SelectOp>();
    if (!selected || !placed ||
        selected.getCondition() != placed.getCondition() ||
        selected.getTrueValue() != in || selected.getFalseValue() != best ||
        placed.getFalseValue() != bestPlace)
      continue;
    auto number = placed.getTrueValue().getDefiningOp<arith::IndexCastOp>();
    auto index =
        number ? number.getIn().getDefiningOp<linalg::IndexOp>() : nullptr;
    if (!index || index.getDim() != reductions.front())
      continue;
    const bool isFloat = isa<FloatType>(in.getType());
    if (!(isFloat ? matchFloatCompare
                  : matchIntCompare)(selected.getCondition(), in, best, result))
      continue;
    result.start = getFilled(op.getDpsInits()[value]);
    result.placeStart = getFilled(op.getDpsInits()[1 - value]);
    if (!result.start || !result.placeStart)
      return std::nullopt;
    if (isFloat && cast<FloatAttr>(result.start).getValue().isNaN())
      return std::nullopt;
    return result;
  }
  return std::nullopt;
}

static arith::AtomicRMWKind getKind(const Argmax &argmax, bool isFloat) {
  using Kind = arith::AtomicRMWKind;
  if (isFloat) {
    const bool isLess = argmax.floatPredicate == arith::CmpFPredicate::OLT ||
                        argmax.floatPredicate == arith::CmpFPredicate::ULT;
    if (argmax.takesNaN)
      return isLess ? Kind::minimumf : Kind::maximumf;
    return isLess ? Kind::minnumf : Kind::maxnumf;
  }
  switch (argmax.intPredicate) {
  case arith::CmpIPredicate::sgt:
    return Kind::maxs;
  case arith::CmpIPredicate::slt:
    return Kind::mins;
  case arith::CmpIPredicate::ugt:
    return Kind::maxu;
  default:
    return Kind::minu;
  }
}

namespace {
/// Writes the ops that one op becomes.
class Decomposer {
public:
  Decomposer(linalg::GenericOp op, const Argmax &argmax)
      : op(op), argmax(argmax), builder(op), loc(op.getLoc()),
        maps(op.getIndexingMapsArray()), in(op.getDpsInputs().front()),
        element(getElementTypeOrSelf(in.getType())),
        isFloat(isa<FloatType>(element)),
        shape(cast<RankedTensorType>(op->getResult(0).getType()).getShape()) {
    SmallVector<unsigned> reductions;
    op.getReductionDims(reductions);
    reduced = reductions.front();
  }

  void run();

private:
  Value makeConstant(OpBuilder &b, TypedAttr value) {
    return arith::ConstantOp::create(b, loc, value);
  }
  TypedAttr getNone() {
    return builder.getI32IntegerAttr(std::numeric_limits<int32_t>::max());
  }
  Value makeEmpty(Type type) {
    return tensor::EmptyOp::create(builder, loc, shape, type);
  }
  Value makeFill(TypedAttr value) {
    return linalg::FillOp::create(builder, loc, makeConstant(builder, value),
                                  makeEmpty(value.getType()))
        .getResult(0);
  }
  /// Reduces `inputs`, the first of them `in` and others by `others`, from
  /// `start`.
  Value reduce(ValueRange inputs, ArrayRef<AffineMap> others, TypedAttr start,
               llvm::function_ref<Value(OpBuilder &, ValueRange)> combine);
  Value findLargest();
  /// Numbers along the row.
  Value makePlaces();
  Value findPlace(Value largest, Value places);
  Value readAt(Value place, Value places);
  /// `found` where `largest` exceeds the start, else `start`.
  Value choose(Value largest, Value found, TypedAttr start);

  linalg::GenericOp op;
  const Argmax &argmax;
  OpBuilder builder;
  Location loc;
  SmallVector<AffineMap> maps;
  Value in;
  Type element;
  bool isFloat;
  ArrayRef<int64_t> shape;
  unsigned reduced;
};
} // namespace

Value Decomposer::reduce(
    ValueRange inputs, ArrayRef<AffineMap> others, TypedAttr start,
    llvm::function_ref<Value(OpBuilder &, ValueRange)> combine) {
  SmallVector<AffineMap> all = {maps[0]};
  llvm::append_range(all, others);
  all.push_back(maps[1]);
  Value init = makeFill(start);
  return linalg::GenericOp::create(
             builder, loc, init.getType(), inputs, init, all,
             op.getIteratorTypesArray(),
             [&](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(b, loc, combine(b, args));
             })
      .getResult(0);
}

Value Decomposer::findLargest() {
  return reduce(in, {}, argmax.start, [&](OpBuilder &b, ValueRange args) {
    return arith::getReductionOp(getKind(argmax, isFloat), b, loc, args[0],
                                 args[1]);
  });
}

Value Decomposer::makePlaces() {
  const int64_t extent = op.getStaticLoopRanges()[reduced];
  SmallVector<int32_t> places(extent);
  std::iota(places.begin(), places.end(), 0);
  return arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          RankedTensorType::get({extent}, builder.getI32Type()),
          ArrayRef<int32_t>(places)));
}

Value Decomposer::findPlace(Value largest, Value places) {
  const AffineMap row =
      AffineMap::get(op.getNumLoops(), 0, builder.getAffineDimExpr(reduced));
  return reduce({in, largest, places}, {maps[1], row}, getNone(),
                [&](OpBuilder &b, ValueRange args) -> Value {
                  Value isIt;
                  if (isFloat)
                    isIt = arith::CmpFOp::create(
                        b, loc, arith::CmpFPredicate::OEQ, args[0], args[1]);
                  else
                    isIt = arith::CmpIOp::create(
                        b, loc, arith::CmpIPredicate::eq, args[0], args[1]);
                  if (argmax.takesNaN)
                    // There is none unless it is the largest.
                    isIt = arith::OrIOp::create(
                        b, loc, isIt,
                        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO,
                                              args[0], args[0]));
                  Value place = arith::SelectOp::create(
                      b, loc, isIt, args[2], makeConstant(b, getNone()));
                  return arith::MinSIOp::create(b, loc, place, args[3]);
                });
}

Value Decomposer::readAt(Value place, Value places) {
  const AffineMap row =
      AffineMap::get(op.getNumLoops(), 0, builder.getAffineDimExpr(reduced));
  return reduce({in, place, places}, {maps[1], row}, argmax.start,
                [&](OpBuilder &b, ValueRange args) {
                  Value isIt = arith::CmpIOp::create(
                      b, loc, arith::CmpIPredicate::eq, args[1], args[2]);
                  Value found = arith::SelectOp::create(
                      b, loc, isIt, args[0], makeConstant(b, argmax.start));
                  return arith::getReductionOp(getKind(argmax, isFloat), b, loc,
                                               found, args[3]);
                });
}

Value Decomposer::choose(Value largest, Value found, TypedAttr start) {
  const AffineMap identity = builder.getMultiDimIdentityMap(shape.size());
  Value empty = makeEmpty(start.getType());
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), ValueRange{largest, found}, empty,
             ArrayRef<AffineMap>{identity, identity, identity},
             SmallVector<utils::IteratorType>(shape.size(),
                                              utils::IteratorType::parallel),
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value first = makeConstant(b, argmax.start), exceeds;
               if (isFloat)
                 exceeds = arith::CmpFOp::create(b, loc, argmax.floatPredicate,
                                                 args[0], first);
               else
                 exceeds = arith::CmpIOp::create(b, loc, argmax.intPredicate,
                                                 args[0], first);
               Value value = args[1];
               const unsigned from = value.getType().getIntOrFloatBitWidth(),
                              to = start.getType().getIntOrFloatBitWidth();
               if (to > from)
                 value = arith::ExtSIOp::create(b, loc, start.getType(), value);
               else if (to < from)
                 value =
                     arith::TruncIOp::create(b, loc, start.getType(), value);
               linalg::YieldOp::create(
                   b, loc,
                   Value(arith::SelectOp::create(b, loc, exceeds, value,
                                                 makeConstant(b, start))));
             })
      .getResult(0);
}

void Decomposer::run() {
  Value largest = findLargest();
  Value places = makePlaces();
  Value place = findPlace(largest, places);
  Value value = largest;
  OpResult used = op->getResult(argmax.value);
  if (isFloat && !used.use_empty())
    value = choose(largest, readAt(place, places), argmax.start);
  used.replaceAllUsesWith(value);
  op->getResult(argmax.place)
      .replaceAllUsesWith(choose(largest, place, argmax.placeStart));
  // Both may start from one fill.
  llvm::SetVector<Operation *> starts;
  for (Value init : op.getDpsInits())
    starts.insert(init.getDefiningOp());
  op.erase();
  for (Operation *start : starts)
    if (start->use_empty())
      start->erase();
}

bool sched::decomposeArgmax(func::FuncOp function) {
  SmallVector<std::pair<linalg::GenericOp, Argmax>> found;
  function.walk([&](linalg::GenericOp op) {
    if (std::optional<Argmax> argmax = matchArgmax(op))
      found.emplace_back(op, *argmax);
  });
  for (auto &[op, argmax] : found)
    Decomposer(op, argmax).run();
  return !found.empty();
}
