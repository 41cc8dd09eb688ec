//===- TuningOptions.h - What a user says about a search --------*- C++ -*-===//
//
// Plain options of Tuner. Read next: Tuner.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TUNING_TUNINGOPTIONS_H
#define SCHEDOPT_TUNING_TUNINGOPTIONS_H

#include "SchedOpt/Search/StrategyKind.h"
#include <atomic>
#include <cstdint>
#include <string>

namespace sched {

/// How much of the search to tell (SearchLog.h).
enum class LogLevel {
  Progress, ///< a line a round
  Info,     ///< what each round did
  Debug,    ///< and what was refused, and why
};

struct TuningOptions {
  /// Candidates to measure, all tasks together, those in the records included
  /// (TrialLog::getNumCounted). 0: measure nothing; answer from the records, or
  /// else by the model.
  unsigned trials = 64;
  /// Nothing can be run here: of a task without a measured schedule, a batch is
  /// built, and the model's best of what the compiler makes good code of is the
  /// answer.
  bool buildOnly = false;
  /// With that: the compiler says what kernels take, so what was built where
  /// none said so is built again.
  bool expectsUsage = false;
  /// Candidates a round. The same seed, batch and records give the same search.
  unsigned batch = 16;
  uint64_t seed = 0;
  /// What chooses the candidates, and how the evolution among them does it.
  StrategyKind strategy = StrategyKind::Evolutionary;
  EvolutionOptions evolution;
  /// Wall seconds after which no new trial starts; 0: no limit. What is left
  /// then bounds the comparison of the best (Tuner.h), but for its least
  /// rounds: a run may take a second or two more where a kernel is slow.
  double timeBudgetS = 0;
  /// End a task's search after this many trials without an improvement of more
  /// than 1 %; 0: never.
  unsigned earlyStopTrials = 0;
  /// End a task's search when the next batch is expected to gain less than this
  /// over the best (0.01: 1 %); 0: never.
  double plateau = 0;
  /// The fastest trials, of different machine code, are screened taking turns,
  /// and the fastest of these compared once more and for longer, with the
  /// default among them; of long calls only as many as finalists. 0 contenders:
  /// no comparison, trials alone decide.
  unsigned contenders = 12;
  unsigned finalists = 4;
  /// Where StrategyKind::Replay takes its candidates from: a file of records;
  /// "": the run's own.
  std::string replayPath;
  LogLevel logLevel = LogLevel::Progress;
  /// The file that SearchLog.h appends to; "": none.
  std::string searchLogPath;
  /// Set from elsewhere (a signal handler) to end the search with what there
  /// is.
  const std::atomic<bool> *stop = nullptr;
};

} // namespace sched

#endif // SCHEDOPT_TUNING_TUNINGOPTIONS_H
