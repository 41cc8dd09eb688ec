//===- MoveChannels.h - Moves of few channels -------------------*- C++ -*-===//
//
// A step before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_MOVECHANNELS_H
#define SCHEDOPT_LIB_SPACE_MOVECHANNELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Makes elementwise ops of what `function` returns and only has channels added
/// to it or taken from it; returns whether there was any.
bool moveChannels(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_MOVECHANNELS_H
