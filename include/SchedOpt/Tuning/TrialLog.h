//===- TrialLog.h - A task's records, candidate by candidate ----*- C++ -*-===//
//
// What the tuner knows of a task. It is filled from records only, those of the
// file and those just made in the same way, so that every conclusion drawn from
// it is a function of the records.
//
// A candidate's latency is the median of the costs of all good records of its
// machine code pooled; one that ever gave a wrong result or wrote out of bounds
// has none. Database::best uses the same rule.
//
// Read next: TaskTuner.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TUNING_TRIALLOG_H
#define SCHEDOPT_TUNING_TRIALLOG_H

#include "SchedOpt/Database/Record.h"
#include "SchedOpt/Search/History.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace sched {

/// One candidate's records.
struct Trial {
  Candidate candidate;
  /// Seconds a call, of each verified record without an error that is no copy
  /// of another candidate's with the same machine code.
  std::vector<std::vector<double>> runs;
  /// Median of all runs of this machine code; infinity where it has no latency.
  double seconds = Measurement::kFailed;
  /// Final comparisons that had this machine code among them.
  unsigned numComparisons = 0;
  /// Of the first failed record; empty when there is none.
  std::string error, stage, message;
  /// Never to be used, however fast.
  bool disqualified = false;
  /// Names the machine code: candidates with equal ones are the same program.
  std::string object;

  bool valid() const { return std::isfinite(seconds); }
};

class TrialLog {
public:
  /// Adds a record of `candidate`. Only a candidate's first record makes a
  /// trial; later ones (final comparisons) refine it.
  void add(const Candidate &candidate, const Record &record);

  llvm::ArrayRef<Trial> getTrials() const { return trials; }
  size_t size() const { return trials.size(); }

  /// The trial of a candidate, or null.
  const Trial *find(const Candidate &candidate) const;

  /// Indices of the valid trials, fastest first; earlier ones first among
  /// equals.
  std::vector<unsigned> getRanking() const;

  /// Lowest latency, seconds; infinity when no trial is valid.
  double getBestSeconds() const;

  /// Trials since the best latency last fell by more than 1 %.
  unsigned getTrialsSinceImprovement() const;

  /// The first `n` trials as the search wants them.
  History makeHistory(size_t n) const;

  /// Number of failed trials by kind.
  std::map<std::string, unsigned> countFailures() const;

  /// The failure that most trials share, as "kind (stage): message"; the
  /// earlier of equals. Empty when no trial failed.
  std::string describeCommonFailure() const;

  /// What went wrong, for an error message: one line a kind, most frequent
  /// first, with its first message. Empty when no trial failed.
  std::string describeFailures() const;

private:
  /// The trials that have this one's machine code, itself among them, in the
  /// order of their first records.
  llvm::SmallVector<unsigned> getSameCode(unsigned trial) const;
  /// Median over those of `trials`; infinity where one is disqualified.
  double pool(llvm::ArrayRef<unsigned> trials) const;
  /// Whether a record of `trial` repeats what was measured for another trial of
  /// the same machine code.
  bool isCopy(unsigned trial, const Record &record) const;
  /// Brings the latency of the trials that share `trial`'s machine code up to
  /// date.
  void update(unsigned trial);

  std::vector<Trial> trials;
  llvm::DenseMap<uint64_t, unsigned> indexOf;
  llvm::StringMap<std::vector<unsigned>> trialsOfObject;
};

} // namespace sched

#endif // SCHEDOPT_TUNING_TRIALLOG_H
