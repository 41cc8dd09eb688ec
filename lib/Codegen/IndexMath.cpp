//===- IndexMath.cpp - Index arithmetic that knows bounds and divisors ----===//

#include "IndexMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <numeric>

using namespace mlir;
using namespace sched;

static int64_t clamp(__int128 value) {
  if (value < IndexFacts::lowest)
    return IndexFacts::lowest;
  if (value > IndexFacts::highest)
    return IndexFacts::highest;
  return int64_t(value);
}

static int64_t divideDown(int64_t lhs, int64_t rhs) {
  return lhs / rhs - (lhs % rhs < 0 ? 1 : 0);
}

Value IndexMath::constant(int64_t value) {
  Value &result = constants[value];
  if (!result) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    result = arith::ConstantIndexOp::create(builder, loc, value);
    known[result] = {value, value, std::abs(value)};
  }
  return result;
}

IndexFacts IndexMath::getFacts(Value value) const {
  return known.lookup(value);
}

std::optional<int64_t> IndexMath::getConstant(Value value) const {
  auto found = known.find(value);
  if (found == known.end() || found->second.min != found->second.max)
    return std::nullopt;
  return found->second.min;
}

void IndexMath::setFacts(Value value, IndexFacts facts) {
  known[value] = facts;
}

Value IndexMath::note(Value value, IndexFacts facts) {
  if (facts.min == facts.max)
    return constant(facts.min);
  known[value] = facts;
  return value;
}

int64_t IndexMath::getPowerDivisor(Value value, int64_t limit) const {
  const int64_t divisor = getFacts(value).divisor;
  int64_t result = 1;
  while (result * 2 <= limit && divisor % (result * 2) == 0)
    result *= 2;
  return result;
}

Value IndexMath::add(Value lhs, Value rhs) {
  const IndexFacts a = getFacts(lhs), b = getFacts(rhs);
  if (a.min == 0 && a.max == 0)
    return rhs;
  if (b.min == 0 && b.max == 0)
    return lhs;
  const IndexFacts sum = {clamp(__int128(a.min) + b.min),
                          clamp(__int128(a.max) + b.max),
                          std::gcd(a.divisor, b.divisor)};
  if (sum.min == sum.max)
    return constant(sum.min);
  return note(arith::AddIOp::create(builder, loc, lhs, rhs), sum);
}

Value IndexMath::subtract(Value lhs, Value rhs) {
  if (lhs == rhs)
    return constant(0);
  const IndexFacts a = getFacts(lhs), b = getFacts(rhs);
  if (b.min == b.max)
    return add(lhs, -b.min);
  const IndexFacts difference = {clamp(__int128(a.min) - b.max),
                                 clamp(__int128(a.max) - b.min),
                                 std::gcd(a.divisor, b.divisor)};
  return note(arith::SubIOp::create(builder, loc, lhs, rhs), difference);
}

Value IndexMath::multiply(Value lhs, Value rhs) {
  const IndexFacts a = getFacts(lhs), b = getFacts(rhs);
  if (a.min == a.max && b.min != b.max)
    return multiply(rhs, lhs);
  if (b.min == b.max && b.min == 1)
    return lhs;
  const __int128 corners[] = {__int128(a.min) * b.min, __int128(a.min) * b.max,
                              __int128(a.max) * b.min, __int128(a.max) * b.max};
  const auto [low, high] =
      std::minmax_element(std::begin(corners), std::end(corners));
  const IndexFacts product = {clamp(*low), clamp(*high),
                              clamp(__int128(a.divisor) * b.divisor)};
  if (product.min == product.max)
    return constant(product.min);
  // A divisor that was cut off is none.
  const bool exact = __int128(a.divisor) * b.divisor <= IndexFacts::highest;
  return note(arith::MulIOp::create(builder, loc, lhs, rhs),
              {product.min, product.max, exact ? product.divisor : 1});
}

Value IndexMath::divide(Value lhs, int64_t rhs) {
  if (rhs == 1)
    return lhs;
  const IndexFacts a = getFacts(lhs);
  const IndexFacts quotient = {divideDown(a.min, rhs), divideDown(a.max, rhs),
                               a.divisor % rhs == 0 ? a.divisor / rhs : 1};
  if (quotient.min == quotient.max)
    return constant(quotient.min);
  if (a.min >= 0)
    return note(arith::DivUIOp::create(builder, loc, lhs, constant(rhs)),
                quotient);
  const Value rest = remainder(lhs, rhs);
  return note(
      arith::DivSIOp::create(builder, loc, subtract(lhs, rest), constant(rhs)),
      quotient);
}

