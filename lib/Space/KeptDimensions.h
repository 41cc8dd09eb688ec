//===- KeptDimensions.h - Results of reductions that keep dimensions *- C++
//-*-//
//
// A step before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_KEPTDIMENSIONS_H
#define SCHEDOPT_LIB_SPACE_KEPTDIMENSIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace sched {

/// Drops the dimensions of one element that reductions of `function` leave in
/// their results, and from the elementwise ops that read these; whether there
/// was one to drop.
bool dropKeptDimensions(mlir::func::FuncOp function);

/// Takes `reshape` out where it is of what needs none: of the inverse reshape,
/// an empty tensor or a fill.
void foldReshape(mlir::RewriterBase &rewriter,
                 mlir::tensor::CollapseShapeOp reshape);

/// The same of each of `values` that is reshaped; and what that was the inverse
/// of goes if nothing else reads it, as it would count as one more reader.
void foldReshapes(mlir::RewriterBase &rewriter,
                  llvm::ArrayRef<mlir::Value> values);

/// Lets what reads the same tensor merged alike read the same value: it would
/// be several arguments of a task.
void shareReshapes(mlir::func::FuncOp function);

/// Drops the dimensions of one element of `op` and its operands; what took its
/// place, failure if it stays.
mlir::FailureOr<mlir::linalg::GenericOp>
dropUnitDims(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_KEPTDIMENSIONS_H
