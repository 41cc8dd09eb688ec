//===- BlockedChain.h - Ops computed block of rows by block -----*- C++ -*-===//
//
// What RowBlocks.h blocks: the ops of a chain, their blocked loops, and how
// many rows a block has. BlockedChain.cpp finds it, RowBlocks.cpp rewrites it.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_BLOCKEDCHAIN_H
#define SCHEDOPT_LIB_SPACE_BLOCKEDCHAIN_H

#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <utility>

namespace sched {

/// For each loop of an op, or each dimension of a tensor, the blocked loop that
/// it is; none where it is not blocked.
using BlockedDims = llvm::SmallVector<std::optional<unsigned>, 4>;

/// A tensor from outside, cut to a block by its dimensions.
using BlockedSlice = std::pair<mlir::Value, BlockedDims>;

/// Tensors between ops that take no more stay in a second-level cache.
inline constexpr int64_t kCachedBytes = 1 << 20;
/// Enough for a few threads to share.
inline constexpr int64_t kLeastBlocks = 16;

/// Rows of blocks of one size, of which there are `parts` or up to twice as
/// many, with `least` at least; nothing if `rows` cannot be shared so.
std::optional<int64_t> findEvenRows(int64_t rows, int64_t parts, int64_t least);

class BlockedChain {
public:
  /// The chain that ends in `last`, if it is one worth blocking.
  static std::optional<BlockedChain> match(mlir::linalg::LinalgOp last);

  /// Replaces it; the functions for a block are put beside `parent`.
  llvm::SmallVector<mlir::func::FuncOp> rewrite(mlir::func::FuncOp parent,
                                                mlir::SymbolTable &symbols);

private:
  bool setBlockedLoops();
  bool setBlockedColumns();
  void collectOps();
  bool addOp(mlir::linalg::LinalgOp op);
  bool isWorthIt() const;
  /// Whether it ends in a product, and not in reductions of columns.
  bool hasRows() const;
  /// Bytes of a row of the widest result.
  int64_t countRowBytes() const;
  /// Bytes from outside that are the same for all rows of a batch.
  int64_t countReread() const;
  /// Lets ops read their places along blocked loops, of which a block has a
  /// part.
  void readPlaces();
  /// Rows of a block.
  int64_t chooseRows() const;

  /// Blocked loops of each dimension of `operand` of `op`; nothing where an
  /// index is more than a loop and depends on a blocked one.
  std::optional<BlockedDims> getBlockedDims(mlir::linalg::LinalgOp op,
                                            mlir::OpOperand &operand) const;
  int64_t countBlocks(int64_t rows) const;
  llvm::SmallVector<int64_t> getBlockShape(mlir::RankedTensorType type,
                                           const BlockedDims &dims,
                                           int64_t rows) const;
  mlir::func::FuncOp makeFunction(mlir::func::FuncOp parent, int64_t rows,
                                  llvm::ArrayRef<BlockedSlice> slices) const;
  llvm::SmallVector<BlockedSlice> collectSlices() const;
  mlir::Value makeLoop(mlir::OpBuilder &builder, mlir::func::FuncOp callee,
                       llvm::ArrayRef<BlockedSlice> slices, mlir::Value result,
                       int64_t first, int64_t end, int64_t rows) const;
  llvm::SmallVector<mlir::linalg::LinalgOp> getOpsInOrder() const;

  mlir::linalg::LinalgOp last;
  /// Extents of the blocked loops; the rows are the last of them.
  llvm::SmallVector<int64_t> extents;
  /// Fewer rows of a block are not worth it.
  int64_t leastRows;
  /// The ops of the chain with their loops, the last product first.
  llvm::MapVector<mlir::Operation *, BlockedDims> ops;
};

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_BLOCKEDCHAIN_H
