//===- StencilChain.h - Ops that read neighbours of each other --*- C++ -*-===//
//
// What StencilBlocks.h blocks: the ops of a chain, and which rows of each of
// their tensors a block of the results takes. StencilChain.cpp finds it,
// StencilBlocks.cpp rewrites it.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_STENCILCHAIN_H
#define SCHEDOPT_LIB_SPACE_STENCILCHAIN_H

#include "BlockedChain.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace sched {

/// Rows [low, high) of a tensor.
struct RowRange {
  int64_t low = 0, high = 0;

  int64_t size() const { return high - low; }
};

/// What an op of the chain reads of a tensor.
struct StencilView {
  /// The tensor, which slices were taken of.
  mlir::Value root;
  /// The blocked loop of each dimension, of the operand and of `root`.
  BlockedDims dims;
  /// Where the slice begins in `root`.
  llvm::SmallVector<int64_t> offsets;
  /// Rows that are read beyond those of the op's result, as by windows.
  int64_t span = 0;
};

/// Rows of the results that are computed by one loop over blocks of `size`, or,
/// where they are but one block, at a place that is known.
struct StencilPart {
  int64_t first, end, size;

  bool isOneBlock() const { return end - first == size; }
};

class StencilChain {
public:
  /// Rows of each tensor that a block takes: from the block's first row on, or,
  /// of one at a known place, from the tensor's.
  using Ranges = llvm::MapVector<mlir::Value, RowRange>;

  /// The chain that ends in `last`, if it is one worth blocking.
  static std::optional<StencilChain> match(mlir::linalg::LinalgOp last);

  /// What `operand` of an op of the chain reads; nothing where that is no
  /// block.
  std::optional<StencilView> getView(mlir::OpOperand &operand) const;
  /// Rows that a block of `part` takes; nothing where one does not lie within
  /// its tensor for all blocks.
  std::optional<Ranges> getRanges(const StencilPart &part) const;
  /// The parts, from the first row on.
  llvm::SmallVector<StencilPart> getParts() const;
  /// Members in program order: linalg ops and pads.
  llvm::SmallVector<mlir::Operation *> getOpsInOrder() const;
  bool contains(mlir::Operation *op) const { return ops.contains(op); }
  const BlockedDims &getResultDims(mlir::Operation *op) const {
    return ops.find(op)->second;
  }
  mlir::Operation *getLast() const;
  /// Members whose results are used outside.
  llvm::ArrayRef<mlir::Operation *> getOutputs() const {
    return outputs.getArrayRef();
  }
  /// Extents of the blocked loops, of which the last is that of the rows.
  llvm::ArrayRef<int64_t> getExtents() const { return extents; }

private:
  bool collect(mlir::linalg::LinalgOp last, unsigned rows);
  bool grow();
  bool add(mlir::Operation *op, BlockedDims dims);
  bool addOutput(mlir::Operation *op);
  bool isClosed() const;
  bool isConsistent() const;
  bool hasNeighbours(mlir::Operation *op) const;
  bool fitsCache() const;
  bool isWorthIt() const;
  /// Fewer rows of a block are not worth it.
  int64_t countLeastRows() const;
  int64_t chooseRows() const;
  /// Bytes of a row of all tensors of a block.
  int64_t countRowBytes() const;

  llvm::SmallVector<int64_t> extents;
  /// With the blocked loop of each dimension of their results.
  llvm::MapVector<mlir::Operation *, BlockedDims> ops;
  llvm::SetVector<mlir::Operation *> outputs;
};

/// The part of a tensor of `type` that a block takes: `rows` of them, one of
/// each other blocked dimension.
llvm::SmallVector<int64_t> getStencilShape(mlir::RankedTensorType type,
                                           const BlockedDims &dims,
                                           unsigned rowLoop, int64_t rows);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_STENCILCHAIN_H
