//===- BlockEmitter.h - The code of one block of a kernel -------*- C++ -*-===//
//
// Walks the body of a loop over blocks. Scalars are computed where they stand;
// stages (emitStage) are emitted in order; what is left is stored: the tiles
// that the block inserts into its results, each computed in the registers'
// order of the stage that it comes from, or as StageLayout.h deals them out.
//
// Read next: KernelState.h (how to add an op), ContractionEmitter.h,
// StageEmitter.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_BLOCKEMITTER_H
#define SCHEDOPT_LIB_CODEGEN_BLOCKEMITTER_H

#include "StageEmitter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace sched {

class BlockEmitter {
public:
  BlockEmitter(KernelState &state, ElementReader &reader)
      : state(state), reader(reader) {}

  /// The loop's variables are in `state.scalars`, its results in
  /// `state.memory`: as what they are after it, by the loop's OpResult.
  mlir::LogicalResult emit(mlir::scf::ForallOp loop);

  /// Threads that a loop's stages ask for: the most, or 256.
  static mlir::FailureOr<int64_t> getBlockSize(mlir::scf::ForallOp loop);

private:
  /// Emits an op that needs all threads; nothing for one whose elements the
  /// reader can compute.
  mlir::LogicalResult emitStage(mlir::Operation *op);
  mlir::LogicalResult moveToShared(mlir::Value tensor);
  mlir::LogicalResult emitStore(mlir::tensor::ParallelInsertSliceOp insert);
  /// The tile's elements where the registers of a stage have them.
  mlir::LogicalResult storeRegisters(mlir::tensor::ParallelInsertSliceOp insert,
                                     const MemoryView &view, mlir::Value stage,
                                     mlir::AffineMap map);

  KernelState &state;
  ElementReader &reader;
  std::optional<StageEmitter> stages;
};

/// Stores lanes, one by one where the buffer has them apart.
void storeLanes(KernelState &state, ElementReader &reader,
                const MemoryView &view, llvm::ArrayRef<mlir::Value> indices,
                Lanes lanes, mlir::Value elements);

/// Runs `body` where `guard` holds.
mlir::LogicalResult emitWhere(KernelState &state, mlir::Value guard,
                              llvm::function_ref<mlir::LogicalResult()> body);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_BLOCKEMITTER_H
