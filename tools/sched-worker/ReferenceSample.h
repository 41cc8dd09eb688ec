//===- ReferenceSample.h - A part of what is expected -----------*- C++ -*-===//
//
// What is too much to compute as it is gets a schedule for the CPU before
// others are compared with its results. That schedule is not believed blindly:
// parts of the results are computed without it, too.
//
// Read next: Builder.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_WORKER_REFERENCESAMPLE_H
#define SCHEDOPT_TOOLS_SCHED_WORKER_REFERENCESAMPLE_H

#include "SchedOpt/Measure/TensorSpec.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace sched::worker {

/// A function that computes some elements of each result alone, next to each
/// other in row-major order.
struct ReferenceSample {
  llvm::SmallVector<char, 0> object;
  /// Arguments, then results.
  std::vector<TensorSpec> tensors;
  /// Of each result: the first of these elements.
  llvm::SmallVector<int64_t> firsts;
};

/// Lets `function` return a `share` of each of its results and compute no more
/// than it takes: what begins at `position` of what may come before, 0 the
/// first elements, 1 the last ones. The first element of each result; fails
/// where that is not much less than all of it, and the function is not to be
/// used then.
mlir::FailureOr<llvm::SmallVector<int64_t>>
takeSample(mlir::func::FuncOp function, double share, double position);

} // namespace sched::worker

#endif // SCHEDOPT_TOOLS_SCHED_WORKER_REFERENCESAMPLE_H
