//===- ActionModels.cpp - What our actions do to the loop nest ------------===//
//
// Each model mirrors the expansion of the same op in
// Dialect/Schedule/IR/ScheduleActionOps.cpp: the loops that come out, and the
// requirements under which the expansion succeeds.
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
    const uint8_t m = state.getDim(*anchor, 0), n = state.getDim(*anchor, 1),
                  k = state.getDim(*anchor, 2);
    const Expr panels = b.floorDiv(b.constant(action.getN()), tile);
    b.require(b.apply(Opcode::CmpLT, b.constant(0), panels),
              "the operand has at least one whole panel");

    // What the panels leave over of n, cut off and tiled.
    auto cut = state.wrap(op, blocks, Kind::Loop, n, b.mul(panels, tile));
    if (failed(cut))
      return failure();
    SmallVector<uint16_t> tail = b.separateTail(*cut, schedule::kTailPrefix);
    const unsigned tailAnchor =
        tail[llvm::find(blocks, *anchor) - blocks.begin()];
    if (failed(state.wrap(op, tail, Kind::Loop, m, (*params)[2])) ||
        failed(state.wrap(op, {static_cast<uint16_t>(tailAnchor)}, Kind::Loop,
                          k, (*params)[3])))
      return failure();

    const uint8_t outer = b.addDim("n.outer", panels);
    const uint8_t inner = b.addDim("n.inner", tile);
    packAccesses(state, blocks, *anchor, n, outer, inner, tile, b.getExtent(k));

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
    pack.dims = {outer, k, inner};
    pack.isFree = state.layoutFreeOperands[1];
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
    if (failed(wrapPacking(
            op, state, packBlock, threads,
            {{outer, b.constant(1)}, {k, b.constant(schedule::kPackRows)}})))
      return failure();
    state.setHandle(action.getResult(), state.getHandle(action.getTarget()));
    return success();
  }

  /// Splits dimension `n` of the blocks into `outer` and `inner`; the anchor's
  /// right-hand side is laid out [outer][k][inner].
  static void packAccesses(ModelState &state, ArrayRef<uint16_t> blocks,
                           uint16_t anchor, uint8_t n, uint8_t outer,
                           uint8_t inner, Expr tile, Expr k) {
    ProgramBuilder &b = state.builder;
    for (uint16_t index : blocks) {
      BlockPlan &block = b.getBlock(index);
      auto *position = llvm::find(block.dims, n);
      *position = outer;
      block.dims.push_back(inner);
      for (auto [i, access] : llvm::enumerate(block.accesses)) {
        auto *at = llvm::find(access.dims, n);
        if (at == access.dims.end())
          continue;
        const unsigned where = at - access.dims.begin();
        if (index == anchor && i == 1) {
          const uint8_t reduction = access.dims[1 - where];
          access.dims = {outer, reduction, inner};
          access.strides = {b.mul(k, tile).reg, tile.reg, b.constant(1).reg};
          continue;
        }
        const Expr stride{access.strides[where], std::nullopt};
        access.dims[where] = outer;
        access.strides[where] = b.mul(stride, tile).reg;
        access.dims.push_back(inner);
        access.strides.push_back(stride.reg);
      }
    }
  }
};

struct TileParallelModel
    : LoopModelOpInterface::ExternalModel<TileParallelModel,
                                          schedule::TileParallelOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<schedule::TileParallelOp>(op);
    ProgramBuilder &b = state.builder;
    auto blocks = state.getBlocks(op, action.getFuse(), action.getRoot());
    auto units = state.getParams(op, action.getUnits());
    auto extents = state.getParams(op, action.getExtents());
    auto params = state.getParams(op, {action.getWhich(), action.getThreads()});
    if (failed(blocks) || failed(units) || failed(extents) || failed(params))
      return failure();
    const Expr zero = b.constant(0), one = b.constant(1);
    const Expr isParallel = b.apply(Opcode::CmpLT, one, (*params)[1]);
    const uint16_t root = blocks->back();
    for (auto [i, dim] : llvm::enumerate(action.getDims())) {
      const Expr enabled =
          b.apply(Opcode::And, isParallel,
                  b.apply(Opcode::CmpEQ, (*params)[0], b.constant(i)));
      const Expr chunk =
          b.mul(b.apply(Opcode::Max, (*units)[i], one), (*params)[1]);
      const Expr main = b.mul(b.floorDiv((*extents)[i], chunk), chunk);
      b.require(b.apply(Opcode::Or, b.apply(Opcode::CmpEQ, enabled, zero),
                        b.apply(Opcode::CmpLT, zero, main)),
                "every thread has at least one register tile");
      if (failed(state.share(op, *blocks, state.getDim(root, dim), enabled,
                             main, (*params)[1])))
        return failure();
    }
    return success();
  }
};

