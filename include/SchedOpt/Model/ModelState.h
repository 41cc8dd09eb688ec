//===- ModelState.h - State of the abstract interpreter ---------*- C++ -*-===//
//
// What the abstract interpreter knows while it runs a sketch: the program built
// so far, the expression of each parameter and the blocks of each handle. An op
// takes part through `LoopModelOpInterface` (LoopModelInterface.h).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_MODELSTATE_H
#define SCHEDOPT_MODEL_MODELSTATE_H

#include "SchedOpt/Model/ProgramBuilder.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace sched {

/// What a handle of the script stands for: blocks, or loops of the nest.
struct ModelHandle {
  llvm::SmallVector<uint16_t, 4> blocks;
  llvm::SmallVector<uint16_t, 4> loops;
};

class ModelState {
public:
  ProgramBuilder builder;

  /// Expression of a parameter; an error at `user` where it is not known.
  mlir::FailureOr<Expr> getParam(mlir::Operation *user,
                                 mlir::Value param) const;
  mlir::FailureOr<llvm::SmallVector<Expr>>
  getParams(mlir::Operation *user, mlir::ValueRange params) const;
  void setParam(mlir::Value param, Expr value) { params[param] = value; }
  /// For an op that changes no loop: what its parameters make of the program
  /// is not seen in the nest.
  void noteParams(mlir::Operation *op);

  const ModelHandle &getHandle(mlir::Value handle) const;
  void setHandle(mlir::Value handle, ModelHandle value) {
    handles[handle] = std::move(value);
  }

  /// Lets `to` be the parameter or handle that `from` is.
  void copyValue(mlir::Value from, mlir::Value to);

  /// The block of that name, or an error at `user`.
  mlir::FailureOr<uint16_t> getBlock(mlir::Operation *user,
                                     llvm::StringRef name) const;
  /// The blocks of those names.
  mlir::FailureOr<llvm::SmallVector<uint16_t>>
  getBlocks(mlir::Operation *user, llvm::ArrayRef<llvm::StringRef> names) const;
  /// The same, and last the block `root`.
  mlir::FailureOr<llvm::SmallVector<uint16_t>>
  getBlocks(mlir::Operation *user, mlir::ArrayAttr names,
            llvm::StringRef root) const;

  /// Dimension of the nest at position `dim` of the block's iteration space.
  uint8_t getDim(uint16_t block, unsigned dim) const {
    return builder.getBlock(block).dims[dim];
  }
  /// Wraps `blocks` in a loop; errors are reported at `user`.
  mlir::FailureOr<uint16_t> wrap(mlir::Operation *user,
                                 llvm::ArrayRef<uint16_t> blocks,
                                 NestNode::Kind kind, uint8_t dim, Expr size);
  /// Where `enabled` is not 0, shares the first `main` points of `dim`, a
  /// multiple of `threads`, among `threads` threads; what is left runs the
  /// same, but serially.
  mlir::LogicalResult share(mlir::Operation *user,
                            llvm::ArrayRef<uint16_t> blocks, uint8_t dim,
                            Expr enabled, Expr main, Expr threads);

  /// Where `enable` is not 0, `block` reads its access number `access` from a
  /// contiguous buffer of what is left of the extents at its place.
  void readBuffer(uint16_t block, unsigned access, Expr enable);

  /// Blocks of the payload in program order, before any action.
  llvm::SmallVector<uint16_t> payloadBlocks;
  /// Names of the ops that the blocks come from, at the same positions.
  llvm::SmallVector<std::string> payloadOps;
  /// Arguments of the payload function whose layout is free, by operand of the
  /// contraction.
  llvm::SmallVector<bool> layoutFreeOperands;

private:
  llvm::DenseMap<mlir::Value, Expr> params;
  llvm::DenseMap<mlir::Value, ModelHandle> handles;
};

} // namespace sched

#endif // SCHEDOPT_MODEL_MODELSTATE_H
