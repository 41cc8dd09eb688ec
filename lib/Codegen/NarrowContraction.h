//===- NarrowContraction.h - Products of groups -----------------*- C++ -*-===//
//
// A contraction of vectors of narrow elements whose last dimension is a group
// of reduction steps, as panels of groups give them (schedule.pack_rhs). What
// LowerDotProducts.cpp, LowerSquareProducts.cpp and LowerTileProducts.cpp write
// with instructions.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_NARROWCONTRACTION_H
#define SCHEDOPT_LIB_CODEGEN_NARROWCONTRACTION_H

#include "SchedOpt/Support/DotProduct.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <optional>

namespace sched {

/// sums[rows][columns] += lhs[rows][groups][steps] *
/// rhs[groups][columns][steps]
struct NarrowContraction {
  mlir::vector::ContractionOp op;
  /// The operands before they are widened.
  mlir::Value lhs, rhs;
  NarrowType lhsType, rhsType;
  int64_t rows = 1, columns = 1, groups = 1, steps = 1;
  /// A row or a group that is the only one has no dimension.
  bool hasRows = false, hasGroups = false;

  /// None where `op` is something else.
  static std::optional<NarrowContraction> match(mlir::vector::ContractionOp op);
};

/// Those in `root` that `dots` has an instruction of this form for.
llvm::SmallVector<NarrowContraction>
collectNarrowContractions(mlir::Operation *root, DotForm form,
                          const DotProducts &dots);

/// The memory that `value` was read from, with its last two dimensions as one;
/// null if it is no read, or not contiguous there.
struct MergedRead {
  mlir::Value memory;
  llvm::SmallVector<mlir::Value> indices;
  mlir::vector::TransferReadOp read;

  explicit operator bool() const { return bool(memory); }
};
MergedRead mergeRead(mlir::Value value, mlir::OpBuilder &builder);

/// `value`, vectors [...][x][steps] of narrow elements, as vectors [...][x] of
/// integers of a group's bits. What is read from memory is read as such rows.
mlir::Value toGroups(mlir::Value value, mlir::OpBuilder &builder);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_NARROWCONTRACTION_H
