//===- BlockGroups.h - What one kernel computes by default ------*- C++ -*-===//
//
// Ops that no schedule has tied to blocks of threads are grouped: a root, whose
// result goes to memory, with the producers that feed nothing else and that a
// block can compute for its tile of the root. BindBlocks.cpp makes a loop over
// blocks of each group.
//
// Read next: BindBlocks.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_BLOCKGROUPS_H
#define SCHEDOPT_LIB_CODEGEN_BLOCKGROUPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace sched {

/// How the elements of an op's result depend on its operands.
enum class BlockWork : uint8_t {
  /// No loop of the op is a reduction.
  Map,
  /// See ContractionLoops.h.
  Contraction,
  /// A reduction over windows that overlap or lie side by side.
  Window,
  /// Any other reduction.
  Reduction,
};

BlockWork getBlockWork(mlir::linalg::LinalgOp op);

/// Whether the computation of `op` takes no more instructions than a
/// multiplication or two, so that it may be repeated.
bool isCheap(mlir::linalg::LinalgOp op);

/// Whether readers compute the elements of `op` for themselves: it moves
/// elements, is a constant, or is marked `keep = "recompute"`.
bool isVirtual(mlir::Operation *op);

struct BlockGroup {
  mlir::linalg::LinalgOp root;
  /// Consumers before their producers.
  llvm::SmallVector<mlir::linalg::LinalgOp> producers;
  /// The root's loop that each loop of a member goes with, or -1.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<int64_t>> rootLoops;
  /// The root's loops that blocks may share.
  llvm::SmallBitVector shared;

  bool contains(mlir::Operation *op) const { return rootLoops.contains(op); }
  /// The member that does this kind of work, or null.
  mlir::linalg::LinalgOp find(BlockWork work) const;
  /// A size for each loop of the root; 0: it is not divided. At least one is
  /// not 0 where blocks may share a loop.
  llvm::SmallVector<int64_t> chooseTile() const;
};

/// Groups the linalg ops of `block` that are not virtual. Last roots first.
llvm::SmallVector<BlockGroup> groupForBlocks(mlir::Block &block);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_BLOCKGROUPS_H
