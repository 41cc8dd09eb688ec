//===- DecomposeArgmax.h - Places of largest elements -----------*- C++ -*-===//
//
// Takes ops with two results apart that find the largest or smallest element of
// a row and its place: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_DECOMPOSEARGMAX_H
#define SCHEDOPT_LIB_SPACE_DECOMPOSEARGMAX_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sched {

/// Replaces each such op of `function` by ops with one result; whether there
/// was one. No upstream op does it in a script, so tasks of `function` get
/// functions of their own.
bool decomposeArgmax(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_DECOMPOSEARGMAX_H
