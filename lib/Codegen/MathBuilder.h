//===- MathBuilder.h - Formulas on floats and vectors of them ---*- C++ -*-===//
//
// What the polynomials of MathExponential.cpp and its neighbours are written
// with: ops on one type, f32 or f64 or a vector of those, and the tricks with
// the bits of a float that all of them need. Comparisons are written so that a
// NaN goes through: `select(lt(hi, x), hi, x)` is x where x is a NaN, and one
// instruction on every target.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_MATHBUILDER_H
#define SCHEDOPT_LIB_CODEGEN_MATHBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include <limits>

namespace sched {

class MathBuilder {
public:
  using Value = mlir::Value;

  /// `type` is f32, f64 or a vector of those: that of all floats made.
  MathBuilder(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type)
      : builder(builder), loc(loc), type(type),
        isDouble(mlir::getElementTypeOrSelf(type).isF64()),
        intType(withElement(builder.getIntegerType(isDouble ? 64 : 32))) {}

  /// The same place and shape, elements of another width.
  MathBuilder inDouble() const {
    return {builder, loc, withElement(builder.getF64Type())};
  }

  Value constant(double value) {
    return splat(type,
                 builder.getFloatAttr(mlir::getElementTypeOrSelf(type), value));
  }
  Value integer(int64_t value) {
    return splat(intType, builder.getIntegerAttr(
                              mlir::getElementTypeOrSelf(intType), value));
  }
  Value infinity() { return constant(std::numeric_limits<double>::infinity()); }
  Value notANumber() {
    return constant(std::numeric_limits<double>::quiet_NaN());
  }

  Value add(Value a, Value b) { return make<mlir::arith::AddFOp>(a, b); }
  Value sub(Value a, Value b) { return make<mlir::arith::SubFOp>(a, b); }
  Value mul(Value a, Value b) { return make<mlir::arith::MulFOp>(a, b); }
  Value div(Value a, Value b) { return make<mlir::arith::DivFOp>(a, b); }
  Value add(Value a, double b) { return add(a, constant(b)); }
  Value sub(Value a, double b) { return sub(a, constant(b)); }
  Value mul(Value a, double b) { return mul(a, constant(b)); }
  Value negate(Value a) { return make<mlir::arith::NegFOp>(a); }
  Value abs(Value a) { return make<mlir::math::AbsFOp>(a); }
  Value sqrt(Value a) { return make<mlir::math::SqrtOp>(a); }
  Value floor(Value a) { return make<mlir::math::FloorOp>(a); }
  Value copySign(Value magnitude, Value sign) {
    return make<mlir::math::CopySignOp>(magnitude, sign);
  }

  /// a * b + c, fused where the target can: the formulas hold either way.
  Value madd(Value a, Value b, Value c) {
    auto flags = mlir::arith::FastMathFlags::contract;
    Value product = mlir::arith::MulFOp::create(builder, loc, a, b, flags);
    return mlir::arith::AddFOp::create(builder, loc, product, c, flags);
  }
  Value madd(Value a, double b, Value c) { return madd(a, constant(b), c); }
  Value madd(Value a, Value b, double c) { return madd(a, b, constant(c)); }
  Value madd(Value a, double b, double c) {
    return madd(a, constant(b), constant(c));
  }

