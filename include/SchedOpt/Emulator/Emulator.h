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
#include <string>

namespace sched {

/// How the accesses of warps use memory.
struct MemoryTraffic {
  /// Accesses of shared memory, of at most 128 bytes each, and the turns that
  /// they take: as many where no two lanes want different words of one bank.
  uint64_t sharedAccesses = 0, sharedTurns = 0;
  /// Bytes of global memory that lanes access, and the sectors of 32 bytes that
  /// are moved for each access of a warp. There is no cache.
  uint64_t globalBytes = 0, globalSectors = 0;
};

struct EmulationReport {
  /// Instructions that threads executed, summed over all launches: those of
  /// LLVM IR, where an operation on vectors counts once an element, an access
  /// of memory once, and nothing what is free on a machine: phis, building and
  /// indexing vectors, offsets that an access adds by itself.
  uint64_t threadInstructions = 0;
  double seconds = 0;
  /// Where EmulationOptions ask for it.
  MemoryTraffic traffic;
  /// The first read of shared memory that no thread wrote, in words, where
  /// EmulationOptions allows them; "" if there was none.
  std::string firstUnwrittenRead;
};

struct EmulationOptions {
  /// Lets threads read shared memory that no thread of the block wrote, as the
  /// hardware does: they get bits that make no number, which show where they
  /// reach a result. Threads beyond the edge of a tile may read it and drop
  /// what they make of it.
  bool allowUnwrittenShared = false;
  bool countTraffic = false;
  /// More is an error: a loop that never ends.
  uint64_t maxThreadInstructions = UINT64_MAX;
};

/// Runs the launches of `function` in order. `arguments` are the bytes of its
/// inputs and results (LaunchFunction::buffers without scratch), of the sizes
/// that it says. An error is the first of: access out of bounds, misaligned
/// access, write to an input, read of memory that nobody wrote, race between
/// threads of a block without a barrier between or between blocks, asynchronous
/// copy that is read before it was waited for, barrier or operation of a warp
/// that not all its threads reach, byte of a result that nobody wrote, launch
/// beyond the limits of `target`, an instruction that is not known; it names
/// the kernel, block, thread and instruction. The results are the same in every
/// run.
llvm::Expected<EmulationReport>
emulate(const llvm::Module &module, const LaunchFunction &function,
        llvm::ArrayRef<llvm::MutableArrayRef<char>> arguments,
        const Target &target, const EmulationOptions &options = {});

} // namespace sched

#endif // SCHEDOPT_EMULATOR_EMULATOR_H
