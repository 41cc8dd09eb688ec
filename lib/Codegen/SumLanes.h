//===- SumLanes.h - The lanes of partial results joined ---------*- C++ -*-===//
//
// Patterns for LowerVectors.cpp; SumLanes.cpp says what they do.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_SUMLANES_H
#define SCHEDOPT_LIB_CODEGEN_SUMLANES_H

#include "mlir/IR/PatternMatch.h"

namespace sched {

/// Reductions of the rows of a matrix, each along its lanes, by shuffles of two
/// rows. A vector register has `vectorBytes`, or 16 if that is less.
void populateSumLanesPatterns(mlir::RewritePatternSet &patterns,
                              int64_t vectorBytes);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_SUMLANES_H
