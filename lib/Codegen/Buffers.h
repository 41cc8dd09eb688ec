//===- Buffers.h - Buffers behind views, and their sizes --------*- C++ -*-===//
//
// What passes on buffers ask before they move a read or a write: whether it is
// of the same buffer as another one, and how large that is. Two roots may still
// be the same memory, if both are arguments that may overlap.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_BUFFERS_H
#define SCHEDOPT_LIB_CODEGEN_BUFFERS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace sched {

/// Of a line of the caches.
constexpr int64_t kLineBytes = 64;

/// The buffer that `buffer` is a view of, or itself.
inline mlir::Value getRoot(mlir::Value buffer) {
  while (auto view = buffer.getDefiningOp<mlir::ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// Whether `memory` overlaps no other such: an argument of the function, as
/// Bufferize.cpp has them, what is allocated in it, or a constant.
inline bool isOwnBuffer(mlir::Value memory) {
  mlir::Operation *op = memory.getDefiningOp();
  if (!op) {
    mlir::Block *owner = llvm::cast<mlir::BlockArgument>(memory).getOwner();
    return owner->isEntryBlock() &&
           llvm::isa<mlir::FunctionOpInterface>(owner->getParentOp());
  }
  if (auto constant = llvm::dyn_cast<mlir::memref::GetGlobalOp>(op)) {
    auto global =
        mlir::SymbolTable::lookupNearestSymbolFrom<mlir::memref::GlobalOp>(
            op, constant.getNameAttr());
    return global && global.getConstant();
  }
  return llvm::isa<mlir::memref::AllocOp, mlir::memref::AllocaOp>(op);
}

/// Whether `op` is a view of its first operand whose layout is all of its type.
inline bool isView(mlir::Operation *op) {
  return llvm::isa_and_present<
      mlir::memref::SubViewOp, mlir::memref::ExpandShapeOp,
      mlir::memref::CollapseShapeOp, mlir::memref::CastOp,
      mlir::memref::ReinterpretCastOp>(op);
}

/// Bytes of a vector, tensor or buffer of static shape, whose elements are
/// numbers of whole bytes.
inline int64_t countBytes(mlir::ShapedType type) {
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_BUFFERS_H
