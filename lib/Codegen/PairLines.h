//===- PairLines.h - Tiles of neighbouring lines ----------------*- C++ -*-===//
//
// Part of LowerTileProducts.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_PAIRLINES_H
#define SCHEDOPT_LIB_CODEGEN_PAIRLINES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"

namespace sched {
struct NarrowContraction;

/// Computes products of a single tile of rows, as a short line of an image is,
/// beside those of the lines that follow it, as far as there are tile registers
/// for their sums: what all of them read is loaded once. `products` are those
/// in `function`; if the result is true they have changed, and are to be found
/// anew.
bool pairLines(mlir::Operation *function,
               llvm::ArrayRef<NarrowContraction> products);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_PAIRLINES_H
