//===- StageEmitter.h - The code of reductions and stored tiles -*- C++ -*-===//
//
// Emits the stages of a block that are no contractions, as StageLayout.h has
// dealt them out to threads. What a thread has few elements of is written out;
// the rest is loops. Two stages ask the reader (ElementReader.h) for the same
// elements by the same index values, so that what one has read or inlined is in
// registers for the next.
//
// Read next: StageReduction.cpp, ThreadReduction.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_STAGEEMITTER_H
#define SCHEDOPT_LIB_CODEGEN_STAGEEMITTER_H

#include "ElementReader.h"
#include "StageLayout.h"
#include <map>

namespace sched {

/// One step of some loops, for one thread.
struct StagePoint {
  /// By loop; null: the loop is not among them.
  llvm::SmallVector<mlir::Value> indices;
  /// Where it does not hold, the point is outside of the tile.
  mlir::Value guard;
};

class StageEmitter {
public:
  StageEmitter(KernelState &state, ElementReader &reader, StagePlan plan)
      : state(state), reader(reader), plan(std::move(plan)),
        top(state.builder.getInsertionBlock()) {}

  bool isStage(mlir::Operation *op) const { return plan.layouts.count(op); }
  /// Emits a linalg op of the block.
  mlir::LogicalResult emit(mlir::linalg::LinalgOp op);
  /// Stores the tile that `insert` inserts; `view` is the tile's memory.
  mlir::LogicalResult store(mlir::tensor::ParallelInsertSliceOp insert,
                            const MemoryView &view);

private:
  friend class ReductionStage;
  friend class StageWalk;

  /// Keeps the results of an elementwise op in shared memory.
  mlir::LogicalResult keep(mlir::linalg::LinalgOp op);
  /// Shared memory for a tensor of at most `extents`.
  MemoryView allocate(mlir::Type element, llvm::ArrayRef<int64_t> extents);
  /// Of the threads that have the same elements, this one is the first.
  mlir::Value isFirst(const StageLayout &layout);

  /// Emits before the stage's loops, so that later stages can use it.
  mlir::Value atTop(llvm::function_ref<mlir::Value()> make);
  // The same value whenever the same is asked for.
  mlir::Value getDigit(int64_t stride, int64_t count);
  mlir::Value getIndex(const LoopLayout &loop, int64_t step);
  mlir::Value isInside(mlir::Value index, mlir::Value size);
  mlir::Value both(mlir::Value lhs, mlir::Value rhs);

  KernelState &state;
  ElementReader &reader;
  StagePlan plan;
  /// The block that all stages are in.
  mlir::Block *top;
  std::map<std::array<int64_t, 4>, mlir::Value> indices;
  std::map<std::array<const void *, 3>, mlir::Value> conditions;
};

/// The loops of a stage, partly written out. Which are loops is decided here.
class StageWalk {
public:
  /// `sizes` are those of the stage's loops; `serial` ones are those that a
  /// thread reduces in order.
  StageWalk(StageEmitter &stages, mlir::Operation *stage,
            llvm::ArrayRef<mlir::Value> sizes,
            const llvm::SmallBitVector &serial);

  /// Whether a loop is emitted for this one.
  bool isRolled(unsigned loop) const {
    return unrolled[loop] < layout.loops[loop].countSteps();
  }
  /// Emits a loop for each of `loops` that is rolled, which carries `values`,
  /// and `body` inside.
  mlir::LogicalResult
  forEachRolled(llvm::ArrayRef<unsigned> loops,
                llvm::SmallVectorImpl<mlir::Value> &values,
                llvm::function_ref<mlir::LogicalResult()> body);
  /// The points of `loops` that are written out in an iteration of the rolled
  /// ones around.
  llvm::SmallVector<StagePoint> getPoints(llvm::ArrayRef<unsigned> loops);
  /// The point of two that are of different loops.
  StagePoint join(const StagePoint &lhs, const StagePoint &rhs);

private:
  StageEmitter &stages;
  const StageLayout &layout;
  /// A few elements at a time, so that none are left over in registers.
  const bool keepsNothing;
  llvm::SmallVector<mlir::Value> sizes;
  llvm::SmallVector<int64_t> unrolled;
  /// What the rolled loops around add to the places of each loop.
  llvm::SmallVector<mlir::Value> bases;
};

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_STAGEEMITTER_H
