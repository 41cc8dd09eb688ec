//===- ProgressReporter.h - Tells a user how tuning goes --------*- C++ -*-===//
//
// On a terminal one status line that is redrawn; in a pipe one plain line a
// batch; in both a closing summary. Knows text only, decides nothing.
// Read next: Tuner.h, which calls it.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TUNING_PROGRESSREPORTER_H
#define SCHEDOPT_TUNING_PROGRESSREPORTER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace sched {

/// Where a run's wall seconds went. `totalS` covers the others and what belongs
/// to none of them, such as files.
struct PhaseTimes {
  double searchS = 0, buildS = 0, checkS = 0, measureS = 0, totalS = 0;
};

/// State of one task at a moment.
struct TuningStatus {
  std::string task;
  /// Trials done, of those how many came from the records, and trials wanted.
  unsigned trials = 0, trialsFromRecords = 0, trialsWanted = 0;
  /// Candidates that became the code of others, and are no trials.
  unsigned duplicates = 0;
  /// Candidates that were built and not run, where nothing can be run.
  unsigned numBuilt = 0;
  /// Seconds; infinity: none yet.
  double bestSeconds = std::numeric_limits<double>::infinity();
  double defaultSeconds = std::numeric_limits<double>::infinity();
  /// Floating-point operations of one call; 0: unknown.
  double flops = 0;
  std::map<std::string, unsigned> failures;
  /// Why the search ended before it had all of its trials; empty otherwise.
  std::string end;
  /// Seconds of a call of the unscheduled function; 0: unknown.
  double referenceSeconds = 0;
  /// The same in the final comparison, where it was the fastest; else 0.
  double unscheduledSeconds = 0;
  /// Where the time went so far; `totalS` is what has passed of the run.
  PhaseTimes times;
};

class ProgressReporter {
public:
  enum class Mode {
    Silent, ///< warnings only
    Plain,  ///< lines
    Live,   ///< a line that is redrawn
  };

  /// `os` must outlive the reporter. `columns` is how wide a redrawn line may
  /// be; 0: what the terminal says.
  ProgressReporter(llvm::raw_ostream &os, Mode mode, unsigned columns = 0)
      : os(os), mode(mode), columns(columns) {}
  ~ProgressReporter();

  /// Live on a terminal, else Plain; Silent if `quiet`. To stderr.
  static ProgressReporter makeDefault(bool quiet);

  /// A candidate has been measured: redraws the line, at most ten times a
  /// second.
  void update(const TuningStatus &status);
  /// A batch has ended.
  void finishBatch(const TuningStatus &status);
  /// A stage that may take long and changes no number, e.g. "compares the
  /// best".
  void announce(const TuningStatus &status, llvm::StringRef stage);
  /// The task has ended. Warns where the best is slower than the unscheduled
  /// function, and yet used.
  void summarize(const TuningStatus &status, const PhaseTimes &times);
  /// What a call of a function takes with all of its tasks scheduled, in
  /// seconds, beside its unscheduled form; 0: unknown.
  void summarizeWhole(llvm::StringRef function, double seconds,
                      double unscheduledSeconds);
  /// Prints whole lines of a log, unless Silent.
  void print(llvm::StringRef lines);
  void warn(const llvm::Twine &text);
  /// Warns where `load`, the mean number of processes that want to run, is
  /// above that of the cores.
  void warnIfBusy(double load, unsigned cores);

  /// ": 3 crash, 1 timeout"; empty where there are none.
  static std::string
  formatFailures(const std::map<std::string, unsigned> &failures);

  /// "12.3 us" and the like, three digits.
  static std::string formatSeconds(double seconds);

private:
  std::string statusLine(const TuningStatus &status) const;
  /// The same, what changes first: on a narrow terminal the end is cut off.
  std::string shortLine(const TuningStatus &status) const;
  void redraw(const TuningStatus &status, llvm::StringRef stage = "");
  void clearLine();

  llvm::raw_ostream &os;
  Mode mode;
  unsigned columns;
  bool lineShown = false;
  double lastDrawn = -std::numeric_limits<double>::infinity();
};

} // namespace sched

#endif // SCHEDOPT_TUNING_PROGRESSREPORTER_H
