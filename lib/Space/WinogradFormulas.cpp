//===- WinogradFormulas.cpp - One dimension of the transforms -------------===//

#include "WinogradFormulas.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include <cassert>

using namespace mlir;
using namespace sched;
using namespace sched::winograd;

/// The points of F(4, 3), besides 0 and infinity, with both signs. Their
/// squares are 1/2 and 2.
constexpr double kPoint1 = 0.70710678118654752440;
constexpr double kPoint2 = 1.41421356237309504880;

namespace {
/// Writes sums and multiples of values of one type.
class Sums {
public:
  Sums(OpBuilder &builder, Location loc, Type type)
      : builder(builder), loc(loc), type(type) {}

  Value add(Value a, Value b) const {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  Value subtract(Value a, Value b) const {
    return arith::SubFOp::create(builder, loc, a, b);
  }
  /// a + factor * b.
  Value addMultiple(Value a, double factor, Value b) const {
    return add(a, multiply(factor, b));
  }
  Value multiply(double factor, Value a) const {
    TypedAttr constant = builder.getFloatAttr(getElementType(), factor);
    if (auto vector = dyn_cast<VectorType>(type))
      constant = DenseElementsAttr::get(vector, constant);
    return arith::MulFOp::create(
        builder, loc, arith::ConstantOp::create(builder, loc, constant), a);
  }

private:
  Type getElementType() const {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? vector.getElementType() : type;
  }

  OpBuilder &builder;
  Location loc;
  Type type;
};
} // namespace

static SmallVector<Value> transformInput2(OpBuilder &builder, Location loc,
                                          ArrayRef<Value> d) {
  Sums sums(builder, loc, d[0].getType());
  return {sums.subtract(d[0], d[2]), sums.add(d[1], d[2]),
          sums.subtract(d[2], d[1]), sums.subtract(d[1], d[3])};
}

static SmallVector<Value> transformInput4(OpBuilder &builder, Location loc,
                                          ArrayRef<Value> d) {
  Sums sums(builder, loc, d[0].getType());
  Value even1 = sums.addMultiple(d[4], -2, d[2]);
  Value odd1 = sums.addMultiple(d[3], -2, d[1]);
  Value even2 = sums.addMultiple(d[4], -0.5, d[2]);
  Value odd2 = sums.addMultiple(d[3], -0.5, d[1]);
  return {sums.add(sums.addMultiple(d[4], -2.5, d[2]), d[0]),
          sums.addMultiple(even1, kPoint1, odd1),
          sums.addMultiple(even1, -kPoint1, odd1),
          sums.addMultiple(even2, kPoint2, odd2),
          sums.addMultiple(even2, -kPoint2, odd2),
          sums.add(sums.addMultiple(d[5], -2.5, d[3]), d[1])};
}

static SmallVector<Value> transformOutput2(OpBuilder &builder, Location loc,
                                           ArrayRef<Value> m) {
  Sums sums(builder, loc, m[0].getType());
  return {sums.add(sums.add(m[0], m[1]), m[2]),
          sums.subtract(sums.subtract(m[1], m[2]), m[3])};
}

static SmallVector<Value> transformOutput4(OpBuilder &builder, Location loc,
                                           ArrayRef<Value> m) {
  Sums sums(builder, loc, m[0].getType());
  Value sum1 = sums.add(m[1], m[2]), difference1 = sums.subtract(m[1], m[2]);
  Value sum2 = sums.add(m[3], m[4]), difference2 = sums.subtract(m[3], m[4]);
  return {sums.add(sums.add(m[0], sum1), sum2),
          sums.addMultiple(sums.multiply(kPoint1, difference1), kPoint2,
                           difference2),
          sums.addMultiple(sums.multiply(0.5, sum1), 2, sum2),
          sums.addMultiple(sums.addMultiple(m[5], kPoint1 / 2, difference1),
                           2 * kPoint2, difference2)};
}

ArrayRef<double> winograd::getFilterRow(int64_t tile, int64_t row) {
  static const double two[][kTaps] = {
      {1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
  // Powers of a point by the product of its distances to the others.
  static const double four[][kTaps] = {
      {1, 0, 0},
      {-2. / 3, -2. / 3 * kPoint1, -1. / 3},
      {-2. / 3, 2. / 3 * kPoint1, -1. / 3},
      {1. / 6, 1. / 6 * kPoint2, 1. / 3},
      {1. / 6, -1. / 6 * kPoint2, 1. / 3},
      {0, 0, 1},
  };
  assert(row < getWindow(tile));
  return tile == 2 ? two[row] : four[row];
}

Transform winograd::getInputTransform(int64_t tile) {
  return tile == 2 ? transformInput2 : transformInput4;
}

Transform winograd::getOutputTransform(int64_t tile) {
  return tile == 2 ? transformOutput2 : transformOutput4;
}

SmallVector<Value> winograd::transformSquare(OpBuilder &builder, Location loc,
                                             Transform transform,
                                             ArrayRef<Value> tile,
                                             int64_t size) {
  SmallVector<SmallVector<Value>> rows;
  for (int64_t row = 0; row != size; ++row)
    rows.push_back(transform(builder, loc, tile.slice(row * size, size)));
  const size_t columns = rows.front().size();
  SmallVector<Value> result(columns * columns);
  for (size_t column = 0; column != columns; ++column) {
    SmallVector<Value> values;
    for (const SmallVector<Value> &row : rows)
      values.push_back(row[column]);
    SmallVector<Value> done = transform(builder, loc, values);
    for (size_t row = 0; row != columns; ++row)
      result[row * columns + column] = done[row];
  }
  return result;
}
