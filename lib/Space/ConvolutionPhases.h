//===- ConvolutionPhases.h - Transposed convolutions by phases --*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_CONVOLUTIONPHASES_H
#define SCHEDOPT_LIB_SPACE_CONVOLUTIONPHASES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace sched {

/// Whether `op` is a convolution of an image with zeros between its pixels that
/// can do without them.
bool hasPhases(mlir::linalg::LinalgOp op);

/// Rewrites the convolutions of `function` that have phases and more than
/// one channel, innermost, and the elementwise ops that follow them. Returns
/// whether there were any.
bool splitIntoPhases(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_CONVOLUTIONPHASES_H
