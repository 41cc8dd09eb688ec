//===- LowerMath.cpp - Math functions as arithmetic -----------------------===//
//
// Libraries of vector functions differ from machine to machine; arithmetic does
// not. Read next: MathBuilder.h, then the formulas in MathExponential.cpp.
//
//===----------------------------------------------------------------------===//

#include "MathBuilder.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace sched {
#define GEN_PASS_DEF_LOWERMATHPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

namespace {
struct LowerMath : sched::impl::LowerMathPassBase<LowerMath> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    sched::populateExponentialPatterns(set);
    sched::populateLogarithmPatterns(set);
    sched::populateTrigonometryPatterns(set);
    sched::populateDoublePatterns(set);
    sched::populateVectorArithmeticPatterns(set);
    // Upstream's is good; it uses exp, whose ends are ours.
    populateMathPolynomialApproximationPatterns(set, [](StringRef name) {
      return name == math::ErfcOp::getOperationName();
    });
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    if (failed(applyPatternsGreedily(getOperation(), patterns)))
      return signalPassFailure();
    // What LLVM has no intrinsic for; upstream's conversion to the LLVM dialect
    // computes expm1 and log1p as exp(x) - 1 and log(1 + x), which are 0 near
    // 0.
    RewritePatternSet calls(&getContext());
    populateMathToLibmConversionPatterns(calls);
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalOp<math::AcoshOp, math::AsinhOp, math::AtanhOp,
                        math::CbrtOp, math::ErfOp, math::ErfcOp, math::ExpM1Op,
                        math::Log1pOp>();
    if (failed(
            applyPartialConversion(getOperation(), target, std::move(calls))))
      signalPassFailure();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
