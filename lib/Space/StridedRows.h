//===- StridedRows.h - Rows that a stride takes apart -----------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_STRIDEDROWS_H
#define SCHEDOPT_LIB_SPACE_STRIDEDROWS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace sched {

/// Pixels of a window in dimension `dim` of an image: pixel o of so many meets
/// image[step * o + tapStep * tap].
struct LineOfWindows {
  unsigned dim = 0;
  int64_t pixels = 1, step = 1, taps = 1, tapStep = 1;
};

/// The pixels of `image` that each tap meets, side by side, with a dimension of
/// the taps behind that of the pixels, or in front of it.
mlir::Value gatherTaps(mlir::RewriterBase &rewriter, mlir::Location loc,
                       mlir::Value image, const LineOfWindows &line,
                       bool isBehind);

/// Rewrites the narrow products of `function` whose rows are pixels that a
/// stride takes apart; whether there was one.
bool gatherStridedRows(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_STRIDEDROWS_H
