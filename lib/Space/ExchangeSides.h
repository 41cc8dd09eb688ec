//===- ExchangeSides.h - Products with rows on the left ---------*- C++ -*-===//
//
// A step before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_EXCHANGESIDES_H
#define SCHEDOPT_LIB_SPACE_EXCHANGESIDES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Exchanges the inputs of the products in `function` whose columns are on the
/// left and could be panels; whether there were any.
bool exchangeSides(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_EXCHANGESIDES_H
