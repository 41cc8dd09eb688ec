//===- StencilChain.h - Ops that read neighbours of each other --*- C++ -*-===//
//
// What StencilBlocks.h blocks: the ops of a chain, and which part of each of
// their tensors a block of the results takes. StencilChain.cpp finds it,
// StencilBlocks.cpp rewrites it.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_STENCILCHAIN_H
#define SCHEDOPT_LIB_SPACE_STENCILCHAIN_H

#include "BlockedChain.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace sched {

/// Elements [low, high) of a dimension.
struct HaloRange {
  int64_t low = 0, high = 0;

  int64_t size() const { return high - low; }
};

/// One for each blocked loop.
using HaloBox = llvm::SmallVector<HaloRange, 3>;

/// What an op of the chain reads of a tensor.
struct StencilView {
  /// The tensor, which slices were taken of.
  mlir::Value root;
  /// The blocked loop of each dimension, of the operand and of `root`.
  BlockedDims dims;
  /// Where the slice begins in `root`.
  llvm::SmallVector<int64_t> offsets;
  /// What is read beyond the place of the op's result, as by windows, for each
  /// blocked loop.
  llvm::SmallVector<int64_t, 3> spans;
};

/// Rows of the results that are computed by one loop over blocks of `size`, or,
/// where they are but one block, at a place that is known.
struct StencilPart {
  int64_t first, end, size;

  bool isOneBlock() const { return end - first == size; }
};

class StencilChain {
public:
  /// What a block takes of each tensor: from the block's first element on, or,
  /// of rows at a known place, from the tensor's.
  using Boxes = llvm::MapVector<mlir::Value, HaloBox>;
  /// With the blocked loop of each of their dimensions.
  using Tensors = llvm::MapVector<mlir::Value, BlockedDims>;

  /// The ops of `function` that chains may end in: those behind tensors whose
  /// elements are read in several places, if no cache holds these.
  static llvm::DenseSet<mlir::Operation *>
  collectEnds(mlir::func::FuncOp function);
  /// The chain that ends in `last`, if it is one worth blocking.
  static std::optional<StencilChain> match(mlir::linalg::LinalgOp last);

  /// What `operand` of an op of the chain reads; nothing where that is no
  /// block.
  std::optional<StencilView> getView(mlir::OpOperand &operand) const;
  /// What a block of `part` takes; nothing where that does not lie within its
  /// tensor for all blocks.
  std::optional<Boxes> getBoxes(const StencilPart &part) const;
  /// The parts, from the first row on.
  llvm::SmallVector<StencilPart> getParts() const;
  /// What `operand` reads of its tensor, as it is after slices, for an op of
  /// which a block of `part` takes `own`; nothing where that does not lie
  /// within the tensor for all blocks.
  std::optional<HaloBox> getRead(mlir::OpOperand &operand,
                                 llvm::ArrayRef<HaloRange> own,
                                 const StencilPart &part) const;
  /// What members compute and read, but for mere shapes.
  Tensors collectTensors() const;
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
  /// Extents of the blocked loops.
  llvm::ArrayRef<int64_t> getExtents() const { return extents; }
  /// That of the rows. Blocks have one of those before it, and some of a loop
  /// after it.
  unsigned getRowLoop() const { return rowLoop; }
  /// What a block has along `loop`, which is not the rows'.
  int64_t getBlockSize(unsigned loop) const {
    assert(loop != rowLoop && "parts have the rows of their blocks");
    return loop < rowLoop ? 1 : columns;
  }

private:
  /// `columns`: of a block, if these are blocked, too; else 0.
  bool collect(mlir::linalg::LinalgOp last, unsigned rows, int64_t columns);
  /// The chain that ends in `last` and has its rows at loop `rows`, and blocks
  /// of so many `columns` of the one after it, if these are blocked; else 0.
  static std::optional<StencilChain> find(mlir::linalg::LinalgOp last,
                                          unsigned rows, int64_t columns);
  void grow();
  bool addProducer(mlir::OpOperand &operand);
  /// By value: they may be those of another member.
  bool add(mlir::Operation *op, BlockedDims dims);
  bool addOutput(mlir::Operation *op);
  bool isClosed() const;
  bool isConsistent() const;
  bool fitsCache() const;
  /// Whether it does with room for what else is in one.
  bool fitsSmallCache() const;
  bool isWorthIt() const;
  /// Fewer rows of a block are not worth it.
  int64_t countLeastRows() const;
  int64_t chooseRows() const;
  /// Bytes of a row of all tensors of a block.
  int64_t countRowBytes() const;

  llvm::SmallVector<int64_t> extents;
  unsigned rowLoop = 0;
  /// Of a block; 0 where they are not blocked.
  int64_t columns = 0;
  /// Some op had no room in a block.
  bool wasCut = false;
  /// With the blocked loop of each dimension of their results.
  llvm::MapVector<mlir::Operation *, BlockedDims> ops;
  llvm::SetVector<mlir::Operation *> outputs;
};

/// The shape of what a block takes of a tensor of `type`.
llvm::SmallVector<int64_t> getStencilShape(mlir::RankedTensorType type,
                                           const BlockedDims &dims,
                                           llvm::ArrayRef<HaloRange> box);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_STENCILCHAIN_H
