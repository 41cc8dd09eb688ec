//===- KernelRunner.h - Runs, checks and times an object --------*- C++ -*-===//
//
// The executing half of the worker. A kernel runs in this very process, or on
// the GPU that this process has opened: what it breaks, it breaks here, and the
// tuner starts another worker.
//
// Read next: Executor.h, Operands.h; Measure's Checker.h and Timer.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_WORKER_KERNELRUNNER_H
#define SCHEDOPT_TOOLS_SCHED_WORKER_KERNELRUNNER_H

#include "Channel.h"
#include "DeviceExecutor.h"
#include "ReferenceSample.h"

namespace sched::worker {

class KernelRunner {
public:
  explicit KernelRunner(Channel &channel) : channel(channel) {}

  /// Checks the object against the reference, then times it. Fails with a
  /// RequestError.
  llvm::Expected<RunAnswer> run(const RunRequest &request);

  /// The GPU of this machine.
  llvm::Expected<DeviceAnswer> findDevice();

  /// Runs the unscheduled kernel in `object`, writes its results and fills in
  /// `answer.seconds`. With `widened`, the same kernel with sums of f32
  /// (WidenSums.h), the results are of that, and the deviation is filled in.
  /// Fails where they differ from those of `sample`, if that has any.
  llvm::Error makeReference(const ReferenceRequest &request,
                            llvm::ArrayRef<char> object,
                            llvm::ArrayRef<char> widened,
                            llvm::ArrayRef<ReferenceSample> samples,
                            ReferenceAnswer &answer);

private:
  llvm::Expected<Executor *> load(const RunRequest &request);
  void provideOperands(llvm::ArrayRef<TensorSpec> specs, uint64_t seed);
  llvm::Error checkSample(const ReferenceRequest &request,
                          const ReferenceSample &sample,
                          const ReferenceAnswer &answer);
  llvm::Error widenReference(llvm::ArrayRef<char> widened,
                             ReferenceAnswer &answer);

  Channel &channel;
  std::unique_ptr<Operands> operands;
  /// Of the present request, where it runs on the CPU.
  std::unique_ptr<Executor> host;
  DeviceRunner device;
};

} // namespace sched::worker

#endif // SCHEDOPT_TOOLS_SCHED_WORKER_KERNELRUNNER_H
