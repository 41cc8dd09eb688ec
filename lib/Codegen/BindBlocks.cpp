//===- BindBlocks.cpp - Ties what is tied to nothing to blocks ------------===//
//
// A schedule ties ops to blocks of threads by loops with a mapping. Whatever it
// has left alone, or a whole module without one, is tied here: afterwards the
// top of a function holds loops over blocks and ops that their readers inline.
//
// Read next: BlockGroups.h (what goes together, and in which tiles).
//
//===----------------------------------------------------------------------===//

#include "AllowInlining.h"
#include "BlockGroups.h"
#include "ContractionLoops.h"
#include "ElementTypes.h"
#include "MoveLines.h"
#include "SchedOpt/Codegen/NVVM.h"
#include "SchedOpt/Codegen/Passes.h"
#include "SchedOpt/Codegen/SplitSums.h"
#include "SimtOptions.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/Passes.h"
#include <numeric>

namespace sched {
#define GEN_PASS_DEF_BINDBLOCKSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// Steps of a contraction between two fetches of its operands.
static constexpr int64_t kSteps = 16;

/// `#gpu.block<linear_dim_N>` for each of `count` loops, the innermost fastest.
static FailureOr<SmallVector<Attribute>> getMapping(MLIRContext *context,
                                                    int64_t count) {
  SmallVector<Attribute> mapping;
  for (int64_t loop = count - 1; loop >= 0; --loop) {
    auto id = gpu::symbolizeMappingId(uint64_t(gpu::MappingId::LinearDim0) +
                                      uint64_t(loop));
    if (!id)
      return failure();
    mapping.push_back(gpu::GPUBlockMappingAttr::get(context, *id));
  }
  return mapping;
}

//===----------------------------------------------------------------------===//
// Ops that are several
//===----------------------------------------------------------------------===//

/// Ops of which no tile can be computed, or of which one is many ops.
static bool isAggregate(Operation *op) {
  return isa<linalg::PackOp, linalg::UnPackOp, tensor::GatherOp,
             linalg::AggregatedOpInterface>(op);
}

static LogicalResult split(IRRewriter &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  LogicalResult done = failure();
  if (auto pack = dyn_cast<linalg::PackOp>(op)) {
    done = linalg::lowerPack(rewriter, pack);
  } else if (auto unpack = dyn_cast<linalg::UnPackOp>(op)) {
    done = linalg::lowerUnPack(rewriter, unpack);
  } else if (auto gather = dyn_cast<tensor::GatherOp>(op)) {
    done = generalizeGather(rewriter, gather);
  } else if (auto values =
                 cast<linalg::AggregatedOpInterface>(op).decomposeOperation(
                     rewriter);
             succeeded(values)) {
    rewriter.replaceOp(op, *values);
    done = success();
  }
  if (succeeded(done))
    return success();
  return op->emitOpError("cannot be split into simpler ops; expected a form "
                         "with constant sizes, or linalg.generic in its place");
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// What lies in the memory of `value`, seen through reshapes.
static Value getMemory(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
            op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// A result must be computed by a loop over blocks, and by no other result's.
static void copyResults(IRRewriter &rewriter, func::ReturnOp op) {
  llvm::SmallPtrSet<Value, 4> returned;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    const Value memory = getMemory(operand.get());
    Operation *producer = memory.getDefiningOp();
    if (producer && !isVirtual(producer) && returned.insert(memory).second)
      continue;
    // An op that moves elements can write the result itself.
    if (auto moving = dyn_cast_if_present<linalg::LinalgOp>(producer);
        moving && memory == operand.get() && !returned.contains(memory)) {
      rewriter.setInsertionPoint(moving);
      moving->removeAttr(SimtOptions::name);
      if (!isa<linalg::GenericOp>(moving))
        (void)linalg::generalizeNamedOp(rewriter, moving);
      // Of the op that may be new.
      returned.insert(operand.get());
      continue;
    }
    rewriter.setInsertionPoint(op);
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(), type.getShape(), type.getElementType());
    auto copy =
        linalg::CopyOp::create(rewriter, op.getLoc(), operand.get(), empty);
    rewriter.modifyOpInPlace(op, [&] { operand.set(copy->getResult(0)); });
  }
}

//===----------------------------------------------------------------------===//
// Loops over blocks
//===----------------------------------------------------------------------===//

/// Where all of a group's tensors are read and written in the order of memory,
/// they are lines: makes their ops one-dimensional.
static void flatten(IRRewriter &rewriter, BlockGroup &group) {
  SmallVector<linalg::LinalgOp> members = {group.root};
  llvm::append_range(members, group.producers);
  auto isFlat = [&](linalg::LinalgOp op) {
    return op->getNumResults() == 1 && op.getNumLoops() > 1 &&
           !op.hasIndexSemantics() && getBlockWork(op) == BlockWork::Map &&
           isa<linalg::GenericOp, linalg::CopyOp>(op) &&
           llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
             const AffineMap map = op.getMatchingIndexingMap(&operand);
             // What is inlined is indexed by its own dimensions.
             Operation *producer = getMemory(operand.get()).getDefiningOp();
             return map.getNumResults() == 0 ||
                    (map.isIdentity() &&
                     (!producer || !isVirtual(producer) ||
                      isa<tensor::EmptyOp, linalg::FillOp>(producer) ||
                      producer->hasTrait<OpTrait::ConstantLike>()));
           });
  };
  if (!llvm::all_of(members, isFlat))
    return;
  for (linalg::LinalgOp &op : members) {
    rewriter.setInsertionPoint(op);
    ReassociationIndices all(op.getNumLoops());
    std::iota(all.begin(), all.end(), 0);
    DictionaryAttr attributes = op->getDiscardableAttrDictionary();
    FailureOr<linalg::CollapseResult> flat =
        linalg::collapseOpIterationDims(op, {all}, rewriter);
    assert(succeeded(flat) && "all dimensions are in order");
    flat->collapsedOp->setDiscardableAttrs(attributes);
    rewriter.replaceOp(op, flat->results);
    op = flat->collapsedOp;
  }
  // A line of a line's rows is that line.
  for (linalg::LinalgOp op : members)
    for (OpOperand &operand : op->getOpOperands())
      if (auto collapse =
              operand.get().getDefiningOp<tensor::CollapseShapeOp>()) {
        auto expand = collapse.getSrc().getDefiningOp<tensor::ExpandShapeOp>();
        Value line = expand ? expand.getSrc() : Value();
        if (collapse.getSrc().getDefiningOp<tensor::EmptyOp>()) {
          rewriter.setInsertionPoint(collapse);
          line = tensor::EmptyOp::create(
              rewriter, collapse.getLoc(), collapse.getResultType().getShape(),
              collapse.getResultType().getElementType());
        }
        if (line && line.getType() == operand.get().getType())
          rewriter.modifyOpInPlace(op, [&] { operand.set(line); });
      }
  BlockGroup line;
  line.root = members.front();
  line.producers.assign(std::next(members.begin()), members.end());
  line.shared.resize(1, true);
  for (linalg::LinalgOp op : members)
    line.rootLoops[op] = {0};
  group = std::move(line);
}

