//===- PrefetchResults.h - Where the next sums go ---------------*- C++ -*-===//

#ifndef SCHEDOPT_LIB_CODEGEN_PREFETCHRESULTS_H
#define SCHEDOPT_LIB_CODEGEN_PREFETCHRESULTS_H

#include "NarrowContraction.h"
#include "mlir/IR/Operation.h"

namespace sched {

/// Where a loop in `root` computes some of `products`, which are those in
/// tiles, of few steps, and stores each one's sums in a buffer of at least
/// `minBytes` (0: in none), the steps fetch for writing the lines of the cache
/// that the next one stores, each step some of the rows. Left as they are: sums
/// that were read there, or that the next iteration stores in the same place,
/// or with several dimensions of rows, and loops whose iterations cannot be
/// counted.
void prefetchResults(mlir::Operation *root,
                     llvm::ArrayRef<NarrowContraction> products,
                     uint64_t minBytes);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_PREFETCHRESULTS_H
