//===- NVVM.h - From a scheduled payload to kernels and PTX -----*- C++ -*-===//
//
// The second code generator. Like the first (CPU.h) it knows nothing of
// schedules: its input is any module of public functions on tensors of static
// shape. Loops that are mapped to blocks become kernels; what is mapped to
// nothing is bound to blocks and threads here.
//
// Read next: Toolkit.h (PTX to machine code), LaunchPlan.h (how to launch).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CODEGEN_NVVM_H
#define SCHEDOPT_CODEGEN_NVVM_H

#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Codegen/LaunchPlan.h"
#include "SchedOpt/Support/Target.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace sched {

struct LowerToNVVMOptions
    : public mlir::PassPipelineOptions<LowerToNVVMOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("GPU that the kernels are for, such as sm_80 or sm_90a"),
      llvm::cl::init("sm_80")};
};

/// Appends the passes of `sched-lower-to-nvvm`: module of functions on tensors
/// to a gpu.module in the LLVM dialect and functions that launch its kernels.
void buildLowerToNVVMPipeline(mlir::OpPassManager &pm,
                              const LowerToNVVMOptions &options);

/// Fails, with an error at its place, where `module` has what no kernel
/// computes whatever its schedule, such as a loop of a function around ops on
/// tensors.
mlir::LogicalResult checkKernelInput(mlir::ModuleOp module);

/// Kernels as LLVM IR for NVPTX, optimised, and how to launch them.
struct DeviceCode {
  std::unique_ptr<llvm::Module> module;
  LaunchPlan plan;
};

/// Lowers `module` (functions on tensors, or kernels and functions that launch
/// them, as sched-form-kernels leaves them). The module is consumed.
/// Diagnostics become the error's text. A kernel beyond the limits of `target`
/// is an error with the code value_too_large.
llvm::Expected<DeviceCode> compileToDevice(mlir::ModuleOp module,
                                           llvm::LLVMContext &context,
                                           const Target &target,
                                           const CompileOptions &options,
                                           CompileTimes *times = nullptr);

/// PTX for `target`.
llvm::Expected<std::string> emitPTX(llvm::Module &module, const Target &target);

} // namespace sched

#endif // SCHEDOPT_CODEGEN_NVVM_H
