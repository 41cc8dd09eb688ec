//===- SearchTask.h - One problem to find a schedule for --------*- C++ -*-===//
//
// Everything the tuner has to know of a task. It is made by whoever holds the
// IR; the tuner itself sees texts and candidates only, so that it can be tested
// without a compiler.
// Read next: Tuner.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TUNING_SEARCHTASK_H
#define SCHEDOPT_TUNING_SEARCHTASK_H

#include "SchedOpt/Search/SearchSpace.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sched {

/// A trace of a record that is none of the task's candidates, and which step
/// of it fails.
struct RejectedTrace {
  std::string trace, reason;
};

struct SearchTask {
  explicit SearchTask(SearchSpace space) : space(std::move(space)) {}

  /// For people, e.g. the function's name.
  std::string name;
  /// The records' key (Database/Record.h): structural hash and readable form of
  /// the payload, the target's canonical text, and the compiler's version.
  std::string workloadHash, workloadText, targetKey, toolchain;
  /// Floating-point operations of one call; 0: unknown.
  double flops = 0;
  /// How often the task occurs in the program; for sharing trials among tasks.
  double weight = 1;

  /// The sketches, and for each the hash that names it in records.
  SearchSpace space;
  std::vector<std::string> sketchHashes;
  /// Their names, for people; may be empty.
  std::vector<std::string> sketchNames;

  /// The candidate as the transform script to build. One that cannot be made is
  /// a failed trial with the error for its message.
  std::function<llvm::Expected<std::string>(const Candidate &)> makeScript;
  /// The candidate's decisions as text for the record.
  std::function<std::string(const Candidate &)> makeTrace;
  /// The inverse of `makeTrace`, for a record of the sketch with that hash;
  /// nullopt where sketch or trace do not fit this task's space.
  std::function<std::optional<Candidate>(llvm::StringRef sketchHash,
                                         llvm::StringRef trace)>
      parseTrace;
  /// Why `parseTrace` has none: the step of the trace that fails. May be null.
  std::function<std::string(llvm::StringRef sketchHash, llvm::StringRef trace)>
      explainMisfit;
  /// The candidate that is most like a trace of another shape or target: of the
  /// sketch of that name, each decision the nearest there is. It need not be
  /// legal. nullopt where there is no such sketch. May be null.
  std::function<std::optional<Candidate>(llvm::StringRef trace)> adaptTrace;

  /// The first sketch's default schedule that is legal: the one the result is
  /// never slower than. nullopt when no default is legal.
  std::optional<Candidate> getDefault() const {
    for (unsigned i = 0, e = space.getNumSketches(); i != e; ++i) {
      Candidate candidate = space.getDefault(i);
      if (space.isLegal(candidate))
        return candidate;
    }
    return std::nullopt;
  }
};

} // namespace sched

#endif // SCHEDOPT_TUNING_SEARCHTASK_H
