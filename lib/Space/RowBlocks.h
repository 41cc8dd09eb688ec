//===- RowBlocks.h - Products computed block of rows by block ---*- C++ -*-===//
//
// Attention is a product, reductions of its rows, and a product again; what is
// between the two has an element for each pair of a query and a key. Each row
// of the second product needs the same row of the first and nothing else, so a
// block of rows goes through all of the ops while it is in the cache, and the
// whole is never in memory. So with reductions of columns, as a softmax of
// channels that come before pixels: all stages read the columns again.
//
// A step of OutlineTasks.h, before tasks are cut.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_ROWBLOCKS_H
#define SCHEDOPT_LIB_SPACE_ROWBLOCKS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SmallVector.h"

namespace sched {

/// Turns each such chain of `function` into a parallel loop over blocks of rows
/// that calls a private function for a block, `<function>_rows`, and another
/// for the rest; columns likewise. Returns those functions, marked with
/// kInParallelAttrName. Does nothing where the intermediate result is small,
/// and the second time.
llvm::SmallVector<mlir::func::FuncOp> blockRows(mlir::func::FuncOp function,
                                                mlir::SymbolTable &symbols);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_ROWBLOCKS_H
