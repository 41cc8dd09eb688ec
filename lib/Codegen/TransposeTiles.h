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

/// So many elements of `row`, from `begin` on; any where it has none.
mlir::Value takePart(mlir::Value row, int64_t begin, int64_t count,
                     mlir::PatternRewriter &rewriter, mlir::Location loc);

/// The elements of `parts`, which are equally many, one after the other, and
/// any after those, up to a power of two of parts: of operands of different
/// sizes, shuffles are lowered to elements.
mlir::Value concatenate(llvm::SmallVector<mlir::Value> parts,
                        mlir::PatternRewriter &rewriter, mlir::Location loc);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_TRANSPOSETILES_H
