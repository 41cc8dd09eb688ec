//===- NestListing.cpp - A loop nest as lines to compare ------------------===//

#include "NestListing.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleOps.h"
#include "SchedOpt/Model/NestWalker.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace sched;
using namespace sched::test;

static std::string writeLoop(bool isForall, int64_t trips) {
  return (isForall ? "forall(" : "for(") + std::to_string(trips) + ") ";
}

static std::string writeBlock(llvm::StringRef name, ArrayRef<int64_t> sizes) {
  std::string text = name.str() + "[";
  for (int64_t size : sizes)
    text += std::to_string(size) + ",";
  return text + "]";
}

llvm::SmallVector<uint8_t> test::getPartialDims(const BlockPlan &plan) {
  llvm::SmallVector<uint8_t> dims(plan.accesses.back().dims.begin(),
                                  plan.accesses.back().dims.end());
  llvm::copy_if(plan.dims, std::back_inserter(dims), [&](uint8_t dim) {
    return !llvm::is_contained(plan.accesses.back().dims, dim);
  });
  return dims;
}

namespace {
struct ModelVisitor {
  ArrayRef<int64_t> registers;
  NestListing listing;

  void enterLoop(const WalkState &) {}
  void exitLoop(const WalkState &) {}
  void block(const BlockPlan &plan, const WalkState &state) {
    auto writeLoops = [&](unsigned depth) {
      std::string text;
      for (unsigned i = 0; i != depth; ++i)
        text += writeLoop(state.loops[i].isForall, state.loops[i].trips);
      return text;
    };
    const std::string text = writeLoops(state.depth);
    SmallVector<int64_t> sizes;
    for (uint8_t dim : plan.dims)
      sizes.push_back(state.extents[dim]);
    if (plan.keepsPartials != kNoReg && registers[plan.keepsPartials] != 0) {
      // Around the loops over the steps, but inside of a thread.
      unsigned depth = state.depth;
      while (depth > 0 && !state.loops[depth - 1].isForall &&
             !llvm::is_contained(plan.accesses.back().dims,
                                 state.loops[depth - 1].dim))
        --depth;
      SmallVector<int64_t> partials;
      for (uint8_t dim : getPartialDims(plan))
        partials.push_back(state.extents[dim]);
      for (llvm::StringRef prefix :
           {schedule::kPartialPrefix, schedule::kCombinePrefix})
        listing.helpers.push_back(
            writeLoops(depth) + writeBlock(prefix.str() + plan.name, partials));
    }
    (plan.kind == BlockKind::CacheCopy ? listing.copies : listing.blocks)
        .push_back(text + writeBlock(plan.name, sizes));
  }
};
} // namespace

NestListing test::listModel(const Program &program,
                            ArrayRef<uint16_t> choices) {
  std::vector<int64_t> registers(program.getNumRegisters());
  program.run(choices, registers);
  ModelVisitor visitor{registers, {}};
  NestWalker<ModelVisitor> walker(program.getNest(), registers, visitor);
  walker.walk();
  return std::move(visitor.listing);
}

/// The loops around `op`, from the outermost inwards.
static std::string writeLoops(Operation *op) {
  std::string loops;
  while ((op = op->getParentOp())) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      auto trips = loop.getStaticTripCount();
      // The model knows no loop without a constant number of trips.
      loops = writeLoop(false, trips ? trips->getSExtValue() : -1) + loops;
    } else if (auto forall = dyn_cast<scf::ForallOp>(op)) {
      loops = writeLoop(true, forall.getStaticUpperBound()[0]) + loops;
    }
  }
  return loops;
}

/// Whether a loop or an op writes to it.
static bool isWritten(Value tensor) {
  return llvm::any_of(tensor.getUses(), [](OpOperand &use) {
    auto writer = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return isa<scf::ForOp>(use.getOwner()) ||
           (writer && writer.isDpsInit(&use));
  });
}

NestListing test::listIR(ModuleOp module) {
  NestListing listing;
  module.walk([&](Operation *op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      auto name = op->getAttrOfType<StringAttr>(schedule::kBlockAttrName);
      const llvm::StringRef block = name ? name.getValue() : "unnamed";
      const bool isHelper = block.starts_with(schedule::kPartialPrefix) ||
                            block.starts_with(schedule::kCombinePrefix);
      (isHelper ? listing.helpers : listing.blocks)
          .push_back(writeLoops(op) +
                     writeBlock(block, linalgOp.getStaticLoopRanges()));
    } else if (auto copy =
                   dyn_cast<bufferization::MaterializeInDestinationOp>(op)) {
      auto type = cast<RankedTensorType>(copy.getSource().getType());
      listing.copies.push_back(writeLoops(op) +
                               writeBlock("cache_read", type.getShape()));
      if (isWritten(op->getResult(0)))
        listing.copies.push_back(writeLoops(op) +
                                 writeBlock("cache_write", type.getShape()));
    } else if (auto buffer = dyn_cast<bufferization::AllocTensorOp>(op)) {
      // What nothing is copied into is a result's.
      if (llvm::none_of(op->getUsers(), [](Operation *user) {
            return isa<bufferization::MaterializeInDestinationOp>(user);
          }))
        listing.copies.push_back(
            writeLoops(op) +
            writeBlock("cache_write", buffer.getType().getShape()));
    }
  });
  return listing;
}

void test::keepBlocks(const TaskSpace &space) {
  for (unsigned i = 0; i != space.getNumSketches(); ++i)
    space.getSketch(i)->walk([](Operation *op) {
      if (isa<mlir::schedule::UnrollPointsOp, mlir::schedule::VectorizeOp>(op))
        op->erase();
    });
}

std::string test::joinLines(ArrayRef<std::string> lines) {
  return llvm::join(lines, "\n");
}
