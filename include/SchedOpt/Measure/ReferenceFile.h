//===- ReferenceFile.h - Expected results on disk ---------------*- C++ -*-===//
//
// The results of the unscheduled payload, computed once a task and read by
// every worker that checks. The file is one line of JSON (format version and
// the results' shapes), then the results' bytes one after the other.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MEASURE_REFERENCEFILE_H
#define SCHEDOPT_MEASURE_REFERENCEFILE_H

#include "SchedOpt/Measure/TensorSpec.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace sched {

/// Writes the results of `tensors` (those with `isResult`) from `pointers`
/// (one a tensor) to `path`: beside it first, then renamed.
llvm::Error writeReference(llvm::StringRef path,
                           llvm::ArrayRef<TensorSpec> tensors,
                           llvm::ArrayRef<void *> pointers);

/// Expected results, held in memory.
class Reference {
public:
  /// Reads the file and checks it against `tensors`; fails when the file is
  /// missing, cut short or of other shapes.
  static llvm::Expected<Reference> read(llvm::StringRef path,
                                        llvm::ArrayRef<TensorSpec> tensors);

  /// The expected bytes of tensor `position`; null for an input.
  const void *expected(unsigned position) const { return starts[position]; }

private:
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::vector<const void *> starts;
};

} // namespace sched

#endif // SCHEDOPT_MEASURE_REFERENCEFILE_H
