//===- ContractionLoops.h - What a contraction multiplies and adds *- C++
//-*-===//
//
// Splits the loops of an op of linalg that adds up products of two operands:
// batch (in both and the result), M (of the left-hand side), N (of the
// right-hand side), K (added up). Products of matrices and convolutions are of
// that form; in the latter a place of the image depends on M and K together.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_CONTRACTIONLOOPS_H
#define SCHEDOPT_LIB_CODEGEN_CONTRACTIONLOOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>

namespace sched {

struct ContractionLoops {
  mutable mlir::linalg::LinalgOp op;
  /// Loops, those of the result in its order.
  llvm::SmallVector<unsigned> batch, m, n, k;
  /// Conversions of the operands before the product, in order.
  llvm::SmallVector<mlir::Operation *> casts[2];
  mlir::Operation *multiply = nullptr, *add = nullptr;

  mlir::OpOperand *getOperand(unsigned side) const {
    return op.getDpsInputOperand(side);
  }
  mlir::AffineMap getMap(unsigned side) const {
    return op.getMatchingIndexingMap(op.getDpsInputOperand(side));
  }
  mlir::AffineMap getResultMap() const {
    return op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  }

  /// None if the op does something else, or has no M or no N, or if its
  /// `sched.simt` has the key `vector`: that is a stage of another kind.
  static std::optional<ContractionLoops> get(mlir::linalg::LinalgOp op);
};

/// A contraction, and the loops around it that go over tiles of its K.
struct ContractionNest {
  ContractionLoops shape;
  llvm::SmallVector<mlir::scf::ForOp> loops;
  /// What the sums start with, and the result, outside of the loops.
  mlir::Value init, result;

  static std::optional<ContractionNest> find(mlir::Operation *op);
};

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_CONTRACTIONLOOPS_H
