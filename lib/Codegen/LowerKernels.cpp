//===- LowerKernels.cpp - Kernels to the LLVM dialect ---------------------===//
//
// Upstream's patterns in one pass, and what they leave open: where buffers are,
// how wide an index is, what a kernel promises about its arguments. Read next:
// KernelTypes.h, then NVVM.cpp, which goes on to LLVM IR.
//
//===----------------------------------------------------------------------===//

#include "KernelTypes.h"
#include "KernelUses.h"
#include "MathBuilder.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace sched {
#define GEN_PASS_DEF_LOWERKERNELSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

namespace {
/// What a kernel promises beyond its body.
struct KernelFacts {
  SmallVector<int32_t> blockSize;
  SmallVector<bool> readOnly;
};

struct LowerKernels : sched::impl::LowerKernelsPassBase<LowerKernels> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    // Those of f64 are left to libdevice.
    sched::populateExponentialPatterns(set);
    sched::populateLogarithmPatterns(set);
    sched::populateTrigonometryPatterns(set);
    populateMathPolynomialApproximationPatterns(set, [](StringRef name) {
      return name == math::ErfcOp::getOperationName();
    });
    arith::populateCeilFloorDivExpandOpsPatterns(set);
    memref::populateExpandStridedMetadataPatterns(set);
    populateGpuRewritePatterns(set);
    populateGpuBreakDownSubgroupReducePatterns(set);
    populateGpuLowerSubgroupReduceToShufflePatterns(set, /*subgroupSize=*/32);
    populateGpuLowerClusteredSubgroupReduceToShufflePatterns(
        set, /*subgroupSize=*/32);
    vector::populateVectorBroadcastLoweringPatterns(set);
    vector::populateVectorInsertExtractStridedSliceTransforms(set);
    vector::populateVectorInterleaveLoweringPatterns(set);
    vector::populateVectorShapeCastLoweringPatterns(set);
    vector::populateVectorStepLoweringPatterns(set);
    vector::populateVectorFromElementsUnrollPatterns(set);
    vector::populateVectorToElementsUnrollPatterns(set);
    preparation = std::move(set);
    return success();
  }

  void runOnOperation() override {
    for (auto kernels : getOperation().getOps<gpu::GPUModuleOp>())
      if (failed(lower(kernels)))
        return signalPassFailure();
  }

