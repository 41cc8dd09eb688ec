//===- UpstreamModels.cpp - What upstream's transform ops do to the nest --===//
//
// External models of the upstream ops that schedules are written with. Tiling
// by upstream's ops alone does not peel, and code for tails of dynamic size is
// not vectorised: such a loop must divide, which `vectorize` requires.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "SchedOpt/Model/LoopModelInterface.h"
#include "mlir/Dialect/Bufferization/TransformOps/BufferizationTransformOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/LoopExtension/LoopExtensionOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;
using Opcode = Instruction::Op;
using Kind = NestNode::Kind;

namespace {

/// An op that does not change loops: cleanups, hoisting, annotations, yields.
template <typename OpTy>
struct NoEffectModel
    : LoopModelOpInterface::ExternalModel<NoEffectModel<OpTy>, OpTy> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    state.noteParams(op);
    // Results stand for what the first operand stands for.
    if (op->getNumOperands())
      for (Value result : op->getResults())
        state.setHandle(result, state.getHandle(op->getOperand(0)));
    return success();
  }
};

/// The op becomes a generic one of the same loops.
struct GeneralizeModel
    : LoopModelOpInterface::ExternalModel<GeneralizeModel,
                                          transform::GeneralizeOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto generalize = cast<transform::GeneralizeOp>(op);
    const ModelHandle handle = state.getHandle(generalize.getTarget());
    for (uint16_t block : handle.blocks) {
      auto *position = llvm::find(state.payloadBlocks, block);
      if (position != state.payloadBlocks.end())
        state.payloadOps[position - state.payloadBlocks.begin()] =
            linalg::GenericOp::getOperationName().str();
    }
    state.setHandle(generalize.getTransformed(), handle);
    return success();
  }
};

/// Later sizes are for the loops in their new order.
struct InterchangeModel
    : LoopModelOpInterface::ExternalModel<InterchangeModel,
                                          transform::InterchangeOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto interchange = cast<transform::InterchangeOp>(op);
    const ModelHandle handle = state.getHandle(interchange.getTarget());
    for (uint16_t block : handle.blocks) {
      auto &dims = state.builder.getBlock(block).dims;
      const auto old = dims;
      if (old.size() != interchange.getIteratorInterchange().size())
        return op->emitOpError("orders ")
               << interchange.getIteratorInterchange().size()
               << " loops of an op that has " << old.size();
      for (auto [dim, from] :
           llvm::zip_equal(dims, interchange.getIteratorInterchange()))
        dim = old[from];
    }
    state.setHandle(interchange.getTransformed(), handle);
    return success();
  }
};

struct ConstantModel
    : LoopModelOpInterface::ExternalModel<ConstantModel,
                                          transform::ParamConstantOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto constant = cast<transform::ParamConstantOp>(op);
    if (auto value = dyn_cast<IntegerAttr>(constant.getValue()))
      state.setParam(constant.getResult(),
                     state.builder.constant(value.getInt()));
    return success();
  }
};

struct MatchModel
    : LoopModelOpInterface::ExternalModel<MatchModel, transform::MatchOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto match = cast<transform::MatchOp>(op);
    ModelHandle handle;
    StringAttr block;
    if (DictionaryAttr attributes = match.getOpAttrsAttr())
      block = attributes.getAs<StringAttr>(schedule::kBlockAttrName);
    ModelHandle target = state.getHandle(match.getTarget());
    for (uint16_t candidate : target.blocks) {
      if (block && state.builder.getBlock(candidate).name != block.getValue())
        continue;
      auto *position = llvm::find(state.payloadBlocks, candidate);
      if (match.getOps() && position != state.payloadBlocks.end()) {
        StringRef name =
            state.payloadOps[position - state.payloadBlocks.begin()];
        if (llvm::none_of(match.getOps()->getAsValueRange<StringAttr>(),
                          [&](StringRef other) {
                            return other == name || other == "func.func";
                          }))
          continue;
      }
      handle.blocks.push_back(candidate);
    }
    state.setHandle(match.getResults(), handle);
    return success();
  }
};

struct SplitHandleModel
    : LoopModelOpInterface::ExternalModel<SplitHandleModel,
                                          transform::SplitHandleOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto split = cast<transform::SplitHandleOp>(op);
    ModelHandle all = state.getHandle(split.getHandle());
    if (all.blocks.size() != split->getNumResults())
      return op->emitOpError("splits a handle of ")
             << all.blocks.size() << " blocks into " << split->getNumResults();
    for (auto [result, block] :
         llvm::zip_equal(split->getResults(), all.blocks)) {
      ModelHandle handle;
      handle.blocks.push_back(block);
      state.setHandle(result, std::move(handle));
    }
    return success();
  }
};

