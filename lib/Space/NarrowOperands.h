//===- NarrowOperands.h - Operands for dot products -------------*- C++ -*-===//
//
// A step before tasks are cut: see the top of the source.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_SPACE_NARROWOPERANDS_H
#define SCHEDOPT_LIB_SPACE_NARROWOPERANDS_H

#include "SchedOpt/Space/Task.h"
#include "SchedOpt/Support/DotProduct.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace sched {

/// What operand `number` of `anchor`'s body is before it is widened to 32 bits;
/// nothing if it is not, or of another type.
std::optional<NarrowType> getNarrowType(mlir::linalg::LinalgOp anchor,
                                        unsigned number);

/// Steps of a group of `op`, of `shape`; nothing if no instruction would pay
/// for such a product.
std::optional<int64_t> getGroupSteps(mlir::linalg::LinalgOp op,
                                     const ContractionShape &shape);

/// Whether so many steps are whole groups, or most of the first one, so that
/// zeros may fill the last.
inline bool fillsGroups(int64_t steps, int64_t groupSteps) {
  return steps % groupSteps == 0 || 2 * steps > groupSteps;
}

/// `value` with zeros behind dimension `dim`, up to `extent` if it has less. A
/// pad with zeros around `value` takes them along.
mlir::Value padWithZeros(mlir::RewriterBase &rewriter, mlir::Location loc,
                         mlir::Value value, int64_t dim, int64_t extent);

/// Whether instructions for dot products, where the processor has them, are to
/// compute `op`, of `shape`: then its operands are best left as they are.
bool suitsDotProducts(mlir::linalg::LinalgOp op, const ContractionShape &shape);

/// Lays the operands of narrow products of `function` out as instructions for
/// dot products take them; whether there was one to change.
bool arrangeNarrowOperands(mlir::func::FuncOp function);

} // namespace sched

#endif // SCHEDOPT_LIB_SPACE_NARROWOPERANDS_H
