//===- SplitSums.h - Large sums in two steps --------------------*- C++ -*-===//
//
// A reduction of many elements to few has work for few blocks of threads. In
// two steps it has enough: many blocks add up a part each, and a second kernel
// adds up their sums. What makes kernels of ops that no schedule has tied uses
// it (BindBlocks.cpp), and so does what cuts a module into tasks for a GPU. On
// a CPU, the sum of columns that do not fill vectors is taken so
// (FewColumnSums.cpp).
//
// Read next: lib/Codegen/BlockGroups.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CODEGEN_SPLITSUMS_H
#define SCHEDOPT_CODEGEN_SPLITSUMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace sched {

/// Elements that a point of the result takes, and points.
struct SumShape {
  int64_t points = 1, steps = 1;
};

/// A sum in two steps.
struct SplitSum {
  /// What parts of one size leave over, which the rest starts from; or null.
  mlir::linalg::LinalgOp rest;
  /// Adds up parts, and their sums.
  mlir::linalg::LinalgOp parts, whole;
};

/// Pulls the ops without reductions that only `op` reads, in its own block and
/// by a permutation of all loops, into it, if `accepts` does not refuse what it
/// reads of them; and then those that these read. Between them and `op` is a
/// reshape later. What it became.
mlir::linalg::LinalgOp takeProducers(
    mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
    llvm::function_ref<bool(mlir::OpOperand &)> accepts =
        [](mlir::OpOperand &) { return true; });

/// Makes neighbouring reductions of `op` one, where operands allow; what it
/// became.
mlir::linalg::LinalgOp joinReductions(mlir::RewriterBase &rewriter,
                                      mlir::linalg::LinalgOp op);

/// The parts of a sum that is taken in two steps.
struct SumParts {
  int64_t count;
  /// How many of its elements they add up, from the first on: a multiple of
  /// their number. The others are added up before all else.
  int64_t steps;
  /// Each part has every `count`-th of these elements, and not a row of them:
  /// the parts' loop is inside of the reduction.
  bool areInterleaved = false;
  /// The dimension of the parts in their result; by default where the reduction
  /// is in what is read.
  std::optional<unsigned> place = std::nullopt;
};

/// Takes `op`, of static shape, with one result, one reduction loop and
/// operands that are indexed by loops, in two steps; none if it is no reduction
/// in any order. Even then there may be an op for the rest, and another in its
/// place.
std::optional<SplitSum> splitSum(mlir::RewriterBase &rewriter,
                                 mlir::linalg::LinalgOp op,
                                 const SumParts &parts);

/// Takes the large reductions of `block` in two steps that `accepts` does not
/// refuse: those of at least 2^18 elements to less than 32 points. Elementwise
/// ops that feed one of them alone become part of its first step.
llvm::SmallVector<SplitSum> splitLargeSums(
    mlir::RewriterBase &rewriter, mlir::Block &block,
    llvm::function_ref<bool(mlir::linalg::LinalgOp, SumShape)> accepts =
        [](mlir::linalg::LinalgOp, SumShape) { return true; });

} // namespace sched

#endif // SCHEDOPT_CODEGEN_SPLITSUMS_H