/// A loop of one iteration around a group that blocks cannot share.
static LogicalResult bindToOneBlock(IRRewriter &rewriter,
                                    const BlockGroup &group) {
  linalg::LinalgOp root = group.root;
  const Location loc = root.getLoc();
  rewriter.setInsertionPoint(root);
  auto mapping = getMapping(rewriter.getContext(), 1);
  // What the group itself computes is an input of the copy in the loop.
  auto isOwn = [&](Value init) { return group.contains(init.getDefiningOp()); };
  SmallVector<Value> outputs;
  for (Value init : root.getDpsInits()) {
    auto type = cast<RankedTensorType>(init.getType());
    outputs.push_back(
        isOwn(init) ? tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                              type.getElementType())
                    : init);
  }
  auto loop = scf::ForallOp::create(
      rewriter, loc, ArrayRef<OpFoldResult>{rewriter.getIndexAttr(1)}, outputs,
      rewriter.getArrayAttr(*mapping));
  rewriter.setInsertionPointToStart(loop.getBody());
  IRMapping values;
  for (linalg::LinalgOp producer : llvm::reverse(group.producers))
    rewriter.clone(*producer, values);
  auto inner = cast<linalg::LinalgOp>(rewriter.clone(*root, values));
  for (auto [position, own] : llvm::enumerate(loop.getRegionOutArgs()))
    if (!isOwn(root.getDpsInits()[position]))
      inner.getDpsInitsMutable()[position].set(own);
  rewriter.setInsertionPointToStart(loop.getTerminator().getBody());
  for (auto [result, own] :
       llvm::zip_equal(inner->getResults(), loop.getRegionOutArgs())) {
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0)),
        sizes, strides(type.getRank(), rewriter.getIndexAttr(1));
    for (int64_t size : type.getShape())
      sizes.push_back(rewriter.getIndexAttr(size));
    tensor::ParallelInsertSliceOp::create(rewriter, loc, result, own, offsets,
                                          sizes, strides);
  }
  rewriter.replaceOp(root, loop);
  return success();
}

