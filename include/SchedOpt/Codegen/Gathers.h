//===- Gathers.h - Generic ops that look something up -----------*- C++ -*-===//
//
// A gather is a generic op that does nothing but read a tensor at places that
// it computes. Read next: GatherLines.cpp, which compiles it.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CODEGEN_GATHERS_H
#define SCHEDOPT_CODEGEN_GATHERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace sched {

/// The one thing that `op` does, if that is to read a tensor at computed
/// places; null elsewhere.
mlir::tensor::ExtractOp matchGather(mlir::linalg::GenericOp op);

/// Whether `op` is a gather of contiguous elements, such as rows of a table,
/// which all threads copy line by line; or of single elements along the
/// innermost dimension of a tensor, which a CPU reads by vectors, and all
/// threads share.
bool isGatherByVectors(mlir::linalg::GenericOp op);

} // namespace sched

#endif // SCHEDOPT_CODEGEN_GATHERS_H
