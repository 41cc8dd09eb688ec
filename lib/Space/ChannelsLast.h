//===- ChannelsLast.h - Convolutions with channels outside ------*- C++ -*-===//
//
// With channels outside of the pixels (NCHW), vectors of the result run along a
// line of pixels. Lines of late layers are short, and with a stride the image
// would be read element by element; dot products take steps that are channels.
// Such an op is computed with channels innermost, between transposes of its
// image and of its result, or of the one that has them outside.
//
// A step of OutlineTasks.h, before tasks are cut.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_CHANNELSLAST_H
#define SCHEDOPT_LIB_SPACE_CHANNELSLAST_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/ArrayRef.h"

namespace sched {

/// Rewrites the convolutions and poolings of `function` that gain by it, with
/// the pads before and the elementwise ops after them; returns whether there
/// are any. Those of `wanted` are rewritten in any case where they can be, and
/// are afterwards the new ops.
bool moveChannelsLast(
    mlir::func::FuncOp function,
    llvm::MutableArrayRef<mlir::linalg::LinalgOp> wanted = {});

/// Whether `op` has channels outside and can be rewritten.
bool canMoveChannelsLast(mlir::linalg::LinalgOp op);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_CHANNELSLAST_H
