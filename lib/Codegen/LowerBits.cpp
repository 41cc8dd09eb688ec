//===- LowerBits.cpp - Vectors of i1 in memory ----------------------------===//
//
// LLVM packs the bits of a vector of i1 in memory. Tensors have a byte for each
// element, so that vectors of bytes are what is loaded and stored here.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace sched {
#define GEN_PASS_DEF_LOWERBITSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

/// The type of `type`'s elements in a tensor where it is a vector of i1.
static VectorType getBytes(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || !vector.getElementType().isInteger(1))
    return {};
  return cast<VectorType>(vector.clone(IntegerType::get(type.getContext(), 8)));
}

/// Whether `pointer` is into a buffer of whole vectors, which are LLVM's own:
/// those are stored and loaded as they are.
static bool isOfVectors(Value pointer) {
  while (auto place = pointer.getDefiningOp<LLVM::GEPOp>()) {
    if (isa<VectorType, LLVM::LLVMArrayType>(place.getElemType()))
      return true;
    pointer = place.getBase();
  }
  auto buffer = pointer.getDefiningOp<LLVM::AllocaOp>();
  return buffer && isa<VectorType, LLVM::LLVMArrayType>(buffer.getElemType());
}

static Value widen(OpBuilder &builder, Value bits) {
  return LLVM::ZExtOp::create(builder, bits.getLoc(), getBytes(bits.getType()),
                              bits);
}

/// Makes `load` one of bytes. Any byte that is not 0 is true, as in C.
static void loadBytes(Operation *load) {
  Value value = load->getResult(0);
  const VectorType bits = cast<VectorType>(value.getType()),
                   bytes = getBytes(bits);
  OpBuilder builder(load->getContext());
  builder.setInsertionPointAfter(load);
  value.setType(bytes);
  Value zero = LLVM::ZeroOp::create(builder, load->getLoc(), bytes);
  Value isSet = LLVM::ICmpOp::create(builder, load->getLoc(),
                                     LLVM::ICmpPredicate::ne, value, zero);
  value.replaceAllUsesExcept(isSet, isSet.getDefiningOp());
}

namespace {
struct LowerBits : sched::impl::LowerBitsPassBase<LowerBits> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      OpBuilder builder(op);
      if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
        if (getBytes(load.getType()) && !isOfVectors(load.getAddr()))
          loadBytes(load);
      } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
        if (getBytes(store.getValue().getType()) &&
            !isOfVectors(store.getAddr()))
          store.getValueMutable().assign(widen(builder, store.getValue()));
      } else if (auto load = dyn_cast<LLVM::MaskedLoadOp>(op)) {
        if (!getBytes(load.getType()) || isOfVectors(load.getData()))
          return;
        for (OpOperand &other : load.getPassThruMutable())
          other.set(widen(builder, other.get()));
        loadBytes(load);
      } else if (auto store = dyn_cast<LLVM::MaskedStoreOp>(op)) {
        if (getBytes(store.getValue().getType()) &&
            !isOfVectors(store.getData()))
          store.getValueMutable().assign(widen(builder, store.getValue()));
      } else if (auto gather = dyn_cast<LLVM::masked_gather>(op)) {
        if (!getBytes(gather.getType()))
          return;
        for (OpOperand &other : gather.getPassThruMutable())
          other.set(widen(builder, other.get()));
        loadBytes(gather);
      } else if (auto scatter = dyn_cast<LLVM::masked_scatter>(op)) {
        if (getBytes(scatter.getValue().getType()))
          scatter.getValueMutable().assign(widen(builder, scatter.getValue()));
      }
    });
  }
};
} // namespace
