//===- IndexMath.h - Index arithmetic that knows its bounds -----*- C++ -*-===//
//
// Kernels compute places in memory. This builder folds what it can, and keeps
// of each value it made a range and a divisor: by them guards that always hold
// go away, and a vector access is proven to be aligned.
//
// Conditions are values of i1; null stands for one that always holds.
//
// Read next: KernelState.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_INDEXMATH_H
#define SCHEDOPT_LIB_CODEGEN_INDEXMATH_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace sched {

/// An index lies in [min, max] and is a multiple of `divisor` (0: it is 0).
struct IndexFacts {
  /// Beyond these nothing is known.
  static constexpr int64_t lowest = -(int64_t(1) << 48), highest = int64_t(1)
                                                                   << 48;
  int64_t min = lowest, max = highest, divisor = 1;
};

class IndexMath {
public:
  /// Constants are made at the start of `entry`.
  IndexMath(mlir::OpBuilder &builder, mlir::Location loc, mlir::Block *entry)
      : builder(builder), loc(loc), entry(entry) {}

  mlir::Value constant(int64_t value);
  std::optional<int64_t> getConstant(mlir::Value value) const;

  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value add(mlir::Value lhs, int64_t rhs) {
    return add(lhs, constant(rhs));
  }
  mlir::Value subtract(mlir::Value lhs, mlir::Value rhs);
  mlir::Value multiply(mlir::Value lhs, mlir::Value rhs);
  mlir::Value multiply(mlir::Value lhs, int64_t rhs) {
    return multiply(lhs, constant(rhs));
  }
  /// Rounded down, and the remainder that is not negative; `rhs` > 0.
  mlir::Value divide(mlir::Value lhs, int64_t rhs);
  mlir::Value remainder(mlir::Value lhs, int64_t rhs);
  mlir::Value minimum(mlir::Value lhs, mlir::Value rhs);
  mlir::Value maximum(mlir::Value lhs, mlir::Value rhs);
  /// `yes` where the condition holds, else `no`.
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);

  mlir::Value less(mlir::Value lhs, mlir::Value rhs);
  /// 0 <= value < size.
  mlir::Value within(mlir::Value value, mlir::Value size);
  mlir::Value both(mlir::Value lhs, mlir::Value rhs);
  /// The condition as a value, also where it always holds.
  mlir::Value materialize(mlir::Value condition);

  mlir::Value apply(mlir::AffineExpr expr, mlir::ValueRange dims,
                    mlir::ValueRange symbols = {});

  /// Row-major position of `indices` in `sizes`, and back. The first size does
  /// not matter. `ahead` is added to the position: indices that it cannot
  /// change are the same values, or values plus a constant.
  mlir::Value linearize(mlir::ValueRange indices,
                        llvm::ArrayRef<int64_t> sizes);
  llvm::SmallVector<mlir::Value> delinearize(mlir::Value position,
                                             llvm::ArrayRef<int64_t> sizes,
                                             int64_t ahead = 0);

  IndexFacts getFacts(mlir::Value value) const;
  /// For values that were not made here: ids, and the variables of loops.
  void setFacts(mlir::Value value, IndexFacts facts);
  /// Largest power of two up to `limit` that divides the value.
  int64_t getPowerDivisor(mlir::Value value, int64_t limit) const;

private:
  mlir::Value note(mlir::Value value, IndexFacts facts);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Block *entry;
  llvm::DenseMap<mlir::Value, IndexFacts> known;
  llvm::DenseMap<int64_t, mlir::Value> constants;
};

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_INDEXMATH_H
