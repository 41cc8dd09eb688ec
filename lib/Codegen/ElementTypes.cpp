//===- ElementTypes.cpp - Elements that kernels have ----------------------===//

#include "ElementTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

int64_t sched::getElementBytes(Type element) {
  return element.isIndex()
             ? 8
             : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

int64_t sched::getWidestVector(Type element) {
  return std::max<int64_t>(1, 16 / getElementBytes(element));
}

static bool isSupported(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return true;
  const Type element = tensor.getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    // Of others LLVM keeps an element in more bytes than its bits need.
    return integer.getWidth() <= 8 || (integer.getWidth() <= 64 &&
                                       llvm::isPowerOf2_32(integer.getWidth()));
  return element.isIndex() || element.isF16() || element.isBF16() ||
         element.isF32() || element.isF64();
}

LogicalResult sched::checkElementTypes(Operation *root) {
  const WalkResult result = root->walk<WalkOrder::PreOrder>([](Operation *op) {
    SmallVector<Type> types(op->getResultTypes());
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      llvm::append_range(types, function.getArgumentTypes());
    llvm::append_range(types, op->getOperandTypes());
    const auto *found = llvm::find_if_not(types, isSupported);
    if (found == types.end())
      return WalkResult::advance();
    emitError(op->getLoc())
        << "'" << op->getName() << "' op has a tensor of "
        << cast<TensorType>(*found).getElementType()
        << ", which a kernel cannot compute with; expected elements of i1 to "
           "i8, i16, i32, i64, index, f16, bf16, f32 or f64: convert them "
           "before, or pass "
           "their members as tensors of their own";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
