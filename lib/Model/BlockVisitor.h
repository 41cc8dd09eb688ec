//===- BlockVisitor.h - Fills a row for each block of a nest ----*- C++ -*-===//
//
// The visitor of NestWalker.h behind extractBlockFeatures. It takes the program
// visitor (FeatureVisitor.h) along, whose sums grow by what each block adds to
// them: so a block's cycles are a part of the program's, by the same formulas.
//
// Read next: BlockLevels.h, and BlockFeatures.def for what each column means.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_MODEL_BLOCKVISITOR_H
#define SCHEDOPT_LIB_MODEL_BLOCKVISITOR_H

#include "BlockLevels.h"
#include "FeatureVisitor.h"
#include "SchedOpt/Model/BlockFeatures.h"
#include "llvm/ADT/SmallVector.h"

namespace sched {

class BlockVisitor {
public:
  BlockVisitor(const LoopNestPlan &nest, const Target &target,
               llvm::ArrayRef<int64_t> registers,
               std::vector<BlockFeatureVector> &rows)
      : nest(nest), target(target), registers(registers), rows(rows),
        firstRow(rows.size()), inner(nest, target, registers, program) {
    states.resize(nest.blocks.size());
  }

  void enterLoop(const WalkState &state) {
    inner.enterLoop(state);
    path[state.depth - 1] = ++loopsEntered;
  }
  void exitLoop(const WalkState &state) { inner.exitLoop(state); }

  void block(const BlockPlan &block, const WalkState &state);

  /// Fills in what is known at the end of the walk.
  void finish();

private:
  static constexpr unsigned kSlots = 3, kSamples = 6;
  static constexpr uint32_t kNoRow = ~0u;

  /// What is kept of a block between its places.
  struct BlockState {
    uint32_t row = kNoRow;
    unsigned slots = 0;
    /// The accesses of the slots, as BlockLevels numbers them.
    std::array<uint8_t, kSlots> accesses;
    uint8_t vectorDim;
    double lanes = 0, lanesNeeded = 0;
  };
  /// The loops that a buffer was touched in.
  struct Touch {
    uint16_t buffer;
    uint16_t depth;
    std::array<uint32_t, kMaxLoops> path;
  };

  uint8_t getVectorDim(const BlockPlan &block) const;
  /// The main part of the block.
  void describe(const BlockPlan &block, const WalkState &state, BlockState &own,
                BlockFeatureVector &f);
  void describeTile(const BlockPlan &block, const WalkState &state,
                    const BlockState &own, BlockFeatureVector &f);
  void describeLoops(const BlockPlan &block, const WalkState &state,
                     BlockFeatureVector &f);
  void describeBuffer(const BlockPlan &block, const WalkState &state,
                      BlockFeatureVector &f);
  void describeSlots(const BlockPlan &block, const WalkState &state,
                     BlockState &own, BlockFeatureVector &f);
  /// Adds what each slot moves at this place.
  void addMoves(const BlockPlan &block, const WalkState &state,
                const BlockState &own, BlockFeatureVector &f);
  /// The level at which the loops of `state` part from those that `buffer` was
  /// touched in; none if it was not.
  std::optional<unsigned> findTouch(uint16_t buffer,
                                    const WalkState &state) const;
  void touch(uint16_t buffer, const WalkState &state);

  const LoopNestPlan &nest;
  const Target &target;
  llvm::ArrayRef<int64_t> registers;
  std::vector<BlockFeatureVector> &rows;
  const size_t firstRow;
  FeatureVector program;
  FeatureVisitor inner;
  llvm::SmallVector<BlockState, 32> states;
  /// Numbers of the loops of the current path, in the order of entering.
  std::array<uint32_t, kMaxLoops> path;
  uint32_t loopsEntered = 0;
  llvm::SmallVector<Touch, 16> touches;
  BlockLevels levels;
};

} // namespace sched

#endif // SCHEDOPT_LIB_MODEL_BLOCKVISITOR_H
