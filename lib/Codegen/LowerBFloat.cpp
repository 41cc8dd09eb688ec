//===- LowerBFloat.cpp - Arithmetic on floats of 16 bits ------------------===//
//
// Few processors have it. For bfloat16, LLVM would call a function of the
// compiler's runtime for each rounding; here it becomes integer arithmetic,
// which vectorises. For f16, LLVM takes vectors apart where an operation has no
// form in f32 that it knows to be equal, as a maximum.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace sched {
#define GEN_PASS_DEF_LOWERBFLOATPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

static bool uses(Operation *root, ArrayRef<Type> elements) {
  auto isOne = [&](Type type) {
    return llvm::is_contained(elements, getElementTypeOrSelf(type));
  };
  return root
      ->walk([&](Operation *op) {
        return llvm::any_of(op->getOperandTypes(), isOne) ||
                       llvm::any_of(op->getResultTypes(), isOne)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// `type`, or a vector of it of the shape of `like`.
static Type withShapeOf(Type like, Type type) {
  auto vector = dyn_cast<VectorType>(like);
  return vector ? vector.clone(type) : type;
}

namespace {
/// Upstream knows casts to and from f32 alone; those of f64 go through it.
struct WidenThroughF32 : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn().getType()).isBF16() ||
        !getElementTypeOrSelf(op.getType()).isF64())
      return rewriter.notifyMatchFailure(op, "not from bf16 to f64");
    Value middle = arith::ExtFOp::create(
        rewriter, op.getLoc(), withShapeOf(op.getType(), rewriter.getF32Type()),
        op.getIn());
    rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), middle);
    return success();
  }
};

/// Rounded twice to nearest, a number could end a place off. The first time it
/// is rounded to odd: towards 0, with the last bit set where something was lost
/// (Boldo and Melquiond, "When double rounding is odd", 2005).
struct NarrowThroughF32 : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    const Type type = op.getIn().getType();
    if (!getElementTypeOrSelf(type).isF64() ||
        !getElementTypeOrSelf(op.getType()).isBF16())
      return rewriter.notifyMatchFailure(op, "not from f64 to bf16");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    const Type single = withShapeOf(type, b.getF32Type()),
               bits = withShapeOf(type, b.getI32Type());
    Value nearest = arith::TruncFOp::create(b, single, op.getIn());
    Value back = arith::ExtFOp::create(b, type, nearest);
    Value isLarger = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT,
                                           math::AbsFOp::create(b, back),
                                           math::AbsFOp::create(b, op.getIn()));
    Value isOther =
        arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, back, op.getIn());
    Value odd = arith::BitcastOp::create(b, bits, nearest);
    odd = arith::SubIOp::create(b, odd,
                                arith::ExtUIOp::create(b, bits, isLarger));
    odd =
        arith::OrIOp::create(b, odd, arith::ExtUIOp::create(b, bits, isOther));
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(
        op, op.getType(), arith::BitcastOp::create(b, single, odd));
    return success();
  }
};

struct LowerBFloat : sched::impl::LowerBFloatPassBase<LowerBFloat> {
  using LowerBFloatPassBase::LowerBFloatPassBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    SmallVector<Type> narrow{BFloat16Type::get(context)};
    if (half)
      narrow.push_back(Float16Type::get(context));
    if (!uses(getOperation(), narrow))
      return;
    TypeConverter converter;
    arith::populateEmulateUnsupportedFloatsConversions(
        converter, narrow, Float32Type::get(context));
    RewritePatternSet emulation(context);
    arith::populateEmulateUnsupportedFloatsPatterns(emulation, converter);
    ConversionTarget target(*context);
    arith::populateEmulateUnsupportedFloatsLegality(target, converter);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(emulation))))
      return signalPassFailure();

    RewritePatternSet rounding(context);
    arith::populateExpandBFloat16Patterns(rounding);
    rounding.add<WidenThroughF32, NarrowThroughF32>(context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(rounding))))
      signalPassFailure();
  }
};
} // namespace
