//===- JoinTaps.h - Taps and few channels as one dimension ------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_JOINTAPS_H
#define SCHEDOPT_LIB_SPACE_JOINTAPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Whether pixels of so many bytes leave much of a tile's rows to zeros.
bool areFewChannels(int64_t bytes);

/// Rewrites the narrow convolutions of `function`, for a processor that
/// multiplies tiles, whose images have few channels; whether there was one.
bool joinTaps(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_JOINTAPS_H
