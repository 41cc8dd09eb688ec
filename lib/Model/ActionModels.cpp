//===- ActionModels.cpp - What our actions do to the loop nest ------------===//
//
// Each model mirrors the expansion of the same op in
// Dialect/Schedule/IR/ScheduleActionOps.cpp: the loops that come out, and the
// requirements under which the expansion succeeds. TileModels.cpp has those
// that make the contraction's loops.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "SchedOpt/Model/LoopModelInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;
using Opcode = Instruction::Op;
using Kind = NestNode::Kind;

namespace {

SmallVector<StringRef> toStrings(ArrayAttr names) {
  return llvm::map_to_vector(names.getAsRange<StringAttr>(),
                             [](StringAttr name) { return name.getValue(); });
}

struct NameBlocksModel
    : LoopModelOpInterface::ExternalModel<NameBlocksModel,
                                          schedule::NameBlocksOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<schedule::NameBlocksOp>(op);
    SmallVector<StringRef> names = toStrings(action.getNames());
    if (names.size() != state.payloadBlocks.size())
      return op->emitOpError("names ")
             << names.size() << " blocks, but the payload has "
             << state.payloadBlocks.size() << " structured ops";
    for (auto [name, block] : llvm::zip_equal(names, state.payloadBlocks))
      state.builder.getBlock(block).name = name.str();
    return success();
  }
};

struct FuseElementwiseModel
    : LoopModelOpInterface::ExternalModel<FuseElementwiseModel,
                                          schedule::FuseElementwiseOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    // The model starts from the fused payload (SketchCompiler.cpp).
    auto action = cast<schedule::FuseElementwiseOp>(op);
    state.setHandle(action.getResult(), state.getHandle(action.getTarget()));
    return success();
  }
};

struct DeferModel
    : LoopModelOpInterface::ExternalModel<DeferModel, schedule::DeferOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<schedule::DeferOp>(op);
    ProgramBuilder &b = state.builder;
    auto block = state.getBlock(op, action.getBlock());
    auto enable = state.getParam(op, action.getEnable());
    auto reader = state.getBlock(op, action.getReader());
    if (failed(block) || failed(enable) || failed(reader))
      return failure();
    BlockPlan late = b.getBlock(*block);
    late.name = (schedule::kLatePrefix + action.getBlock()).str();
    // Beside what is fused with the reader.
    b.insertBefore(b.siblingsUpTo(*reader).front(), std::move(late), *enable);
    b.enableOnly(*block, b.apply(Opcode::CmpEQ, *enable, b.constant(0)));
    return success();
  }
};

/// Loops of a copy into a packed buffer: threads share the dimension of the
/// first of `sizes`.
LogicalResult wrapPacking(Operation *op, ModelState &state, uint16_t block,
                          Expr threads,
                          ArrayRef<std::pair<uint8_t, Expr>> sizes) {
  if (failed(
          state.wrap(op, {block}, Kind::Forall, sizes.front().first, threads)))
    return failure();
  for (auto [dim, size] : sizes)
    if (failed(state.wrap(op, {block}, Kind::Loop, dim, size)))
      return failure();
  return success();
}

struct PackLhsModel
    : LoopModelOpInterface::ExternalModel<PackLhsModel, schedule::PackLhsOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<schedule::PackLhsOp>(op);
    ProgramBuilder &b = state.builder;
    auto params =
        state.getParams(op, {action.getEnable(), action.getThreads()});
    auto anchor = state.getBlock(op, action.getBlock());
    if (failed(params) || failed(anchor))
      return failure();
    const Expr enable = params->front(), zero = b.constant(0);
    const uint8_t m = state.getDim(*anchor, 0), k = state.getDim(*anchor, 2);
    const Expr one = b.constant(1), rows = b.getExtent(m);

    BlockPlan pack;
    pack.name = schedule::kPackLhsBlock.str();
    pack.kind = BlockKind::Pack;
    pack.dims = {k, m};
    pack.isFree = state.layoutFreeOperands[0];
    AccessPlan &access = b.getBlock(*anchor).accesses[0];
    pack.accesses = {access, access};
    for (auto [dim, stride] : llvm::zip_equal(access.dims, access.strides))
      stride =
          b.select(enable, dim == m ? one : rows, Expr{stride, std::nullopt})
              .reg;
    pack.accesses.back() = access;
    pack.accesses.back().isWrite = true;
    const uint16_t block = b.addDetachedBlock(std::move(pack));
    b.insertInto(/*root=*/0, block, enable);
    const Expr isShared = b.apply(
        Opcode::And, enable,
        b.apply(Opcode::CmpEQ, b.mod(b.getExtent(k), (*params)[1]), zero));
    const Expr tile = b.select(enable, b.constant(schedule::kPackRows), zero);
    return wrapPacking(op, state, block, b.select(isShared, (*params)[1], one),
                       {{k, tile}, {m, tile}});
  }
};

