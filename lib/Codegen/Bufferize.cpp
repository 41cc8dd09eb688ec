//===- Bufferize.cpp - Tensors to buffers ---------------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace sched {
#define GEN_PASS_DEF_BUFFERIZEPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

/// Whether `loop` fills a new tensor with constants, and does nothing else.
static bool isFill(scf::ForOp loop) {
  if (loop.getNumResults() != 1 || !isMemoryEffectFree(loop) ||
      !loop.getInitArgs().front().getDefiningOp<tensor::EmptyOp>())
    return false;
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(loop.getRegion(), captured);
  return llvm::all_of(
      captured, [](Value value) { return matchPattern(value, m_Constant()); });
}

/// Whether an op writes to `tensor`, to a part of it, or to what a loop makes
/// of it.
static bool isOverwritten(Value tensor) {
  SmallVector<Value> values = {tensor};
  llvm::SmallPtrSet<Value, 8> seen = {tensor};
  auto follow = [&](Value value) {
    if (value && seen.insert(value).second)
      values.push_back(value);
  };
  while (!values.empty()) {
    for (OpOperand &use : values.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (auto loop = dyn_cast<LoopLikeOpInterface>(user)) {
        follow(loop.getTiedLoopRegionIterArg(&use));
        follow(loop.getTiedLoopResult(&use));
      } else if (auto op = dyn_cast<DestinationStyleOpInterface>(user)) {
        if (op.isDpsInit(&use))
          return true;
      } else if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(user)) {
        if (&use == &insert.getDestMutable())
          return true;
      } else if (isa<scf::YieldOp>(user) &&
                 isa<scf::ForOp, scf::IfOp>(user->getParentOp())) {
        follow(user->getParentOp()->getResult(use.getOperandNumber()));
      } else if (isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
                     tensor::ExpandShapeOp, tensor::CastOp>(user)) {
        follow(user->getResult(0));
      }
    }
  }
  return false;
}

/// What fills a block for each iteration of a loop has been hoisted out of that
/// loop, as it is the same every time. It would then be copied every time,
/// where the block is overwritten; so it goes back to where the block is used.
/// What is only read is best filled once.
static void sinkFills(ModuleOp module) {
  SmallVector<scf::ForOp> fills;
  module.walk([&](scf::ForOp loop) {
    if (isFill(loop) && isOverwritten(loop.getResult(0)))
      fills.push_back(loop);
  });
  for (scf::ForOp fill : fills) {
    while (true) {
      Operation *user = nullptr;
      bool isShared = false;
      for (Operation *next : fill->getUsers()) {
        Operation *ancestor = fill->getBlock()->findAncestorOpInBlock(*next);
        isShared |= ancestor == next || (user && user != ancestor);
        user = ancestor;
      }
      if (!user || isShared || !isa<scf::ForOp, scf::ForallOp>(user))
        break;
      Block &body = user->getRegion(0).front();
      Operation *empty = fill.getInitArgs().front().getDefiningOp();
      fill->moveBefore(&body, body.begin());
      // Its own: an empty tensor outside would be one buffer for all.
      OpBuilder builder(fill);
      fill.getInitArgsMutable()[0].set(builder.clone(*empty)->getResult(0));
    }
  }
}

/// What a loop writes to: where `result` of it starts.
static OpOperand *getInit(OpResult result) {
  if (auto forall = dyn_cast<scf::ForallOp>(result.getOwner()))
    return forall.getTiedOpOperand(result);
  auto loop = dyn_cast<scf::ForOp>(result.getOwner());
  return loop ? loop.getTiedLoopInit(result) : nullptr;
}

namespace {
/// A part of a new tensor that a loop computes and an `insert` puts where it
/// belongs, perhaps in another shape.
struct NewPart {
  OpOperand *init = nullptr;
  /// From what is inserted to the loop's result, in this order. Other reshapes
  /// would have to merge dimensions of a slice, which takes a copy.
  SmallVector<tensor::CollapseShapeOp> reshapes;
};
} // namespace

static NewPart getNewPart(tensor::InsertSliceOp insert) {
  NewPart part;
  Value value = insert.getSource();
  while (auto reshape = value.getDefiningOp<tensor::CollapseShapeOp>()) {
    if (!value.hasOneUse())
      return part;
    part.reshapes.push_back(reshape);
    value = reshape.getSrc();
  }
  auto result = dyn_cast<OpResult>(value);
  OpOperand *init = result && result.hasOneUse() ? getInit(result) : nullptr;
  if (!init)
    return part;
  Value start = init->get();
  if (auto slice = start.getDefiningOp<tensor::ExtractSliceOp>())
    start = slice.getSource();
  if (start.getDefiningOp<tensor::EmptyOp>())
    part.init = init;
  return part;
}

/// Whether `loop` reads `tensor`, or what parts were put into to make it.
static bool isUsedIn(Operation *loop, Value tensor) {
  while (tensor) {
    if (llvm::any_of(tensor.getUsers(),
                     [&](Operation *user) { return loop->isAncestor(user); }))
      return true;
    auto insert = tensor.getDefiningOp<tensor::InsertSliceOp>();
    tensor = insert ? insert.getDest() : Value();
  }
  return false;
}

