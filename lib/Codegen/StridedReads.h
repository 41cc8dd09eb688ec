//===- StridedReads.h - Every other element of a line -----------*- C++ -*-===//
//
// Patterns for LowerVectors.cpp; StridedReads.cpp says what they do.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_STRIDEDREADS_H
#define SCHEDOPT_LIB_CODEGEN_STRIDEDREADS_H

#include "mlir/IR/PatternMatch.h"

namespace sched {

/// Reads of vectors of elements a few apart, by loads of whole vectors and
/// shuffles. `vectorBytes`: of a register (0: 16).
void populateStridedReadPatterns(mlir::RewritePatternSet &patterns,
                                 int64_t vectorBytes);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_STRIDEDREADS_H
