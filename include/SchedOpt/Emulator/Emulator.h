//===- Emulator.h - Runs kernels without a GPU ------------------*- C++ -*-===//
//
// Executes the LLVM IR of NVPTX kernels on the CPU, as it is handed to the
// assembler: every thread of every block, with barriers, shared memory,
// shuffles, asynchronous copies and matrix instructions, and reports what a GPU
// would let pass or fault on. May use Codegen's launch plans and Support.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_EMULATOR_EMULATOR_H
#define SCHEDOPT_EMULATOR_EMULATOR_H

#include "SchedOpt/Codegen/LaunchPlan.h"
#include "SchedOpt/Support/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace sched {

struct EmulationReport {
  /// Instructions that threads executed, summed over all launches.
  uint64_t threadInstructions = 0;
  double seconds = 0;
};

/// Runs the launches of `function` in order. `arguments` are the bytes of its
/// inputs and results (LaunchFunction::buffers without scratch), of the sizes
/// that it says. An error is the first of: access out of bounds, misaligned
/// access, read of shared memory that nobody wrote, race on shared memory
/// between barriers, barrier that not all threads of a block reach, launch
/// beyond the limits of `target`, an instruction that is not known; it names
/// the kernel, block, thread and instruction.
llvm::Expected<EmulationReport>
emulate(const llvm::Module &module, const LaunchFunction &function,
        llvm::ArrayRef<llvm::MutableArrayRef<char>> arguments,
        const Target &target);

} // namespace sched

#endif // SCHEDOPT_EMULATOR_EMULATOR_H
