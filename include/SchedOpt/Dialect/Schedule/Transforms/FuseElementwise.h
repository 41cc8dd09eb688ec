//===- FuseElementwise.h - One op of each elementwise chain -----*- C++ -*-===//
//
// What `schedule.fuse_elementwise` does to a payload, for those who look at the
// payload without running a script: the loop-nest model and the sketch rules.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DIALECT_SCHEDULE_TRANSFORMS_FUSEELEMENTWISE_H
#define SCHEDOPT_DIALECT_SCHEDULE_TRANSFORMS_FUSEELEMENTWISE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace mlir::schedule {

/// A LinalgOp by its name and its number among those of this name, after
/// generalization. Fills do not count, so that it makes no difference how many
/// ops share one.
struct OpPosition {
  std::string name;
  unsigned number = 0, count = 1;
};

/// Turns the linalg ops of `function` whose names are in `generalize` into
/// generic ones, then fuses elementwise generics into their users as upstream's
/// linalg-fuse-elementwise-ops does. Nothing is fused into `apart`, and it
/// keeps its operands' reshapes. Fails where an op cannot be generalized.
LogicalResult fuseElementwise(func::FuncOp function,
                              llvm::ArrayRef<llvm::StringRef> generalize,
                              std::optional<OpPosition> apart = std::nullopt);

} // namespace mlir::schedule

#endif // SCHEDOPT_DIALECT_SCHEDULE_TRANSFORMS_FUSEELEMENTWISE_H
