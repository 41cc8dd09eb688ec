//===- IndexSum.h - Indices as sums of loop variables -----------*- C++ -*-===//
//
// Where the loops of a schedule read: an index as a sum of values times
// constants, and the interval that such a value is in.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_INDEXSUM_H
#define SCHEDOPT_LIB_CODEGEN_INDEXSUM_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace sched {

/// What a value can be, both ends included.
struct Interval {
  int64_t least = 0, most = 0;
};

/// What a loop's induction variable can be, be it `scf.for` or `scf.forall`;
/// none if `value` is something else, or the bounds are neither constants nor
/// affine.max and affine.min with a constant among others.
std::optional<Interval> getRange(mlir::Value value);

/// How a loop's index runs.
struct IndexSteps {
  int64_t least, step, trips;
  /// The loop always runs so, not in a part of that.
  bool isExact;
};

/// That of `index`, whose range is known (getRange) and whose step is constant;
/// none if it is anything else, or may have other steps in that range.
std::optional<IndexSteps> getSteps(mlir::Value index);

/// A sum of values times constants, and a constant.
struct IndexSum {
  llvm::SmallMapVector<mlir::Value, int64_t, 4> terms;
  int64_t constant = 0;

  /// Adds `factor` times `value`; false if that is no sum.
  bool add(mlir::Value value, int64_t factor);
  void add(mlir::OpFoldResult index, int64_t factor);
  void add(const IndexSum &other, int64_t factor);

  /// The sum of dimensions for the terms' values, which are appended to
  /// `values`, and of the constant.
  mlir::AffineExpr getExpr(mlir::Builder &builder,
                           llvm::SmallVectorImpl<mlir::Value> &values) const;

  /// What the sum can be; none if the range of a term is not known.
  std::optional<Interval> getInterval() const;

private:
  bool add(mlir::AffineExpr expr, int64_t factor, unsigned dims,
           mlir::ValueRange operands);
};

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_INDEXSUM_H
