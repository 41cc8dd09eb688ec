//===- ShortRows.h - Vectors whose rows are short ---------------*- C++ -*-===//
//
// For LowerVectors.cpp; ShortRows.cpp says what is done.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_SHORTROWS_H
#define SCHEDOPT_LIB_CODEGEN_SHORTROWS_H

#include "mlir/IR/Operation.h"

namespace sched {

/// Computes vectors of rows that are shorter than a register, and follow one
/// another in memory where they are written, in whole registers. `vectorBytes`:
/// of a register (0: 16).
void flattenShortRows(mlir::Operation *root, int64_t vectorBytes);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_SHORTROWS_H
