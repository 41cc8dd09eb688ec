//===- WideSums.h - Sums of 16 bits in f32 ----------------------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_WIDESUMS_H
#define SCHEDOPT_LIB_SPACE_WIDESUMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Computes the products and poolings of bf16 whose results are bf16, in
/// `function`, in f32, and so with `half` those of f16; whether there were any.
bool widenSums(mlir::func::FuncOp function, bool half);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_WIDESUMS_H
