//===- MergePixels.h - Pixels of few channels as one line -------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_MERGEPIXELS_H
#define SCHEDOPT_LIB_SPACE_MERGEPIXELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Merges the columns and the channels of pictures in `function`, where
/// channels are innermost and fewer than vectors have; returns whether there
/// were any.
bool mergePixels(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_MERGEPIXELS_H
