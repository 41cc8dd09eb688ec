//===- Executor.h - Where a kernel runs -------------------------*- C++ -*-===//
//
// A loaded kernel, on the CPU (HostExecutor.cpp) or on a GPU
// (DeviceExecutor.h). What is done with it is the same for both:
// KernelRunner.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_WORKER_EXECUTOR_H
#define SCHEDOPT_TOOLS_SCHED_WORKER_EXECUTOR_H

#include "Operands.h"
#include "SchedOpt/Measure/Timer.h"

namespace sched::worker {

class Executor {
public:
  virtual ~Executor();

  /// Binds the operands, which must outlive it; called before the others.
  virtual llvm::Error bind(Operands &operands) = 0;

  /// Calls the kernel once, with the operands as they are in this process, and
  /// waits for its end; they are then as it left them.
  virtual llvm::Error call() = 0;

  /// Times calls with whatever the operands hold. `options.prepare` is ignored:
  /// an executor knows its caches.
  virtual llvm::Expected<Timing> time(TimingOptions options) = 0;

  /// What its kernels take, if they are on a GPU.
  virtual std::vector<KernelUsage> getUsage() const { return {}; }
};

/// Loads an object for this machine.
llvm::Expected<std::unique_ptr<Executor>>
loadHostExecutor(llvm::StringRef object, llvm::StringRef function);

} // namespace sched::worker

#endif // SCHEDOPT_TOOLS_SCHED_WORKER_EXECUTOR_H
