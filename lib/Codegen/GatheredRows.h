//===- GatheredRows.h - Rows that were taken of a padded image --*- C++ -*-===//
//
// The copies that Space/StridedRows.cpp makes of an image for a convolution
// with a stride, and Space/JoinTaps.cpp for one of few channels, as
// SinkPads.cpp moves them together with the pad.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_GATHEREDROWS_H
#define SCHEDOPT_LIB_CODEGEN_GATHEREDROWS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace sched {

/// Slices of a tensor, of all of its outer dimensions, that are put together as
/// another one, of which others may become one, and are read nowhere else.
class GatheredRows {
public:
  /// What is made of `image`, in its block, with its `dims` outer dimensions as
  /// they are; none of it where `image` is read as it is, or by something else.
  static GatheredRows get(mlir::Value image, int64_t dims);

  bool empty() const { return steps.empty(); }
  /// The tensor that they make.
  mlir::Value getResult() const { return result; }
  /// The same of `image`, which has other sizes in the outer dimensions.
  mlir::Value clone(mlir::OpBuilder &builder, mlir::Value image) const;
  /// Erases what has no uses any more, which includes all that reads the image.
  void erase() const;

private:
  /// In their order.
  llvm::SmallVector<mlir::Operation *> steps;
  mlir::Value image, result;
  int64_t dims = 0;
};

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_GATHEREDROWS_H
