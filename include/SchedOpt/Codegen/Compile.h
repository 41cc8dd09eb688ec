//===- Compile.h - From MLIR to objects and assembly ------------*- C++ -*-===//
//
// In process, for the host or any other target of libLLVM. Read next: JIT.h,
// which loads an object, and Header.h, which declares it to C.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CODEGEN_COMPILE_H
#define SCHEDOPT_CODEGEN_COMPILE_H

#include "SchedOpt/Support/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace sched {

/// Registers the dialects, interfaces and translations that the path needs.
void registerCodegenDialects(mlir::DialectRegistry &registry);

/// Raised when the code that a script becomes changes, or how it is timed, so
/// that what was measured before is not taken for it.
constexpr int kCodeVersion = 69;

struct CompileOptions {
  /// LLVM's optimisation level, 0 to 3.
  int optLevel = 3;
  /// Threads of a parallel loop.
  int threads = 1;
  /// Also emit `_sched_packed_F(void **)` for each public function F, which
  /// calls F with the pointers of the array: what KernelLibrary looks up.
  bool packedWrapper = false;
  /// Verify the IR after each pass.
  bool verify = false;
};

/// Wall seconds of each phase.
struct CompileTimes {
  double lower = 0, translate = 0, optimize = 0, codegen = 0;
};

enum class CodeFile { Object, Assembly };

/// Lowers `module` (functions on tensors) to LLVM IR, optimised for `target`.
/// The module is consumed. Diagnostics become the error's text.
llvm::Expected<std::unique_ptr<llvm::Module>>
compileToLLVM(mlir::ModuleOp module, llvm::LLVMContext &context,
              const Target &target, const CompileOptions &options,
              CompileTimes *times = nullptr);

/// Emits an object or assembly for `target`.
llvm::Error emitCode(llvm::Module &module, const Target &target, CodeFile kind,
                     int optLevel, llvm::SmallVectorImpl<char> &output);

/// Both in one.
llvm::Error compileToObject(mlir::ModuleOp module, const Target &target,
                            const CompileOptions &options,
                            llvm::SmallVectorImpl<char> &object,
                            CompileTimes *times = nullptr);

} // namespace sched

#endif // SCHEDOPT_CODEGEN_COMPILE_H
