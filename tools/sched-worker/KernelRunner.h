//===- KernelRunner.h - Runs, checks and times an object --------*- C++ -*-===//
//
// The executing half of the worker. A kernel runs in this very process: what it
// breaks, it breaks here, and the tuner starts another worker. Input data and
// expected results stay from one request of a task to the next.
//
// Read next: Channel.h; Measure's TensorData.h, Checker.h and Timer.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_WORKER_KERNELRUNNER_H
#define SCHEDOPT_TOOLS_SCHED_WORKER_KERNELRUNNER_H

#include "Channel.h"
#include "SchedOpt/Measure/ReferenceFile.h"
#include "SchedOpt/Measure/TensorData.h"
#include "llvm/ADT/SmallVector.h"

namespace sched::worker {

class KernelRunner {
public:
  explicit KernelRunner(Channel &channel) : channel(channel) {}

  /// Checks the object against the reference, then times it. Fails with a
  /// RequestError.
  llvm::Expected<RunAnswer> run(const RunRequest &request);

  /// Runs the unscheduled kernel in `object`, writes its results and fills in
  /// `answer.seconds`. With `widened`, the same kernel with sums of f32
  /// (WidenSums.h), the results are of that, and the deviation is filled in.
  llvm::Error makeReference(const ReferenceRequest &request,
                            llvm::ArrayRef<char> object,
                            llvm::ArrayRef<char> widened,
                            ReferenceAnswer &answer);

private:
  /// A task's memory.
  struct Operands {
    std::vector<TensorSpec> specs;
    uint64_t seed = 0;
    std::vector<GuardedTensor> tensors;
    /// Hash of each input as generated.
    std::vector<uint64_t> hashes;
    llvm::SmallVector<void *> pointers;
    std::string referencePath;
    std::optional<Reference> reference;
  };

  void provideOperands(llvm::ArrayRef<TensorSpec> specs, uint64_t seed);
  llvm::Error checkMemory();
  llvm::Error widenReference(llvm::ArrayRef<char> widened,
                             ReferenceAnswer &answer);
  llvm::Error checkResults(const RunRequest &request, double &maxError);

  Channel &channel;
  std::unique_ptr<Operands> operands;
};

} // namespace sched::worker

#endif // SCHEDOPT_TOOLS_SCHED_WORKER_KERNELRUNNER_H
