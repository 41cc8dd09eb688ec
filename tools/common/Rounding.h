//===- Rounding.h - How the floats of a result round ------------*- C++ -*-===//
//
// What the tolerance of a check goes by (Measure/Checker.h): the reductions and
// the types on the way to one result of a function, and not on that to another.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_COMMON_ROUNDING_H
#define SCHEDOPT_TOOLS_COMMON_ROUNDING_H

#include "SchedOpt/Measure/TensorSpec.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Whether the result may differ from what exact arithmetic gives.
bool rounds(mlir::Operation *op);

/// Fills in what `spec`, which is of the result number `result` of `function`,
/// says of roundings, but for the deviation. Follows values backwards, through
/// the bodies of linalg ops and through calls; an op with regions otherwise
/// counts as a whole. `allowsTensorFloat`: products of f32 may be computed from
/// operands that are rounded to tf32.
void traceRounding(mlir::func::FuncOp function, unsigned result,
                   bool allowsTensorFloat, TensorSpec &spec);

} // namespace sched

#endif // SCHEDOPT_TOOLS_COMMON_ROUNDING_H
