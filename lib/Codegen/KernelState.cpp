//===- KernelState.cpp - A kernel that is being written -------------------===//

#include "KernelState.h"
#include "ElementTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

Attribute sched::getSharedSpace(MLIRContext *context) {
  return gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
}

Value SharedMemory::allocate(int64_t count, Type element) {
  if (isRead)
    gpu::BarrierOp::create(builder, loc);
  isRead = false;
  OpBuilder::InsertionGuard guard(builder);
  MLIRContext *context = builder.getContext();
  const auto bytes =
      MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(), AffineMap(),
                      getSharedSpace(context));
  if (!base) {
    builder.setInsertionPointToStart(entry);
    base = gpu::DynamicSharedMemoryOp::create(builder, loc, bytes);
  }
  builder.setInsertionPointAfter(base.getDefiningOp());
  const Value place = arith::ConstantIndexOp::create(builder, loc, used);
  const auto type =
      MemRefType::get({count}, element, AffineMap(), getSharedSpace(context));
  const int64_t size = count * getElementBytes(element);
  used += llvm::alignTo(size, 16);
  most = std::max(most, used);
  return memref::ViewOp::create(builder, loc, type, base, place, ValueRange());
}

KernelState::KernelState(gpu::GPUFuncOp kernel, Location loc, int64_t blockSize,
                         const Target &target)
    : builder(OpBuilder::atBlockEnd(&kernel.getBody().front())), loc(loc),
      kernel(kernel), target(target), blockSize(blockSize),
      index(builder, loc, &kernel.getBody().front()),
      shared(builder, loc, &kernel.getBody().front()) {
  thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  index.setFacts(thread, {0, blockSize - 1, 1});
}

void KernelState::barrier() {
  gpu::BarrierOp::create(builder, loc);
  shared.noteBarrier();
}

Value KernelState::literal(TypedAttr value) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  return arith::ConstantOp::create(builder, loc, value);
}

Value KernelState::zero(Type type) {
  return literal(cast<TypedAttr>(builder.getZeroAttr(type)));
}

void sched::setNotUnrolled(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/BoolAttr::get(context, true), {}, {}, {}, {}, {},
      {});
  loop->setAttr("loop_annotation", LLVM::LoopAnnotationAttr::get(
                                       context, {}, {}, {}, unroll, {}, {}, {},
                                       {}, {}, {}, {}, {}, {}, {}, {}));
}
