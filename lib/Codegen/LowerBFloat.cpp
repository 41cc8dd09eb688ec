//===- LowerBFloat.cpp - Arithmetic on bfloat16 ---------------------------===//
//
// Few processors have it. LLVM would call a function of the compiler's runtime
// for each rounding; here it becomes integer arithmetic, which vectorises.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace sched {
#define GEN_PASS_DEF_LOWERBFLOATPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

static bool usesBFloat(Operation *root) {
  auto isBFloat = [](Type type) { return getElementTypeOrSelf(type).isBF16(); };
  return root
      ->walk([&](Operation *op) {
        return llvm::any_of(op->getOperandTypes(), isBFloat) ||
                       llvm::any_of(op->getResultTypes(), isBFloat)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct LowerBFloat : sched::impl::LowerBFloatPassBase<LowerBFloat> {
  void runOnOperation() override {
    if (!usesBFloat(getOperation()))
      return;
    MLIRContext *context = &getContext();
    TypeConverter converter;
    arith::populateEmulateUnsupportedFloatsConversions(
        converter, {BFloat16Type::get(context)}, Float32Type::get(context));
    RewritePatternSet emulation(context);
    arith::populateEmulateUnsupportedFloatsPatterns(emulation, converter);
    ConversionTarget target(*context);
    arith::populateEmulateUnsupportedFloatsLegality(target, converter);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(emulation))))
      return signalPassFailure();

    RewritePatternSet rounding(context);
    arith::populateExpandBFloat16Patterns(rounding);
    if (failed(applyPatternsGreedily(getOperation(), std::move(rounding))))
      signalPassFailure();
  }
};
} // namespace
