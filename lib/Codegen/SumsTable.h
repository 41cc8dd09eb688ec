//===- SumsTable.h - Results of a nest of loops in a buffer -----*- C++ -*-===//
//
// A nest of loops that sums up vectors depends on some of the loops around it
// and not on others. What it computes for all iterations of the former can be
// computed beforehand, elsewhere, and read from a table.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_SUMSTABLE_H
#define SCHEDOPT_LIB_CODEGEN_SUMSTABLE_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/SetVector.h"

namespace sched {

class SumsTable {
public:
  /// Of `nest`, for all of its runs within `around`, an op that has it in a
  /// region. None if its results are not vectors of one type; if anything but
  /// pure ops leads to it there; or if that depends on what is neither known
  /// before `around` nor the index of a loop in a range that is known.
  static std::optional<SumsTable> find(mlir::scf::ForOp nest,
                                       mlir::Operation *around);

  /// The arguments of the function `around` that it depends on.
  llvm::ArrayRef<mlir::Value> getArguments() const {
    return arguments.getArrayRef();
  }

  /// Whether it is the same for all iterations of `loop`.
  bool isRepeatedBy(mlir::Operation *loop) const;

  /// Its dimensions are the loops that it varies with, the results and the
  /// lanes.
  mlir::MemRefType getType();

  /// Fills `table`, of that type: of a loop whose bounds vary, for all indices
  /// that there may be. What is known before `around` is mapped by `map`.
  void fill(mlir::Value table, mlir::IRMapping map,
            mlir::ImplicitLocOpBuilder &b);

  /// What the nest computes, read from `table` in its place.
  llvm::SmallVector<mlir::Value> read(mlir::Value table,
                                      mlir::ImplicitLocOpBuilder &b);

private:
  /// A loop that the nest varies with.
  struct Loop {
    mlir::BlockArgument index;
    int64_t least, step, trips;

    mlir::Operation *getOp() const { return index.getOwner()->getParentOp(); }
  };

  SumsTable(mlir::scf::ForOp nest, mlir::Operation *around)
      : nest(nest), around(around) {}

  bool collect();
  bool addIndex(mlir::Value value);

  mlir::scf::ForOp nest;
  mlir::Operation *around;
  /// What leads to the nest within `around`, in program order.
  llvm::SetVector<mlir::Operation *> slice;
  llvm::SetVector<mlir::Value> arguments;
  /// The outermost first.
  llvm::SmallVector<Loop> loops;
};

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_SUMSTABLE_H
