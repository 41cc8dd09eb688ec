//===- MatrixTransfers.h - Transfers without unit dimensions ----*- C++ -*-===//
//
// Part of LowerTileProducts.cpp, whose tiles are rows of memory.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_MATRIXTRANSFERS_H
#define SCHEDOPT_LIB_CODEGEN_MATRIXTRANSFERS_H

#include "mlir/IR/Operation.h"

namespace sched {

/// Makes what reads or writes a matrix among dimensions of one element, in
/// `root`, a transfer of the matrix to a view that has no other dimension.
void makeMatrixTransfers(mlir::Operation *root);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_MATRIXTRANSFERS_H
