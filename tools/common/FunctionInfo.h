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
  /// Arguments, then results; of these it says how they round (Rounding.h).
  std::vector<TensorSpec> tensors;
};

/// Fails on anything but tensors of static shape whose element types TensorSpec
/// knows. `allowsTensorFloat`: scheduled, it may round operands of products to
/// tf32 (Support/TensorFloat.h).
llvm::Expected<FunctionInfo> describeFunction(mlir::func::FuncOp function,
                                              bool allowsTensorFloat = false);

/// Removes from `module` what its function `name` does not call: that need not
/// be code that can be compiled.
mlir::LogicalResult keepOnly(mlir::ModuleOp module, llvm::StringRef name);

} // namespace sched

#endif // SCHEDOPT_TOOLS_COMMON_FUNCTIONINFO_H
