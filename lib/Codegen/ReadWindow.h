//===- ReadWindow.h - What the iterations of a loop read --------*- C++ -*-===//
//
// Where ops read a tensor or a buffer, and the window of it that an iteration
// of a loop around them reads, which moves from one iteration to the next. What
// SinkPads.cpp and PrefetchWindows.cpp ask.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_READWINDOW_H
#define SCHEDOPT_LIB_CODEGEN_READWINDOW_H

#include "IndexSum.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace sched {

/// What an op reads of one dimension.
struct Reach {
  IndexSum begin;
  int64_t extent = 1;
};

/// An op that reads, and where, in the outer dimensions.
struct WindowRead {
  mlir::Operation *op = nullptr;
  llvm::SmallVector<Reach> reaches;
};

/// What the iterations of a loop read of one dimension: `size` elements from
/// `begin` on, which is a sum of values that are there in each iteration.
struct Window {
  IndexSum begin;
  int64_t size = 0;

  /// How far it is from where it was `step` of `index` before.
  int64_t countFresh(mlir::Value index, int64_t step) const {
    return begin.terms.lookup(index) * step;
  }
};

/// Where `read` reads in the outer `dims` dimensions; none where elements may
/// be outside, or are at no sum of indices.
std::optional<WindowRead> getWindowRead(mlir::vector::TransferReadOp read,
                                        int64_t dims);

/// The window of all `reads` in dimension `dim`, in an iteration of `loop`;
/// none where they differ in more than a constant interval.
std::optional<Window> getWindow(mlir::LoopLikeOpInterface loop,
                                llvm::ArrayRef<WindowRead> reads, int64_t dim);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_READWINDOW_H
