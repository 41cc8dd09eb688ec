//===- FunctionInfo.h - What a tool calls of a payload ----------*- C++ -*-===//
//
// Finds the function to build and run, and describes it: what sched-run and
// sched-worker both have to know of a payload.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_COMMON_FUNCTIONINFO_H
#define SCHEDOPT_TOOLS_COMMON_FUNCTIONINFO_H

#include "SchedOpt/Measure/TensorSpec.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace sched {

struct EntryLookup {
  /// Null unless exactly one function fits.
  mlir::func::FuncOp function;
  /// All public functions with a body, for a message: "@f, @g".
  std::string names;
};

/// Looks for the public function `name` with a body; with "", for the only one.
EntryLookup findEntry(mlir::ModuleOp module, llvm::StringRef name);

struct FunctionInfo {
  std::string name;
  /// Arguments, then results.
  std::vector<TensorSpec> tensors;
  /// Sum over the ops of the loop extents of their reductions, for the
  /// tolerance of a check; at least 1.
  int64_t reductionLength = 1;
  /// Of the float types that it rounds to, the one with the fewest digits: a
  /// result of f64 has no more of them than the f32 that it was computed in.
  std::optional<ElementType> precision;
};

/// Fails on anything but tensors of static shape whose element types TensorSpec
/// knows.
llvm::Expected<FunctionInfo> describeFunction(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_TOOLS_COMMON_FUNCTIONINFO_H
