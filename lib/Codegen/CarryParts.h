//===- CarryParts.h - Vectors carried in another form -----------*- C++ -*-===//
//
// Instructions for products of matrices have their sums in a form of their own:
// tiles, or vectors of small squares. Each product takes a vector of sums apart
// and puts one together; here the parts stay parts between products, and from
// one iteration of a loop to the next. Part of the lowerings of products.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_CARRYPARTS_H
#define SCHEDOPT_LIB_CODEGEN_CARRYPARTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace sched {

/// The parts, of `types`, of `vector`: a cast that the lowering later writes.
mlir::ValueRange takeApart(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value vector, mlir::TypeRange types);
/// The vector of that type that has `parts`.
mlir::Value putTogether(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::ValueRange parts, mlir::Type type);

/// Removes casts that undo each other inside of `root`, through `scf.for`.
/// Returns those that are left and are used, in program order.
llvm::SmallVector<mlir::UnrealizedConversionCastOp>
carryParts(mlir::Operation *root);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_CARRYPARTS_H
