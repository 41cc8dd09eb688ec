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

#include "SchedOpt/Measure/TensorSpec.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace sched::run {

struct FunctionInfo {
  std::string name;
  /// Arguments, then results.
  std::vector<TensorSpec> tensors;
  /// Sum of the lengths of the reductions, for the tolerance of the check.
  int64_t reductionLength = 1;
  /// Arithmetic operations of a call: those in the bodies of the linalg ops,
  /// times their iterations. 0 where there is none, as in scheduled code.
  double flops = 0;
};

/// Describes public function `entry`; with "", the only one. Fails when there
/// is none (and names those there are), or when a tensor of its signature has
/// no static shape or an element type that cannot be filled.
llvm::Expected<FunctionInfo> describeEntry(mlir::ModuleOp module,
                                           llvm::StringRef entry);

/// Applies `@__transform_main` of the script `text` to `payload`, whose tasks
/// are outlined for it where it names functions that are not there. `name` is
/// what diagnostics call it; they go to the context's handler.
llvm::Error applyScript(mlir::ModuleOp payload, llvm::StringRef text,
                        llvm::StringRef name);

} // namespace sched::run

#endif // SCHEDOPT_TOOLS_SCHED_RUN_PAYLOAD_H
