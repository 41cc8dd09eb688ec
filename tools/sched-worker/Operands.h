//===- Operands.h - A task's tensors in this process ------------*- C++ -*-===//
//
// Inputs from their seed, results between guard bands, and what is expected of
// them. They stay from one request of a task to the next.
//
// Read next: Executor.h (what computes the results).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_WORKER_OPERANDS_H
#define SCHEDOPT_TOOLS_SCHED_WORKER_OPERANDS_H

#include "SchedOpt/Measure/Protocol.h"
#include "SchedOpt/Measure/ReferenceFile.h"
#include "SchedOpt/Measure/TensorData.h"
#include "llvm/ADT/SmallVector.h"

namespace sched::worker {

class Operands {
public:
  Operands(llvm::ArrayRef<TensorSpec> specs, uint64_t seed);

  /// Whether they are what a task of these would have.
  bool matches(llvm::ArrayRef<TensorSpec> specs, uint64_t seed) const;

  llvm::MutableArrayRef<GuardedTensor> getTensors() { return tensors; }
  /// One a tensor.
  llvm::ArrayRef<void *> getPointers() const { return pointers; }

  /// So that an element that is never written shows.
  void poisonResults();

  /// Fails where a guard band or an input changed.
  llvm::Error checkMemory();

  /// Compares the results with those in `request.reference`. The largest error
  /// goes to `maxError`.
  llvm::Error checkResults(const RunRequest &request, double &maxError);

  /// What the kernel itself might have done: the data faults of RunRequest.
  void spoil(llvm::StringRef fault);

private:
  std::vector<TensorSpec> specs;
  uint64_t seed;
  std::vector<GuardedTensor> tensors;
  /// Hash of each input as generated.
  std::vector<uint64_t> hashes;
  llvm::SmallVector<void *> pointers;
  std::string referencePath;
  std::optional<Reference> reference;
};

} // namespace sched::worker

#endif // SCHEDOPT_TOOLS_SCHED_WORKER_OPERANDS_H