struct PackRhsModel
    : LoopModelOpInterface::ExternalModel<PackRhsModel, schedule::PackRhsOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<schedule::PackRhsOp>(op);
    ProgramBuilder &b = state.builder;
    auto params = state.getParams(op, {action.getTile(), action.getThreads(),
                                       action.getTailM(), action.getTailK()});
    auto anchor = state.getBlock(op, action.getBlock());
    if (failed(params) || failed(anchor))
      return failure();
    const Expr tile = (*params)[0];
    SmallVector<uint16_t> blocks;
    for (std::optional<StringRef> name :
         {action.getInit(), std::optional(action.getBlock()),
          action.getEpilogue()}) {
      if (!name)
        continue;
      auto block = state.getBlock(op, *name);
      if (failed(block))
        return failure();
      blocks.push_back(*block);
    }
    const SmallVector<int64_t> loops = action.getLoopPositions();
    const uint8_t n = state.getDim(*anchor, loops[1]);
    uint8_t k = state.getDim(*anchor, loops[2]);
    SmallVector<uint8_t> steps;
    for (int64_t step : action.getPanelSteps())
      steps.push_back(state.getDim(*anchor, step));
    const Expr panels = b.floorDiv(b.constant(action.getN()), tile);
    b.require(b.apply(Opcode::CmpLT, b.constant(0), panels),
              "the operand has at least one whole panel");

    // What the panels leave over of n, cut off and tiled.
    auto cut = state.wrap(op, blocks, Kind::Loop, n, b.mul(panels, tile));
    if (failed(cut))
      return failure();
    SmallVector<uint16_t> tail = b.separateTail(*cut, schedule::kTailPrefix);
    const uint16_t tailAnchor =
        tail[llvm::find(blocks, *anchor) - blocks.begin()];
    using TailLoop = schedule::PackRhsOp::TailLoop;
    for (bool reductions : {false, true})
      for (const TailLoop &loop : action.getTailLoops(reductions))
        if (failed(state.wrap(
                op, reductions ? ArrayRef(tailAnchor) : ArrayRef(tail),
                Kind::Loop, state.getDim(*anchor, loop.loop),
                loop.size == TailLoop::Rows    ? (*params)[2]
                : loop.size == TailLoop::Steps ? (*params)[3]
                                               : b.constant(1))))
          return failure();

    const uint8_t outer = b.addDim("n.outer", panels);
    const uint8_t inner = b.addDim("n.inner", tile);
    packAccesses(state, blocks, *anchor, n, outer, inner, steps, tile);
    const int64_t group = action.getGroup();
    const bool isGrouped = group > 1;
    if (isGrouped)
      k = steps.back() = groupSteps(state, *anchor, k, group);

    // Filled before everything else, or where later actions put it.
    Expr early = b.constant(1);
    if (action.getDefer()) {
      auto defer = state.getParam(op, action.getDefer());
      if (failed(defer))
        return failure();
      early = b.apply(Opcode::CmpEQ, *defer, b.constant(0));
    }
    BlockPlan pack;
    pack.name = schedule::kPackBlock.str();
    pack.kind = BlockKind::Pack;
    pack.dims = {outer};
    llvm::append_range(pack.dims, steps);
    pack.dims.push_back(inner);
    if (isGrouped)
      pack.dims.push_back(b.getBlock(*anchor).dims.back());
    pack.isFree = state.layoutFreeOperands[1];
    pack.feeds = 1;
    const BlockPlan &packed = b.getBlock(*anchor);
    pack.accesses.push_back(packed.accesses[1]);
    pack.accesses.push_back(packed.accesses[1]);
    pack.accesses.back().isWrite = true;
    if (action.getDefer()) {
      BlockPlan late = pack;
      late.name = schedule::kLatePackBlock.str();
      b.insertBefore(blocks.front(), std::move(late),
                     b.apply(Opcode::CmpEQ, early, b.constant(0)));
    }
    const uint16_t packBlock = b.insertBlock(std::move(pack), *cut, early);
    const Expr threads = b.select(
        b.apply(Opcode::CmpEQ, b.mod(panels, (*params)[1]), b.constant(0)),
        (*params)[1], b.constant(1));
    SmallVector<std::pair<uint8_t, Expr>> sizes{{outer, b.constant(1)}};
    for (uint8_t step : steps)
      sizes.emplace_back(
          step,
          b.constant(step == k ? schedule::getPackedRows(group) : int64_t(1)));
    if (failed(wrapPacking(op, state, packBlock, threads, sizes)))
      return failure();
    state.setHandle(action.getResult(), state.getHandle(action.getTarget()));
    return success();
  }

  /// Splits dimension `k` of the contraction `anchor`, whose panels have been
  /// laid out, into groups of `group` steps, which come last everywhere;
  /// returns the dimension of the groups.
  static uint8_t groupSteps(ModelState &state, uint16_t anchor, uint8_t k,
                            int64_t group) {
    ProgramBuilder &b = state.builder;
    const Expr size = b.constant(group);
    const uint8_t groups =
        b.addDim("k.outer", b.floorDiv(b.getExtent(k), size));
    const uint8_t step = b.addDim("k.inner", size);
    BlockPlan &block = b.getBlock(anchor);
    *llvm::find(block.dims, k) = groups;
    block.dims.push_back(step);
    block.stepsAtOnce = group;
    const uint8_t column = block.accesses[1].dims.back();
    for (unsigned operand : {0u, 1u}) {
      AccessPlan &access = block.accesses[operand];
      // Rows of the left-hand side have the steps side by side; in the panels
      // those of a group are, for each column.
      for (auto [dim, stride] : llvm::zip_equal(access.dims, access.strides)) {
        if (dim == k || (operand == 1 && dim == column))
          stride = b.mul({stride, std::nullopt}, size).reg;
        if (dim == k)
          dim = groups;
      }
      access.dims.push_back(step);
      access.strides.push_back(b.constant(1).reg);
    }
    return groups;
  }

  /// Splits dimension `n` of the blocks into `outer` and `inner`; the anchor's
  /// right-hand side is laid out [outer][steps][inner].
  static void packAccesses(ModelState &state, ArrayRef<uint16_t> blocks,
                           uint16_t anchor, uint8_t n, uint8_t outer,
                           uint8_t inner, ArrayRef<uint8_t> steps, Expr tile) {
    ProgramBuilder &b = state.builder;
    for (uint16_t index : blocks) {
      BlockPlan &block = b.getBlock(index);
      if (index == anchor) {
        AccessPlan &panels = block.accesses[1];
        panels.dims = {outer};
        panels.dims.append(steps.begin(), steps.end());
        panels.dims.push_back(inner);
        panels.overlaps = 0;
        panels.strides.assign(panels.dims.size(), kNoReg);
        Expr stride = b.constant(1);
        for (size_t i = panels.dims.size(); i-- > 0;) {
          panels.strides[i] = stride.reg;
          stride = b.mul(stride, b.getExtent(panels.dims[i]));
        }
      }
      *llvm::find(block.dims, n) = outer;
      block.dims.push_back(inner);
      for (AccessPlan &access : block.accesses) {
        auto *at = llvm::find(access.dims, n);
        if (at == access.dims.end())
          continue;
        const unsigned where = at - access.dims.begin();
        const Expr stride{access.strides[where], std::nullopt};
        access.dims[where] = outer;
        access.strides[where] = b.mul(stride, tile).reg;
        access.dims.push_back(inner);
        access.strides.push_back(stride.reg);
      }
    }
  }
};