  /// coefficients[0] + coefficients[1] x + ... by Horner's rule.
  Value polynomial(Value x, llvm::ArrayRef<double> coefficients) {
    Value sum = constant(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = madd(sum, x, coefficient);
    return sum;
  }

  Value less(Value a, Value b) { return compare(Predicate::OLT, a, b); }
  Value less(Value a, double b) { return less(a, constant(b)); }
  Value less(double a, Value b) { return less(constant(a), b); }
  Value equal(Value a, Value b) { return compare(Predicate::OEQ, a, b); }
  Value equal(Value a, double b) { return equal(a, constant(b)); }
  /// Also where `a` is a NaN.
  Value notLess(Value a, double b) {
    return compare(Predicate::UGE, a, constant(b));
  }
  Value either(Value a, Value b) { return make<mlir::arith::OrIOp>(a, b); }
  Value both(Value a, Value b) { return make<mlir::arith::AndIOp>(a, b); }
  Value select(Value condition, Value a, Value b) {
    return mlir::arith::SelectOp::create(builder, loc, condition, a, b);
  }
  /// The smaller one; `x` if it is a NaN.
  Value atMost(Value x, double bound) {
    return select(less(bound, x), constant(bound), x);
  }
  Value atLeast(Value x, double bound) {
    return select(less(x, bound), constant(bound), x);
  }

  Value bits(Value x) {
    return mlir::arith::BitcastOp::create(builder, loc, intType, x);
  }
  Value fromBits(Value x) {
    return mlir::arith::BitcastOp::create(builder, loc, type, x);
  }
  Value addInt(Value a, int64_t b) {
    return make<mlir::arith::AddIOp>(a, integer(b));
  }
  Value subInt(int64_t a, Value b) {
    return make<mlir::arith::SubIOp>(integer(a), b);
  }
  Value subInt(Value a, Value b) { return make<mlir::arith::SubIOp>(a, b); }
  Value andInt(Value a, int64_t b) {
    return make<mlir::arith::AndIOp>(a, integer(b));
  }
  Value orInt(Value a, int64_t b) {
    return make<mlir::arith::OrIOp>(a, integer(b));
  }
  Value xorInt(Value a, Value b) { return make<mlir::arith::XOrIOp>(a, b); }
  Value shiftLeft(Value a, int64_t by) {
    return make<mlir::arith::ShLIOp>(a, integer(by));
  }
  Value shiftRight(Value a, int64_t by) {
    return make<mlir::arith::ShRSIOp>(a, integer(by));
  }
  Value shiftRightUnsigned(Value a, int64_t by) {
    return make<mlir::arith::ShRUIOp>(a, integer(by));
  }
  Value minInt(Value a, int64_t b) {
    return make<mlir::arith::MinSIOp>(a, integer(b));
  }
  Value isZero(Value a) {
    return mlir::arith::CmpIOp::create(
        builder, loc, mlir::arith::CmpIPredicate::eq, a, integer(0));
  }
  Value toFloat(Value a) {
    return mlir::arith::SIToFPOp::create(builder, loc, type, a);
  }
  /// An f32 as this builder's f64, and back.
  Value extend(Value a) {
    return mlir::arith::ExtFOp::create(builder, loc, type, a);
  }
  Value truncate(Value a) {
    return mlir::arith::TruncFOp::create(builder, loc, type, a);
  }
  /// The low half of 64-bit integers, for a builder of f32.
  Value lowHalf(Value a) {
    return mlir::arith::TruncIOp::create(builder, loc, intType, a);
  }

  /// The integer next to `product` (`x` times `factor`), twice: as a float, and
  /// as 2 to its power once it was added to `bias`. Adding 1.5 times 2 to the
  /// number of mantissa bits rounds, and leaves the integer in the low bits.
  struct Rounded {
    Value nearest, power;
  };
  Rounded round(Value x, double factor, int bias = 0) {
    const int mantissa = isDouble ? 52 : 23;
    const double magic =
        double(int64_t(3) << (mantissa - 1)) + (isDouble ? 1023 : 127) + bias;
    Value shifted = madd(x, factor, magic);
    return {sub(shifted, magic), fromBits(shiftLeft(bits(shifted), mantissa))};
  }

  /// The same of f64 with the power of two as a product: a result multiplied by
  /// one and then by the other is rounded once, also where it is subnormal, and
  /// overflows no earlier than it must.
  struct RoundedInTwo {
    Value nearest, power, otherPower;
  };
  RoundedInTwo roundInTwo(Value x, double factor) {
    constexpr double magic = 0x1.8p52 + 2 * 1023;
    Value shifted = madd(x, factor, magic);
    // The upper bits of both halves end above bit 12, and are shifted out.
    Value whole = bits(shifted);
    Value half = shiftRightUnsigned(whole, 1);
    return {sub(shifted, magic), fromBits(shiftLeft(half, 52)),
            fromBits(shiftLeft(subInt(whole, half), 52))};
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
  bool isDouble;
  mlir::Type intType;

private:
  using Predicate = mlir::arith::CmpFPredicate;

  mlir::Type withElement(mlir::Type element) const {
    if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
      return vector.clone(element);
    return element;
  }
  Value splat(mlir::Type type, mlir::TypedAttr value) {
    if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
      value = mlir::DenseElementsAttr::get(vector, mlir::Attribute(value));
    return mlir::arith::ConstantOp::create(builder, loc, value);
  }
  template <typename Op, typename... Operands>
  Value make(Operands... operands) {
    return Op::create(builder, loc, operands...);
  }
  Value compare(Predicate predicate, Value a, Value b) {
    return mlir::arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
};

/// What all logarithms have in common: `value` where x is positive and finite.
mlir::Value withLogarithmEnds(MathBuilder &b, mlir::Value x, mlir::Value value);

/// Replaces a function of f32, or of f64, or of vectors of it, by `formula`.
template <typename Op, auto formula, bool isDouble = false>
struct MathFormula : mlir::OpRewritePattern<Op> {
  using mlir::OpRewritePattern<Op>::OpRewritePattern;
  mlir::LogicalResult
  matchAndRewrite(Op op, mlir::PatternRewriter &rewriter) const override {
    mlir::Type type = op.getType();
    mlir::Type element = mlir::getElementTypeOrSelf(type);
    if (!(isDouble ? element.isF64() : element.isF32()) ||
        !llvm::isa<mlir::FloatType, mlir::VectorType>(type))
      return rewriter.notifyMatchFailure(op, "of another type");
    if (auto vector = llvm::dyn_cast<mlir::VectorType>(type);
        vector && vector.isScalable())
      return rewriter.notifyMatchFailure(op, "of no fixed size");
    MathBuilder builder(rewriter, op.getLoc(), type);
    mlir::Value value;
    if constexpr (Op::template hasTrait<mlir::OpTrait::OneOperand>())
      value = formula(builder, op->getOperand(0));
    else
      value = formula(builder, op->getOperand(0), op->getOperand(1));
    rewriter.replaceOp(op, value);
    return mlir::success();
  }
};

/// Patterns of the files of the same names.
void populateExponentialPatterns(mlir::RewritePatternSet &patterns);
void populateLogarithmPatterns(mlir::RewritePatternSet &patterns);
void populateTrigonometryPatterns(mlir::RewritePatternSet &patterns);
/// Of f64.
void populateDoublePatterns(mlir::RewritePatternSet &patterns);
void populateVectorArithmeticPatterns(mlir::RewritePatternSet &patterns);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_MATHBUILDER_H
