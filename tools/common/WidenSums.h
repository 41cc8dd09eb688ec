//===- WidenSums.h - Sums of 16 bits, computed in f32 -----------*- C++ -*-===//
//
// What a payload that sums up in f16 or bf16 would give without the roundings
// of each step: the yardstick of a check, as the order of such a sum matters
// more than a wrong term does.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_COMMON_WIDENSUMS_H
#define SCHEDOPT_TOOLS_COMMON_WIDENSUMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Lets reductions whose sums are of f16 or bf16 compute in f32; their results
/// are rounded once, in the end. Fails where one of them cannot be rewritten;
/// the function is not to be used then.
llvm::LogicalResult widenSums(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_TOOLS_COMMON_WIDENSUMS_H
