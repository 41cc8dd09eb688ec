//===- KernelRules.h - Rules for GPUs ---------------------------*- C++ -*-===//
//
// One rule a way to share a task among the threads of blocks. Read next:
// KernelWriter.h (the pieces of the sketches), then
// Dialect/Schedule/IR/ScheduleKernelOps.td (what they are made of).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_GPU_KERNELRULES_H
#define SCHEDOPT_LIB_SPACE_GPU_KERNELRULES_H

#include "SchedOpt/Space/SketchRule.h"

namespace sched {

/// A contraction in tiles that go through shared memory; each thread multiplies
/// a tile of its own.
std::unique_ptr<SketchRule> createThreadTilesRule();
/// The same with matrix instructions, of f16 or bf16 with f32 sums.
std::unique_ptr<SketchRule> createMatrixTilesRule();
/// Reductions whose elements several threads share, and what goes with them.
std::unique_ptr<SketchRule> createThreadRowsRule();
/// Each thread has results of its own: elementwise code, windows.
std::unique_ptr<SketchRule> createThreadPointsRule();

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_GPU_KERNELRULES_H
