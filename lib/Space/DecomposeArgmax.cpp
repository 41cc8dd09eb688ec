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
// zero of the other sign, so an op whose value is used stays as it is, unless
// it is one of integers.
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
    if (isFloat && (cast<FloatAttr>(result.start).getValue().isNaN() ||
                    !op->getResult(value).use_empty()))
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

static void decompose(linalg::GenericOp op, const Argmax &argmax) {
  OpBuilder builder(op);
  const Location loc = op.getLoc();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  const int64_t extent = op.getStaticLoopRanges()[reductions.front()];
  Value in = op.getDpsInputs().front();
  auto inType = cast<RankedTensorType>(in.getType());
  const Type element = inType.getElementType(), i32 = builder.getI32Type();
  const bool isFloat = isa<FloatType>(element);
  auto resultType =
      cast<RankedTensorType>(op->getResult(argmax.place).getType());
  auto none = builder.getI32IntegerAttr(std::numeric_limits<int32_t>::max());
  auto makeConstant = [&](OpBuilder &b, TypedAttr value) -> Value {
    return arith::ConstantOp::create(b, loc, value);
  };
  auto makeFill = [&](TypedAttr value) {
    Value empty = tensor::EmptyOp::create(builder, loc, resultType.getShape(),
                                          value.getType());
    return linalg::FillOp::create(builder, loc, makeConstant(builder, value),
                                  empty)
        .getResult(0);
  };
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();

  const arith::AtomicRMWKind kind = getKind(argmax, isFloat);
  auto largest = linalg::GenericOp::create(
      builder, loc, inType.clone(resultType.getShape(), element), in,
      makeFill(argmax.start), ArrayRef<AffineMap>{maps[0], maps[1]}, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(
            b, loc, arith::getReductionOp(kind, b, loc, args[0], args[1]));
      });

  SmallVector<int32_t> places(extent);
  std::iota(places.begin(), places.end(), 0);
  Value iota = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(RankedTensorType::get({extent}, i32),
                             ArrayRef<int32_t>(places)));
  AffineMap row = AffineMap::get(op.getNumLoops(), 0,
                                 {builder.getAffineDimExpr(reductions.front())},
                                 builder.getContext());
  auto first = linalg::GenericOp::create(
      builder, loc, RankedTensorType::get(resultType.getShape(), i32),
      ValueRange{in, largest.getResult(0), iota}, makeFill(none),
      ArrayRef<AffineMap>{maps[0], maps[1], row, maps[1]}, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value isIt;
        if (isFloat)
          isIt = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                       args[0], args[1]);
        else
          isIt = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                       args[0], args[1]);
        if (argmax.takesNaN)
          // There is none unless it is the largest.
          isIt = arith::OrIOp::create(
              b, loc, isIt,
              arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, args[0],
                                    args[0]));
        Value place = arith::SelectOp::create(b, loc, isIt, args[2],
                                              makeConstant(b, none));
        linalg::YieldOp::create(
            b, loc, Value(arith::MinSIOp::create(b, loc, place, args[3])));
      });

  const unsigned rank = resultType.getRank();
  const AffineMap identity = builder.getMultiDimIdentityMap(rank);
  Value empty = tensor::EmptyOp::create(builder, loc, resultType.getShape(),
                                        resultType.getElementType());
  auto result = linalg::GenericOp::create(
      builder, loc, resultType,
      ValueRange{largest.getResult(0), first.getResult(0)}, empty,
      ArrayRef<AffineMap>{identity, identity, identity},
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value start = makeConstant(b, argmax.start), exceeds;
        if (isFloat)
          exceeds = arith::CmpFOp::create(b, loc, argmax.floatPredicate,
                                          args[0], start);
        else
          exceeds = arith::CmpIOp::create(b, loc, argmax.intPredicate, args[0],
                                          start);
        Value place = args[1];
        const unsigned width = resultType.getElementTypeBitWidth();
        if (width > 32)
          place = arith::ExtSIOp::create(b, loc, resultType.getElementType(),
                                         place);
        else if (width < 32)
          place = arith::TruncIOp::create(b, loc, resultType.getElementType(),
                                          place);
        Value chosen = arith::SelectOp::create(
            b, loc, exceeds, place, makeConstant(b, argmax.placeStart));
        linalg::YieldOp::create(b, loc, chosen);
      });
  op->getResult(argmax.value).replaceAllUsesWith(largest.getResult(0));
  op->getResult(argmax.place).replaceAllUsesWith(result.getResult(0));
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
    decompose(op, argmax);
  return !found.empty();
}
