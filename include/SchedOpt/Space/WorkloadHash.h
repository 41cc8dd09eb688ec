//===- WorkloadHash.h - The key of a workload -------------------*- C++ -*-===//
//
// Records are found by what a task computes. Two tasks with the same key have
// the same schedules with the same legality: op kinds, bodies, indexing maps,
// shapes, element types, scalar constants and free layouts are in the key;
// names, locations, SSA numbers, discardable attributes, the order of
// arguments, and the contents of constant tensors are not.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SPACE_WORKLOADHASH_H
#define SCHEDOPT_SPACE_WORKLOADHASH_H

#include "SchedOpt/Space/Task.h"
#include <string>

namespace sched {

/// Canonical text of what `function`, a task's, computes: one line an op.
/// Constants and empty tensors are written where they are used, so that merging
/// or moving them changes nothing.
std::string writeWorkloadKey(mlir::func::FuncOp function);

/// 16 hexadecimal digits: the first 64 bits of the SHA-256 of the key and of
/// what `more` says of the workload. The same in every process and on every
/// platform.
std::string hashWorkload(mlir::func::FuncOp function,
                         llvm::StringRef more = "");

/// Readable form, such as "matmul_1024x1024x1024_f32+add(layout-free rhs)":
/// producers, extents m x n x k, element types, epilogues, and in parentheses
/// what else sets the task apart. Not unique.
std::string describeWorkload(const Task &task);

} // namespace sched

#endif // SCHEDOPT_SPACE_WORKLOADHASH_H
