//===- Payload.h - The function to time -------------------------*- C++ -*-===//
//
// What sched-run reads off its input: which function, its tensors, how much it
// computes. And how a script is applied to it.
//
// Read next: Kernel.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_RUN_PAYLOAD_H
#define SCHEDOPT_TOOLS_SCHED_RUN_PAYLOAD_H

#include "../common/FunctionInfo.h"
#include "SchedOpt/Support/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace sched::run {

struct RunInfo : FunctionInfo {
  /// Arithmetic operations of a call, as countFlops (Space/Task.h) counts them.
  /// 0 where the function has no linalg op, as in scheduled code.
  double flops = 0;
};

/// Describes public function `entry`; with "", the only one. Fails when there
/// is none (and names those there are), or when a tensor of its signature has
/// no static shape or an element type that cannot be filled.
/// `allowsTensorFloat`: as describeFunction.
llvm::Expected<RunInfo> describeEntry(mlir::ModuleOp module,
                                      llvm::StringRef entry,
                                      bool allowsTensorFloat);

/// Applies `@__transform_main` of the script `text` to `payload`, whose tasks
/// are outlined for it if it `isOfTasks`, or names functions that are not
/// there. `name` is what diagnostics call it; they go to the context's handler.
/// `target`: what the script is for.
llvm::Error applyScript(mlir::ModuleOp payload, llvm::StringRef text,
                        llvm::StringRef name, bool isOfTasks,
                        const Target &target);

} // namespace sched::run

#endif // SCHEDOPT_TOOLS_SCHED_RUN_PAYLOAD_H