/// Divides the reductions of a contraction, so that a block fetches its
/// operands step by step.
static LogicalResult divideSteps(IRRewriter &rewriter, linalg::LinalgOp op) {
  SmallVector<unsigned> steps, windows;
  for (unsigned loop : ContractionLoops::get(op)->k) {
    const bool isWindow =
        llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
          return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
            return expr.isFunctionOfDim(loop) && !isa<AffineDimExpr>(expr);
          });
        });
    (isWindow ? windows : steps).push_back(loop);
  }
  const SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<int64_t> tile(extents.size(), 0);
  int64_t budget = kSteps;
  for (unsigned loop : llvm::reverse(steps)) {
    if (extents[loop] > budget)
      tile[loop] = budget;
    budget = std::max<int64_t>(budget / extents[loop], 1);
  }
  // With few channels, a fetch takes some of a window too.
  for (unsigned loop : llvm::reverse(windows)) {
    if (extents[loop] > budget)
      tile[loop] = budget;
    budget = std::max<int64_t>(budget / extents[loop], 1);
  }
  if (llvm::all_of(tile, [](int64_t size) { return size == 0; }))
    return success();
  SmallVector<OpFoldResult> sizes;
  for (int64_t size : tile)
    sizes.push_back(rewriter.getIndexAttr(size));
  scf::SCFTilingOptions options;
  options.setTileSizes(sizes);
  rewriter.setInsertionPoint(op);
  FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
      rewriter, cast<TilingInterface>(op.getOperation()), options);
  if (failed(tiled))
    return op->emitOpError("is a contraction that cannot be divided into "
                           "steps; expected dimensions of constant size");
  rewriter.replaceOp(op, tiled->replacements);
  return success();
}

/// The slices that a loop over blocks has of what `producer` computes.
static SmallVector<tensor::ExtractSliceOp>
findSlices(scf::ForallOp loop, linalg::LinalgOp producer) {
  SmallVector<tensor::ExtractSliceOp> slices;
  for (auto slice : loop.getBody()->getOps<tensor::ExtractSliceOp>()) {
    Value source = slice.getSource();
    if (auto own = dyn_cast<BlockArgument>(source);
        own && llvm::is_contained(loop.getRegionOutArgs(), own))
      source = loop.getTiedOpOperand(own)->get();
    if (source.getDefiningOp() == producer && !slice->use_empty())
      slices.push_back(slice);
  }
  return slices;
}