/// Sizes of a tiling op: static ones and parameters.
FailureOr<SmallVector<Expr>> getSizes(Operation *op, ModelState &state,
                                      ArrayRef<OpFoldResult> mixed) {
  SmallVector<Expr> sizes;
  for (OpFoldResult size : mixed) {
    if (auto value = dyn_cast<Attribute>(size)) {
      sizes.push_back(
          state.builder.constant(cast<IntegerAttr>(value).getInt()));
      continue;
    }
    FailureOr<Expr> param = state.getParam(op, cast<Value>(size));
    if (failed(param))
      return failure();
    sizes.push_back(*param);
  }
  return sizes;
}

/// Wraps `blocks` in one loop a size, in the order of `interchange`, and
/// requires that each divides.
LogicalResult tile(Operation *op, ModelState &state, ArrayRef<uint16_t> blocks,
                   uint16_t root, ArrayRef<Expr> sizes,
                   ArrayRef<int64_t> interchange, ResultRange loops) {
  ProgramBuilder &b = state.builder;
  SmallVector<int64_t> order(interchange);
  if (order.empty())
    for (int64_t i = 0, e = sizes.size(); i != e; ++i)
      order.push_back(i);
  unsigned loop = 0;
  for (int64_t dim : order) {
    if (dim >= static_cast<int64_t>(sizes.size()) ||
        (sizes[dim].constant && *sizes[dim].constant == 0))
      continue;
    const uint8_t nestDim = state.getDim(root, dim);
    const Expr extent = b.extentAt(root, nestDim);
    b.require(b.apply(Opcode::Or, b.apply(Opcode::CmpLE, extent, sizes[dim]),
                      b.apply(Opcode::CmpEQ, b.mod(extent, sizes[dim]),
                              b.constant(0))),
              "a tile without a peeled tail divides its loop");
    auto node = state.wrap(op, blocks, Kind::Loop, nestDim, sizes[dim]);
    if (failed(node))
      return failure();
    ModelHandle handle;
    handle.loops.push_back(*node);
    handle.blocks.assign(blocks.begin(), blocks.end());
    if (loop < loops.size())
      state.setHandle(loops[loop++], std::move(handle));
  }
  return success();
}

FailureOr<uint16_t> getOneBlock(Operation *op, ModelState &state,
                                Value handle) {
  const ModelHandle &target = state.getHandle(handle);
  if (target.blocks.size() == 1)
    return target.blocks.front();
  op->emitOpError("needs a handle of one block; found ")
      << target.blocks.size();
  return failure();
}

struct TileUsingForModel
    : LoopModelOpInterface::ExternalModel<TileUsingForModel,
                                          transform::TileUsingForOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<transform::TileUsingForOp>(op);
    auto sizes = getSizes(op, state, action.getMixedSizes());
    auto block = getOneBlock(op, state, action.getTarget());
    if (failed(sizes) || failed(block))
      return failure();
    state.setHandle(action.getTiledLinalgOp(),
                    state.getHandle(action.getTarget()));
    return tile(op, state, {*block}, *block, *sizes, action.getInterchange(),
                action.getLoops());
  }
};

struct TileUsingForallModel
    : LoopModelOpInterface::ExternalModel<TileUsingForallModel,
                                          transform::TileUsingForallOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<transform::TileUsingForallOp>(op);
    auto threads = getSizes(op, state, action.getMixedNumThreads());
    auto sizes = getSizes(op, state, action.getMixedTileSizes());
    auto block = getOneBlock(op, state, action.getTarget());
    if (failed(threads) || failed(sizes) || failed(block))
      return failure();
    if (threads->empty())
      return tileBySizes(action, state, *block, *sizes);
    ProgramBuilder &b = state.builder;
    ModelHandle loops;
    loops.blocks.push_back(*block);
    for (auto [dim, count] : llvm::enumerate(*threads)) {
      if (count.constant && *count.constant == 0)
        continue;
      const uint8_t nestDim = state.getDim(*block, dim);
      b.require(b.apply(Opcode::CmpEQ,
                        b.mod(b.extentAt(*block, nestDim), count),
                        b.constant(0)),
                "the threads divide the parallel dimension");
      auto node = state.wrap(op, {*block}, Kind::Forall, nestDim, count);
      if (failed(node))
        return failure();
      loops.loops.push_back(*node);
    }
    state.setHandle(action.getTiledOp(), state.getHandle(action.getTarget()));
    state.setHandle(action.getForallOp(), std::move(loops));
    return success();
  }

  /// As many iterations as there are tiles, which all threads share.
  static LogicalResult tileBySizes(transform::TileUsingForallOp action,
                                   ModelState &state, uint16_t block,
                                   ArrayRef<Expr> sizes) {
    ProgramBuilder &b = state.builder;
    ModelHandle loops;
    loops.blocks.push_back(block);
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      if (size.constant && *size.constant == 0)
        continue;
      const uint8_t nestDim = state.getDim(block, dim);
      const Expr extent = b.extentAt(block, nestDim);
      b.require(b.apply(Opcode::CmpEQ, b.mod(extent, size), b.constant(0)),
                "a tile without a peeled tail divides its loop");
      auto node = state.wrap(action, {block}, Kind::Forall, nestDim,
                             b.ceilDiv(extent, size));
      if (failed(node))
        return failure();
      loops.loops.push_back(*node);
    }
    state.setHandle(action.getTiledOp(), state.getHandle(action.getTarget()));
    state.setHandle(action.getForallOp(), std::move(loops));
    return success();
  }
};

