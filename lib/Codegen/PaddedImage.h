//===- PaddedImage.h - What of a padded tensor is padding -------*- C++ -*-===//
//
// What the steps that leave padding out of products (SkipBorder.cpp,
// SkipPadding.cpp) ask of a `tensor.pad`.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_PADDEDIMAGE_H
#define SCHEDOPT_LIB_CODEGEN_PADDEDIMAGE_H

#include "IndexSum.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

namespace sched {

/// Where the source of `pad` is along `dim`, as the padded tensor counts its
/// elements. None where that is not padded, or with anything but zeros, where
/// elements are taken away, and where sizes are not constant.
std::optional<Interval> getImageBetweenZeros(mlir::tensor::PadOp pad,
                                             int64_t dim);

/// Where a read, of a padded tensor or of a view of it, is along one dimension.
struct PaddedRead {
  mlir::vector::TransferReadOp read;
  /// Of what is read, and of the vector if that has it: `rows` elements of it,
  /// else one.
  int64_t dim;
  std::optional<int64_t> vectorDim;
  int64_t rows;
  /// The first element, counted in the padded tensor.
  IndexSum first;
  /// From one row to the next, in elements of the padded tensor.
  int64_t step = 1;
};

/// None where elements are masked, may be outside of the padded tensor, or are
/// at no sum of indices.
std::optional<PaddedRead> describeRead(mlir::vector::TransferReadOp read,
                                       int64_t dim);

/// Adds the reads of `value`, which is the padded tensor or a view of it that
/// has its dimension `dim`, as `dim` of the padded one, as it is.
void findReads(mlir::Value value, int64_t dim,
               llvm::SmallVectorImpl<PaddedRead> &found);

/// The reads of what `pad` makes along its dimension `dim`, as above; if
/// `seesRows`, those of its pixels that were put side by side for each tap of a
/// window (TapRows.h), too.
llvm::SmallVector<PaddedRead> findReads(mlir::tensor::PadOp pad, int64_t dim,
                                        bool seesRows);

/// Where all reads of `pad`, of constant sizes, are through slices that are
/// then expanded, as products of narrow types read groups of channels, its
/// source is expanded instead, and they read what it makes: which the functions
/// above understand. Returns the pad that there is then. Left is what may not
/// be left out (PackedBytes.h); signed integers but where the target multiplies
/// `rowByRow`; and an image that is computed for the pad alone, which is best
/// written into what that makes.
mlir::tensor::PadOp expandImage(mlir::RewriterBase &rewriter,
                                mlir::tensor::PadOp pad, bool rowByRow);

/// The loop whose induction variable `index` is; null if there is none.
mlir::scf::ForOp getLoopOver(mlir::Value index);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_PADDEDIMAGE_H