/// Computes the group's producers in the loop over blocks. What several ops
/// read alike is made one slice before its producer is fused: in a chain of ops
/// that read the one before twice, each would double the rest otherwise.
static void fuseProducers(IRRewriter &rewriter, const BlockGroup &group,
                          MutableArrayRef<LoopLikeOpInterface> loops) {
  auto loop = cast<scf::ForallOp>(loops.front().getOperation());
  // Consumers first.
  for (linalg::LinalgOp producer : group.producers) {
    SmallVector<tensor::ExtractSliceOp> slices = findSlices(loop, producer);
    if (slices.size() > 1) {
      DominanceInfo dominance(loop);
      eliminateCommonSubExpressions(rewriter, dominance, loop);
      slices = findSlices(loop, producer);
    }
    for (tensor::ExtractSliceOp slice : slices)
      if (scf::tileAndFuseProducerOfSlice(rewriter, slice, loops) &&
          slice->use_empty())
        rewriter.eraseOp(slice);
  }
}

static LogicalResult bind(IRRewriter &rewriter, BlockGroup &group) {
  flatten(rewriter, group);
  linalg::LinalgOp root = group.root;
  const SmallVector<int64_t> tile = group.chooseTile();
  if (llvm::all_of(tile, [](int64_t size) { return size == 0; }))
    return bindToOneBlock(rewriter, group);
  auto mapping =
      getMapping(rewriter.getContext(),
                 llvm::count_if(tile, [](int64_t size) { return size != 0; }));
  if (failed(mapping))
    return root->emitOpError("has ")
           << tile.size()
           << " loops that blocks would share; expected at most 10";
  SmallVector<OpFoldResult> sizes;
  for (int64_t size : tile)
    sizes.push_back(rewriter.getIndexAttr(size));
  scf::SCFTilingOptions options;
  options.setTileSizes(sizes)
      .setLoopType(scf::SCFTilingOptions::LoopType::ForallOp)
      .setMapping(*mapping);
  rewriter.setInsertionPoint(root);
  FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
      rewriter, cast<TilingInterface>(root.getOperation()), options);
  if (failed(tiled))
    return root->emitOpError("cannot be divided into tiles for blocks; "
                             "expected dimensions of constant size");
  fuseProducers(rewriter, group, tiled->loops);
  rewriter.replaceOp(root, tiled->replacements);
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Whether `op` runs once, before the loops over blocks, on no tensor.
static bool isScalar(Operation *op) {
  return op->getNumRegions() == 0 && isPure(op) &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

/// A loop that a schedule has left without a mapping.
static LogicalResult bindLoop(scf::ForallOp loop) {
  const int64_t rank = loop.getRank();
  if (!loop.getMapping() || loop.getMapping()->empty()) {
    auto mapping = getMapping(loop.getContext(), rank);
    if (failed(mapping))
      return loop.emitOpError("has ")
             << rank << " dimensions; expected at most 10";
    loop.setMappingAttr(ArrayAttr::get(loop.getContext(), *mapping));
    return success();
  }
  const ArrayAttr mapping = *loop.getMapping();
  for (Attribute attr : mapping)
    if (!isa<gpu::GPUBlockMappingAttr>(attr))
      return loop.emitOpError("is mapped to ")
             << attr << " at the top of a function; expected #gpu.block<...>, "
             << "or no mapping";
  return success();
}

static LogicalResult checkShapes(Operation *op) {
  for (Type type : op->getResultTypes())
    if (auto tensor = dyn_cast<TensorType>(type))
      if (!tensor.hasStaticShape())
        return op->emitOpError("gives ")
               << type << ", whose shape is not constant; expected constant "
               << "sizes, as kernels are launched with";
  return success();
}

/// An element of such a tensor is found by dividing its place by the strides.
static LogicalResult checkStrides(tensor::InsertSliceOp op) {
  for (OpFoldResult stride : op.getMixedStrides()) {
    const std::optional<int64_t> number = getConstantIntValue(stride);
    if (number && *number > 0)
      continue;
    InFlightDiagnostic error = op.emitOpError("inserts a slice with ");
    if (number)
      error << "a stride of " << *number;
    else
      error << "a stride that is not constant";
    return error << "; expected constants above 0";
  }
  return success();
}

/// Whether what is at the top of a function can be tied to blocks; an error
/// where it cannot.
static LogicalResult checkTop(Operation *op) {
  if (failed(checkShapes(op)))
    return failure();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op);
      insert && failed(checkStrides(insert)))
    return failure();
  if (isa<func::ReturnOp, linalg::LinalgOp, scf::ForallOp>(op) ||
      isAggregate(op) || isVirtual(op) || isScalar(op))
    return success();
  // Without the op itself, which may be long.
  InFlightDiagnostic error = emitError(op->getLoc());
  error << "'" << op->getName()
        << "' op is not computed by blocks of threads, and cannot be tied to "
           "them; expected linalg ops, scf.forall, and pads, slices and "
           "reshapes of tensors";
  if (op->getNumRegions() != 0)
    error << ". A loop or a branch around ops on tensors is the caller's: "
             "write a function of what is inside";
  return error;
}

