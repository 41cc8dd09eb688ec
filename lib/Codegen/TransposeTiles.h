//===- TransposeTiles.h - Square tiles transposed in registers --*- C++ -*-===//
//
// Patterns for LowerVectors.cpp; TransposeTiles.cpp says what they do.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_TRANSPOSETILES_H
#define SCHEDOPT_LIB_CODEGEN_TRANSPOSETILES_H

#include "mlir/IR/PatternMatch.h"

namespace sched {

/// Transposes of 8 x 8 elements of 32 bits and 4 x 4 of 64 as shuffles.
void populateTransposeTilePatterns(mlir::RewritePatternSet &patterns);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_TRANSPOSETILES_H