/// Rows that threads do not share evenly, and columns that are no whole panel,
/// are a loop of their own, after that of the others, which computes its part
/// of the result in a new tensor. Upstream finds where the result is to be for
/// the last of such loops only, and not through reshapes.
static bool placeParts(IRRewriter &rewriter, ModuleOp module) {
  bool changed = false;
  DominanceInfo dominance(module);
  module.walk([&](tensor::InsertSliceOp insert) {
    NewPart part = getNewPart(insert);
    if (!part.init || !insert.hasUnitStride() ||
        !insert.getSourceType().hasStaticShape() ||
        llvm::any_of(insert.getStaticOffsets(), ShapedType::isDynamic))
      return;
    Operation *loop = part.init->getOwner();
    if (isUsedIn(loop, insert.getDest()))
      return;
    // Where the result is to be is known from the start.
    if (!dominance.properlyDominates(insert.getDest(), loop) &&
        failed(
            moveValueDefinitions(rewriter, insert.getDest(), loop, dominance)))
      return;
    rewriter.setInsertionPoint(loop);
    Value place = tensor::ExtractSliceOp::create(
        rewriter, insert.getLoc(), insert.getSourceType(), insert.getDest(),
        insert.getMixedOffsets(), insert.getMixedSizes(),
        insert.getMixedStrides());
    for (tensor::CollapseShapeOp reshape : part.reshapes)
      place = tensor::ExpandShapeOp::create(rewriter, reshape.getLoc(),
                                            reshape.getSrcType(), place,
                                            reshape.getReassociationIndices());
    part.init->set(place);
    changed = true;
  });
  return changed;
}

/// What upstream's runOneShotModuleBufferize does, by an analysis that has been
/// made.
static LogicalResult
bufferizeAnalyzed(ModuleOp module,
                  const bufferization::OneShotBufferizationOptions &options,
                  const bufferization::OneShotAnalysisState &analysis,
                  bufferization::BufferizationState &state) {
  if (failed(bufferization::insertTensorCopies(module, analysis, state)))
    return failure();
  return bufferization::bufferizeModuleOp(module, options, state);
}

/// Whether upstream takes `write` for one of all of its tensor, of which
/// nothing needs to be there before, though it is not.
static bool isTakenForWhole(vector::TransferWriteOp write) {
  auto type = dyn_cast<RankedTensorType>(write.getShapedType());
  if (!type || !type.hasStaticShape() || write.getMask() || write.isMasked() ||
      !llvm::all_of(write.getIndices(), isZeroInteger))
    return false;
  // As many of the first dimensions as the vector has are compared.
  for (auto [size, lanes] :
       llvm::zip(type.getShape(), write.getVectorType().getShape()))
    if (size > lanes)
      return false;
  return write.getTransferChunkAccessed() != type.getShape();
}

/// Lets vectors of fewer dimensions than their tensor, of which upstream
/// compares the wrong ones (test/Upstream/partial-write.mlir), have as many.
static void widenWrites(ModuleOp module) {
  module.walk([](vector::TransferWriteOp write) {
    const AffineMap map = write.getPermutationMap();
    if (!isTakenForWhole(write) || !map.isProjectedPermutation())
      return;
    int64_t last = -1;
    SmallVector<bool> inBounds(map.getNumDims(), true);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      const int64_t place = cast<AffineDimExpr>(expr).getPosition();
      // Transposed ones have all dimensions here.
      if (place <= last)
        return;
      last = place;
      inBounds[place] = write.isDimInBounds(dim);
    }
    OpBuilder builder(write);
    Value vector = vector::ShapeCastOp::create(
        builder, write.getLoc(),
        VectorType::get(write.getTransferChunkAccessed(),
                        write.getVectorType().getElementType()),
        write.getVector());
    auto whole = vector::TransferWriteOp::create(
        builder, write.getLoc(), vector, write.getBase(), write.getIndices(),
        builder.getMultiDimIdentityMap(map.getNumDims()),
        ArrayRef<bool>(inBounds));
    write.replaceAllUsesWith(whole);
    write.erase();
  });
}

namespace {
/// Whether anything was rewritten.
struct ChangeListener : RewriterBase::Listener {
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    changed = true;
  }
  void notifyOperationModified(Operation *op) override { changed = true; }
  void notifyOperationErased(Operation *op) override { changed = true; }

  bool changed = false;
};

struct Bufferize : sched::impl::BufferizePassBase<Bufferize> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    IRRewriter rewriter(&getContext());
    widenWrites(module);
    sinkFills(module);
    (void)simplifyRegions(rewriter, module->getRegions());
    bufferization::OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.allowReturnAllocsFromLoops = true;
    options.setFunctionBoundaryTypeConversion(
        bufferization::LayoutMapOption::IdentityLayoutMap);
    // A memref.copy becomes a call; a loop over elements gets vectorised.
    options.memCpyFn = [](OpBuilder &builder, Location loc, Value from,
                          Value to) {
      linalg::CopyOp::create(builder, loc, from, to);
      return success();
    };
    // Results that start as an empty tensor are written where they end up.
    bufferization::OneShotAnalysisState analysis(module, options);
    if (failed(bufferization::analyzeModuleOp(module, analysis)))
      return signalPassFailure();
    ChangeListener listener;
    rewriter.setListener(&listener);
    if (failed(
            bufferization::eliminateEmptyTensors(rewriter, module, analysis)))
      return signalPassFailure();
    bool changed = listener.changed;
    rewriter.setListener(nullptr);
    changed |= placeParts(rewriter, module);
    changed |= succeeded(runRegionDCE(rewriter, module->getRegions()));
    bufferization::BufferizationState state;
    // The analysis is most of the time of lowering; what nothing has changed is
    // not analysed again.
    if (failed(changed ? bufferization::runOneShotModuleBufferize(
                             module, options, state)
                       : bufferizeAnalyzed(module, options, analysis, state)))
      return signalPassFailure();
  }
};
} // namespace