Value IndexMath::remainder(Value lhs, int64_t rhs) {
  const IndexFacts a = getFacts(lhs);
  if (rhs == 1 || a.divisor % rhs == 0)
    return constant(0);
  if (divideDown(a.min, rhs) == divideDown(a.max, rhs))
    return subtract(lhs, constant(divideDown(a.min, rhs) * rhs));
  const IndexFacts rest = {0, rhs - 1, std::gcd(a.divisor, rhs)};
  if (a.min >= 0)
    return note(arith::RemUIOp::create(builder, loc, lhs, constant(rhs)), rest);
  const Value positive = constant(rhs);
  const Value signedRest = arith::RemSIOp::create(builder, loc, lhs, positive);
  const Value isNegative = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, signedRest, constant(0));
  const Value moved = arith::AddIOp::create(builder, loc, signedRest, positive);
  return note(
      arith::SelectOp::create(builder, loc, isNegative, moved, signedRest),
      rest);
}

Value IndexMath::minimum(Value lhs, Value rhs) {
  const IndexFacts a = getFacts(lhs), b = getFacts(rhs);
  if (lhs == rhs || a.max <= b.min)
    return lhs;
  if (b.max <= a.min)
    return rhs;
  return note(arith::MinSIOp::create(builder, loc, lhs, rhs),
              {std::min(a.min, b.min), std::min(a.max, b.max),
               std::gcd(a.divisor, b.divisor)});
}

Value IndexMath::maximum(Value lhs, Value rhs) {
  const IndexFacts a = getFacts(lhs), b = getFacts(rhs);
  if (lhs == rhs || a.min >= b.max)
    return lhs;
  if (b.min >= a.max)
    return rhs;
  return note(arith::MaxSIOp::create(builder, loc, lhs, rhs),
              {std::max(a.min, b.min), std::max(a.max, b.max),
               std::gcd(a.divisor, b.divisor)});
}

Value IndexMath::select(Value condition, Value yes, Value no) {
  if (!condition || yes == no)
    return yes;
  const Value result =
      arith::SelectOp::create(builder, loc, condition, yes, no);
  if (!result.getType().isIndex())
    return result;
  const IndexFacts a = getFacts(yes), b = getFacts(no);
  return note(result, {std::min(a.min, b.min), std::max(a.max, b.max),
                       std::gcd(a.divisor, b.divisor)});
}

Value IndexMath::less(Value lhs, Value rhs) {
  const IndexFacts a = getFacts(lhs), b = getFacts(rhs);
  if (a.max < b.min)
    return {};
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, lhs,
                               rhs);
}

Value IndexMath::within(Value value, Value size) {
  const IndexFacts a = getFacts(value), b = getFacts(size);
  if (a.min >= 0)
    return less(value, size);
  if (a.max < b.min)
    return less(constant(-1), value);
  // One comparison: what is negative is large without a sign.
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, value,
                               size);
}

Value IndexMath::both(Value lhs, Value rhs) {
  if (!lhs || lhs == rhs)
    return rhs;
  if (!rhs)
    return lhs;
  return arith::AndIOp::create(builder, loc, lhs, rhs);
}

Value IndexMath::materialize(Value condition) {
  if (condition)
    return condition;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(entry);
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
}

Value IndexMath::apply(AffineExpr expr, ValueRange dims, ValueRange symbols) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  if (auto literal = dyn_cast<AffineConstantExpr>(expr))
    return constant(literal.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  const Value lhs = apply(binary.getLHS(), dims, symbols),
              rhs = apply(binary.getRHS(), dims, symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return add(lhs, rhs);
  case AffineExprKind::Mul:
    return multiply(lhs, rhs);
  default:
    break;
  }
  // Loops of static shape divide by constants only.
  const std::optional<int64_t> divisor = getConstant(rhs);
  if (!divisor || *divisor <= 0)
    return {};
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return divide(lhs, *divisor);
  case AffineExprKind::CeilDiv:
    return divide(add(lhs, *divisor - 1), *divisor);
  default:
    return remainder(lhs, *divisor);
  }
}

Value IndexMath::linearize(ValueRange indices, ArrayRef<int64_t> sizes) {
  Value result = constant(0);
  int64_t stride = 1;
  for (size_t i = indices.size(); i-- > 0;) {
    result = add(multiply(indices[i], stride), result);
    stride *= sizes[i];
  }
  return result;
}

SmallVector<Value>
IndexMath::delinearize(Value position, ArrayRef<int64_t> sizes, int64_t ahead) {
  SmallVector<Value> result(sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    if (i == 0) {
      result[i] = add(position, ahead);
      break;
    }
    if (ahead % sizes[i] != 0) {
      position = add(position, ahead);
      ahead = 0;
    }
    result[i] = remainder(position, sizes[i]);
    position = divide(position, sizes[i]);
    ahead /= sizes[i];
  }
  return result;
}
