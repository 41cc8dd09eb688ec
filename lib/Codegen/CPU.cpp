//===- CPU.cpp - The pipeline sched-lower-to-cpu --------------------------===//
//
// The order is what makes it fast and what keeps it right: results are placed
// before buffers are, vectors are lowered while loops are still loops, and
// buffers are freed before control flow is flattened.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/CPU.h"
#include "AllowInlining.h"
#include "SchedOpt/Codegen/NVVM.h"
#include "SchedOpt/Codegen/Passes.h"
#include "SchedOpt/Support/DotProduct.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace sched;

static void addCanonicalizer(OpPassManager &pm) {
  // Without a look at blocks, of which structured control flow has none to
  // merge, and LLVM has none to begin with: a fifth of the time of lowering.
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  pm.addPass(createCanonicalizerPass(config));
}

static void addCleanup(OpPassManager &pm) {
  addCanonicalizer(pm);
  pm.addPass(createCSEPass());
}

/// Upstream's pipeline that frees buffers, but for what cleans up around it:
/// that is done before and after anyway, here without a look at blocks.
static void addDeallocation(OpPassManager &pm) {
  pm.addPass(memref::createExpandReallocPass({/*emitDeallocs=*/false}));
  pm.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
  addCanonicalizer(pm);
  pm.addPass(bufferization::createBufferDeallocationSimplificationPass());
  pm.addPass(bufferization::createLowerDeallocationsPass());
}

