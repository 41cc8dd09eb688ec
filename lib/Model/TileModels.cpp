//===- TileModels.cpp - What tiling does to the loop nest -----------------===//
//
// Mirrors Dialect/Schedule/IR/ScheduleTileOps.cpp, as ActionModels.cpp does for
// the other actions; and the copies that stand where tiling takes slices.
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
    // Which dimension loop number `position` runs over may be a decision: each
    // position has a loop a dimension, and one of them exists. What is computed
    // `exactly` here moves into the innermost one.
    const ArrayRef<uint16_t> wrapped =
        action.getExactly() ? ArrayRef(*blocks).take_back() : ArrayRef(*blocks);
    uint16_t innermost = 0;
    for (unsigned position = 0; position != count; ++position) {
      for (unsigned i = 0; i != count; ++i) {
        if (order->empty() && i != position)
          continue;
        Expr size = (*sizes)[i];
        if (!order->empty())
          size = b.select(
              b.apply(Opcode::CmpEQ, (*order)[position], b.constant(i)), size,
              b.constant(0));
        auto loop = state.wrap(op, wrapped, Kind::Loop,
                               state.getDim(root, action.getDims()[i]), size);
        if (failed(loop))
          return failure();
        innermost = *loop;
      }
    }
    if (!action.getExactly())
      return success();
    auto enable = state.getParams(op, action.getEnable());
    if (failed(enable))
      return failure();
    // A block that `if` leaves out does not exist at all.
    for (size_t i = blocks->size() - 1; i-- > 0;) {
      b.moveInto((*blocks)[i], innermost);
      const auto feeds = b.getBlock((*blocks)[i]).feeds;
      if (feeds)
        state.readBuffer(root, *feeds,
                         enable->empty() ? b.constant(1) : (*enable)[i]);
    }
    return success();
  }
};

struct FillTailsModel
    : LoopModelOpInterface::ExternalModel<FillTailsModel,
                                          schedule::FillTailsOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<schedule::FillTailsOp>(op);
    ProgramBuilder &b = state.builder;
    auto block = state.getBlock(op, action.getBlock());
    auto enable = state.getParam(op, action.getEnable());
    if (failed(block) || failed(enable))
      return failure();
    SmallVector<uint16_t> blocks{*block};
    if (action.getInit()) {
      auto init = state.getBlock(op, *action.getInit());
      if (failed(init))
        return failure();
      // Not that of a result which the reduction's blocks add to.
      if (llvm::is_contained(b.siblingsUpTo(*block), *init))
        blocks.push_back(*init);
    }
    const uint8_t dim = state.getDim(*block, action.getDim());
    for (uint16_t index : blocks)
      b.getBlock(index).fills.push_back(
          {dim, static_cast<int64_t>(action.getMultiple()), enable->reg,
           action.getMasked()});
    return success();
  }
};

/// The copy of a tile stands where its slice is taken: inside of all loops of
/// the innermost action that tiled one of its dimensions. Which one that is
/// depends on the decisions, so there is a copy a place.
void placeCopy(ProgramBuilder &b, uint16_t block, uint16_t copy,
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

/// Adds the copy called `name` between `outside`, what access number `number`
/// of `block` was before it got a buffer, and what it is now.
void addCopy(ProgramBuilder &b, uint16_t block, unsigned number,
             AccessPlan outside, StringRef name, bool isRead, Expr enable) {
  AccessPlan inside = b.getBlock(block).accesses[number];
  BlockPlan copy;
  copy.name = name.str();
  copy.kind = BlockKind::CacheCopy;
  copy.dims.assign(inside.dims.begin(), inside.dims.end());
  outside.isWrite = !isRead;
  inside.isWrite = isRead;
  if (isRead)
    copy.accesses = {std::move(outside), std::move(inside)};
  else
    copy.accesses = {std::move(inside), std::move(outside)};
  const SmallVector<uint8_t> dims(copy.dims.begin(), copy.dims.end());
  placeCopy(b, block, b.addDetachedBlock(std::move(copy)), dims, enable);
}

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
    const unsigned operand = action.getOperand();
    AccessPlan outside = b.getBlock(*block).accesses[operand];
    state.readBuffer(*block, operand, *enable);
    addCopy(b, *block, operand, std::move(outside), "cache_read",
            /*isRead=*/true, *enable);
    Reg &copied = b.getBlock(*block).accesses[operand].copied;
    if (copied == kNoReg)
      copied = enable->reg;
    return success();
  }
};

struct CacheWriteModel
    : LoopModelOpInterface::ExternalModel<CacheWriteModel,
                                          schedule::CacheWriteOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<schedule::CacheWriteOp>(op);
    ProgramBuilder &b = state.builder;
    auto block = state.getBlock(op, action.getBlock());
    auto enable = state.getParam(op, action.getEnable());
    if (failed(block) || failed(enable))
      return failure();
    const unsigned result = b.getBlock(*block).accesses.size() - 1;
    AccessPlan outside = b.getBlock(*block).accesses[result];
    state.readBuffer(*block, result, *enable);
    if (action.getInit()) {
      auto init = state.getBlock(op, *action.getInit());
      if (failed(init))
        return failure();
      state.readBuffer(*init, b.getBlock(*init).accesses.size() - 1, *enable);
    } else {
      addCopy(b, *block, result, outside, "cache_read", /*isRead=*/true,
              *enable);
    }
    addCopy(b, *block, result, std::move(outside), "cache_write",
            /*isRead=*/false, *enable);
    return success();
  }
};

} // namespace

namespace sched {
/// Part of registerLoopModels (SketchCompiler.cpp).
void attachTileModels(MLIRContext *context) {
  schedule::TileParallelOp::attachInterface<TileParallelModel>(*context);
  schedule::TileOp::attachInterface<TileModel>(*context);
  schedule::FillTailsOp::attachInterface<FillTailsModel>(*context);
  schedule::CacheReadOp::attachInterface<CacheReadModel>(*context);
  schedule::CacheWriteOp::attachInterface<CacheWriteModel>(*context);
}
} // namespace sched
