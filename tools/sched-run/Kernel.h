//===- Kernel.h - A compiled and loaded function ----------------*- C++ -*-===//
//
// Compiles a payload (scheduled or not), loads it into this process, and calls
// it. Arguments whose layout is free are packed beforehand, once, where the
// schedule packs them.
//
// Read next: Session.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_RUN_KERNEL_H
#define SCHEDOPT_TOOLS_SCHED_RUN_KERNEL_H

#include "Payload.h"
#include "SchedOpt/Codegen/JIT.h"
#include "SchedOpt/Measure/TensorData.h"
#include "SchedOpt/Support/Target.h"

namespace sched::run {

class Kernel {
public:
  /// Compiles `module`, which is consumed, for `target` and its threads.
  static llvm::Expected<Kernel>
  build(mlir::ModuleOp module, const FunctionInfo &info, const Target &target);

  /// Takes the tensors, arguments then results, and packs those that it wants
  /// packed. They must outlive the kernel. Returns the seconds of packing.
  double bind(llvm::MutableArrayRef<GuardedTensor> tensors);

  /// One call on what was bound.
  void call() { entry(pointers.data()); }

  /// An argument that is packed beforehand.
  struct Packed {
    unsigned position;
    GuardedTensor buffer;
    KernelLibrary::PackedEntry pack;
  };
  llvm::ArrayRef<Packed> getPacked() const { return packed; }

  /// A guard band or an input that changed, in words; "" when all is well.
  std::string findTrespass(llvm::ArrayRef<GuardedTensor> tensors) const;

  /// Seconds that lowering and compiling took.
  double compileS = 0;

private:
  explicit Kernel(KernelLibrary library) : library(std::move(library)) {}
  KernelLibrary library;
  KernelLibrary::PackedEntry entry = nullptr;
  std::vector<Packed> packed;
  std::vector<void *> pointers;
  std::vector<uint64_t> inputHashes;
};

} // namespace sched::run

#endif // SCHEDOPT_TOOLS_SCHED_RUN_KERNEL_H