static LogicalResult checkBlocks(func::FuncOp function) {
  if (function.getBody().hasOneBlock())
    return success();
  return emitError(function.getLoc(),
                   "'func.func' op has several basic blocks; expected one, as "
                   "kernels are launched one after another");
}

LogicalResult sched::checkKernelInput(ModuleOp module) {
  OwningOpRef<ModuleOp> copy(module.clone());
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  addInlining(pm);
  if (failed(pm.run(*copy)))
    return failure();
  for (auto function : copy->getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    if (failed(checkElementTypes(function)) || failed(checkBlocks(function)))
      return failure();
    for (Operation &op : function.getBody().front())
      if (failed(checkTop(&op)))
        return failure();
  }
  return success();
}

static LogicalResult bindFunction(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  if (failed(checkBlocks(function)))
    return failure();
  Block &body = function.getBody().front();
  SmallVector<Operation *> aggregates;
  do {
    aggregates.clear();
    function.walk([&](Operation *op) {
      if (isAggregate(op))
        aggregates.push_back(op);
    });
    for (Operation *op : aggregates)
      if (failed(checkShapes(op)) || failed(split(rewriter, op)))
        return failure();
  } while (!aggregates.empty());

  for (Operation &op : body) {
    if (failed(checkTop(&op)))
      return failure();
    if (auto loop = dyn_cast<scf::ForallOp>(op); loop && failed(bindLoop(loop)))
      return failure();
  }
  copyResults(rewriter, cast<func::ReturnOp>(body.getTerminator()));

  splitLargeSums(rewriter, body);
  SmallVector<BlockGroup> groups = groupForBlocks(body);
  for (BlockGroup &group : groups)
    if (failed(bind(rewriter, group)))
      return failure();
  // Producers that nothing but a loop reads have a copy in it; what two of its
  // ops read is there twice.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      rewriter.eraseOp(&op);
  for (auto loop : body.getOps<scf::ForallOp>()) {
    DominanceInfo dominance(loop);
    eliminateCommonSubExpressions(rewriter, dominance, loop);
  }

  SmallVector<linalg::LinalgOp> contractions;
  for (auto loop : body.getOps<scf::ForallOp>())
    for (auto op : loop.getBody()->getOps<linalg::LinalgOp>())
      if (getBlockWork(op) == BlockWork::Contraction &&
          !op->hasAttr(SimtOptions::name))
        contractions.push_back(op);
  for (linalg::LinalgOp op : contractions)
    if (failed(divideSteps(rewriter, op)))
      return failure();
  return success();
}

namespace {
struct BindBlocks : sched::impl::BindBlocksPassBase<BindBlocks> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && (failed(checkElementTypes(function)) ||
                                     failed(bindFunction(function))))
        return signalPassFailure();
  }
};
} // namespace
