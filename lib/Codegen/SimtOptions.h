//===- SimtOptions.h - How an op is shared by the threads of a block *- C++
//-*-===//
//
// Reads the attribute `sched.simt` of an op of the payload. Every key may be
// left out: an emitter has a default for each. What is wrong in itself (an
// unknown key, a number out of its domain) is reported here; what does not fit
// the op's tile, by the emitter that knows it.
//
// Read next: KernelState.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_SIMTOPTIONS_H
#define SCHEDOPT_LIB_CODEGEN_SIMTOPTIONS_H

#include "mlir/IR/Operation.h"
#include <optional>

namespace sched {

struct SimtOptions {
  static constexpr llvm::StringLiteral name = "sched.simt";
  enum class Keep { Default, Registers, Shared, Recompute, Memory };
  enum class Mma { None = 0, Half = 1, Tf32 = 2 };

  /// Of contractions: [rows, columns]. Of other ops: a number for each loop.
  llvm::SmallVector<int64_t> threads;
  // Contractions: [rows, columns]. Columns are the loops of the operand that
  // has the result's innermost dimension of more than one element, rows those
  // of the other; batches belong to neither.
  llvm::SmallVector<int64_t> vthreads, tile, warps;
  llvm::SmallVector<int64_t> fetch, pad, transpose;
  /// How many rows of blocks are taken together, and how many blocks a row of
  /// the grid has.
  llvm::SmallVector<int64_t> raster;
  std::optional<int64_t> stages, unroll;
  /// Of matrix instructions: warps that share the steps of a tile.
  std::optional<int64_t> slices;
  bool async = true;
  Mma mma = Mma::None;
  // Other ops; a contraction with `vector` is one of them.
  std::optional<int64_t> vector;
  /// Loop that vectors are along.
  std::optional<int64_t> along;
  Keep keep = Keep::Default;
  // Loops over blocks, or an op of them: of a thread.
  std::optional<int64_t> maxRegisters;

  /// Of an op without the attribute: all defaults. An error is reported.
  static mlir::FailureOr<SimtOptions> get(mlir::Operation *op);
  /// The key `keep` alone; what is no such word is reported by get().
  static Keep getKeep(mlir::Operation *op);
  /// Threads that the op asks for (32 for each warp of a slice), if it says.
  std::optional<int64_t> countThreads() const;
};

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_SIMTOPTIONS_H
