//===- PackedBytes.cpp - Products with bytes packed beforehand ------------===//
//
// Asked of vectors read from tensors, when OutlinePacking.cpp has just made the
// functions that pack. Read next: SkipBorder.cpp, LowerDotProducts.cpp.
//
//===----------------------------------------------------------------------===//

#include "PackedBytes.h"
#include "SchedOpt/Codegen/SymbolNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

Value sched::getViewed(Value view) {
  while (isa_and_present<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                         tensor::CollapseShapeOp>(view.getDefiningOp()))
    view = view.getDefiningOp()->getOperand(0);
  return view;
}

vector::TransferReadOp sched::getSignedBytes(Value value) {
  auto widened = value.getDefiningOp<arith::ExtSIOp>();
  return widened && getElementTypeOrSelf(widened.getIn()).isInteger(8)
             ? widened.getIn().getDefiningOp<vector::TransferReadOp>()
             : vector::TransferReadOp();
}

/// Whether the right-hand side of `product` is of signed bytes that a function
/// of their own has packed.
static bool hasPackedBytes(vector::ContractionOp product) {
  vector::TransferReadOp columns = getSignedBytes(product.getRhs());
  auto argument = columns
                      ? dyn_cast<BlockArgument>(getViewed(columns.getBase()))
                      : BlockArgument();
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
               : func::FuncOp();
  return function && function.isPublic() &&
         SymbolTable::lookupNearestSymbolFrom(
             function->getParentOp(),
             StringAttr::get(
                 function.getContext(),
                 getPackName(function.getName(), argument.getArgNumber())));
}

/// Whether `reader` multiplies `widened`, of signed bytes, by packed ones.
static bool isPackedProduct(Operation *reader, Value widened) {
  auto product = dyn_cast<vector::ContractionOp>(reader);
  return product && product.getLhs() == widened && getSignedBytes(widened) &&
         hasPackedBytes(product);
}

bool sched::isMultipliedByPacked(vector::TransferReadOp read) {
  return llvm::any_of(read->getUsers(), [](Operation *user) {
    return llvm::any_of(user->getUsers(), [&](Operation *reader) {
      return isPackedProduct(reader, user->getResult(0));
    });
  });
}

bool sched::mayBeLeftOut(vector::TransferReadOp read) {
  return llvm::all_of(read->getUsers(), [](Operation *user) {
    return !isa<arith::ExtSIOp>(user) ||
           llvm::all_of(user->getUsers(), [&](Operation *reader) {
             return isPackedProduct(reader, user->getResult(0));
           });
  });
}
