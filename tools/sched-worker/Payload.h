//===- Payload.h - What the worker reads off a payload ----------*- C++ -*-===//

#ifndef SCHEDOPT_TOOLS_SCHED_WORKER_PAYLOAD_H
#define SCHEDOPT_TOOLS_SCHED_WORKER_PAYLOAD_H

#include "SchedOpt/Measure/Protocol.h"
#include "SchedOpt/Support/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace sched::worker {

/// The public function `name` with a body; with "", the only one.
llvm::Expected<mlir::func::FuncOp> findFunction(mlir::ModuleOp module,
                                                llvm::StringRef name);

/// Name, tensors, and how results round where candidates are for `target`.
/// Fails on anything but static ranked tensors of element types that TensorSpec
/// knows.
llvm::Expected<ReferenceAnswer> describePayload(mlir::func::FuncOp function,
                                                const Target &target);

/// Success when this machine runs code for `target`: the architecture is its
/// own and it has every instruction set that the target has.
llvm::Error checkRunsHere(const Target &target);

} // namespace sched::worker

#endif // SCHEDOPT_TOOLS_SCHED_WORKER_PAYLOAD_H
