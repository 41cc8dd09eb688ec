//===- ConvolutionShape.h - Two-dimensional convolutions --------*- C++ -*-===//
//
// What rewritings of convolutions ask of one. Found by the indexing maps: named
// ops, generics, and what ChannelsLast.h made are alike.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_CONVOLUTIONSHAPE_H
#define SCHEDOPT_LIB_SPACE_CONVOLUTIONSHAPE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <cstdint>
#include <optional>

namespace sched {

/// Sums over taps and channels, for each image, pixel and filter.
struct ConvolutionShape {
  int64_t images, rows, columns, channels, filters;
  /// Along rows and columns.
  std::array<int64_t, 2> taps, strides, dilations;
  /// Image and result have their channels outside of the pixels (NCHW).
  bool channelsFirst;
  /// What the dimensions of the weights are: 0 and 1 a tap's row and column, 2
  /// the channel, 3 the filter.
  std::array<unsigned, 4> weightDims;

  /// Whether neighbours are read for neighbours.
  bool isDense() const {
    auto isOne = [](int64_t step) { return step == 1; };
    return llvm::all_of(strides, isOne) && llvm::all_of(dilations, isOne);
  }
};

/// None where `op` is something else: operand 0 is the image, 1 the weights.
std::optional<ConvolutionShape> getConvolutionShape(mlir::linalg::LinalgOp op);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_CONVOLUTIONSHAPE_H
