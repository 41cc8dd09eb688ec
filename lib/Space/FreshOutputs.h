//===- FreshOutputs.h - Outputs that are read as inputs ---------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_FRESHOUTPUTS_H
#define SCHEDOPT_LIB_SPACE_FRESHOUTPUTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Gives ops of `function` whose output is another op's result, which they do
/// not read or read element by element, an output of their own; whether there
/// was one.
bool freshenOutputs(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_FRESHOUTPUTS_H
