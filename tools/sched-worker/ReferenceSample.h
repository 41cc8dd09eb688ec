//===- ReferenceSample.h - A part of what is expected -----------*- C++ -*-===//
//
// What is too much to compute as it is gets a schedule for the CPU before
// kernels of a GPU are compared with its results. That schedule is not believed
// blindly: a part of the results is computed without it, too.
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

/// A function that computes the last elements of each result alone, row-major;
/// no object where there is none.
struct ReferenceSample {
  llvm::SmallVector<char, 0> object;
  /// Arguments, then results.
  std::vector<TensorSpec> tensors;
};

/// Lets `function` return a `share` of each of its results, the last elements,
/// and compute no more than it takes. Fails where that is not much less than
/// all of it; the function is not to be used then.
llvm::LogicalResult takeSample(mlir::func::FuncOp function, double share);

} // namespace sched::worker

#endif // SCHEDOPT_TOOLS_SCHED_WORKER_REFERENCESAMPLE_H
