//===- ProgramCosts.h - What the records say of one program -----*- C++ -*-===//
//
// The rule by which records are ranked, for the tuner and for compiling from
// history alike. A program is one machine code, or else (where a record names
// none) one sketch and trace.
//
// Costs measured minutes apart do not compare to the percent: another program
// on the machine, or its clock, moves them more than that. Those of one
// comparison do, as its contenders take turns (Measurer::measureInterleaved). A
// comparison screens the fastest trials and then compares the finalists; so:
//  1. the finalists of the last comparison come in the order of their medians
//     in it, then those that were only screened;
//  2. a program that was not in it comes before them if its trials beat those
//     of all that were clearly (kClearly; where the first is the unscheduled
//     code, its time in the comparison, too), as a trial made since may, and
//     behind them otherwise, always in the order of the medians of trials;
//  3. one that gave a wrong result is not ranked.
//
// Read next: Database.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DATABASE_PROGRAMCOSTS_H
#define SCHEDOPT_DATABASE_PROGRAMCOSTS_H

#include "SchedOpt/Database/Record.h"
#include "llvm/ADT/ArrayRef.h"
#include <limits>

namespace sched {

/// Where a program stands, by its records alone. Seconds a call; infinity where
/// there is no verified cost.
struct Standing {
  static constexpr double kNone = std::numeric_limits<double>::infinity();

  /// The last comparison that it took part in, whatever came of it; 0: none.
  int64_t comparison = 0;
  /// How far it came in that one, and the median of its costs in that stage.
  /// None where it failed there.
  ComparisonStage stage = ComparisonStage::None;
  double comparedS = kNone;
  /// Median of its trials.
  double trialsS = kNone;

  /// What to say that it takes.
  double getSeconds() const { return comparedS < kNone ? comparedS : trialsS; }
  bool isUsable() const { return getSeconds() < kNone; }
};

/// Indices of the usable ones, the one to be preferred first; of equals the
/// earlier.
std::vector<unsigned> rank(llvm::ArrayRef<Standing> standings);

class ProgramCosts {
public:
  /// Takes in a record of the program, in the order of the records. One that
  /// repeats the costs of another candidate with the same machine code adds
  /// none.
  void add(const Record &record);

  /// Of no use where a record of it has a wrong result or wrote out of bounds,
  /// however fast.
  Standing getStanding() const;

private:
  struct Run {
    std::string sketch, trace;
    std::vector<double> costsS;
  };
  bool isCopy(const Record &record) const;

  std::vector<Run> runs;
  int64_t comparison = 0;
  ComparisonStage stage = ComparisonStage::None;
  std::vector<double> comparedS;
  bool disqualified = false;
};

} // namespace sched

#endif // SCHEDOPT_DATABASE_PROGRAMCOSTS_H
