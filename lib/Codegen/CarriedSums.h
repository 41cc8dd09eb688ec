//===- CarriedSums.h - Loops that carry a contraction's sums ----*- C++ -*-===//
//
// Of a contraction in a nest of loops that carry its sums, what depends on the
// right-hand side alone can be summed up once before, in a nest of its own, and
// for several nests that read the same columns.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_CARRIEDSUMS_H
#define SCHEDOPT_LIB_CODEGEN_CARRIEDSUMS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace sched {

/// The loops that carry the sums of `op` and do nothing with them but add to
/// them, the outermost first. None where it is the only step.
llvm::SmallVector<mlir::scf::ForOp>
getCarryingLoops(mlir::vector::ContractionOp op);

/// What the outermost of `loops`, which are `getCarryingLoops(op)` or the
/// innermost of these, begins with.
mlir::OpOperand &getInitialSums(llvm::ArrayRef<mlir::scf::ForOp> loops,
                                mlir::vector::ContractionOp op);

/// Marks a nest of loops that sumBefore made.
constexpr llvm::StringLiteral kSumsAttrName = "sched.sums";

/// Adds one step of a vector read for the right-hand side to sums.
using SumStep = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::Value read, mlir::ValueRange sums)>;

/// Runs `step` in loops like `loops` before them, for what `read` is in each
/// iteration, beginning with `zeros`; and takes those loops out of each loop
/// right around them that reads the same in each of its iterations. The nest of
/// them is marked (kSumsAttrName). `b` inserts where `step` is called. The
/// sums; none, and nothing changed, where something in `loops` may write what
/// `read` reads.
llvm::SmallVector<mlir::Value> sumBefore(llvm::ArrayRef<mlir::scf::ForOp> loops,
                                         mlir::vector::TransferReadOp read,
                                         mlir::ValueRange zeros,
                                         mlir::ImplicitLocOpBuilder &b,
                                         SumStep step);

/// Of `nest`, which sumBefore made: where a loop further out repeats it, puts
/// its sums into a table before that, and reads them from there.
void tabulateSums(mlir::scf::ForOp nest);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_CARRIEDSUMS_H
