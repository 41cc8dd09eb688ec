//===- SingleProducts.h - A row times a column --------------------*- C++ -*-=//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_SINGLEPRODUCTS_H
#define SCHEDOPT_LIB_SPACE_SINGLEPRODUCTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Makes dot products of the products with one row and one column, in
/// `function`; whether there was one.
bool reduceSingleProducts(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_SINGLEPRODUCTS_H
