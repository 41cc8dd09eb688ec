//===- TransposeTiles.h - Tiles transposed in registers ---------*- C++ -*-===//
//
// Patterns for LowerVectors.cpp; TransposeTiles.cpp says what they do.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_TRANSPOSETILES_H
#define SCHEDOPT_LIB_CODEGEN_TRANSPOSETILES_H

#include "mlir/IR/PatternMatch.h"

namespace sched {

/// Transposed matrices of elements of 8 to 64 bits as shuffles of two rows; of
/// equal rows, as rows of equal elements.
void populateTransposeTilePatterns(mlir::RewritePatternSet &patterns);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_TRANSPOSETILES_H
