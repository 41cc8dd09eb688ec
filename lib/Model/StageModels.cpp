//===- StageModels.cpp - What the actions for stages do to the loop nest --===//
//
// Mirrors Dialect/Schedule/IR/ScheduleStageOps.cpp, as ActionModels.cpp does
// for the other actions.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "SchedOpt/Model/LoopModelInterface.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace mlir;
using namespace sched;
using Opcode = Instruction::Op;
using Kind = NestNode::Kind;

namespace {

struct FuseStagesModel
    : LoopModelOpInterface::ExternalModel<FuseStagesModel,
                                          schedule::FuseStagesOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<schedule::FuseStagesOp>(op);
    ProgramBuilder &b = state.builder;
    auto blocks = state.getBlocks(op, action.getStages(), action.getRoot());
    auto extents = state.getParams(op, action.getExtents());
    auto sizes = state.getParams(op, action.getSizes());
    auto params = state.getParams(op, {action.getWhich(), action.getThreads()});
    if (failed(blocks) || failed(extents) || failed(sizes) || failed(params))
      return failure();
    const Expr zero = b.constant(0), one = b.constant(1);
    const Expr threads = (*params)[1];
    const uint16_t root = blocks->back();
    for (auto [i, dim] : llvm::enumerate(action.getDims())) {
      const Expr enabled =
          b.apply(Opcode::And, b.apply(Opcode::CmpLT, one, threads),
                  b.apply(Opcode::CmpEQ, (*params)[0], b.constant(i)));
      const Expr main = b.mul(b.floorDiv((*extents)[i], threads), threads);
      b.require(b.apply(Opcode::Or, b.apply(Opcode::CmpEQ, enabled, zero),
                        b.apply(Opcode::CmpLT, zero, main)),
                "every thread has a part of the parallel dimension");
      if (failed(state.share(op, *blocks, state.getDim(root, dim), enabled,
                             main, threads)))
        return failure();
    }
    for (auto [dim, size] : llvm::zip_equal(action.getDims(), *sizes))
      if (failed(state.wrap(op, *blocks, Kind::Loop, state.getDim(root, dim),
                            size)))
        return failure();
    return success();
  }
};

struct SplitReductionModel
    : LoopModelOpInterface::ExternalModel<SplitReductionModel,
                                          schedule::SplitReductionOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<schedule::SplitReductionOp>(op);
    ProgramBuilder &b = state.builder;
    auto block = state.getBlock(op, action.getBlock());
    auto params = state.getParams(
        op, {action.getWidth(), action.getRestWidth(), action.getKeep()});
    if (failed(block) || failed(params))
      return failure();
    Expr extent = b.constant(action.getExtent());
    if (action.getShares()) {
      auto shares = state.getParam(op, action.getShares());
      if (failed(shares))
        return failure();
      extent = b.floorDiv(extent, b.apply(Opcode::Max, *shares, b.constant(1)));
    }
    Expr width = atMost(state, action, (*params)[0], extent);
    auto tail = split(action, state, *block, extent, width, (*params)[2],
                      schedule::kTailPrefix);
    if (failed(tail))
      return failure();
    // The rest of the tail is a block of its own, called after the reduction.
    const std::string name = action.getBlock().str();
    const Expr left = b.mod(extent, width);
    width = atMost(state, action, (*params)[1], left);
    auto rest = split(action, state, *tail, left, width, (*params)[2],
                      schedule::kRestPrefix);
    if (failed(rest))
      return failure();
    b.getBlock(*rest).name = (schedule::kRestPrefix + name).str();
    if (action.getAround().empty())
      return success();
    const Expr end = b.mod(left, width);
    return steps(action, state, *rest, end, end, (*params)[2]);
  }

  /// The elements of a step: no more than the extent where dimensions are
  /// around. Of nothing, it is one.
  static Expr atMost(ModelState &state, schedule::SplitReductionOp action,
                     Expr width, Expr extent) {
    ProgramBuilder &b = state.builder;
    if (action.getAround().empty())
      return width;
    return b.apply(Opcode::Min, width,
                   b.apply(Opcode::Max, extent, b.constant(1)));
  }

  /// Splits the loop over the dimension of `block`, of `extent` iterations, by
  /// `width`; returns the block that is left over.
  static FailureOr<uint16_t> split(schedule::SplitReductionOp action,
                                   ModelState &state, uint16_t block,
                                   Expr extent, Expr width, Expr keep,
                                   StringRef prefix) {
    ProgramBuilder &b = state.builder;
    const Expr main = b.mul(b.floorDiv(extent, width), width);
    auto cut = state.wrap(action, {block}, Kind::Loop,
                          state.getDim(block, action.getDim()), main);
    if (failed(cut))
      return failure();
    const uint16_t rest = b.separateTail(*cut, prefix).front();
    if (failed(steps(action, state, block, main, width, keep)))
      return failure();
    if (action.getAround().empty())
      b.getBlock(block).keepsPartials =
          b.apply(Opcode::And, b.apply(Opcode::CmpLT, width, extent),
                  Expr{b.getBlock(block).keepsPartials, std::nullopt})
              .reg;
    return rest;
  }

  /// The loops of `block` over steps of `width`, `extent` elements in all.
  static LogicalResult steps(schedule::SplitReductionOp action,
                             ModelState &state, uint16_t block, Expr extent,
                             Expr width, Expr keep) {
    ProgramBuilder &b = state.builder;
    const Expr zero = b.constant(0), one = b.constant(1);
    Expr lines = one;
    if (action.getLines()) {
      auto atOnce = state.getParam(action, action.getLines());
      if (failed(atOnce))
        return failure();
      lines = b.apply(Opcode::Max, *atOnce, one);
      const Expr all =
          b.extentAt(block, state.getDim(block, action.getAround().back()));
      b.require(b.apply(Opcode::CmpEQ, b.mod(all, lines), zero),
                "lines that are reduced at once leave none over");
    }
    for (int64_t dim : action.getAround())
      if (failed(state.wrap(action, {block}, Kind::Loop,
                            state.getDim(block, dim),
                            dim == action.getAround().back() ? lines : one)))
        return failure();
    b.getBlock(block).keepsPartials =
        b.apply(Opcode::And, b.apply(Opcode::CmpLT, zero, extent),
                b.apply(Opcode::CmpNE, keep, zero))
            .reg;
    return LogicalResult(state.wrap(action, {block}, Kind::Loop,
                                    state.getDim(block, action.getDim()),
                                    width));
  }
};

