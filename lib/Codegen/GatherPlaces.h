//===- GatherPlaces.h - Places that a gather computes -----------*- C++ -*-===//
//
// What the body of a gather computes before it reads, written for one point of
// its loops, or for several along the innermost one.
//
// Read next: MoveLines.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_GATHERPLACES_H
#define SCHEDOPT_LIB_CODEGEN_GATHERPLACES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace sched {

/// Whether one of `values`, in the body of `op`, depends on a loop of `op` from
/// the `first` one on.
bool dependsOnLoops(mlir::linalg::GenericOp op, mlir::ValueRange values,
                    int64_t first);

/// Computes values of the body of `op` for one point of its loops.
class PlaceWriter {
public:
  /// `loops`: the number of each loop that what is asked for depends on, the
  /// outermost first.
  PlaceWriter(mlir::OpBuilder &builder, mlir::linalg::GenericOp op,
              mlir::ValueRange loops)
      : builder(builder), op(op), loops(loops) {}

  /// What `value` is there; what it is made of is computed once.
  mlir::Value get(mlir::Value value);

private:
  mlir::Value compute(mlir::Value value);

  mlir::OpBuilder &builder;
  mlir::linalg::GenericOp op;
  mlir::SmallVector<mlir::Value> loops;
  mlir::IRMapping mapping;
};

/// The same for `lanes` points, the first of which is at `loops`, and the
/// others after it along the innermost loop.
class LaneWriter {
public:
  LaneWriter(mlir::OpBuilder &builder, mlir::linalg::GenericOp op,
             mlir::ValueRange loops, int64_t lanes)
      : builder(builder), op(op), loops(loops), lanes(lanes),
        points(builder, op, loops) {}

  /// Whether a vector of `element` lies in memory as a line of a tensor does:
  /// of i4, i24 or f80 it does not.
  static bool isOfWholeBytes(mlir::Type element);
  /// Whether `value` can be computed for several points: `op`, whose maps are
  /// projected permutations, reads its operands along the innermost loop, and
  /// works on them element by element.
  static bool isSupported(mlir::linalg::GenericOp op, mlir::Value value);

  /// One value for all points, where it does not depend on the innermost loop;
  /// otherwise a vector.
  mlir::Value get(mlir::Value value);
  /// A vector in any case.
  mlir::Value getVector(mlir::Value value) { return spread(get(value)); }

private:
  mlir::Value compute(mlir::Value value);
  mlir::Value spread(mlir::Value value);
  mlir::VectorType getType(mlir::Type element) const {
    return mlir::VectorType::get({lanes}, element);
  }

  mlir::OpBuilder &builder;
  mlir::linalg::GenericOp op;
  mlir::SmallVector<mlir::Value> loops;
  int64_t lanes;
  PlaceWriter points;
  mlir::IRMapping mapping;
};

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_GATHERPLACES_H
