//===- SpreadImage.h - Images with zeros between their pixels ---*- C++ -*-===//
//
// What front ends make of a transposed convolution's image: a tensor of zeros,
// and the image inserted into it with the stride for a step.
//
// Read next: ConvolutionPhases.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_SPREADIMAGE_H
#define SCHEDOPT_LIB_SPACE_SPREADIMAGE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace sched {

struct SpreadImage {
  /// Without the zeros.
  mlir::Value source;
  /// Of each dimension: zeros before the first element, and the distance from
  /// one element to the next.
  llvm::SmallVector<int64_t> low, strides;
};

/// None where `image` is something else, or where no stride is above one. Zeros
/// may also be padded around it.
std::optional<SpreadImage> matchSpreadImage(mlir::Value image);

/// The tensor of `type` that `image` stands for.
mlir::Value writeSpreadImage(mlir::OpBuilder &builder, mlir::Location loc,
                             const SpreadImage &image,
                             mlir::RankedTensorType type);

/// `value` with so many zeros before and after each dimension: itself where
/// there are none.
mlir::Value padZeros(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value value, llvm::ArrayRef<int64_t> low,
                     llvm::ArrayRef<int64_t> high);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_SPREADIMAGE_H
