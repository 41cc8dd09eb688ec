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
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sched {

/// Elements between neighbours along each dimension of a tensor.
using StridesFn =
    llvm::function_ref<llvm::SmallVector<int64_t>(mlir::Value tensor)>;

/// The block of `op`, which has the nest's dimension `loops[i]` for its loop i.
BlockPlan makeBlock(mlir::linalg::LinalgOp op, llvm::ArrayRef<uint8_t> loops,
                    ProgramBuilder &builder, StridesFn getStrides,
                    llvm::function_ref<uint16_t(mlir::Value)> getBuffer);

/// Fills the builder's dimensions and blocks from `payload`. Dimensions that
/// ops share through a tensor are one dimension of the nest. Errors at the op
/// that is not a structured op on tensors of static shape.
mlir::LogicalResult buildPayloadModel(mlir::func::FuncOp payload,
                                      ModelState &state);

} // namespace sched

#endif // SCHEDOPT_LIB_MODEL_PAYLOADMODEL_H
