//===- ThreadReduction.h - Partial results of threads, combined -*- C++ -*-===//
//
// Threads that have shared a reduction have a partial result each. Within a
// warp they exchange them by shuffles, in pairs, so that all get the same
// result; warps exchange theirs through shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_THREADREDUCTION_H
#define SCHEDOPT_LIB_CODEGEN_THREADREDUCTION_H

#include "ElementReader.h"
#include "StageLayout.h"

namespace sched {

/// Combines two partial results; the second one's elements come later.
using CombineFn =
    llvm::function_ref<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
        llvm::ArrayRef<mlir::Value> first, llvm::ArrayRef<mlir::Value> second)>;

/// Replaces each of `partials`, a list of scalars or vectors that go together,
/// by the combination over the threads of `loops`: all of these threads have
/// it. Threads from number `used` on repeat what the first ones do: no digit of
/// the op's loops is above. `isRepeated`: the code is in a loop of the kernel.
mlir::LogicalResult
combineThreads(KernelState &state, ElementReader &reader,
               llvm::ArrayRef<LoopLayout> loops, int64_t used,
               llvm::MutableArrayRef<llvm::SmallVector<mlir::Value>> partials,
               bool isRepeated, CombineFn combine);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_THREADREDUCTION_H
