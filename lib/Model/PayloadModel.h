//===- PayloadModel.h - The nest of an untouched payload --------*- C++ -*-===//
//
// Where the abstract interpretation starts: one block a structured op, in
// program order, with no loops around it.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_MODEL_PAYLOADMODEL_H
#define SCHEDOPT_LIB_MODEL_PAYLOADMODEL_H

#include "SchedOpt/Model/ModelState.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Fills the builder's dimensions and blocks from `payload`. Dimensions that
/// ops share through a tensor are one dimension of the nest. Errors at the op
/// that is not a structured op on tensors of static shape.
mlir::LogicalResult buildPayloadModel(mlir::func::FuncOp payload,
                                      ModelState &state);

} // namespace sched

#endif // SCHEDOPT_LIB_MODEL_PAYLOADMODEL_H
