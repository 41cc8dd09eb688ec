//===- SplitSums.h - Large sums in two steps --------------------*- C++ -*-===//
//
// A reduction of many elements to few has work for few blocks of threads. In
// two steps it has enough: many blocks add up a part each, and a second kernel
// adds up their sums. What makes kernels of ops that no schedule has tied uses
// it (BindBlocks.cpp), and so does what cuts a module into tasks for a GPU.
//
// Read next: lib/Codegen/BlockGroups.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CODEGEN_SPLITSUMS_H
#define SCHEDOPT_CODEGEN_SPLITSUMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLFunctionalExtras.h"

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

/// Takes the large reductions of `block` in two steps that `accepts` does not
/// refuse: those of at least 2^18 elements to less than 32 points. Elementwise
/// ops that feed one of them alone become part of its first step.
llvm::SmallVector<SplitSum> splitLargeSums(
    mlir::RewriterBase &rewriter, mlir::Block &block,
    llvm::function_ref<bool(mlir::linalg::LinalgOp, SumShape)> accepts =
        [](mlir::linalg::LinalgOp, SumShape) { return true; });

} // namespace sched

#endif // SCHEDOPT_CODEGEN_SPLITSUMS_H
