//===- KernelModels.cpp - What the actions for GPUs do to the nest --------===//
//
// Mirrors Dialect/Schedule/IR/ScheduleKernelOps.cpp, as TileModels.cpp does for
// the tiling actions.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "SchedOpt/Model/LoopModelInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;
using Opcode = Instruction::Op;
using Kind = NestNode::Kind;

namespace {

struct TileGridModel
    : LoopModelOpInterface::ExternalModel<TileGridModel, schedule::TileGridOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<schedule::TileGridOp>(op);
    ProgramBuilder &b = state.builder;
    auto blocks = state.getBlocks(op, action.getFuse(), action.getRoot());
    auto extents = state.getParams(op, action.getExtents());
    auto sizes = state.getParams(op, action.getSizes());
    if (failed(blocks) || failed(extents) || failed(sizes))
      return failure();
    Expr tiles = b.constant(0);
    for (auto [size, extent] : llvm::zip_equal(*sizes, *extents)) {
      b.require(b.apply(Opcode::CmpLE, b.constant(0), size),
                "sizes of tiles are not negative");
      tiles = b.apply(Opcode::Or, tiles,
                      b.apply(Opcode::And,
                              b.apply(Opcode::CmpLT, b.constant(0), size),
                              b.apply(Opcode::CmpLT, size, extent)));
    }
    b.require(tiles, "the grid has more than one block");
    // What stands between them is computed where it is read, or before.
    const SmallVector<uint16_t> before = b.siblingsUpTo(blocks->back());
    const auto *first = llvm::find_if(before, [&](uint16_t block) {
      return llvm::is_contained(*blocks, block);
    });
    for (uint16_t block : llvm::reverse(ArrayRef(first, before.end())))
      if (!llvm::is_contained(*blocks, block))
        b.moveInto(block, /*node=*/0);
    for (auto [dim, size] : llvm::zip_equal(action.getDims(), *sizes))
      if (failed(state.wrap(op, *blocks, Kind::Grid,
                            state.getDim(blocks->back(), dim), size)))
        return failure();
    return success();
  }
};

struct TileStepsModel
    : LoopModelOpInterface::ExternalModel<TileStepsModel,
                                          schedule::TileStepsOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<schedule::TileStepsOp>(op);
    auto block = state.getBlock(op, action.getBlock());
    auto sizes = state.getParams(op, action.getSizes());
    if (failed(block) || failed(sizes))
      return failure();
    for (auto [dim, size] : llvm::zip_equal(action.getDims(), *sizes))
      if (failed(state.wrap(op, *block, Kind::Steps, state.getDim(*block, dim),
                            size)))
        return failure();
    return success();
  }
};

struct AnnotateModel
    : LoopModelOpInterface::ExternalModel<AnnotateModel, schedule::AnnotateOp> {
  LogicalResult applyToModel(Operation *op, ModelState &state) const {
    auto action = cast<schedule::AnnotateOp>(op);
    auto block = state.getBlock(op, action.getBlock());
    if (failed(block))
      return failure();
    for (const schedule::AnnotateOp::Entry &entry : action.getEntries()) {
      auto values = state.getParams(op, entry.values);
      if (failed(values))
        return failure();
      Annotation annotation;
      annotation.key = entry.key.str();
      for (Expr value : *values) {
        annotation.values.push_back(value.reg);
        state.builder.addOtherParam(value);
      }
      for (StringRef word : entry.words)
        annotation.words.push_back(word.str());
      state.builder.getBlock(*block).annotations.push_back(
          std::move(annotation));
    }
    return success();
  }
};

} // namespace

namespace sched {
/// Part of registerLoopModels (SketchCompiler.cpp).
void attachKernelModels(MLIRContext *context) {
  schedule::TileGridOp::attachInterface<TileGridModel>(*context);
  schedule::TileStepsOp::attachInterface<TileStepsModel>(*context);
  schedule::AnnotateOp::attachInterface<AnnotateModel>(*context);
}
} // namespace sched
