//===- LowerToLLVM.cpp - The last step to the LLVM dialect ----------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Analysis/DataLayoutAnalysis.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/OpenMPToLLVM/ConvertOpenMPToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace sched {
#define GEN_PASS_DEF_LOWERTOLLVMPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

namespace {
/// One number of two that may be no number, as a comparison. Of such a
/// reduction as an intrinsic, LLVM 22 drops elements where a vector does all of
/// a loop of few trips (see test/Upstream/extreme-of-few.mlir).
template <typename Op, arith::CmpFPredicate predicate>
struct CompareNumbers : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!isa<FloatType>(op.getType()) ||
        bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::nnan))
      return failure();
    const Location loc = op.getLoc();
    Value lhs = op.getLhs(), rhs = op.getRhs();
    Value exceeds = arith::CmpFOp::create(rewriter, loc, predicate, lhs, rhs);
    Value isNone = arith::CmpFOp::create(rewriter, loc,
                                         arith::CmpFPredicate::UNO, rhs, rhs);
    Value isLeft = arith::OrIOp::create(rewriter, loc, exceeds, isNone);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isLeft, lhs, rhs);
    return success();
  }
};

struct LowerToLLVM : sched::impl::LowerToLLVMPassBase<LowerToLLVM> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    const auto &layouts = getAnalysis<DataLayoutAnalysis>();
    LowerToLLVMOptions options(context, layouts.getAtOrAbove(getOperation()));
    options.useBarePtrCallConv = true;
    options.allocLowering = LowerToLLVMOptions::AllocLowering::AlignedAlloc;
    LLVMTypeConverter converter(context, options, &layouts);
    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp>();
    configureOpenMPToLLVMConversionLegality(target, converter);
    target.addLegalOp<omp::BarrierOp, omp::FlushOp, omp::TaskwaitOp,
                      omp::TaskyieldOp, omp::TerminatorOp>();

    // Names what is declared besides, if there is a function of that name.
    SymbolTableCollection symbols;
    RewritePatternSet patterns(context);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    patterns.add<CompareNumbers<arith::MinNumFOp, arith::CmpFPredicate::OLT>,
                 CompareNumbers<arith::MaxNumFOp, arith::CmpFPredicate::OGT>>(
        context, /*benefit=*/2);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    cf::populateAssertToLLVMConversionPattern(
        converter, patterns, /*abortOnFailure=*/true, &symbols);
    populateFuncToLLVMConversionPatterns(converter, patterns, &symbols);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns,
                                                   &symbols);
    populateOpenMPToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    // An intrinsic, where there is one.
    populateMathToLLVMConversionPatterns(converter, patterns,
                                         /*approximateLog1p=*/true,
                                         /*benefit=*/2);
    populateMathToLibmConversionPatterns(patterns, /*benefit=*/1);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