struct TileModel
    : LoopModelOpInterface::ExternalModel<TileModel, schedule::TileOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<schedule::TileOp>(op);
    ProgramBuilder &b = state.builder;
    auto blocks = state.getBlocks(op, action.getFuse(), action.getRoot());
    auto sizes = state.getParams(op, action.getSizes());
    auto order = state.getParams(op, action.getOrder());
    if (failed(blocks) || failed(sizes) || failed(order))
      return failure();
    const uint16_t root = blocks->back();
    const unsigned count = action.getDims().size();
    if (action.getExactly()) {
      auto loop = state.wrap(op, {root}, Kind::Loop,
                             state.getDim(root, action.getDims().front()),
                             sizes->front());
      if (failed(loop))
        return failure();
      // A block that `if` leaves out does not exist at all.
      for (uint16_t block : llvm::reverse(ArrayRef(*blocks).drop_back()))
        b.moveInto(block, *loop);
      return readPanelsHere(op, state, root);
    }
    // Which dimension loop number `position` runs over may be a decision: each
    // position has a loop a dimension, and one of them exists.
    for (unsigned position = 0; position != count; ++position) {
      for (unsigned i = 0; i != count; ++i) {
        if (order->empty() && i != position)
          continue;
        Expr size = (*sizes)[i];
        if (!order->empty())
          size = b.select(
              b.apply(Opcode::CmpEQ, (*order)[position], b.constant(i)), size,
              b.constant(0));
        if (failed(state.wrap(op, *blocks, Kind::Loop,
                              state.getDim(root, action.getDims()[i]), size)))
          return failure();
      }
    }
    return success();
  }

  /// Panels that are filled here, inside of a split reduction, are as long as a
  /// block of it.
  static LogicalResult readPanelsHere(Operation *op, ModelState &state,
                                      uint16_t root) {
    auto action = cast<schedule::TileOp>(op);
    ProgramBuilder &b = state.builder;
    if (!llvm::is_contained(toStrings(action.getFuse()),
                            schedule::kLatePackBlock))
      return success();
    Expr inside = b.constant(1);
    if (action.getEnable()) {
      auto enable = state.getParam(op, action.getEnable());
      if (failed(enable))
        return failure();
      inside = *enable;
    }
    AccessPlan &panels = b.getBlock(root).accesses[1];
    const Expr steps = b.extentAt(root, panels.dims[1]);
    const Expr columns = b.getExtent(panels.dims[2]);
    panels.strides[0] = b.select(inside, b.mul(steps, columns),
                                 Expr{panels.strides[0], std::nullopt})
                            .reg;
    return success();
  }
};

struct CacheReadModel
    : LoopModelOpInterface::ExternalModel<CacheReadModel,
                                          schedule::CacheReadOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<schedule::CacheReadOp>(op);
    ProgramBuilder &b = state.builder;
    auto block = state.getBlock(op, action.getBlock());
    auto enable = state.getParam(op, action.getEnable());
    if (failed(block) || failed(enable))
      return failure();
    AccessPlan &access = b.getBlock(*block).accesses[action.getOperand()];
    BlockPlan copy;
    copy.name = "cache_read";
    copy.kind = BlockKind::CacheRead;
    copy.dims.assign(access.dims.begin(), access.dims.end());
    copy.accesses = {access, access};
    // The copy is contiguous in the extents of this place.
    Expr stride = b.constant(1);
    for (unsigned i = access.dims.size(); i-- > 0;) {
      access.strides[i] =
          b.select(*enable, stride, Expr{access.strides[i], std::nullopt}).reg;
      stride = b.mul(stride, b.extentAt(*block, access.dims[i]));
    }
    copy.accesses.back() = access;
    copy.accesses.back().isWrite = true;
    SmallVector<uint8_t> dims(copy.dims.begin(), copy.dims.end());
    place(b, *block, b.addDetachedBlock(std::move(copy)), dims, *enable);
    return success();
  }

  /// The copy stands where the operand's slice is taken: inside of all loops of
  /// the innermost action that tiled one of its dimensions. Which one
  /// that is depends on the decisions, so there is a copy a place.
  static void place(ProgramBuilder &b, uint16_t block, uint16_t copy,
                    ArrayRef<uint8_t> dims, Expr enable) {
    auto loops = b.getLoopsAround(block);
    Expr remaining = enable;
    for (size_t end = loops.size(); end != 0;) {
      size_t begin = end;
      Expr slices = b.constant(0);
      while (begin != 0 && loops[begin - 1].action == loops[end - 1].action) {
        --begin;
        if (llvm::is_contained(dims, loops[begin].dim))
          slices = b.apply(Opcode::Or, slices, loops[begin].slices);
      }
      b.insertInto(loops[end - 1].node, copy,
                   b.apply(Opcode::And, remaining, slices));
      remaining = b.apply(Opcode::And, remaining,
                          b.apply(Opcode::CmpEQ, slices, b.constant(0)));
      end = begin;
    }
    b.insertInto(/*root=*/0, copy, remaining);
  }
};

struct UnrollPointsModel
    : LoopModelOpInterface::ExternalModel<UnrollPointsModel,
                                          schedule::UnrollPointsOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    // The points stay one tile.
    return success(succeeded(
        state.getBlock(op, cast<schedule::UnrollPointsOp>(op).getBlock())));
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
  schedule::PackLhsOp::attachInterface<PackLhsModel>(*context);
  schedule::PackRhsOp::attachInterface<PackRhsModel>(*context);
  schedule::TileParallelOp::attachInterface<TileParallelModel>(*context);
  schedule::TileOp::attachInterface<TileModel>(*context);
  schedule::CacheReadOp::attachInterface<CacheReadModel>(*context);
  schedule::UnrollPointsOp::attachInterface<UnrollPointsModel>(*context);
  schedule::VectorizeOp::attachInterface<VectorizeModel>(*context);
}
} // namespace sched
