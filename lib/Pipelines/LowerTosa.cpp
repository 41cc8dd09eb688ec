//===- LowerTosa.cpp - TOSA to linalg by upstream's passes ----------------===//
//
// What --auto-schedule does first where it finds TOSA. Upstream reads an
// operand that is broadcast at the constant 0 of a dimension of one element, as
// in the softmax of a row; such dimensions are dropped, so that ops of a row
// see that they read the same rows.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Pipelines/AutoSchedule.h"
#include "SchedOpt/Space/ZeroPoints.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace sched {
#define GEN_PASS_DEF_SCHEDULELOWERTOSA
#include "SchedOpt/Pipelines/Passes.h.inc"
} // namespace sched

using namespace mlir;

/// Upstream's tosa-to-linalg pipeline, with weights of convolutions as
/// schedules like them: output channels innermost.
static void addTosaPasses(OpPassManager &pm) {
  TosaToLinalgNamedOptions named;
  named.preferConv2DKernelLayoutHWCF = true;
  pm.addNestedPass<func::FuncOp>(tosa::createTosaOptionalDecompositionsPass());
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(tosa::createTosaInferShapesPass());
  pm.addNestedPass<func::FuncOp>(tosa::createTosaMakeBroadcastablePass());
  pm.addNestedPass<func::FuncOp>(tosa::createTosaToLinalgNamed(named));
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(tosa::createTosaLayerwiseConstantFoldPass());
  pm.addNestedPass<func::FuncOp>(tosa::createTosaMakeBroadcastablePass());
  pm.addNestedPass<func::FuncOp>(tosa::createTosaToLinalg());
  TosaToArithPassOptions arith;
  arith.includeApplyRescale = true;
  arith.use32Bit = true;
  pm.addPass(createTosaToArithPass(arith));
  pm.addNestedPass<func::FuncOp>(createTosaToTensorPass());
  pm.addNestedPass<func::FuncOp>(createTosaToSCFPass());
}

/// Drops the dimensions of one element that `op` reads at the constant 0.
static void dropUnitReads(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  OpBuilder builder(op);
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap &map = maps[input->getOperandNumber()];
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!type)
      continue;
    SmallVector<AffineExpr> kept;
    SmallVector<ReassociationIndices> groups;
    ReassociationIndices group;
    for (auto [i, result] : llvm::enumerate(map.getResults())) {
      group.push_back(i);
      auto constant = dyn_cast<AffineConstantExpr>(result);
      if (constant && constant.getValue() == 0 && type.getDimSize(i) == 1)
        continue;
      kept.push_back(result);
      groups.push_back(std::exchange(group, {}));
    }
    if (kept.size() == map.getNumResults())
      continue;
    // Dimensions after the last one that stays go with it.
    if (!groups.empty())
      groups.back().append(group);
    map = AffineMap::get(map.getNumDims(), map.getNumSymbols(), kept,
                         op.getContext());
    input->set(tensor::CollapseShapeOp::create(builder, op.getLoc(),
                                               input->get(), groups));
  }
  op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
}

/// Drops the innermost dimensions of an elementwise op that have one element,
/// as what a row was reduced to keeps them: its reader has none.
static void dropUnitColumns(linalg::GenericOp op) {
  if (!op.isAllParallelLoops() || op.hasDynamicShape())
    return;
  linalg::ControlDropUnitDims control;
  control.controlFn = [](Operation *op) {
    SmallVector<unsigned> dims;
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic)
      return dims;
    SmallVector<int64_t> extents = generic.getStaticLoopRanges();
    while (dims.size() + 1 < extents.size() &&
           extents[extents.size() - 1 - dims.size()] == 1)
      dims.push_back(extents.size() - 1 - dims.size());
    return dims;
  };
  IRRewriter rewriter(op);
  auto dropped = linalg::dropUnitDims(rewriter, op, control);
  if (succeeded(dropped))
    rewriter.replaceOp(op, dropped->replacements);
}

namespace {
struct LowerTosa : sched::impl::ScheduleLowerTosaBase<LowerTosa> {
  using ScheduleLowerTosaBase::ScheduleLowerTosaBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const bool hasTosa =
        module
            .walk([](Operation *op) {
              return isa_and_nonnull<tosa::TosaDialect>(op->getDialect())
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted();
    if (!hasTosa)
      return;
    if (note)
      module->setAttr(sched::kLoweredTosaAttrName,
                      UnitAttr::get(&getContext()));
    OpPassManager pm(module->getName());
    addTosaPasses(pm);
    if (failed(runPipeline(pm, module)))
      return signalPassFailure();
    for (auto function : module.getOps<func::FuncOp>())
      sched::splitOffZeroPoints(function);
    module.walk([](linalg::GenericOp op) { dropUnitReads(op); });
    module.walk([](linalg::GenericOp op) { dropUnitColumns(op); });
    OpPassManager cleanup(module->getName());
    cleanup.addPass(createCanonicalizerPass());
    cleanup.addPass(createCSEPass());
    if (failed(runPipeline(cleanup, module)))
      signalPassFailure();
  }
};
} // namespace
