//===- StageLayout.h - Which thread computes which elements -----*- C++ -*-===//
//
// The stages of a block are the ops that its threads compute together, other
// than contractions: reductions, elementwise ops that are kept in shared
// memory, and the tiles that the block stores. The elements of a stage's loops
// are dealt out to threads, loop by loop. Loops of several stages that go
// through the same dimension of tensors are dealt out alike, so that a thread
// finds in its registers what it computed in an earlier stage.
//
// Read next: StageKeeping.cpp (what stays where), StageEmitter.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_STAGELAYOUT_H
#define SCHEDOPT_LIB_CODEGEN_STAGELAYOUT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace sched {

/// How one loop is dealt out. Thread t of the block takes, in step s, the
/// elements ((s * threads + (t / stride) % threads) * vector) and the
/// `vector` - 1 after it.
struct LoopLayout {
  /// Elements at most; a block at the edge of a tensor has fewer.
  int64_t extent = 1;
  int64_t threads = 1, stride = 1, vector = 1;

  int64_t countSteps() const {
    return (extent + threads * vector - 1) / (threads * vector);
  }
  bool operator==(const LoopLayout &other) const {
    return extent == other.extent && threads == other.threads &&
           (threads == 1 || stride == other.stride) && vector == other.vector;
  }
};

struct StageLayout {
  llvm::SmallVector<LoopLayout, 4> loops;
  /// The loop whose vectors are of more than one element, or -1.
  int64_t getVectorLoop() const;
  int64_t getWidth() const;
  /// Elements that a thread has at most.
  int64_t countElements() const;
  /// Whether each loop has a digit of a thread's number of its own, so that
  /// there is a thread for each combination of their elements.
  bool hasOwnDigits() const;
  /// Threads that differ in these digits of their number have the same
  /// elements: (t / stride) % count.
  struct Digit {
    int64_t stride, count;
  };
  llvm::SmallVector<Digit, 4> getDuplicates(int64_t blockSize) const;
};

/// A step of a reduction for which partial results can be combined.
struct Combiner {
  mlir::Operation *op;
  mlir::TypedAttr neutral;
};
/// One for each result of `op`; none where the result depends on the order of
/// its elements, for all that is known.
llvm::SmallVector<Combiner> matchCombiners(mlir::linalg::LinalgOp op);

/// Whether threads compute `op` together, and its result is not just inlined.
bool isStage(mlir::Operation *op);

struct StagePlan {
  /// Of the block's stages: linalg ops and tensor.parallel_insert_slice. The
  /// loops of the latter are the dimensions of the tile.
  llvm::DenseMap<mlir::Operation *, StageLayout> layouts;
  /// Reductions whose results every reader finds in its own registers.
  llvm::SmallPtrSet<mlir::Operation *, 4> inRegisters;
  /// Loops of a stage that have to be written out: by them it finds what is in
  /// registers. Of each stage.
  llvm::DenseMap<mlir::Operation *, llvm::SmallBitVector> writtenOut;
  /// Stages that read what is not to be kept, but computed again: they go
  /// through their other loops a few elements at a time, so that nothing is
  /// left over in registers.
  llvm::SmallPtrSet<mlir::Operation *, 4> inLoops;
  /// A multiple of 32; 0: there is no stage.
  int64_t blockSize = 0;
};

/// Elements of a thread that are computed without a loop, and kept.
int64_t getUnrollLimit(int64_t blockSize);

/// A loop of an op, or a dimension of a tensor.
using LoopNode = std::pair<const void *, int64_t>;
/// Loop `number` of a stage. The loops of a store are its tile's dimensions.
LoopNode getLoopNode(mlir::Operation *stage, int64_t number);

/// Decides which results stay in registers, by what the block's ops say in
/// `keep` and by how their readers are dealt out. `getLeader` gives one node of
/// those that go through the same dimension. Fails where `keep` asks for what
/// cannot be, which is reported.
mlir::LogicalResult
keepResults(mlir::scf::ForallOp loop, StagePlan &plan,
            llvm::function_ref<LoopNode(LoopNode)> getLeader);

/// Fails where `sched.simt` of a stage does not fit it, which is reported.
mlir::FailureOr<StagePlan> planStages(mlir::scf::ForallOp loop);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_STAGELAYOUT_H