struct UnrollPointsModel
    : LoopModelOpInterface::ExternalModel<UnrollPointsModel,
                                          schedule::UnrollPointsOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<schedule::UnrollPointsOp>(op);
    auto block = state.getBlock(op, action.getBlock());
    if (failed(block))
      return failure();
    // They stay one tile.
    for (int64_t dim : action.getDims())
      state.builder.getBlock(*block).points.push_back(
          state.getDim(*block, dim));
    return success();
  }
};

struct VectorizeModel
    : LoopModelOpInterface::ExternalModel<VectorizeModel,
                                          schedule::VectorizeOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    return success();
  }
};

} // namespace

namespace sched {
/// Part of registerLoopModels (SketchCompiler.cpp).
void attachActionModels(MLIRContext *context) {
  schedule::NameBlocksOp::attachInterface<NameBlocksModel>(*context);
  schedule::FuseElementwiseOp::attachInterface<FuseElementwiseModel>(*context);
  schedule::DeferOp::attachInterface<DeferModel>(*context);
  schedule::PackLhsOp::attachInterface<PackLhsModel>(*context);
  schedule::PackRhsOp::attachInterface<PackRhsModel>(*context);
  schedule::UnrollPointsOp::attachInterface<UnrollPointsModel>(*context);
  schedule::VectorizeOp::attachInterface<VectorizeModel>(*context);
}
} // namespace sched
