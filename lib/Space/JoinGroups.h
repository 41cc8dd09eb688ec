//===- JoinGroups.h - Groups of few channels are columns --------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_JOINGROUPS_H
#define SCHEDOPT_LIB_SPACE_JOINGROUPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Joins groups and their channels, which are innermost, in the ops of
/// `function` that compute something of each group; whether there was one.
bool joinGroups(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_JOINGROUPS_H
