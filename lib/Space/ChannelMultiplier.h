//===- ChannelMultiplier.h - Several results a channel ----------*- C++ -*-===//
//
// A step before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_CHANNELMULTIPLIER_H
#define SCHEDOPT_LIB_SPACE_CHANNELMULTIPLIER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Repeats the channels of what depthwise convolutions of `function` read that
/// make several results of each; whether there was one.
bool repeatChannels(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_CHANNELMULTIPLIER_H