private:
  LogicalResult lower(gpu::GPUModuleOp kernels) {
    if (failed(sched::placeKernelBuffers(kernels)))
      return failure();
    llvm::StringMap<KernelFacts> facts;
    for (auto kernel : kernels.getOps<gpu::GPUFuncOp>())
      facts[kernel.getName()] = collect(kernel);
    if (failed(prepare(kernels)))
      return failure();
    const unsigned width = sched::getIndexWidth(kernels);
    for (auto kernel : kernels.getOps<gpu::GPUFuncOp>())
      kernel->removeAttr(sched::wideIndexName);
    if (failed(convert(kernels, width)))
      return failure();
    for (auto function : kernels.getOps<LLVM::LLVMFuncOp>())
      if (auto it = facts.find(function.getName()); it != facts.end())
        promise(function, it->second);
    // Dynamic shared memory is not a variable of the module's own.
    for (auto global : kernels.getOps<LLVM::GlobalOp>())
      if (auto array = dyn_cast<LLVM::LLVMArrayType>(global.getType());
          array && array.getNumElements() == 0)
        global.setLinkage(LLVM::Linkage::External);
    sched::keepAddressesInRange(kernels, width);
    sched::spreadAddresses(kernels);
    return verify(kernels);
  }

  static KernelFacts collect(gpu::GPUFuncOp kernel) {
    KernelFacts facts;
    if (std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize())
      facts.blockSize.assign(size->begin(), size->end());
    for (unsigned i = 0, e = kernel.getNumArguments(); i != e; ++i)
      facts.readOnly.push_back(sched::isReadOnly(kernel, i));
    return facts;
  }

  /// Ops that have no pattern to the LLVM dialect become ones that have.
  LogicalResult prepare(gpu::GPUModuleOp kernels) {
    MLIRContext *context = &getContext();
    // Functions of narrow floats are computed in f32.
    SetVector<Type> wide;
    wide.insert(Float32Type::get(context));
    wide.insert(Float64Type::get(context));
    TypeConverter extension;
    math::populateExtendToSupportedTypesTypeConverter(
        extension, wide, Float32Type::get(context));
    ConversionTarget extended(*context);
    math::populateExtendToSupportedTypesConversionTarget(extended, extension);
    RewritePatternSet extend(context);
    math::populateExtendToSupportedTypesPatterns(extend, extension);
    if (failed(applyPartialConversion(kernels, extended, std::move(extend))) ||
        failed(applyPatternsGreedily(kernels, preparation)))
      return failure();
    RewritePatternSet flatten(context);
    populateAffineToStdConversionPatterns(flatten);
    populateSCFToControlFlowConversionPatterns(flatten);
    ConversionTarget flat(*context);
    flat.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    flat.addIllegalDialect<affine::AffineDialect, scf::SCFDialect>();
    return applyPartialConversion(kernels, flat, std::move(flatten));
  }

  LogicalResult convert(gpu::GPUModuleOp kernels, unsigned indexWidth) {
    MLIRContext *context = &getContext();
    LowerToLLVMOptions options(context);
    options.overrideIndexBitwidth(indexWidth);
    options.useBarePtrCallConv = true;
    LLVMTypeConverter converter(context, options);
    configureGpuToNVVMTypeConverter(converter);
    nvgpu::populateCommonGPUTypeAndAttributeConversions(converter);
    converter.addConversion([&](nvgpu::DeviceAsyncTokenType type) -> Type {
      return converter.convertType(IntegerType::get(type.getContext(), 32));
    });

    // Functions that an instruction computes, before the library has them all.
    RewritePatternSet instructions(context);
    populateMathToLLVMConversionPatterns(converter, instructions);
    ConversionTarget withInstructions(*context);
    withInstructions.markUnknownOpDynamicallyLegal(
        [](Operation *) { return true; });
    withInstructions.addIllegalOp<
        math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
        math::CountLeadingZerosOp, math::CountTrailingZerosOp, math::CtPopOp,
        math::FloorOp, math::FmaOp, math::IsFiniteOp, math::IsInfOp,
        math::IsNaNOp, math::IsNormalOp, math::RoundEvenOp, math::RoundOp,
        math::RsqrtOp, math::SqrtOp, math::TruncOp>();
    if (failed(applyPartialConversion(kernels, withInstructions,
                                      std::move(instructions))))
      return failure();

    RewritePatternSet library(context);
    populateLibDeviceConversionPatterns(converter, library);
    ConversionTarget withLibrary(*context);
    withLibrary.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    withLibrary.addIllegalDialect<math::MathDialect>();
    // LLVM's own is exact for small quotients only.
    withLibrary.addIllegalOp<arith::RemFOp>();
    if (failed(
            applyPartialConversion(kernels, withLibrary, std::move(library))))
      return failure();

    RewritePatternSet patterns(context);
    populateGpuToNVVMConversionPatterns(converter, patterns);
    populateNVGPUToNVVMConversionPatterns(converter, patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns,
                                           /*reassociateFPReductions=*/true);
    LLVMConversionTarget target(*context);
    target.addLegalOp<gpu::GPUModuleOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *op) {
      return !isa_and_nonnull<
          arith::ArithDialect, cf::ControlFlowDialect, gpu::GPUDialect,
          index::IndexDialect, math::MathDialect, memref::MemRefDialect,
          nvgpu::NVGPUDialect, ub::UBDialect, vector::VectorDialect>(
          op->getDialect());
    });
    return applyPartialConversion(kernels, target, std::move(patterns));
  }

  /// Writes the facts down as LLVM and the assembler read them.
  static void promise(LLVM::LLVMFuncOp function, const KernelFacts &facts) {
    Builder builder(function.getContext());
    function->removeAttr(NVVM::NVVMDialect::getMaxntidAttrName());
    if (!facts.blockSize.empty())
      function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                        builder.getDenseI32ArrayAttr(facts.blockSize));
    for (auto [i, readOnly] : llvm::enumerate(facts.readOnly)) {
      if (!isa<LLVM::LLVMPointerType>(function.getArgument(i).getType()))
        continue;
      function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                          builder.getUnitAttr());
      function.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                          builder.getI64IntegerAttr(16));
      if (readOnly)
        function.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(),
                            builder.getUnitAttr());
    }
  }

  static LogicalResult verify(gpu::GPUModuleOp kernels) {
    WalkResult result = kernels.walk<WalkOrder::PreOrder>([&](Operation *op) {
      // What an op that is left over is given, it will name itself.
      if (op == kernels || isa<UnrealizedConversionCastOp>(op) ||
          isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(
              op->getDialect()))
        return WalkResult::advance();
      op->emitOpError("has no lowering for a GPU");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  FrozenRewritePatternSet preparation;
};
} // namespace
