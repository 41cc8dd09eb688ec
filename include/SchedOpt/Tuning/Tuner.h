//===- Tuner.h - Finds schedules by measuring -------------------*- C++ -*-===//
//
// Tuning: what a user drives. May use Search, CostModel, Measure and Database;
// holds no IR. A run replays the records of its tasks, goes on with the search
// where they end, and answers.
//
// The answer is a function of the records alone (ProgramCosts.h). In the end
// the fastest trials are screened taking turns, and the best of these compared
// with the default for longer, and that goes into the records too; so the
// answer is never slower than the default. Where schedules do not pay, the
// unscheduled code takes part in that and may be the answer.
//
// Read next: SearchTask.h, TuningOptions.h, TaskTuner.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TUNING_TUNER_H
#define SCHEDOPT_TUNING_TUNER_H

#include "SchedOpt/Tuning/TaskTuner.h"

namespace sched {

/// Why a task's search ended.
enum class StopReason {
  TrialsDone,
  TimeBudget,
  Stopped, ///< by the stop flag
  EarlyStop,
  Plateau,      ///< little is expected of a further batch
  Exhausted,    ///< no candidate is left
  NoReference,  ///< the unscheduled function did not end in time
  Unmeasurable, ///< the unscheduled function cannot be measured
  BuiltOnly,    ///< nothing can be run here (TuningOptions::buildOnly)
};

/// A task's answer.
struct TuningResult {
  std::string task;
  /// The schedule to use; nullopt where all candidates failed, and where there
  /// is none to use.
  std::optional<Candidate> best;
  /// The unscheduled code was faster than all in the final comparison.
  bool isLeftUnscheduled = false;
  /// Whether `best` was measured and checked; else it is the model's guess.
  bool measured = false;
  /// Latencies of the answer and of the default by the records, seconds;
  /// infinity where there is none.
  double seconds = Measurement::kFailed;
  double defaultSeconds = Measurement::kFailed;
  unsigned trials = 0, trialsFromRecords = 0;
  StopReason reason = StopReason::TrialsDone;
  PhaseTimes times;
  /// Number of failed trials by kind.
  std::map<std::string, unsigned> failures;
  /// Where there is no `best`, or nothing can be measured any more: why, one
  /// line a kind of failure.
  std::string diagnosis;
};

class Tuner {
public:
  /// `reporter` must outlive the tuner. The time budget counts from `clock`'s
  /// start.
  Tuner(TuningOptions options, ProgressReporter &reporter,
        Clock clock = Clock())
      : options(std::move(options)), reporter(reporter),
        clock(std::move(clock)) {}

  /// Finds a schedule for one task. `file`, if any, is where records are taken
  /// from and added to. Fails where no candidate is legal or all failed (with
  /// the failures by kind), where nothing can be measured (no worker, a payload
  /// that does not compile) and no record knows a schedule, or where records
  /// cannot be read or written.
  llvm::Expected<TuningResult> tune(const SearchTask &task, CostModel &model,
                                    CandidateMeasurer &measurer,
                                    RecordFile *file);

  /// A task and what works on it.
  struct Job {
    const SearchTask *task;
    CostModel *model;
    CandidateMeasurer *measurer;
    /// What the evolution runs on, cheap; null: `model` itself.
    const CostModel *draft = nullptr;
  };

  /// The same for several tasks that share the trials and the time. A task that
  /// cannot be measured, or of which all candidates failed, has no `best` but a
  /// `diagnosis`, and does not keep the others from ending well.
  llvm::Expected<std::vector<TuningResult>> tuneAll(llvm::ArrayRef<Job> jobs,
                                                    RecordFile *file);

private:
  bool stopped() const { return options.stop && options.stop->load(); }
  /// The file's records; none without one.
  llvm::Expected<std::vector<Record>> loadRecords(RecordFile *file) const;
  /// What StrategyKind::Replay gives to each job, out of `records` or of
  /// TuningOptions::replayPath.
  llvm::Expected<std::vector<std::vector<Candidate>>>
  findReplayed(llvm::ArrayRef<Job> jobs, llvm::ArrayRef<Record> records,
               SearchLog &searchLog) const;
  /// How the search for a task ended.
  struct End {
    StopReason reason = StopReason::TrialsDone;
    /// Why it is unmeasurable.
    std::string message;
  };
  llvm::Error search(llvm::ArrayRef<std::unique_ptr<TaskTuner>> tuners,
                     std::vector<End> &ends);
  /// The final comparisons.
  llvm::Error confirm(llvm::ArrayRef<std::unique_ptr<TaskTuner>> tuners,
                      std::vector<End> &ends);
  unsigned limitByTime(unsigned limit, unsigned newTrials,
                       size_t numTasks) const;
  TuningResult conclude(const TaskTuner &tuner, const End &end) const;

  TuningOptions options;
  ProgressReporter &reporter;
  Clock clock;
};

} // namespace sched

#endif // SCHEDOPT_TUNING_TUNER_H