struct ShareReductionModel
    : LoopModelOpInterface::ExternalModel<ShareReductionModel,
                                          schedule::ShareReductionOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<schedule::ShareReductionOp>(op);
    ProgramBuilder &b = state.builder;
    auto block = state.getBlock(op, action.getBlock());
    auto params = state.getParams(op, {action.getThreads()});
    if (failed(block) || failed(params))
      return failure();
    const Expr one = b.constant(1), extent = b.constant(action.getExtent());
    const Expr threads = b.apply(Opcode::Max, params->front(), one);
    const Expr shared = b.apply(Opcode::CmpLT, one, threads);
    b.require(b.apply(Opcode::CmpLE, threads, extent),
              "every thread has a part of the reduction");
    const Expr left = b.mod(extent, threads);
    const uint8_t dim = state.getDim(*block, action.getDim());

    // What the threads share and what is left over have dimensions of their
    // own.
    const uint8_t leftDim = b.addDim("left", left);
    BlockPlan rest = b.getBlock(*block);
    rest.name = (schedule::kLeftPrefix + rest.name).str();
    rest.isExtra = true;
    replaceDim(rest, dim, leftDim);
    b.insertAfter(*block, std::move(rest),
                  b.apply(Opcode::CmpNE, left, b.constant(0)));
    const uint8_t mainDim =
        b.addDim("shared", b.apply(Opcode::Sub, extent, left));
    replaceDim(b.getBlock(*block), dim, mainDim);

    const uint8_t threadDim = b.addDim("threads", threads);
    const AccessPlan result = b.getBlock(*block).accesses.back();
    AccessPlan results = result;
    for (Reg &stride : results.strides)
      stride = b.mul({stride, std::nullopt}, threads).reg;
    results.buffer = b.addBuffer();
    results.dims.push_back(threadDim);
    results.strides.push_back(one.reg);
    BlockPlan start;
    start.name = (schedule::kStartPrefix + action.getBlock()).str();
    start.kind = BlockKind::Fill;
    start.isExtra = true;
    start.dims = results.dims;
    start.accesses.push_back(results);
    BlockPlan join = start;
    join.name = (schedule::kJoinPrefix + action.getBlock()).str();
    join.kind = BlockKind::Reduction;
    join.flopsPerPoint = 1;
    join.ops.addSubs = 1;
    join.accesses.push_back(result);
    join.accesses.front().isWrite = false;
    b.insertBefore(*block, std::move(start), shared);
    b.insertAfter(*block, std::move(join), shared);
    return LogicalResult(
        state.wrap(op, {*block}, Kind::Forall, mainDim, threads));
  }

  static void replaceDim(BlockPlan &block, uint8_t from, uint8_t to) {
    std::replace(block.dims.begin(), block.dims.end(), from, to);
    for (AccessPlan &access : block.accesses)
      std::replace(access.dims.begin(), access.dims.end(), from, to);
  }
};

/// Softmax is decomposed before a task is made of it: nothing is left to do.
struct DecomposeModel
    : LoopModelOpInterface::ExternalModel<DecomposeModel,
                                          transform::DecomposeInterfaceOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<transform::DecomposeInterfaceOp>(op);
    ModelHandle handle = state.getHandle(action.getTarget());
    if (!handle.blocks.empty())
      return op->emitOpError("has a loop model only where nothing matches; the "
                             "payload's blocks are those after it");
    state.setHandle(action.getTransformed(), std::move(handle));
    return success();
  }
};

} // namespace

namespace sched {
/// Part of registerLoopModels (SketchCompiler.cpp).
void attachStageModels(MLIRContext *context) {
  schedule::FuseStagesOp::attachInterface<FuseStagesModel>(*context);
  schedule::SplitReductionOp::attachInterface<SplitReductionModel>(*context);
  schedule::ShareReductionOp::attachInterface<ShareReductionModel>(*context);
  transform::DecomposeInterfaceOp::attachInterface<DecomposeModel>(*context);
}
} // namespace sched
