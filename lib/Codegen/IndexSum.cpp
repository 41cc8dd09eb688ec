//===- IndexSum.cpp - Indices as sums of loop variables -------------------===//

#include "IndexSum.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace sched;

/// The value, or the tightest one that an affine.max or affine.min has among
/// its operands, of which `tighter` tells.
template <typename BoundOp, typename Tighter>
static std::optional<int64_t> getBound(OpFoldResult bound, Tighter tighter) {
  if (auto number = getConstantIntValue(bound))
    return number;
  auto op = cast<Value>(bound).getDefiningOp<BoundOp>();
  if (!op)
    return std::nullopt;
  std::optional<int64_t> best;
  for (AffineExpr expr : op.getMap().getResults()) {
    std::optional<int64_t> number;
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      number = constant.getValue();
    else if (auto dim = dyn_cast<AffineDimExpr>(expr))
      number = getConstantIntValue(op.getOperand(dim.getPosition()));
    if (number && (!best || tighter(*number, *best)))
      best = number;
  }
  return best;
}

std::optional<Interval> sched::getRange(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop =
      argument
          ? dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp())
          : nullptr;
  auto indices = loop ? loop.getLoopInductionVars() : std::nullopt;
  if (!indices || !llvm::is_contained(*indices, value))
    return std::nullopt;
  const unsigned number = argument.getArgNumber();
  auto begins = loop.getLoopLowerBounds(), ends = loop.getLoopUpperBounds(),
       steps = loop.getLoopSteps();
  if (!begins || !ends || !steps)
    return std::nullopt;
  auto begin = getBound<affine::AffineMaxOp>((*begins)[number],
                                             std::greater<int64_t>()),
       end =
           getBound<affine::AffineMinOp>((*ends)[number], std::less<int64_t>()),
       step = getConstantIntValue((*steps)[number]);
  if (!begin || !end || !step || *step <= 0 || *end <= *begin)
    return std::nullopt;
  // From elsewhere, the steps may come to any number before the end.
  const bool isExact = getConstantIntValue((*begins)[number]).has_value();
  const int64_t last = *end - 1;
  return Interval{*begin,
                  isExact ? *begin + (last - *begin) / *step * *step : last};
}

std::optional<IndexSteps> sched::getSteps(Value index) {
  const std::optional<Interval> range = getRange(index);
  if (!range)
    return std::nullopt;
  auto argument = cast<BlockArgument>(index);
  auto loop = cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  const unsigned number = argument.getArgNumber();
  auto isConstant = [&](std::optional<SmallVector<OpFoldResult>> bounds) {
    return getConstantIntValue((*bounds)[number]).has_value();
  };
  const int64_t step = *getConstantIntValue((*loop.getLoopSteps())[number]);
  const bool isBeginKnown = isConstant(loop.getLoopLowerBounds());
  // From elsewhere, other steps may come to any number.
  if (!isBeginKnown && step != 1)
    return std::nullopt;
  return IndexSteps{range->least, step, (range->most - range->least) / step + 1,
                    isBeginKnown && isConstant(loop.getLoopUpperBounds())};
}

bool IndexSum::add(AffineExpr expr, int64_t factor, unsigned dims,
                   ValueRange operands) {
  if (auto number = dyn_cast<AffineConstantExpr>(expr)) {
    constant += factor * number.getValue();
    return true;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return add(operands[dim.getPosition()], factor);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return add(operands[dims + symbol.getPosition()], factor);
  auto both = cast<AffineBinaryOpExpr>(expr);
  if (both.getKind() == AffineExprKind::Add)
    return add(both.getLHS(), factor, dims, operands) &&
           add(both.getRHS(), factor, dims, operands);
  auto times = dyn_cast<AffineConstantExpr>(both.getRHS());
  return both.getKind() == AffineExprKind::Mul && times &&
         add(both.getLHS(), factor * times.getValue(), dims, operands);
}

bool IndexSum::add(Value value, int64_t factor) {
  if (auto number = getConstantIntValue(value)) {
    constant += factor * *number;
    return true;
  }
  if (auto apply = value.getDefiningOp<affine::AffineApplyOp>())
    return add(apply.getAffineMap().getResult(0), factor,
               apply.getAffineMap().getNumDims(), apply.getMapOperands());
  // What cancels out is no term.
  if ((terms[value] += factor) == 0)
    terms.erase(value);
  return true;
}

void IndexSum::add(OpFoldResult index, int64_t factor) {
  if (auto value = dyn_cast<Value>(index))
    add(value, factor);
  else
    constant += factor * *getConstantIntValue(index);
}

void IndexSum::add(const IndexSum &other, int64_t factor) {
  constant += factor * other.constant;
  for (auto [value, times] : other.terms)
    add(value, factor * times);
}

AffineExpr IndexSum::getExpr(Builder &builder,
                             SmallVectorImpl<Value> &values) const {
  AffineExpr expr = builder.getAffineConstantExpr(constant);
  for (auto [value, factor] : terms) {
    expr = expr + builder.getAffineDimExpr(values.size()) * factor;
    values.push_back(value);
  }
  return expr;
}

std::optional<Interval> IndexSum::getInterval() const {
  Interval all{constant, constant};
  for (auto [value, factor] : terms) {
    auto range = getRange(value);
    if (!range)
      return std::nullopt;
    all.least += factor * (factor > 0 ? range->least : range->most);
    all.most += factor * (factor > 0 ? range->most : range->least);
  }
  return all;
}
