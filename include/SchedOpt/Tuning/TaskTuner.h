//===- TaskTuner.h - The search for one task, step by step ------*- C++ -*-===//
//
// Holds a task's TrialLog and moves it on: replay the records, then steps of
// propose -> measure -> record -> learn, then a final comparison. Tuner decides
// how many steps there are and of which task.
//
// Batches are aligned: trial i belongs to batch i / size, and a batch is
// proposed from the trials of the batches before it alone. So a search that was
// cut off in the middle of a batch, wherever that was, proposes the same batch
// again, measures what is missing, and goes on as if nothing had happened.
//
// Read next: TrialLog.h, ../Search/SearchStrategy.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TUNING_TASKTUNER_H
#define SCHEDOPT_TUNING_TASKTUNER_H

#include "SchedOpt/Database/RecordFile.h"
#include "SchedOpt/Search/SearchStrategy.h"
#include "SchedOpt/Tuning/CandidateMeasurer.h"
#include "SchedOpt/Tuning/Clock.h"
#include "SchedOpt/Tuning/ProgressReporter.h"
#include "SchedOpt/Tuning/SearchLog.h"
#include "SchedOpt/Tuning/SearchTask.h"
#include "SchedOpt/Tuning/TrialLog.h"
#include "SchedOpt/Tuning/TuningOptions.h"

namespace sched {

class TaskTuner {
public:
  /// All references must outlive the tuner. `file` may be null: nothing is
  /// kept then. `strategy` may use `model`, which learns from the trials.
  TaskTuner(const SearchTask &task, const TuningOptions &options,
            std::unique_ptr<SearchStrategy> strategy, CostModel &model,
            CandidateMeasurer &measurer, RecordFile *file,
            ProgressReporter &reporter, SearchLog &searchLog,
            const Clock &clock);

  /// Takes over the records of this task among `records`, in their order, and
  /// teaches them to the model. Warns of records that do not fit the space.
  void replay(llvm::ArrayRef<Record> records);

  /// Measures at most `limit` more candidates, all of one batch. Returns how
  /// many were measured: 0 when the strategy has no more candidates, when
  /// little is to be expected of them (`isOnPlateau`), or when a stop was asked
  /// for.
  llvm::Expected<unsigned> step(unsigned limit);

  /// Seconds that `confirm` makes use of at most, but for its least rounds, and
  /// for waiting where there is no budget.
  static constexpr double kComparisonS = 0.8;

  /// Screens the fastest trials taking turns, then compares the fastest of
  /// these and the default, in about `seconds`, or less where that is enough.
  /// Where all seem clearly slower than the unscheduled code, that takes part.
  /// Does nothing where the records hold that already.
  llvm::Error confirm(double seconds);

  /// Where nothing can be run: builds the first batch that the strategy
  /// proposes, at most `limit`, but for what the records say was built, and
  /// keeps the one that the model likes best of those that the compiler makes
  /// good code of, for `guess`. Each becomes a record, none a trial.
  llvm::Error rankBuilt(unsigned limit);

  /// The candidate that the model likes best, of those that were built if any
  /// were; the default where the model finds none. nullopt when no legal
  /// candidate was found, or all of those that were built failed.
  std::optional<Candidate> guess() const;

  /// What was built and not run.
  const TrialLog &getBuilt() const { return built; }

  const SearchTask &getTask() const { return task; }
  /// Whether an error of `step` or `confirm` was that nothing of this task can
  /// be measured, which says nothing of other tasks.
  bool isUnmeasurable() const { return unmeasurable; }
  /// Whether the last step found that a further batch would gain less than
  /// TuningOptions::plateau.
  bool isOnPlateau() const { return onPlateau; }
  const TrialLog &getLog() const { return log; }
  unsigned getNumReplayed() const { return numReplayed; }
  /// Everything but `totalS`.
  const PhaseTimes &getTimes() const { return times; }
  /// What to show of the task now; `setTrialsWanted` says out of how many.
  TuningStatus getStatus() const;
  void setTrialsWanted(unsigned wanted) { trialsWanted = wanted; }

private:
  /// `times` with what has been measured of the present batch.
  PhaseTimes getTimesNow() const;
  bool stopped() const { return options.stop && options.stop->load(); }
  std::vector<Candidate> propose(unsigned limit);
  /// Tells the model of whole batches. One that fails to learn is warned of
  /// once: it still predicts.
  void learn();
  void writeLog(size_t before, const PhaseTimes &timesBefore, double learnS);
  llvm::Error prepareOnce();
  /// One stage of a comparison of candidates that were measured before, and
  /// when the comparison began (Record.h).
  struct Comparison {
    int64_t began;
    ComparisonStage stage;
    InterleavedRounds rounds;
    /// The unscheduled code takes turns with them.
    bool withUnscheduled = false;
  };
  /// Builds and records, for `rankBuilt`.
  llvm::Error build(llvm::ArrayRef<Candidate> candidates);
  /// Measures, records and logs: new trials, or a comparison.
  llvm::Expected<unsigned> measure(llvm::ArrayRef<Candidate> candidates,
                                   const Comparison *comparison = nullptr);
  /// False where it was cut off.
  llvm::Expected<bool> compare(llvm::ArrayRef<unsigned> contenders,
                               const Comparison &comparison);
  /// Whether one of `others` is the same program.
  bool isAmong(unsigned trial, llvm::ArrayRef<unsigned> others) const;
  /// The trial of the default schedule, if that is there and valid.
  std::optional<unsigned> findDefault() const;
  /// How many there is time to compare.
  unsigned limitContenders() const;
  /// At most `most`, besides the fastest by now and the default.
  llvm::SmallVector<unsigned> selectContenders(unsigned most) const;
  llvm::SmallVector<unsigned>
  selectFinalists(llvm::ArrayRef<unsigned> contenders) const;
  /// Of the unscheduled code where `candidate` is null.
  Record makeRecord(const Candidate *candidate, const MeasureResult &result,
                    int64_t trial) const;

  const SearchTask &task;
  const TuningOptions &options;
  CostModel &model;
  CandidateMeasurer &measurer;
  RecordFile *file;
  ProgressReporter &reporter;
  SearchLog &searchLog;
  const Clock &clock;
  std::unique_ptr<SearchStrategy> strategy;
  TrialLog log;
  /// What was built here, and in earlier runs: these are in `recordedBuilt`
  /// until `rankBuilt` asks for them.
  TrialLog built, recordedBuilt;
  std::optional<Candidate> bestBuilt;
  /// Of the last call of `propose`.
  ProposalReport proposal;
  /// Of the batch that is measured, where the log is written.
  Forecast forecast;
  /// Seconds that the next line of the log has to tell of.
  double replayS = 0, forecastS = 0;
  PhaseTimes times;
  /// While candidates are measured: what the measurer's totals were before.
  std::optional<MeasureStats> statsBefore;
  unsigned numReplayed = 0, numCountedReplayed = 0;
  /// Trials that the model has learned from.
  size_t numLearned = 0;
  unsigned trialsWanted = 0;
  bool prepared = false, unmeasurable = false, onPlateau = false;
  bool warnedOfModel = false;
  /// The log has the task's sketches.
  bool announced = false;
};

} // namespace sched

#endif // SCHEDOPT_TUNING_TASKTUNER_H
