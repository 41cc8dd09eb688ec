//===- KernelState.h - A kernel that is being written -----------*- C++ -*-===//
//
// What the emitters of a kernel's stages share. A kernel is made from one loop
// over blocks (FormKernels.cpp). Its body is walked in order (BlockEmitter.h):
// a stage, such as a contraction, emits code by which all threads of the block
// compute a tensor, and says where its elements then are: in memory, or in
// registers. All other tensor ops emit nothing; who needs one of their elements
// asks the reader (ElementReader.h), which emits the code for just that one.
//
// How to add an op: if its elements can be computed one by one, a case in
// ElementReader::readElement. If the threads must work together, an emitter in
// a file of its own, called by BlockEmitter::emitStage; it puts its result into
// `memory` or `registers` below.
//
// Read next: IndexMath.h, ElementReader.h, BlockEmitter.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_KERNELSTATE_H
#define SCHEDOPT_LIB_CODEGEN_KERNELSTATE_H

#include "IndexMath.h"
#include "SchedOpt/Support/Target.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinTypes.h"
#include <functional>
#include <memory>

namespace sched {

/// Elements that are read or written at once: `width` of them along dimension
/// `dim`, from the place that goes with it. One is a scalar, more are a vector.
struct Lanes {
  int64_t width = 1;
  int64_t dim = -1;
};

/// Where the elements of a tensor are in memory. `memory` is flat.
struct MemoryView {
  mlir::Value memory;
  llvm::SmallVector<int64_t> strides;
  /// Of the first element; null: 0.
  mlir::Value offset;
};

/// A tensor of the block whose elements are in its threads' registers. A thread
/// has some groups of lanes; no two threads have the same element.
struct RegisterTensor {
  /// One group: where it is in the tensor, and its elements. Where `guard` does
  /// not hold, it is outside of the tensor.
  struct Group {
    llvm::SmallVector<mlir::Value> indices;
    Lanes lanes;
    mlir::Value guard;
    mlir::Value elements;
  };
  using Body = llvm::function_ref<mlir::LogicalResult(const Group &)>;
  /// Calls its argument for each group.
  std::function<mlir::LogicalResult(Body body)> forEach;
  /// The group that is being visited: only its elements can be read.
  const Group *current = nullptr;
};

/// Dynamic shared memory of a kernel, in parts at constant places.
class SharedMemory {
public:
  SharedMemory(mlir::OpBuilder &builder, mlir::Location loc, mlir::Block *entry)
      : builder(builder), loc(loc), entry(entry) {}

  /// `count` elements, aligned to 16 bytes: a flat buffer. Emits a barrier
  /// where it may take the place of one that is still read.
  mlir::Value allocate(int64_t count, mlir::Type element);
  /// What was allocated since `getMark` may be used again; threads may still
  /// read it.
  int64_t getMark() const { return used; }
  void release(int64_t mark) {
    used = mark;
    isRead = true;
  }
  /// No thread reads what was released any more.
  void noteBarrier() { isRead = false; }
  /// Bytes that the kernel needs.
  int64_t getBytes() const { return most; }

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Block *entry;
  mlir::Value base;
  int64_t used = 0, most = 0;
  bool isRead = false;
};

struct KernelState {
  KernelState(mlir::gpu::GPUFuncOp kernel, mlir::Location loc,
              int64_t blockSize, const Target &target);
  KernelState(const KernelState &) = delete;

  /// All threads of the block wait for each other.
  void barrier();
  /// A literal of an element type, or a vector of it.
  mlir::Value literal(mlir::TypedAttr value);
  mlir::Value zero(mlir::Type type);

  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::gpu::GPUFuncOp kernel;
  const Target &target;
  /// Threads of a block, and which one this is.
  int64_t blockSize;
  IndexMath index;
  SharedMemory shared;
  mlir::Value thread;

  /// Of the payload's scalars, their values in the kernel.
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
  /// Of the payload's tensors, where their elements are.
  llvm::DenseMap<mlir::Value, MemoryView> memory;
  llvm::DenseMap<mlir::Value, std::shared_ptr<RegisterTensor>> registers;
  /// Tensors that have the elements of another one: arguments of loops.
  llvm::DenseMap<mlir::Value, mlir::Value> aliases;
};

/// LLVM is to leave the loop a loop.
void setNotUnrolled(mlir::scf::ForOp loop);

/// The memory space of shared memory.
mlir::Attribute getSharedSpace(mlir::MLIRContext *context);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_KERNELSTATE_H
