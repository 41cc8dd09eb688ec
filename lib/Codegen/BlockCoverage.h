//===- BlockCoverage.h - What a loop over blocks writes ---------*- C++ -*-===//
//
// A loop over blocks has a result of its own, whose memory holds nothing yet:
// its blocks must write all of it.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_BLOCKCOVERAGE_H
#define SCHEDOPT_LIB_CODEGEN_BLOCKCOVERAGE_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace sched {

/// Fails, with an error, where the blocks of `loop`, whose bounds are constant,
/// do not write all of a result that starts as more than tensor.empty, or where
/// that cannot be told.
llvm::LogicalResult checkCoverage(mlir::scf::ForallOp loop);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_BLOCKCOVERAGE_H