void sched::buildLowerToCPUPipeline(OpPassManager &pm,
                                    const LowerToCPUOptions &options) {
  // Functions on tensors to functions on buffers.
  addInlining(pm);
  pm.addPass(createOutlinePackingPass());
  pm.addPass(createReadUnpaddedPass());
  SkipBorderPassOptions border;
  // A tile of 16 rows would become one of 15, and its sums would leave the tile
  // registers in between; squares are of two rows.
  border.sparesWidened =
      !DotProducts{{options.dotProducts.begin(), options.dotProducts.end()}}
           .bindsRows();
  pm.addPass(createSkipBorderPass(border));
  SkipPaddingPassOptions padding;
  padding.rowByRow = border.sparesWidened;
  pm.addPass(createSkipPaddingPass(padding));
  SharePixelsPassOptions pixels;
  pixels.vectorBytes = options.vectorBytes;
  pixels.vectorRegisters = options.vectorRegisters;
  pm.addPass(createSharePixelsPass(pixels));
  SinkRowsPassOptions sinkRows;
  sinkRows.threads = options.threads;
  pm.addPass(createSinkRowsPass(sinkRows));
  SinkPadsPassOptions sink;
  sink.threads = options.threads;
  pm.addPass(createSinkPadsPass(sink));
  pm.addPass(createReadGatheredPass());
  pm.addPass(createFoldSlicesPass());
  pm.addPass(createDropFillsPass());
  DecomposePassOptions decompose;
  decompose.threads = options.threads;
  pm.addPass(createDecomposePass(decompose));
  ShareRestPassOptions rest;
  rest.threads = options.threads;
  pm.addNestedPass<func::FuncOp>(createShareRestPass(rest));
  pm.addPass(createKernelABIPass());
  pm.addPass(createBufferizePass());
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createViewCopiesPass());
  pm.addNestedPass<func::FuncOp>(createWriteRowsPass());
  pm.addNestedPass<func::FuncOp>(createRollCopiesPass());
  PrefetchWindowsPassOptions windows;
  windows.minBytes = options.prefetchAbove;
  windows.farMinBytes = options.prefetchFarAbove;
  pm.addNestedPass<func::FuncOp>(createPrefetchWindowsPass(windows));
  ShareIterationsPassOptions share;
  share.threads = options.threads;
  pm.addNestedPass<func::FuncOp>(createShareIterationsPass(share));
  PrefetchRowsPassOptions rows;
  rows.minBytes = options.prefetchAbove;
  rows.l1Bytes = options.l1Bytes;
  pm.addNestedPass<func::FuncOp>(createPrefetchRowsPass(rows));
  PrefetchSlicesPassOptions slices;
  slices.minBytes = options.prefetchSlicesAbove;
  slices.l1Bytes = options.l1Bytes;
  pm.addNestedPass<func::FuncOp>(createPrefetchSlicesPass(slices));
  PrefetchTilesPassOptions transposed;
  transposed.minBytes = options.prefetchSlicesAbove;
  pm.addNestedPass<func::FuncOp>(createPrefetchTilesPass(transposed));
  pm.addNestedPass<func::FuncOp>(createPadPitchPass());
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  pm.addNestedPass<func::FuncOp>(createThreadBuffersPass());
  pm.addNestedPass<func::FuncOp>(createForallToParallelLoopPass());
  pm.addNestedPass<func::FuncOp>(math::createMathExtendToSupportedTypes());
  pm.addPass(createLowerMathPass());
  addCleanup(pm);
  addDeallocation(pm);
  // Where only run time can tell which buffer to free, a helper that takes
  // lists of any length does; a plain pointer cannot carry those.
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  pm.addPass(createSymbolDCEPass());

  // Vectors; an intrinsic may do anything with buffers, for all that the passes
  // above know.
  LowerDotProductsPassOptions dots;
  dots.instructions.assign(options.dotProducts.begin(),
                           options.dotProducts.end());
  LowerTileProductsPassOptions tiles;
  tiles.instructions = dots.instructions;
  tiles.minBytes = options.prefetchSlicesAbove;
  LowerSquareProductsPassOptions squares;
  squares.instructions = dots.instructions;
  OutlineTilesPassOptions outline;
  outline.instructions = dots.instructions;
  pm.addPass(createOutlineTilesPass(outline));
  pm.addNestedPass<func::FuncOp>(createLowerTileProductsPass(tiles));
  pm.addNestedPass<func::FuncOp>(createLowerSquareProductsPass(squares));
  pm.addNestedPass<func::FuncOp>(createLowerDotProductsPass(dots));
  pm.addPass(createPackSumsPass());
  LowerVectorsPassOptions lanes;
  lanes.vectorBytes = options.vectorBytes;
  pm.addNestedPass<func::FuncOp>(createLowerVectorsPass(lanes));
  addCleanup(pm);

  // Loops.
  if (options.threads > 1) {
    ConvertSCFToOpenMPPassOptions openmp;
    openmp.numThreads = options.threads;
    pm.addPass(createConvertSCFToOpenMPPass(openmp));
    pm.addPass(createThreadStackPass());
    pm.addPass(createJoinOncePass());
  }
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createLowerCopiesPass());
  functions.addPass(createConvertLinalgToLoopsPass());
  VectorTransferToSCFOptions transfers;
  transfers.enableFullUnroll(true);
  functions.addPass(createConvertVectorToSCFPass(transfers));
  LowerBFloatPassOptions floats;
  floats.half = options.widenHalf;
  functions.addPass(createLowerBFloatPass(floats));
  functions.addPass(createLowerReshapesPass());
  addCleanup(functions);
  pm.addPass(memref::createFoldMemRefAliasOpsPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  addCleanup(pm);
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createKeepRolledPass());
  StreamResultsPassOptions streams;
  streams.minBytes = options.streamAbove;
  streams.besideBytes = options.streamBesideAbove;
  streams.farBytes = options.streamFarAbove;
  pm.addNestedPass<func::FuncOp>(createStreamResultsPass(streams));

  // The LLVM dialect.
  pm.addPass(createSCFToControlFlowPass());
  ConvertVectorToLLVMPassOptions vectors;
  vectors.reassociateFPReductions = true;
  vectors.amx = true;
  pm.addPass(createConvertVectorToLLVMPass(vectors));
  pm.addPass(createLowerToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createLowerBitsPass());
  addCleanup(pm);
  pm.addPass(createVerifyLoweredPass());
}

void sched::registerCodegenPasses() {
  registerSchedCodegenPasses();
  PassPipelineRegistration<LowerToCPUOptions>(
      "sched-lower-to-cpu",
      "Lowers functions on tensors, scheduled or not, to the LLVM dialect for "
      "a "
      "CPU",
      buildLowerToCPUPipeline);
  // An unknown chip is an error before anything runs.
  const StringRef name = "sched-lower-to-nvvm";
  registerPassPipeline(
      name,
      "Lowers functions on tensors, scheduled or not, to kernels in the LLVM "
      "dialect for a GPU, and functions that launch them",
      [name](OpPassManager &pm, StringRef text,
             llvm::function_ref<LogicalResult(const Twine &)> report) {
        LowerToNVVMOptions options;
        if (failed(options.parseFromString(text)))
          return failure();
        llvm::Expected<Target> target = Target::parse("nvvm:" + options.chip);
        if (!target)
          return report(name + ": " + llvm::toString(target.takeError()));
        buildLowerToNVVMPipeline(pm, options);
        return success();
      },
      [](llvm::function_ref<void(const mlir::detail::PassOptions &)> handle) {
        handle(LowerToNVVMOptions());
      });
}
