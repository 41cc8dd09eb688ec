//===- AllowInlining.h - Functions without calls ----------------*- C++ -*-===//
//
// How each lowering to kernels begins.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_ALLOWINLINING_H
#define SCHEDOPT_LIB_CODEGEN_ALLOWINLINING_H

#include "mlir/Pass/PassManager.h"

namespace sched {

/// Adds passes to `pm`, of a module, that put functions in the place of their
/// calls, whether these are marked `no_inline` or not, and erase those that
/// nothing calls then.
void addInlining(mlir::OpPassManager &pm);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_ALLOWINLINING_H
