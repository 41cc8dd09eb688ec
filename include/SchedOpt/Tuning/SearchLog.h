//===- SearchLog.h - How the search goes, round by round --------*- C++ -*-===//
//
// What each round sampled, bred, refused, chose and measured, how well the
// model ranked what was measured, and where the time went: as text for people
// and as one JSON object a line for programs. Written after a round has been
// measured; the search never waits for it or depends on it.
//
// Where nothing can be run, `built` counts the candidates of the one round.
//
// A line of the file (times in seconds, scores as natural logarithms):
//   {"task":..,"workload":..,"round":0,"trials":16,"built":0,"sketches":[{name,
//    decisions, vectors}],"enumerated":..,"sampled":..,"seeds":..,
//    "drafted":..,"ranked":..,"generations":[{kind,population,best,median}],
//    "moves":{NAME:{kept,known,refused,improved}},
//    "refusals":[{sketch,reason,count,trace}],"unrepaired":[the same],
//    "batch":[{sketch,trace,why,score,doubt,seconds,error,stage,message}],
//    "model":{candidates,rank_correlation,log_deviation,failed,foreseen,
//    false_alarms},"rank_correlation":..,"best_s":..,"expected_gain":..,"times":{..}}
//
// "model" is of the cost model alone and "rank_correlation" of the scores by
// which the batch was chosen, which measurements of the batches before have
// corrected, and of which a part may be the draft's (CostModel::getDraftShare).
// Neither knows anything of this batch.
//
// "times" has draft, rank, pick, forecast, build, check, measure and learn; and
// replay, which is 0 but in the first round of a run: what the model took to
// learn from the records of earlier runs.
//
// Read next: Forecast.h, ../Search/ProposalReport.h, TaskTuner.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TUNING_SEARCHLOG_H
#define SCHEDOPT_TUNING_SEARCHLOG_H

#include "SchedOpt/Search/ProposalReport.h"
#include "SchedOpt/Tuning/Forecast.h"
#include "SchedOpt/Tuning/ProgressReporter.h"
#include "SchedOpt/Tuning/SearchTask.h"
#include "SchedOpt/Tuning/TrialLog.h"
#include "SchedOpt/Tuning/TuningOptions.h"
#include "llvm/Support/JSON.h"

namespace sched {

/// One round of a task that was measured, or built.
struct SearchRound {
  const SearchTask &task;
  /// Trials before and after it.
  unsigned before = 0, after = 0;
  unsigned number = 0;
  const ProposalReport &proposal;
  const TrialLog &log;
  /// Of the batch, by the model alone.
  ForecastResult forecast = {};
  /// Nothing was run: `log` has what was built.
  bool isBuiltOnly = false;
  /// Wall seconds of building, checking and timing, and of learning.
  double buildS = 0, checkS = 0, measureS = 0, learnS = 0;
  /// Wall seconds of learning, before the first round, from records of earlier
  /// runs; and of `forecast`.
  double replayS = 0, forecastS = 0;
};

/// Spearman's rank correlation of what was predicted and the speed that was
/// measured, over the batch's successes; nullopt with fewer than 3 of them, or
/// where all are equal.
std::optional<double> correlateRanks(const SearchRound &round);
/// Of any values, of which there is the same number; nullopt where it is below
/// 3, or all are equal.
std::optional<double> correlateRanks(llvm::ArrayRef<double> predicted,
                                     llvm::ArrayRef<double> measured);

class SearchLog {
public:
  /// Text goes through `reporter`, which must outlive the log, as far as
  /// `level` asks for it. `path`: the file to append to; "": none.
  SearchLog(LogLevel level, std::string path, ProgressReporter &reporter)
      : level(level), path(std::move(path)), reporter(reporter) {}

  /// The sketches of a task whose search begins.
  void begin(const SearchTask &task);
  void add(const SearchRound &round);
  /// Whether `add` does anything.
  bool isWritten() const {
    return level != LogLevel::Progress || !path.empty();
  }
  /// What was found in records and cannot be used; told where everything is.
  void addRejected(const SearchTask &task,
                   llvm::ArrayRef<RejectedTrace> rejected);

  /// The two forms of a round.
  static std::string format(const SearchRound &round, LogLevel level);
  static llvm::json::Object toJSON(const SearchRound &round);

private:
  void append(const llvm::json::Object &line);

  LogLevel level;
  std::string path;
  ProgressReporter &reporter;
};

} // namespace sched

#endif // SCHEDOPT_TUNING_SEARCHLOG_H
