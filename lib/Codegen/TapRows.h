//===- TapRows.h - Pixels side by side for each tap -------------*- C++ -*-===//
//
// Before tasks are cut, the pixels of a padded image that a stride takes apart
// are put side by side for each tap of a window (Space/StridedRows.h). They are
// read by slices that are expanded to groups of channels. What is padding of
// the image is known there, too.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_TAPROWS_H
#define SCHEDOPT_LIB_CODEGEN_TAPROWS_H

#include "PaddedImage.h"

namespace sched {

/// A tensor with a dimension `dim` of taps, and behind it one of rows: row r of
/// tap t is at `step * r + tapStep * t` of the image, along its dimension
/// `dim`. All other dimensions are the image's.
struct TapRows {
  mlir::Value gathered;
  int64_t dim = 0, step = 1, tapStep = 0;

  /// None if something else than the slices of it reads the padded image.
  static std::optional<TapRows> match(mlir::tensor::PadOp pad);

  /// Adds the reads of it, along dimension `imageDim` of the image, of what may
  /// be left out (PackedBytes.h).
  void findReads(int64_t imageDim,
                 llvm::SmallVectorImpl<PaddedRead> &found) const;

  /// All reads, each of one tap; none if something else reads it, or takes a
  /// dimension apart that is padded.
  llvm::SmallVector<mlir::vector::TransferReadOp>
  getReads(mlir::tensor::PadOp pad) const;

  /// Lets `reads`, which are getReads and read no padding, read slices of the
  /// source of `pad`; nothing reads `gathered` then.
  void readSource(mlir::RewriterBase &rewriter, mlir::tensor::PadOp pad,
                  llvm::ArrayRef<mlir::vector::TransferReadOp> reads) const;

private:
  /// Where a row of a tap is in the image, along `dim`.
  IndexSum getPixel(const IndexSum &row, const IndexSum &tap) const;

  /// Which dimension of `gathered` one of the image is; the rows' for `dim`.
  int64_t getDim(int64_t imageDim) const {
    return imageDim >= dim ? imageDim + 1 : imageDim;
  }
};

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_TAPROWS_H