struct FuseModel
    : LoopModelOpInterface::ExternalModel<FuseModel, transform::FuseOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<transform::FuseOp>(op);
    auto sizes = getSizes(op, state, action.getMixedTileSizes());
    auto interchange = getSizes(op, state, action.getMixedTileInterchange());
    auto root = getOneBlock(op, state, action.getTarget());
    if (failed(sizes) || failed(interchange) || failed(root))
      return failure();
    SmallVector<int64_t> order;
    for (const Expr &position : *interchange) {
      if (!position.constant)
        return op->emitOpError("has a loop model with a constant interchange "
                               "only");
      order.push_back(*position.constant);
    }
    // Producers are fused greedily: all blocks before the root beside it.
    SmallVector<uint16_t> blocks = state.builder.siblingsUpTo(*root);
    state.setHandle(action.getTransformed(),
                    state.getHandle(action.getTarget()));
    return tile(op, state, blocks, *root, *sizes, order, action.getLoops());
  }
};

struct FuseIntoModel
    : LoopModelOpInterface::ExternalModel<FuseIntoModel,
                                          transform::FuseIntoContainingOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<transform::FuseIntoContainingOp>(op);
    auto block = getOneBlock(op, state, action.getProducerOp());
    ModelHandle loops = state.getHandle(action.getContainingOp());
    if (failed(block) || loops.loops.empty())
      return failure();
    state.builder.moveInto(*block, loops.loops.back());
    loops.blocks.insert(loops.blocks.begin(), *block);
    state.setHandle(action.getFusedOp(),
                    state.getHandle(action.getProducerOp()));
    state.setHandle(action.getNewContainingOp(), std::move(loops));
    return success();
  }
};

} // namespace

namespace sched {
/// Part of registerLoopModels (SketchCompiler.cpp).
void attachUpstreamModels(MLIRContext *context) {
  using namespace transform;
  ParamConstantOp::attachInterface<ConstantModel>(*context);
  MatchOp::attachInterface<MatchModel>(*context);
  SplitHandleOp::attachInterface<SplitHandleModel>(*context);
  TileUsingForOp::attachInterface<TileUsingForModel>(*context);
  TileUsingForallOp::attachInterface<TileUsingForallModel>(*context);
  FuseOp::attachInterface<FuseModel>(*context);
  FuseIntoContainingOp::attachInterface<FuseIntoModel>(*context);
  GeneralizeOp::attachInterface<GeneralizeModel>(*context);
  InterchangeOp::attachInterface<InterchangeModel>(*context);
  LoopUnrollOp::attachInterface<NoEffectModel<LoopUnrollOp>>(*context);
  SpecializeOp::attachInterface<NoEffectModel<SpecializeOp>>(*context);
  ApplyDeadCodeEliminationOp::attachInterface<
      NoEffectModel<ApplyDeadCodeEliminationOp>>(*context);
  VectorizeChildrenAndApplyPatternsOp::attachInterface<
      NoEffectModel<VectorizeChildrenAndApplyPatternsOp>>(*context);
  schedule::UnrollOp::attachInterface<NoEffectModel<schedule::UnrollOp>>(
      *context);
  AnnotateOp::attachInterface<NoEffectModel<AnnotateOp>>(*context);
  ApplyPatternsOp::attachInterface<NoEffectModel<ApplyPatternsOp>>(*context);
  ApplyLoopInvariantCodeMotionOp::attachInterface<
      NoEffectModel<ApplyLoopInvariantCodeMotionOp>>(*context);
  ApplyCommonSubexpressionEliminationOp::attachInterface<
      NoEffectModel<ApplyCommonSubexpressionEliminationOp>>(*context);
  CastOp::attachInterface<NoEffectModel<CastOp>>(*context);
  HoistLoopInvariantSubsetsOp::attachInterface<
      NoEffectModel<HoistLoopInvariantSubsetsOp>>(*context);
  transform::VectorizeOp::attachInterface<
      NoEffectModel<transform::VectorizeOp>>(*context);
}
} // namespace sched
