//===- ViewTypes.h - Views of a buffer that becomes another one -*- C++ -*-===//
//
// A buffer whose rows come to lie elsewhere has another type, and so have the
// views of it.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_VIEWTYPES_H
#define SCHEDOPT_LIB_CODEGEN_VIEWTYPES_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace sched {

/// Whether nothing but `op` itself can reach its operands' memory through it:
/// it returns no buffers, and is no call.
bool keepsToItself(mlir::Operation *op);

/// Whether `op` does nothing with `memory` but read it, or write to it if it
/// may.
bool accesses(mlir::Operation *op, mlir::Value memory, bool mayWrite);

/// The types that views of a buffer would have, were it of another one.
class ViewTypes {
public:
  /// Whether an op that is no view could use that operand of it.
  using CanUse = llvm::function_ref<bool(mlir::Operation *, mlir::Value)>;

  /// Adds the types of what `user` makes of `memory` when that is of `type`, a
  /// static shape with strides; whether all of it can be, which `canUse` says
  /// of other ops than slices and reshapes.
  bool add(mlir::Operation *user, mlir::Value memory, mlir::MemRefType type,
           CanUse canUse);

  /// Gives the views their types.
  void apply() const;

private:
  llvm::SmallVector<std::pair<mlir::Value, mlir::MemRefType>> types;
};

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_VIEWTYPES_H
