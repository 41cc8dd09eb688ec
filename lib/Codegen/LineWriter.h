//===- LineWriter.h - Loops around moves of contiguous elements -*- C++ -*-===//
//
// The loops that MoveLines.h has in common: over the outer dimensions of a
// result, on threads where there is enough to move. What is inside of them is
// moved as a slice, which LowerCopies.cpp makes vectors of.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_LINEWRITER_H
#define SCHEDOPT_LIB_CODEGEN_LINEWRITER_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sched {

class LineWriter {
public:
  using Places = llvm::ArrayRef<mlir::OpFoldResult>;
  /// Writes a part of `dest` whose outer dimensions are at `place`, for the
  /// `number`th iteration.
  using Body = llvm::function_ref<mlir::Value(mlir::Value dest, Places place,
                                              mlir::OpFoldResult number)>;

  /// Writes a tensor in place of `op`; on one thread inside of a parallel loop.
  LineWriter(mlir::OpBuilder &builder, mlir::Operation *op, int64_t threads);

  mlir::OpFoldResult index(int64_t number) {
    return builder.getIndexAttr(number);
  }

  mlir::OpFoldResult subtract(mlir::OpFoldResult a, mlir::OpFoldResult b);

  /// \name What `dest` becomes
  /// A place has the outermost dimensions only; in others, all is meant.
  /// @{
  /// The `count` elements from the last of `place` on are `element`.
  mlir::Value fill(mlir::Value dest, Places place, int64_t count,
                   mlir::Value element);
  /// The `count` elements from the last of `place` on are those of `source`
  /// from the last of `from` on. Outer dimensions may differ in number.
  mlir::Value copy(mlir::Value dest, Places place, mlir::Value source,
                   Places from, int64_t count);
  /// `body` has run `count` times, each time for the next `step` elements of
  /// the dimension after `outer`, from `first` on.
  mlir::Value loop(mlir::Value dest, Places outer, int64_t first, int64_t count,
                   int64_t step, Body body);
  /// `body` has run for each element of the dimension after `outer`, from
  /// `first` on, in order.
  mlir::Value loop(mlir::Value dest, Places outer, mlir::OpFoldResult first,
                   mlir::OpFoldResult count, Body body);
  /// copy, by threads.
  mlir::Value copyShared(mlir::Value dest, int64_t place, mlir::Value source,
                         int64_t count);
  /// @}

private:
  /// `body` has run for 0 to `count`.
  mlir::Value
  repeat(mlir::Value dest, mlir::OpFoldResult count,
         llvm::function_ref<mlir::Value(mlir::Value, mlir::OpFoldResult)> body);
  mlir::Value value(mlir::OpFoldResult number);
  /// `first + number * step`.
  mlir::OpFoldResult at(int64_t first, mlir::OpFoldResult number, int64_t step);
  mlir::Value share(mlir::Value dest, Places outer, int64_t first,
                    int64_t count, int64_t step, Body body);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  int64_t threads;
};

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_LINEWRITER_H
