//===- History.h - What has been measured so far ----------------*- C++ -*-===//
//
// The search's memory: candidates with their latency, in the order in which
// they were first measured. Built by the tuner from records.
// Read next: SearchStrategy.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_HISTORY_H
#define SCHEDOPT_SEARCH_HISTORY_H

#include "SchedOpt/Search/Candidate.h"
#include "llvm/ADT/DenseMap.h"
#include <cmath>
#include <limits>

namespace sched {

struct Measurement {
  static constexpr double kFailed = std::numeric_limits<double>::infinity();

  Candidate candidate;
  /// Median latency in seconds, or kFailed.
  double seconds = kFailed;

  bool failed() const { return !std::isfinite(seconds); }
};

class History {
public:
  /// Adds a measurement; one of a candidate that is there replaces its latency
  /// and keeps its place.
  void add(const Candidate &candidate, double seconds);

  bool contains(const Candidate &candidate) const {
    return indexOf.count(candidate.hash());
  }
  size_t size() const { return entries.size(); }
  llvm::ArrayRef<Measurement> getMeasurements() const { return entries; }

  /// Indices of at most `n` successful measurements, fastest first; earlier
  /// ones first among equals.
  std::vector<unsigned> getFastest(unsigned n) const;

  /// The first `n` measurements.
  History prefix(size_t n) const;

private:
  std::vector<Measurement> entries;
  llvm::DenseMap<uint64_t, unsigned> indexOf;
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_HISTORY_H
