//===- KernelTypes.cpp - Memory spaces and indices of kernels -------------===//

#include "KernelTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

static MemRefType inGlobalMemory(MemRefType type) {
  return MemRefType::get(
      type.getShape(), type.getElementType(), type.getLayout(),
      gpu::AddressSpaceAttr::get(type.getContext(), gpu::AddressSpace::Global));
}

/// Gives the views of `value` its memory space.
static LogicalResult placeViews(Value value) {
  const Attribute space = cast<MemRefType>(value.getType()).getMemorySpace();
  for (Operation *user : value.getUsers()) {
    if (isa<ViewLikeOpInterface>(user)) {
      for (Value view : user->getResults()) {
        auto type = dyn_cast<MemRefType>(view.getType());
        if (!type)
          continue;
        view.setType(MemRefType::get(type.getShape(), type.getElementType(),
                                     type.getLayout(), space));
        if (failed(placeViews(view)))
          return failure();
      }
    } else if (llvm::any_of(user->getResultTypes(),
                            llvm::IsaPred<BaseMemRefType>) ||
               user->hasTrait<OpTrait::IsTerminator>()) {
      return user->emitOpError(
          "passes on a buffer of the kernel; expected loads, stores and views");
    }
  }
  return success();
}

LogicalResult sched::placeKernelBuffers(gpu::GPUModuleOp kernels) {
  for (auto kernel : kernels.getOps<gpu::GPUFuncOp>()) {
    for (BlockArgument argument : kernel.getArguments()) {
      auto type = dyn_cast<MemRefType>(argument.getType());
      if (!type)
        continue;
      if (!type.hasStaticShape() || !type.getLayout().isIdentity())
        return kernel.emitOpError()
               << "has argument #" << argument.getArgNumber() << " of type "
               << type
               << "; expected a memref of static shape and identity layout";
      if (type.getMemorySpace())
        continue;
      argument.setType(inGlobalMemory(type));
      if (failed(placeViews(argument)))
        return failure();
    }
    kernel.setFunctionType(FunctionType::get(
        kernel.getContext(), kernel.front().getArgumentTypes(), {}));
  }
  for (auto global : kernels.getOps<memref::GlobalOp>()) {
    if (global.getType().getMemorySpace())
      continue;
    global.setType(inGlobalMemory(global.getType()));
    if (!global.getAlignment())
      global.setAlignment(16);
  }
  WalkResult result = kernels.walk([](memref::GetGlobalOp get) {
    if (get.getType().getMemorySpace())
      return WalkResult::advance();
    get.getResult().setType(inGlobalMemory(get.getType()));
    return WalkResult(placeViews(get));
  });
  return failure(result.wasInterrupted());
}

/// Whether `op` sees an index as an integer of more than 32 bits, or such an
/// integer as an index.
static bool isWideCast(Operation *op) {
  if (!isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return false;
  auto isWide = [](Type type) {
    auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
    return integer && integer.getWidth() > 32;
  };
  return isWide(op->getOperand(0).getType()) ||
         isWide(op->getResult(0).getType());
}

static bool isWideType(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && (memref.getElementType().isIndex() ||
                    (memref.hasStaticShape() &&
                     memref.getNumElements() >= int64_t(1) << 30));
}

unsigned sched::getIndexWidth(gpu::GPUModuleOp kernels) {
  WalkResult result = kernels.walk([](Operation *op) {
    if (op->hasAttr(wideIndexName) || isWideCast(op) ||
        llvm::any_of(op->getResultTypes(), isWideType))
      return WalkResult::interrupt();
    if (auto constant = dyn_cast<arith::ConstantIndexOp>(op))
      return WalkResult(success(llvm::isInt<32>(constant.value())));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (llvm::any_of(block.getArgumentTypes(), isWideType))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return result.wasInterrupted() ? 64 : 32;
}

void sched::keepAddressesInRange(gpu::GPUModuleOp kernels, unsigned width) {
  auto isSum = [&](Operation *op) {
    return isa_and_present<LLVM::AddOp, LLVM::MulOp, LLVM::SubOp, LLVM::ShlOp>(
               op) &&
           op->getResult(0).getType().isInteger(width);
  };
  // What an address is the sum of, through the counters of loops.
  llvm::SetVector<Value> values;
  llvm::SetVector<Operation *> sums;
  kernels.walk([&](LLVM::GEPOp address) {
    for (Value index : address.getDynamicIndices())
      values.insert(index);
  });
  for (unsigned i = 0; i != values.size(); ++i) {
    if (isSum(values[i].getDefiningOp())) {
      sums.insert(values[i].getDefiningOp());
      values.insert_range(values[i].getDefiningOp()->getOperands());
    } else if (auto argument = dyn_cast<BlockArgument>(values[i])) {
      Block *block = argument.getOwner();
      for (auto it = block->pred_begin(), e = block->pred_end(); it != e; ++it)
        if (auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator()))
          if (Value passed = branch.getSuccessorOperands(
                  it.getSuccessorIndex())[argument.getArgNumber()])
            values.insert(passed);
    }
  }
  // A value may also be a number of the program, which may overflow.
  auto isOfAddress = [&](Operation *op) {
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
      return sums.contains(user) ||
             isa<LLVM::GEPOp, LLVM::ICmpOp, LLVM::SDivOp, LLVM::SRemOp,
                 LLVM::UDivOp, LLVM::URemOp>(user) ||
             user->hasTrait<OpTrait::IsTerminator>();
    });
  };
  for (Operation *op : sums)
    if (isOfAddress(op))
      cast<LLVM::IntegerOverflowFlagsInterface>(op).setOverflowFlags(
          cast<LLVM::IntegerOverflowFlagsInterface>(op).getOverflowFlags() |
          LLVM::IntegerOverflowFlags::nsw);
}
