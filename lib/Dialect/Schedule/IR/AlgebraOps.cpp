//===- AlgebraOps.cpp - Arithmetic on parameters --------------------------===//
//
// Evaluation of each op, and what of it folds. Constants are
// `transform.param.constant` ops, which are not constant-like to MLIR: folding
// to a constant is therefore a pattern, not a fold hook.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::schedule;

#include "SchedOpt/Dialect/Schedule/IR/ScheduleInterfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

FailureOr<int64_t> mlir::schedule::getConstantParam(Value param) {
  auto constant = param.getDefiningOp<transform::ParamConstantOp>();
  if (!constant)
    return failure();
  auto value = dyn_cast<IntegerAttr>(constant.getValue());
  if (!value || value.getValue().getSignificantBits() > 64)
    return failure();
  return value.getValue().getSExtValue();
}

FailureOr<SmallVector<int64_t>>
mlir::schedule::getConstantParams(ValueRange params) {
  SmallVector<int64_t> values;
  for (Value param : params) {
    FailureOr<int64_t> value = getConstantParam(param);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  return values;
}

Value mlir::schedule::createConstantParam(OpBuilder &builder, Location loc,
                                          int64_t value) {
  Type i64 = builder.getI64Type();
  return transform::ParamConstantOp::create(
      builder, loc, transform::ParamType::get(builder.getContext(), i64),
      builder.getIntegerAttr(i64, value));
}

//===----------------------------------------------------------------------===//
// Any number of operands
//===----------------------------------------------------------------------===//

using Reduction = std::optional<int64_t> (*)(int64_t, int64_t);

static std::optional<int64_t> reduce(ArrayRef<int64_t> values,
                                     Reduction combine) {
  std::optional<int64_t> result = values.front();
  for (int64_t value : values.drop_front()) {
    result = combine(*result, value);
    if (!result)
      break;
  }
  return result;
}

std::optional<int64_t> ProductOp::evaluate(ArrayRef<int64_t> operands) {
  return reduce(operands, [](int64_t a, int64_t b) -> std::optional<int64_t> {
    int64_t result;
    if (llvm::MulOverflow(a, b, result))
      return std::nullopt;
    return result;
  });
}

std::optional<int64_t> SumOp::evaluate(ArrayRef<int64_t> operands) {
  return reduce(operands, [](int64_t a, int64_t b) -> std::optional<int64_t> {
    int64_t result;
    if (llvm::AddOverflow(a, b, result))
      return std::nullopt;
    return result;
  });
}

std::optional<int64_t> MinOp::evaluate(ArrayRef<int64_t> operands) {
  return *llvm::min_element(operands);
}

std::optional<int64_t> MaxOp::evaluate(ArrayRef<int64_t> operands) {
  return *llvm::max_element(operands);
}

std::optional<int64_t> AndOp::evaluate(ArrayRef<int64_t> operands) {
  return llvm::all_of(operands, [](int64_t value) { return value != 0; });
}

std::optional<int64_t> OrOp::evaluate(ArrayRef<int64_t> operands) {
  return llvm::any_of(operands, [](int64_t value) { return value != 0; });
}

template <typename OpTy> static LogicalResult verifyInputs(OpTy op) {
  if (op.getInputs().empty())
    return op.emitOpError("needs at least one operand");
  return success();
}

LogicalResult ProductOp::verify() { return verifyInputs(*this); }
LogicalResult SumOp::verify() { return verifyInputs(*this); }
LogicalResult MinOp::verify() { return verifyInputs(*this); }
LogicalResult MaxOp::verify() { return verifyInputs(*this); }
LogicalResult AndOp::verify() { return verifyInputs(*this); }
LogicalResult OrOp::verify() { return verifyInputs(*this); }

/// One operand is the result; `and` and `or` turn it into 0 or 1, so not there.
template <typename OpTy> static OpFoldResult foldSingle(OpTy op) {
  return op.getInputs().size() == 1 ? OpFoldResult(op.getInputs().front())
                                    : OpFoldResult();
}

OpFoldResult ProductOp::fold(FoldAdaptor) { return foldSingle(*this); }
OpFoldResult SumOp::fold(FoldAdaptor) { return foldSingle(*this); }
OpFoldResult MinOp::fold(FoldAdaptor) { return foldSingle(*this); }
OpFoldResult MaxOp::fold(FoldAdaptor) { return foldSingle(*this); }
OpFoldResult AndOp::fold(FoldAdaptor) { return {}; }
OpFoldResult OrOp::fold(FoldAdaptor) { return {}; }

namespace {
/// Combines the constants among the operands of a variadic op and puts the
/// result last; drops it where it is `neutral`, and is the whole result where
/// it is `absorbing`. Of idempotent ops, equal operands are merged too.
template <typename OpTy> struct CombineConstants : OpRewritePattern<OpTy> {
  CombineConstants(MLIRContext *context, std::optional<int64_t> neutral,
                   std::optional<int64_t> absorbing, bool idempotent)
      : OpRewritePattern<OpTy>(context), neutral(neutral), absorbing(absorbing),
        idempotent(idempotent) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> others;
    SmallVector<int64_t> constants;
    for (Value input : op.getInputs()) {
      if (FailureOr<int64_t> value = getConstantParam(input); succeeded(value))
        constants.push_back(*value);
      else if (!idempotent || !llvm::is_contained(others, input))
        others.push_back(input);
    }
    std::optional<int64_t> constant;
    if (!constants.empty()) {
      constant = op.evaluate(constants);
      if (!constant)
        return failure();
    }
    if (constant && (constant == absorbing || others.empty())) {
      rewriter.replaceOp(op,
                         createConstantParam(rewriter, op.getLoc(), *constant));
      return success();
    }
    const bool keep = constant && constant != neutral;
    // What is left is a single constant at the end already: nothing to do.
    if (others.size() + keep == op.getInputs().size() &&
        (!keep || succeeded(getConstantParam(op.getInputs().back()))))
      return failure();
    if (keep)
      others.push_back(createConstantParam(rewriter, op.getLoc(), *constant));
    rewriter.replaceOpWithNewOp<OpTy>(op, op.getType(), others);
    return success();
  }

  std::optional<int64_t> neutral, absorbing;
  bool idempotent;
};
} // namespace

void ProductOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<CombineConstants<ProductOp>>(context, 1, 0, false);
}

void SumOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<CombineConstants<SumOp>>(context, 0, std::nullopt, false);
}

void MinOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<CombineConstants<MinOp>>(context, std::nullopt, std::nullopt,
                                        true);
}

void MaxOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<CombineConstants<MaxOp>>(context, std::nullopt, std::nullopt,
                                        true);
}

void AndOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<CombineConstants<AndOp>>(context, 1, 0, true);
}

void OrOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                       MLIRContext *context) {
  patterns.add<CombineConstants<OrOp>>(context, 0, 1, true);
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

/// Whether dividing leaves the range: the smallest number by -1.
static bool divisionOverflows(ArrayRef<int64_t> operands) {
  return operands[1] == -1 &&
         operands[0] == std::numeric_limits<int64_t>::min();
}

std::optional<int64_t> SubOp::evaluate(ArrayRef<int64_t> operands) {
  int64_t result;
  if (llvm::SubOverflow(operands[0], operands[1], result))
    return std::nullopt;
  return result;
}

std::optional<int64_t> FloorDivOp::evaluate(ArrayRef<int64_t> operands) {
  if (divisionOverflows(operands))
    return std::nullopt;
  return operands[1] ? llvm::divideFloorSigned(operands[0], operands[1]) : 0;
}

std::optional<int64_t> CeilDivOp::evaluate(ArrayRef<int64_t> operands) {
  if (divisionOverflows(operands))
    return std::nullopt;
  return operands[1] ? llvm::divideCeilSigned(operands[0], operands[1]) : 0;
}

std::optional<int64_t> ModOp::evaluate(ArrayRef<int64_t> operands) {
  if (operands[1] == 0 || operands[1] == -1)
    return 0;
  const int64_t quotient = llvm::divideFloorSigned(operands[0], operands[1]);
  return operands[0] - quotient * operands[1];
}

static bool isConstant(Value param, int64_t value) {
  FailureOr<int64_t> constant = getConstantParam(param);
  return succeeded(constant) && *constant == value;
}

OpFoldResult SubOp::fold(FoldAdaptor) {
  return isConstant(getRhs(), 0) ? OpFoldResult(getLhs()) : OpFoldResult();
}

OpFoldResult FloorDivOp::fold(FoldAdaptor) {
  return isConstant(getRhs(), 1) ? OpFoldResult(getLhs()) : OpFoldResult();
}

OpFoldResult CeilDivOp::fold(FoldAdaptor) {
  return isConstant(getRhs(), 1) ? OpFoldResult(getLhs()) : OpFoldResult();
}

OpFoldResult ModOp::fold(FoldAdaptor) {
  return isConstant(getLhs(), 0) ? OpFoldResult(getLhs()) : OpFoldResult();
}

std::optional<int64_t> CmpOp::evaluate(ArrayRef<int64_t> operands) {
  const int64_t lhs = operands[0], rhs = operands[1];
  switch (getPredicate()) {
  case CmpPredicate::eq:
    return lhs == rhs;
  case CmpPredicate::ne:
    return lhs != rhs;
  case CmpPredicate::lt:
    return lhs < rhs;
  case CmpPredicate::le:
    return lhs <= rhs;
  case CmpPredicate::gt:
    return lhs > rhs;
  case CmpPredicate::ge:
    return lhs >= rhs;
  }
  llvm_unreachable("not a predicate");
}

//===----------------------------------------------------------------------===//
// SelectOp
//===----------------------------------------------------------------------===//

std::optional<int64_t> SelectOp::evaluate(ArrayRef<int64_t> operands) {
  return operands[0] ? operands[1] : operands[2];
}

OpFoldResult SelectOp::fold(FoldAdaptor) {
  if (getTrueValue() == getFalseValue())
    return getTrueValue();
  FailureOr<int64_t> condition = getConstantParam(getCondition());
  if (failed(condition))
    return {};
  return *condition ? getTrueValue() : getFalseValue();
}

//===----------------------------------------------------------------------===//
// RequireOp and the dialect's patterns
//===----------------------------------------------------------------------===//

LogicalResult RequireOp::canonicalize(RequireOp op, PatternRewriter &rewriter) {
  FailureOr<int64_t> condition = getConstantParam(op.getCondition());
  // One that never holds stays: whoever decides must hear of it.
  if (failed(condition) || *condition == 0)
    return failure();
  rewriter.eraseOp(op);
  return success();
}

namespace {
/// Algebra on constants is a constant.
struct FoldConstants : OpInterfaceRewritePattern<AlgebraOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(AlgebraOpInterface op,
                                PatternRewriter &rewriter) const override {
    FailureOr<SmallVector<int64_t>> operands =
        getConstantParams(op->getOperands());
    if (failed(operands))
      return failure();
    std::optional<int64_t> value = op.evaluate(*operands);
    if (!value)
      return failure();
    rewriter.replaceOp(op, createConstantParam(rewriter, op.getLoc(), *value));
    return success();
  }
};
} // namespace

void ScheduleDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  patterns.add<FoldConstants>(getContext());
}
