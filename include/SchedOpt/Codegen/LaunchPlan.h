//===- LaunchPlan.h - How the kernels of a function are launched -*- C++
//-*-===//
//
// What a caller of PTX or of a cubin has to know: for each function of the
// input its buffers and its kernel launches, in order. Plain data, and JSON
// (`--emit-launch`); the emulator, the CUDA worker and users all launch by it.
// LLVM only but for `getLaunchPlan`.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CODEGEN_LAUNCHPLAN_H
#define SCHEDOPT_CODEGEN_LAUNCHPLAN_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sched {

/// Memory that a kernel is given a pointer to.
struct LaunchBuffer {
  /// The caller's inputs and results, and memory that holds nothing before and
  /// after the call.
  enum class Role : uint8_t { Input, Output, Scratch };
  Role role = Role::Input;
  /// Shape and element, as MLIR prints a tensor: "tensor<16x16xf32>".
  std::string type;
  uint64_t bytes = 0;
  /// Which the pointer must have; bytes.
  uint32_t alignment = 16;
};

/// Launches of one function run one after another.
struct KernelLaunch {
  std::string kernel;
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  /// Dynamic shared memory of a block.
  uint32_t sharedBytes = 0;
  /// Positions in LaunchFunction::buffers; one pointer each.
  llvm::SmallVector<uint32_t> arguments;
};

struct LaunchFunction {
  std::string name;
  /// Inputs, results, then scratch.
  std::vector<LaunchBuffer> buffers;
  std::vector<KernelLaunch> launches;
};

struct LaunchPlan {
  /// The chip that the code is for, such as "sm_90a".
  std::string chip;
  std::vector<LaunchFunction> functions;

  const LaunchFunction *find(llvm::StringRef function) const;
};

/// Of a module of kernels and the functions that launch them (the output of
/// sched-form-kernels).
llvm::Expected<LaunchPlan> getLaunchPlan(mlir::ModuleOp module,
                                         llvm::StringRef chip);

llvm::json::Value toJSON(const LaunchPlan &plan);
/// An error says what is missing or of another kind, and where.
llvm::Expected<LaunchPlan> parseLaunchPlan(llvm::StringRef text);

} // namespace sched

#endif // SCHEDOPT_CODEGEN_LAUNCHPLAN_H
