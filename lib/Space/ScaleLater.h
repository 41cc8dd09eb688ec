//===- ScaleLater.h - Scales of rows after the product ----------*- C++ -*-===//
//
// A step of OutlineTasks.h, before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_SCALELATER_H
#define SCHEDOPT_LIB_SPACE_SCALELATER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Moves the scales of exponentials behind the products that read them, in
/// `function`; whether there was one.
bool scaleAfterProducts(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_SCALELATER_H
