//===- ModelAgainstIRTest.cpp - The loop-nest model tells the truth -------===//
//
// Draws random traces over random shapes, runs both interpreters, and compares:
// the same verdict on legality; and for each block, in program order, the same
// loops around it (kind and trips) and the same sizes, which are those of the
// vectors it becomes.
//
//===----------------------------------------------------------------------===//

#include "RandomTask.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Model/NestWalker.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace sched;
using namespace sched::test;

namespace {

/// "forall(2) for(10) anchor[6, 16, 4]", a line a block.
struct Listing {
  std::vector<std::string> blocks, copies;

  void enterLoop(const WalkState &) {}
  void exitLoop(const WalkState &) {}
  void block(const BlockPlan &plan, const WalkState &state) {
    std::string text;
    for (unsigned i = 0; i != state.depth; ++i)
      text += (state.loops[i].isForall ? "forall(" : "for(") +
              std::to_string(state.loops[i].trips) + ") ";
    text += plan.name + "[";
    for (uint8_t dim : plan.dims)
      text += std::to_string(state.extents[dim]) + ",";
    (plan.kind == BlockKind::CacheRead ? copies : blocks).push_back(text + "]");
  }
};

std::string describe(Operation *op, llvm::StringRef name,
                     llvm::ArrayRef<int64_t> sizes) {
  std::string loops;
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      auto trips = loop.getStaticTripCount();
      loops = "for(" + (trips ? std::to_string(trips->getSExtValue()) : "?") +
              ") " + loops;
    } else if (auto forall = dyn_cast<scf::ForallOp>(parent)) {
      loops = "forall(" + std::to_string(forall.getStaticUpperBound()[0]) +
              ") " + loops;
    }
  }
  std::string text = loops + name.str() + "[";
  for (int64_t size : sizes)
    text += std::to_string(size) + ",";
  return text + "]";
}

Listing listIR(ModuleOp module) {
  Listing listing;
  module.walk([&](Operation *op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      auto name = op->getAttrOfType<StringAttr>(schedule::kBlockAttrName);
      listing.blocks.push_back(describe(op, name ? name.getValue() : "unnamed",
                                        linalgOp.getStaticLoopRanges()));
    } else if (auto copy =
                   dyn_cast<bufferization::MaterializeInDestinationOp>(op)) {
      auto type = cast<RankedTensorType>(copy.getSource().getType());
      listing.copies.push_back(describe(op, "cache_read", type.getShape()));
    }
  });
  return listing;
}

std::string join(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

} // namespace

TEST(ModelAgainstIR, RandomTraces) {
  std::mt19937_64 bits(1);
  unsigned legal = 0, illegal = 0;
  ScopedDiagnosticHandler quiet(&getContext(),
                                [](Diagnostic &) { return success(); });
  while (legal < 500) {
    RandomTask task = RandomTask::draw(bits);
    if (!task.space)
      continue;
    // Blocks can be told apart until they become vectors.
    for (unsigned i = 0; i != task.space->getNumSketches(); ++i)
      task.space->getSketch(i)->walk(
          [](schedule::VectorizeOp op) { op.erase(); });
    for (unsigned draw = 0; draw != 12; ++draw) {
      Candidate candidate = task.drawCandidate(bits);
      const Program &program = task.space->getProgram(candidate.sketch);
      SCOPED_TRACE(writePayload(task.shape) +
                   schedule::printTrace(task.space->getTrace(candidate)));
      const bool isLegal = program.isLegal(candidate.choices);
      auto script = task.space->makeScript(candidate);
      ASSERT_EQ(isLegal, bool(script))
          << (script ? std::string("the script converts")
                     : llvm::toString(script.takeError()));
      if (!isLegal) {
        llvm::consumeError(script.takeError());
        ++illegal;
        continue;
      }
      OwningOpRef<ModuleOp> payload = applyScript(task.tasks.front(), **script);
      ASSERT_TRUE(bool(payload)) << "the script does not apply";
      foldTrivialLoops(*payload);
      std::vector<int64_t> registers(program.getNumRegisters());
      program.run(candidate.choices, registers);
      Listing model;
      NestWalker<Listing> walker(program.getNest(), registers, model);
      walker.walk();
      Listing ir = listIR(*payload);
      ASSERT_EQ(join(model.blocks), join(ir.blocks));
      // A slice that main part and tail share is copied for each of them; the
      // model counts it once. Places and sizes must agree.
      for (std::vector<std::string> *copies : {&model.copies, &ir.copies}) {
        std::sort(copies->begin(), copies->end());
        copies->erase(std::unique(copies->begin(), copies->end()),
                      copies->end());
      }
      ASSERT_EQ(join(model.copies), join(ir.copies));
      ++legal;
    }
  }
  // Both verdicts must have been met.
  EXPECT_GT(illegal, 100u);
}
