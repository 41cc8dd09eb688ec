//===- PaddedImage.h - What of a padded tensor is padding -------*- C++ -*-===//
//
// What the steps that leave padding out of products (SkipBorder.cpp,
// SkipPadding.cpp) ask of a `tensor.pad`.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_PADDEDIMAGE_H
#define SCHEDOPT_LIB_CODEGEN_PADDEDIMAGE_H

#include "IndexSum.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace sched {

/// Where the source of `pad` is along `dim`, as the padded tensor counts its
/// elements. None where that is not padded, or with anything but zeros, where
/// elements are taken away, and where sizes are not constant.
std::optional<Interval> getImageBetweenZeros(mlir::tensor::PadOp pad,
                                             int64_t dim);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_PADDEDIMAGE_H
