//===- TrialLog.h - A task's records, candidate by candidate ----*- C++ -*-===//
//
// What the tuner knows of a task. It is filled from records only, those of the
// file and those just made in the same way, so that every conclusion drawn from
// it is a function of the records.
//
// Candidates are ranked by ProgramCosts.h, as Database::best does it.
//
// Read next: TaskTuner.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TUNING_TRIALLOG_H
#define SCHEDOPT_TUNING_TRIALLOG_H

#include "SchedOpt/Database/ProgramCosts.h"
#include "SchedOpt/Search/History.h"
#include "llvm/ADT/StringMap.h"
#include <algorithm>
#include <map>

namespace sched {

/// One candidate's records.
struct Trial {
  Candidate candidate;
  /// Median of its first good record, seconds a call; infinity without one.
  double firstSeconds = Measurement::kFailed;
  /// The costs that it is the median of.
  std::vector<double> firstCosts;
  /// Of its program, by all records so far.
  Standing standing;
  /// Of the first failed record; empty when there is none.
  std::string error, stage, message;
  /// It gave a wrong result or wrote out of bounds.
  bool disqualified = false;
  /// Names the machine code: candidates with equal ones are the same program.
  std::string object;
  /// An earlier trial is the same program, so that nothing was run.
  bool isDuplicate = false;

  bool valid() const { return standing.isUsable(); }
  double getSeconds() const { return standing.getSeconds(); }
};

class TrialLog {
public:
  /// Adds a record of `candidate`. Only a candidate's first record makes a
  /// trial; later ones (final comparisons) refine it.
  void add(const Candidate &candidate, const Record &record);

  /// Adds a record of the unscheduled code.
  void addUnscheduled(const Record &record) { unscheduled.add(record); }

  /// Whether the unscheduled code comes before all trials (`rank`).
  bool prefersUnscheduled() const;

  /// What it took in its last comparison, seconds; infinity without one.
  double getUnscheduledSeconds() const {
    return unscheduled.getStanding().getSeconds();
  }

  llvm::ArrayRef<Trial> getTrials() const { return trials; }
  size_t size() const { return trials.size(); }

  /// Trials that count for a user who has asked for so many: all but
  /// duplicates. Where most are these, a half of all counts, as each has been
  /// built.
  size_t getNumCounted() const {
    return std::max(trials.size() - numDuplicates, trials.size() / 2);
  }

  /// The trial of a candidate, or null.
  const Trial *find(const Candidate &candidate) const;

  /// Indices of the valid trials, the one to be preferred first (`rank`).
  std::vector<unsigned> getRanking() const;

  /// The same by their first records alone, as if they were never compared.
  std::vector<unsigned> getRankingByTrials() const;

  /// The last comparison, and how far it came; 0: there was none.
  int64_t getLastComparison() const { return lastComparison.first; }
  ComparisonStage getLastStage() const { return lastComparison.second; }

  /// Latency of the first of the ranking, seconds; infinity when no trial is
  /// valid.
  double getBestSeconds() const;

  /// Trials since the best latency last fell by more than 1 %, but for
  /// duplicates.
  unsigned getTrialsSinceImprovement() const;

  /// The first `n` trials as the search wants them.
  History makeHistory(size_t n) const;

  /// Number of failed trials by kind.
  std::map<std::string, unsigned> countFailures() const;

  /// The same of those that say why: of candidates that were built and not run.
  std::map<std::string, unsigned> countBuildFailures() const;

  /// The failure that most trials share, as "kind (stage): message"; the
  /// earlier of equals. Empty when no trial failed.
  std::string describeCommonFailure() const;

  /// What went wrong, for an error message: one line a kind, most frequent
  /// first, with its first message. Empty when no trial failed.
  std::string describeFailures() const;

private:
  /// What is known of one program, and the trials that are it.
  struct Program {
    ProgramCosts costs;
    llvm::SmallVector<unsigned> trials;
  };

  std::vector<Trial> trials;
  size_t numDuplicates = 0;
  llvm::DenseMap<uint64_t, unsigned> indexOf;
  /// By machine code, or by trial where a record names none.
  llvm::StringMap<Program> programs;
  ProgramCosts unscheduled;
  std::pair<int64_t, ComparisonStage> lastComparison = {0,
                                                        ComparisonStage::None};
};

} // namespace sched

#endif // SCHEDOPT_TUNING_TRIALLOG_H
