//===- Target.h - What the code is for --------------------------*- C++ -*-===//
//
// Support: what every layer may use; LLVM only, no MLIR. A Target is a plain
// value: how LLVM names the machine, and the hardware parameters that sketches,
// model and code generator ask for. It is parsed from a short spec, so that one
// build of the project serves every machine; nothing is taken from the machine
// that compiled it.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SUPPORT_TARGET_H
#define SCHEDOPT_SUPPORT_TARGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace sched {

struct Target {
  enum class Kind { CPU, NVVM };
  Kind kind = Kind::CPU;
  /// LLVM's spelling. `features` is a list such as "+avx2,-avx512f", complete
  /// for `native`; of a GPU it is "+tf32" (TensorFloat.h) or empty.
  std::string triple, mcpu, features;
  /// Physical cores, and how many threads a schedule may use.
  int cores = 1, threads = 1;
  /// Width of a vector register in bytes, and how many there are.
  int vectorBytes = 16, vectorRegisters = 16;
  /// FMA (or add and multiply) instructions a cycle, and cycles of one.
  int fmaPorts = 2, fmaLatency = 4;
  bool hasFMA = true;
  /// Multiplies a vector by one element of another (AArch64): elements of the
  /// left-hand side come as vectors of several steps, not by broadcasts.
  bool byElement = false;
  /// Data caches of one core, and the shared last level; bytes.
  int64_t l1Bytes = 32 << 10, l2Bytes = 512 << 10, l3Bytes = 16 << 20;
  int cacheLineBytes = 64;
  /// Rough figures for the analytic model only.
  double clockGHz = 3.0, memoryGBs = 20.0;
  /// Likewise: bytes that a core gets of the last level a cycle, and whole
  /// vectors that it loads.
  double l3BytesPerCycle = 12;
  int vectorLoads = 2;

  /// What a GPU has besides l2Bytes, clockGHz and memoryGBs; `mcpu` is its
  /// chip, such as sm_90a. Nothing for a CPU.
  struct GPU {
    int multiprocessors = 108;
    /// Of a multiprocessor: 32-bit registers, bytes of shared memory, threads
    /// and blocks that are resident at most.
    int64_t registers = 65536, sharedBytes = 167936;
    int maxThreads = 2048, maxBlocks = 32;
    /// Of a block: threads, bytes of (dynamic) shared memory; of a thread:
    /// registers.
    int maxBlockThreads = 1024;
    int64_t maxBlockSharedBytes = 166912;
    int maxThreadRegisters = 255;
    int warp = 32;
    /// Products with an addition that a multiprocessor starts a cycle: of f32,
    /// and of f16 or bf16 by its matrix instructions.
    int floatLanes = 64, matrixLanes = 1024;
  };
  GPU gpu;

  /// Reads a spec: `native`, `cpu` (the same), or `cpu:key=value,...` with the
  /// keys mcpu, triple, features (separated by `;`), cores, threads, l1, l2, l3
  /// (bytes), vector-bytes (a power of two) and vector-registers. `threads`
  /// overrides the key; 0 leaves it alone, and without a key means one a core.
  /// A machine elsewhere has as many cores as threads unless the spec says so.
  /// A GPU is `nvvm:CHIP` or `nvvm:chip=CHIP,key=value,...` with the keys
  /// multiprocessors, shared and l2 (bytes; of a multiprocessor, and of all),
  /// registers, memory-gbs and features (+tf32); the rest is the chip's.
  /// An error says what was found, what was expected and what to do.
  static llvm::Expected<Target> parse(llvm::StringRef spec, int threads = 0);

  /// A spec that parses to the same target but for the threads, which vary with
  /// what is compiled rather than with the machine. The same on every machine
  /// of one kind, whatever its name; features are listed where they change the
  /// code and differ from what the processor usually has.
  std::string str() const;

  /// What the code generator may use of the target and this machine lacks, in
  /// LLVM's spelling and sorted. For targets of this machine's architecture.
  std::vector<std::string> getMissingFeatures() const;

  /// Vector registers that a register tile of so many rows keeps of its
  /// left-hand side, and loads ahead.
  int64_t countLhsRegisters(int64_t rows) const;

  /// Of these, the ones that LLVM's scheduler can do without for some
  /// processors and spills for others: what needs them is worth a measurement,
  /// not a guess.
  int64_t countSpareRegisters() const;

  /// Bytes of the smallest result that is stored past the last level instead of
  /// being kept there.
  int64_t getKeptBytes() const;
  /// The same where as many bytes are read, or up to twice as many.
  int64_t getKeptBesideBytes() const;
  /// Whether the last level is a server's: for many cores, and slow to answer.
  bool hasServerCache() const;
  /// Bytes of the smallest image that is fetched ahead.
  int64_t getNearBytes() const;
  /// The same where what is fetched is read much later.
  int64_t getFarBytes() const;

  /// Whether code for this target can run in this process.
  bool isHost() const;
};

/// Registers the code generators of libLLVM, once.
void initializeLLVMTargets();

} // namespace sched

#endif // SCHEDOPT_SUPPORT_TARGET_H
